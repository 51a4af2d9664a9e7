//! Arguments of `getaway render`.

use std::path::{Path, PathBuf};

use crate::render::theme::Theme;
use clap::{Args, ValueEnum};

use super::{BoardArgs, GameArgs, SearchArgs};
use crate::play::agent::Policy;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway render board.txt -o game.html
  getaway render board.txt --moves LUL -o game.gif
  getaway render level.txt --policy greedy --seed 7 -o game.svg
  getaway render boards.txt#3 --turn last -o end.png
  getaway render board.txt --format cast -o - | asciinema play -")]
pub struct Render {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Write the picture to this file; `-` is standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// What to write [default: as the ending of OUT says].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<FormatName>,
    /// How the runner plays [default: as the header `moves` says, or the solver].
    #[arg(long, value_enum, value_name = "POLICY", conflicts_with = "moves")]
    pub policy: Option<Policy>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Draw one position (svg; a png is always one).
    #[arg(long)]
    pub still: bool,
    /// Draw the position after turn N, or after the `last` one [default: 0, the start].
    #[arg(long, value_name = "N")]
    pub turn: Option<Turn>,
    /// How wide a cell is, in pixels [default: by the size of the board].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(2..=512))]
    pub cell: Option<u32>,
    /// How long each half of a turn is shown, in milliseconds.
    #[arg(
        long,
        value_name = "MILLISECONDS",
        default_value_t = crate::render::Look::DELAY,
        value_parser = clap::value_parser!(u32).range(20..=60_000)
    )]
    pub delay: u32,
    /// The colours [default: the reader's own for html and svg, else light].
    #[arg(long, value_enum, value_name = "THEME")]
    pub theme: Option<Theme>,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// What a game can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// A page that replays the game.
    Html,
    /// A drawing that moves, or a still.
    Svg,
    /// An animation in pixels.
    Gif,
    /// One position in pixels.
    Png,
    /// A recording for the terminal, as asciinema plays it.
    Cast,
}

impl FormatName {
    /// The format that the ending of a file's name says.
    pub fn of_file(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        match &*ending.to_ascii_lowercase() {
            "htm" => Some(Self::Html),
            ending => Self::from_str(ending, false).ok(),
        }
    }

    /// Whether it is no text.
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Gif | Self::Png)
    }
}

/// Which position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The one after this turn; 0 is the start.
    Number(usize),
    /// The last one.
    Last,
}

impl std::str::FromStr for Turn {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "last" => Ok(Self::Last),
            number => number
                .parse()
                .map(Self::Number)
                .map_err(|_| "write the number of a turn, 0 for the start, or `last`"),
        }
    }
}
