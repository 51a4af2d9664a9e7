//! Arguments of `getaway mutate`.

use crate::generate::variants::Rank;
use clap::Args;

use super::BoardArgs;
use super::generate::{BoardsArgs, EffortArgs};
use super::settings::SettingArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
A variant has one wall, or one of those who stand on the board, moved, added or taken away. Places are
row,column in the drawing, from 1.

Examples:
  getaway mutate board.txt
  getaway mutate --by first-moves --count 3 boards.txt#2
  getaway mutate --flip board.txt

Exit codes:
  0  there are such variants
  1  there are none
  2  the board or the command line is wrong
  3  a limit came first: the variants found by then are printed")]
pub struct Mutate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Variants with the same verdict (the default).
    #[arg(long, conflicts_with = "flip")]
    keep: bool,
    /// Variants with another verdict.
    #[arg(long)]
    pub flip: bool,
    /// Print the hardest first by this measure [default: probability for a `dungeon`, else moves].
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub by: Option<Rank>,
    /// Print N variants.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub count: usize,
    /// Read the board by the rules of this ruleset, whatever its header and glyphs say.
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    #[command(flatten)]
    pub settings: SettingArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    pub output: BoardsArgs,
}
