//! What can be typed: the command line, without any logic.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use getaway::rollout::Named;

/// Can the one who runs get away from those who chase?
///
/// getaway decides grid pursuit puzzles exactly, and shows the line of play.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 every board escapes (check: all as expected), 1 some board is caught \
                  (check: some expectation missed), 2 some input is no board, 3 some board is undecided.",
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours; they also respect `NO_COLOR`.
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    pub color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide boards; print each verdict and, for an escape, the moves.
    Solve(Solve),
    /// Check whole folders of boards on all cores, against what they expect.
    Check(Check),
    /// Show a board step by step, along the solver's line of play or your own.
    Trace(Trace),
    /// Play a board by a policy and a seed: once with its trace, or many times with statistics.
    Simulate(Simulate),
    /// Decide boards, and print nothing but the sum of the states looked at: a signature that any
    /// change of a rule or of an order changes.
    Bench(Check),
}

/// `getaway solve`
#[derive(Debug, Args)]
pub struct Solve {
    /// Board files, or single boards of them as FILE#N or FILE#ID; standard input for `-` or, where
    /// that is no terminal, for no file at all.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `getaway check` and `getaway bench`
#[derive(Debug, Args)]
pub struct Check {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `getaway trace`
#[derive(Debug, Args)]
pub struct Trace {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Play these moves instead of the solver's, for example `LUL`. The header `moves` stands in for
    /// them.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for what is left to chance; as a rule the header `seed`, or 0.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play so many turns at the most, where a game may go on for ever (1,000 as a rule).
    #[arg(long, value_name = "N")]
    pub turns: Option<usize>,
    /// Print a JSON object for each half turn.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// `getaway simulate`
#[derive(Debug, Args)]
pub struct Simulate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// How the runner plays [default: solver].
    #[arg(long, value_enum, value_name = "POLICY", conflicts_with = "moves")]
    pub policy: Option<PolicyName>,
    /// Play these moves. The header `moves` stands in for them, where no policy is given.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for what is left to chance; as a rule the header `seed`, or a fresh one, which is
    /// printed.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play so many turns at the most.
    #[arg(long, value_name = "N", default_value_t = getaway::rollout::TURNS)]
    pub turns: usize,
    /// Play so many games on all cores, and print statistics.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub runs: Option<u64>,
    /// Print JSON: an object for each half turn, or one with the statistics.
    #[arg(long)]
    pub json: bool,
    /// Use this many threads; as a rule, one for each core.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// How the runner plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PolicyName {
    /// As the solver would.
    Solver,
    /// To where the goal is nearest, as the crow flies.
    Greedy,
    /// Any legal move.
    Random,
    /// Not at all.
    Stay,
}

impl PolicyName {
    /// The policy of this name.
    pub const fn named(self) -> Named {
        match self {
            Self::Solver => Named::Solver,
            Self::Greedy => Named::Greedy,
            Self::Random => Named::Random,
            Self::Stay => Named::Stay,
        }
    }
}

/// Which board.
#[derive(Clone, Debug, Args)]
pub struct BoardArgs {
    /// The board file, or one board of it as FILE#N (counted from 1) or FILE#ID; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// How to search.
#[derive(Clone, Debug, Args)]
pub struct SearchArgs {
    /// Read all boards by the rules of this ruleset, whatever their headers and glyphs say.
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    /// Find a shortest line of play.
    #[arg(long)]
    pub shortest: bool,
    /// Take every warning for an error of its board.
    #[arg(long)]
    pub strict: bool,
    /// Look at no more than this many states of a board; if that is not enough, it is undecided.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Take at most this much memory, such as `2GiB` or `500MB`, shared by all threads; a board that
    /// needs more is undecided [default: half of what is free].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<bytesize::ByteSize>,
    /// Spend no more than this on a board; if that is not enough, it is undecided.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// How to print.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct OutputArgs {
    /// Print a JSON object for each board, one a line.
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors; the exit code tells.
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    /// Leave out all timings, so that the output is reproducible.
    #[arg(long)]
    pub no_timing: bool,
    /// Use this many threads; as a rule, one for each core.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show at most this many errors, and as many mismatches; 0 shows all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_errors: u64,
    /// Say more: the states looked at and the time taken.
    #[arg(long, short)]
    pub verbose: bool,
}

impl OutputArgs {
    /// How many errors are shown at most.
    pub const fn max_errors(&self) -> u64 {
        match self.max_errors {
            0 => u64::MAX,
            most => most,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "it takes a number of seconds, 0 or more".to_owned())
}
