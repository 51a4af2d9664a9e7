//! Arguments of `getaway render`.

use std::path::{Path, PathBuf};

use crate::render::theme::Theme;
use clap::{Args, ValueEnum};

use super::{BoardArgs, GameArgs, SearchArgs, ShortestArgs, in_long_help};
use crate::play::agent::Policy;

#[derive(Debug, Args)]
#[command(mut_args(|arg| in_long_help(arg, &["file", "shortest"])))]
#[command(after_long_help = "\
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
    /// Write html, svg, gif, png or cast [default: by extension].
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<FormatName>,
    /// The runner's policy [default: the header `moves`, or the solver].
    #[arg(long, value_enum, value_name = "POLICY", conflicts_with = "moves")]
    #[arg(hide_short_help = true)]
    pub policy: Option<Policy>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Draw a single position (for svg; a png always shows one).
    #[arg(long)]
    pub still: bool,
    /// Draw the position after turn N, or the `last` one.
    ///
    /// [default: 0, the start]
    #[arg(long, value_name = "N")]
    pub turn: Option<Turn>,
    /// The width of a cell in pixels [default: by board size].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(2..=512))]
    pub cell: Option<u32>,
    /// The duration of each half turn, in milliseconds.
    #[arg(
        long,
        alias = "delay",
        value_name = "MS",
        default_value_t = crate::render::Look::DELAY,
        value_parser = clap::value_parser!(u32).range(20..=60_000)
    )]
    pub duration: u32,
    /// The colours.
    ///
    /// [default: the viewer's preference for html and svg, else light]
    #[arg(long, value_enum, value_name = "THEME")]
    pub theme: Option<Theme>,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// A page that replays the game.
    Html,
    /// An animated drawing, or a still.
    Svg,
    /// A pixel animation.
    Gif,
    /// One position in pixels.
    Png,
    /// A terminal recording for asciinema.
    Cast,
}

impl FormatName {
    pub fn of_file(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        match &*ending.to_ascii_lowercase() {
            "htm" => Some(Self::Html),
            ending => Self::from_str(ending, false).ok(),
        }
    }

    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Gif | Self::Png)
    }
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The position after this turn; 0 is the start.
    Number(usize),
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
