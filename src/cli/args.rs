//! The arguments that several commands share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use clap::builder::{BoolValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Args, ValueEnum, value_parser};
use getaway_play::agent::Policy;

use getaway_search::search::Order;

pub const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("GETAWAY_COMMIT"));

#[derive(Clone, Debug, Args)]
pub struct FilesArgs {
    /// Board files, or boards as FILE#N or FILE#ID; `-` is standard input.
    ///
    /// N counts from 1. Without a file, boards are read from standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also print the number of states searched and the time taken.
    #[arg(long, short)]
    pub verbose: bool,
    #[command(flatten)]
    pub how: HowArgs,
}

/// Returns a parser for one of these values. Each comes with the name that users type and a line of help.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [(T, &str, &str)],
) -> impl TypedValueParser<Value = T> {
    let names = values
        .iter()
        .map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(|typed| {
        let found = values.iter().find(|(_, name, _)| *name == typed);
        found.expect("the parser accepts no other name").0
    })
}

/// The policies, as users name them.
pub const POLICIES: &[(Policy, &str, &str)] = &[
    (
        Policy::Solver,
        Policy::Solver.name(),
        "Plays the solver's best move",
    ),
    (
        Policy::Greedy,
        Policy::Greedy.name(),
        "Makes the move that ends nearest to the goal, ignoring obstacles; avoids only moves that lose at once",
    ),
    (
        Policy::Random,
        Policy::Random.name(),
        "Picks among all legal moves with equal probability",
    ),
    (Policy::Stay, Policy::Stay.name(), "Never moves"),
];

pub fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

#[derive(Clone, Debug, Default, Args)]
pub struct BoardArgs {
    /// The board file, or a board as FILE#N or FILE#ID; `-` is standard input.
    ///
    /// N counts from 1.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Clone, Debug, Args)]
pub struct HowArgs {
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub precision: PrecisionArgs,
}

/// Options for reading boards and limits for searches. They come last, so that the limits are at the end of a help page.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = BOARDS)]
pub struct SearchArgs {
    #[command(flatten)]
    pub ruleset: RulesetArgs,
    /// Treat warnings as errors.
    #[arg(long, hide_short_help = true)]
    pub strict: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

const BOARDS: &str = "Boards";

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = BOARDS)]
pub struct RulesetArgs {
    /// Use this ruleset for every board, whatever its glyphs say. A header that names another ruleset is an error.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub ruleset: Option<String>,
    /// Set this header, such as `runner=3`, on every board that has no such header and whose ruleset knows it.
    /// Repeatable.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, hide_short_help = true)]
    pub set: Vec<Setting>,
    /// Set this header on every board whose ruleset knows it, replacing the board's own. Repeatable.
    #[arg(long = "override", value_name = "KEY=VALUE", value_parser = setting, hide_short_help = true)]
    pub over: Vec<Setting>,
}

/// The key of a header, in lower case, and its value.
pub type Setting = (String, String);

pub fn setting(text: &str) -> Result<Setting, &'static str> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_lowercase(), value.trim().to_owned()))
        }
        _ => Err("write KEY=VALUE, such as `radius=5`"),
    }
}

