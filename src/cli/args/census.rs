//! Arguments of `getaway census`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{LimitArgs, ThreadArgs, TimingArgs};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Boards of `jimmy` have Jimmy, the ghosts, and empty or solid cells. Boards of `baddies` have the hero, one ladder, the \
baddies, and cells that are empty, wall or abyss. Mirror images are the same board up to symmetry if the mirror keeps \
the answer: in `jimmy`, and in `baddies` with at most one baddie.

Examples:
  getaway census jimmy --rows 4 --cols 4 --ghosts 1
  getaway census jimmy --rows 7 --cols 7 --resume state   continue after Ctrl-C
  getaway census baddies --rows 3 --cols 3 --monsters 1 -o firsts.txt

Exit codes:
  0  all boards are counted
  2  the command line is wrong, or the state is of another census
  3  a limit was reached, or some boards need more states than `--max-states`")]
#[command(mut_arg("timeout", |timeout| timeout.help("Stop after this long").long_help(None)))]
pub struct Census {
    /// The ruleset.
    #[arg(value_enum, value_name = "RULESET")]
    pub ruleset: CensusRuleset,
    /// The number of rows.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub rows: usize,
    /// The number of columns.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub cols: usize,
    /// `jimmy`: the number of ghosts [default: 1].
    #[arg(long, value_name = "N")]
    pub ghosts: Option<usize>,
    /// `baddies`: the number of monsters [default: 0].
    #[arg(long, value_name = "N")]
    pub monsters: Option<usize>,
    /// `baddies`: the number of super monsters [default: 0].
    #[arg(long, value_name = "N")]
    pub super_monsters: Option<usize>,
    /// `baddies`: the number of bats [default: 0].
    #[arg(long, value_name = "N")]
    pub bats: Option<usize>,
    /// Write the first board with each answer to this file.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Save the counts in this file, and continue from them.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Print a JSON object for each answer, one per line.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub timing: TimingArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CensusRuleset {
    /// Jimmy and the ghosts.
    Jimmy,
    /// A hero, monsters and bats.
    Baddies,
}
