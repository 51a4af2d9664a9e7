//! Arguments of `getaway play` and `edit`.

use std::path::PathBuf;

use crate::generate::level::Level;
use crate::play::agent::TURNS;
use clap::Args;

use super::agents::AgentArgs;
use super::{BoardArgs, SearchArgs, ShortestArgs, in_long_help};

#[derive(Debug, Args)]
#[command(mut_args(|arg| in_long_help(arg, &["shortest", "moves", "ghost", "zombie", "monster"])))]
#[command(after_long_help = "\
Examples:
  getaway play                      a menu of the games
  getaway play theseus --difficulty 6   a new board; n makes the next
  getaway play board.txt
  getaway play puzzles/theseus      n and p go from board to board
  getaway play --seed 7 level.txt
  getaway play --spectate --runner 'python3 mine.py' level.txt
  getaway play --spectate --moves LUL board.txt

In the game `?` shows all keys.")]
pub struct Play {
    /// A board file, a folder of them, or a ruleset for new boards.
    ///
    /// A board of a file is FILE#N, counted from 1, or FILE#ID. Without an argument, a menu opens.
    #[arg(value_name = "PATH|RULESET")]
    pub path: Option<PathBuf>,
    /// New boards: `easy`, `medium`, `hard`, or bits.
    ///
    /// The difficulty in bits is the one that `analyse` reports [default: medium].
    #[arg(long, value_name = "BITS")]
    pub difficulty: Option<Level>,
    /// Show hints, move values and the header `moves`.
    ///
    /// Otherwise, they are shown only on request.
    #[arg(long)]
    pub coach: bool,
    /// The seed for chance [default: header `seed`, or new].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub watch: WatchArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Watch a game of programs or policies, or given moves.
    ///
    /// The moves are those in `--moves` or the header `moves`.
    #[arg(long, alias = "watch")]
    pub spectate: bool,
    /// The runner's moves in a watched game.
    #[arg(
        long,
        value_name = "MOVES",
        allow_hyphen_values = true,
        requires = "spectate"
    )]
    pub moves: Option<String>,
    /// Watch at most N turns.
    #[arg(long, value_name = "N", default_value_t = TURNS, requires = "spectate", hide_short_help = true)]
    pub turns: usize,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub agents: AgentArgs,
}

#[derive(Clone, Debug, Args)]
pub struct ScreenArgs {
    /// Draw in plain ASCII [default: without UTF-8].
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway edit board.txt
  getaway edit boards.jsonl#left    the board with the id `left`
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
