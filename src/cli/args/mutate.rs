//! Arguments of `getaway mutate`.

use crate::generate::variants::Rank;
use clap::Args;

use super::BoardArgs;
use super::generate::{BoardsArgs, EffortArgs};
use super::settings::SettingArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
A variant moves, adds or removes one wall or piece. Places are row,column in the drawing, from 1.

Examples:
  getaway mutate board.txt
  getaway mutate --by first-moves --count 3 boards.txt#2
  getaway mutate --flip board.txt

Exit codes:
  0  variants were found
  1  there are none
  2  the board or the command line is wrong
  3  a limit was reached: the variants found so far are printed")]
pub struct Mutate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Variants with the same verdict (the default).
    #[arg(long, conflicts_with = "flip")]
    keep: bool,
    /// Variants with another verdict.
    #[arg(long)]
    pub flip: bool,
    /// Rank the variants by this measure, hardest first [default: probability for a `dungeon`, else moves].
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub by: Option<Rank>,
    /// Print N variants.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub count: usize,
    /// Use this ruleset for the board, whatever its header and glyphs say.
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    #[command(flatten)]
    pub settings: SettingArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    pub output: BoardsArgs,
}
