//! Arguments of `getaway play` and `edit`.

use std::path::PathBuf;
use std::str::FromStr;

use crate::play::agent::{Policy, TURNS};
use clap::Args;

use super::agents::AgentArgs;
use super::{BoardArgs, SearchArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway play                      a menu of the games
  getaway play theseus --difficulty 6   a new board; n makes the next
  getaway play board.txt
  getaway play puzzles/theseus      n and p go from board to board
  getaway play --seed 7 level.txt
  getaway play --watch --runner 'python3 mine.py' level.txt
  getaway play --watch --moves LUL board.txt

In the game `?` shows all keys.")]
pub struct Play {
    /// A board file, one of its boards as FILE#N (counted from 1) or FILE#ID, a folder of board files, or a
    /// ruleset for new boards; without it, a menu opens.
    #[arg(value_name = "PATH|RULESET")]
    pub path: Option<PathBuf>,
    /// The difficulty of new boards: `easy`, `medium`, `hard`, or a number of bits as in `analyse` [default:
    /// medium].
    #[arg(long, value_name = "LEVEL")]
    pub difficulty: Option<Level>,
    /// Show hints, move values and the line of the header `moves` from the start.
    #[arg(long)]
    pub coach: bool,
    /// The seed for games of chance [default: the header `seed`, or a new one].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub watch: WatchArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    Easy,
    Medium,
    Hard,
    /// Bits, as in `analyse`.
    Bits(f64),
}

impl Eq for Level {}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "easy" => Ok(Self::Easy),
            "medium" => Ok(Self::Medium),
            "hard" => Ok(Self::Hard),
            bits => match bits.parse() {
                Ok(bits) if (0.0..=1000.0).contains(&bits) => Ok(Self::Bits(bits)),
                _ => Err("write `easy`, `medium`, `hard`, or a number of bits such as 6"),
            },
        }
    }
}

impl Level {
    pub const fn of_key(key: char) -> Option<Self> {
        match key {
            'e' => Some(Self::Easy),
            'm' => Some(Self::Medium),
            'h' => Some(Self::Hard),
            _ => None,
        }
    }

    /// Returns the value for a named level.
    pub fn pick<T>(self, [easy, medium, hard]: [T; 3]) -> Option<T> {
        match self {
            Self::Easy => Some(easy),
            Self::Medium => Some(medium),
            Self::Hard => Some(hard),
            Self::Bits(_) => None,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Watch a game played by programs or a policy, or the moves in `--moves` or the header `moves`.
    #[arg(long)]
    pub watch: bool,
    /// The runner's moves in a watched game.
    #[arg(
        long,
        value_name = "LINE",
        allow_hyphen_values = true,
        requires = "watch",
        conflicts_with = "policy"
    )]
    pub moves: Option<String>,
    /// The runner's policy in a watched game.
    #[arg(long, requires = "watch")]
    pub policy: Option<Policy>,
    /// Watch at most N turns.
    #[arg(long, value_name = "N", default_value_t = TURNS, requires = "watch")]
    pub turns: usize,
    #[command(flatten)]
    pub agents: AgentArgs,
}

#[derive(Clone, Debug, Args)]
pub struct ScreenArgs {
    /// Draw in plain ASCII [default: if the locale is not UTF-8].
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway edit board.txt
  getaway edit boards.jsonl#left    the board with the id `left`; all others stay as they are
  getaway edit --ruleset jimmy new.txt

In the editor `?` shows all keys.")]
pub struct Edit {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}
