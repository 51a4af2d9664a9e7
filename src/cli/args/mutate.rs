//! Arguments of `getaway mutate`.

use crate::generate::variants::Rank;
use clap::Args;

use super::generate::{BoardsArgs, EffortArgs};
use super::{BoardArgs, RulesetArgs, ThreadArgs};

#[derive(Debug, Args)]
#[command(after_long_help = "\
A variant moves, adds or removes one wall or piece. Places are row,column of cells, from 1. Without `--max-states`,
variants that take many more states than the board itself are skipped, and counted at the end.

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
    // A hidden switch for what is now the default.
    #[arg(long, conflicts_with = "flip", hide = true)]
    keep: bool,
    /// List variants with another verdict, not the same one.
    #[arg(long)]
    pub flip: bool,
    /// Rank the variants by this measure, hardest first.
    ///
    /// [default: probability for a `dungeon`, else moves]
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub by: Option<Rank>,
    /// Print N variants.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    #[command(flatten)]
    pub output: BoardsArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub ruleset: RulesetArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
}
