//! Arguments of `getaway census`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::LimitArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
`jimmy`: Jimmy and the ghosts have a cell each, all others are empty or solid. `baddies`: the hero, one ladder, and \
the baddies have a cell each, all others are empty, wall or abyss. Boards that are mirror images of one another \
are the same up to symmetry, where the mirror keeps the answer: it does in `jimmy`, and in `baddies` with one \
baddie at most.

Examples:
  getaway census jimmy --rows 4 --cols 4 --ghosts 1
  getaway census jimmy --rows 7 --cols 7 --resume jimmy-7x7.json    go on where Ctrl-C broke off
  getaway census baddies --rows 3 --cols 3 --monsters 1 -o firsts.txt

Exit codes:
  0  all boards are counted
  2  the command line is wrong, or the state is of another census
  3  a limit came first, or some boards take more states than `--max-states`")]
#[command(mut_arg("timeout", |timeout| timeout.help("Stop after this long")))]
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
    /// Write the first board of each answer to this file, as a board file.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep what is counted in this file, and begin with what it holds.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Print a JSON object for each answer, one a line.
    #[arg(long)]
    pub json: bool,
    /// Leave out all timings, so that the output is reproducible.
    #[arg(long)]
    pub no_timing: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// The rulesets that have a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CensusRuleset {
    /// Jimmy and the ghosts.
    Jimmy,
    /// A hero, monsters and bats.
    Baddies,
}