const LIMITS: &str = "Limits";

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = LIMITS)]
pub struct LimitArgs {
    /// Search at most N states of a board.
    ///
    /// A board that needs more is left undecided.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Use at most this much memory, such as `500MB`.
    ///
    /// All threads share this memory. A board that needs more is left undecided [default: half of the free memory].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<ByteSize>,
    /// Spend at most this long on a board.
    ///
    /// A board that takes longer is left undecided.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = LIMITS)]
pub struct PrecisionArgs {
    /// Stop at bounds this close, such as 0.05.
    ///
    /// They are lower and upper bounds on a probability.
    #[arg(long, alias = "width", value_name = "P", value_parser = precision)]
    pub precision: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ShortestArgs {
    /// Find a shortest line of play.
    #[arg(long = "shortest", id = "shortest", action = ArgAction::SetTrue)]
    #[arg(value_parser = BoolValueParser::new().map(order))]
    pub order: Order,
}

const fn order(is_shortest: bool) -> Order {
    if is_shortest {
        Order::Shortest
    } else {
        Order::DepthFirst
    }
}

#[derive(Clone, Debug, Default, Args)]
pub struct TimingArgs {
    /// Leave out timings, so that the output is reproducible.
    #[arg(long, hide_short_help = true)]
    pub no_timing: bool,
}

#[derive(Clone, Debug, Default, Args)]
pub struct ThreadArgs {
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    #[arg(hide_short_help = true)]
    pub threads: Option<u16>,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = None::<&'static str>)]
pub struct OutputArgs {
    /// Print a JSON object for each board, one per line.
    #[arg(long)]
    pub json: bool,
    /// Print only errors; the exit code gives the result.
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    #[command(flatten)]
    pub timing: TimingArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub errors: ErrorArgs,
}

#[derive(Clone, Debug, Default, Args)]
pub struct ErrorArgs {
    /// Show at most N errors, N warnings, and N mismatches or undecided boards; 0 shows all.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = max(), hide_short_help = true)]
    pub max_errors: u64,
}

/// Returns a parser for a maximum; 0 means that there is no maximum.
fn max() -> impl TypedValueParser<Value = u64> {
    value_parser!(u64).map(|max| if max == 0 { u64::MAX } else { max })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// Only on a terminal.
    #[default]
    Auto,
    /// Always, even in a pipe or with `NO_COLOR`.
    Always,
    /// Never.
    Never,
}

#[derive(Clone, Debug, Args)]
pub struct LayoutArgs {
    /// Print one line per turn.
    #[arg(long, conflicts_with = "json")]
    pub compact: bool,
    /// Print N boards side by side [default: as many as fit on the terminal; 1 in a pipe].
    #[arg(long, alias = "columns", value_name = "N", conflicts_with_all = ["json", "compact", "line_width"])]
    #[arg(value_parser = value_parser!(u16).range(1..), hide_short_help = true)]
    pub per_row: Option<u16>,
    /// Fit the output into N columns [default: the terminal's width; 80 for `--compact` in a pipe].
    #[arg(long, alias = "width", value_name = "N", conflicts_with = "json")]
    #[arg(value_parser = value_parser!(u16).range(20..), hide_short_help = true)]
    pub line_width: Option<u16>,
}

fn size(text: &str) -> Result<ByteSize, String> {
    let size: ByteSize = text
        .parse()
        .map_err(|_| "write a size such as `512MB` or `2GiB`")?;
    // A small number without a unit is probably not meant as a number of bytes.
    let has_unit = text.ends_with(|c: char| c.is_ascii_alphabetic());
    if size > ByteSize::b(0) && size < ByteSize::kb(1) && !has_unit {
        return Err(format!("this is in bytes: write `{}MB`", text.trim()));
    }
    Ok(size)
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "write a number of seconds, 0 or more".to_owned())
}

fn precision(text: &str) -> Result<f64, String> {
    let precision = text
        .parse()
        .ok()
        .filter(|&precision| 0.0 < precision && precision <= 1.0);
    precision.ok_or_else(|| "write a number above 0 and at most 1".to_owned())
}

#[derive(Clone, Debug, Default, Args)]
pub struct GameArgs {
    /// Play these moves, such as `LUL`.
    ///
    /// They replace the header `moves` or the solver's line.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for chance [default: the header `seed`, or 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    ///
    /// [default: 1,000 if a game may never end]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub turns: Option<usize>,
}

/// Hides the argument from `-h` if its id is in `ids`, so that the output of `-h` fits one screen.
pub fn in_long_help(arg: Arg, ids: &[&str]) -> Arg {
    let is_hidden = arg.is_hide_short_help_set() || ids.contains(&arg.get_id().as_str());
    arg.hide_short_help(is_hidden)
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
}

impl FormatName {
    pub fn of_file(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        match &*ending.to_ascii_lowercase() {
            "htm" => Some(Self::Html),
            ending => Self::from_str(ending, false).ok(),
        }
    }
}
