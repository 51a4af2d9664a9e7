//! The definition of the command line, without any logic.

pub mod agents;
pub mod census;
pub mod check;
pub mod compare;
pub mod convert;
pub mod generate;
pub mod mutate;
pub mod play;
pub mod rate;
mod render;
pub mod report;
pub mod selection;
pub mod settings;
mod verify;

use std::path::PathBuf;
use std::time::Duration;

use crate::engine::search::Order;
use bytesize::ByteSize;
use clap::{Arg, Args, Parser, Subcommand, ValueEnum};

use agents::{AgentArgs, ForfeitArgs};
use census::Census;
use check::Check;
use compare::Compare;
use convert::Convert;
use generate::Generate;
use mutate::Mutate;
use play::{Edit, Play};
use rate::{Measure, Rate};
pub use render::{FormatName, Render, Turn};
use settings::SettingArgs;
pub use verify::Verify;

pub const AFTER_HELP: &str = "\
Examples:
  getaway solve board.txt           the verdict, and the moves of an escape
  getaway solve boards.txt#3        the third board of a file
  getaway check puzzles             a folder against its expectations
  getaway trace board.txt           the game, move by move

Exit codes:
  0  every board escapes (check: every expectation holds)
  1  some board is caught (check: some expectation fails)
  2  some board or the command line is invalid
  3  a limit was reached: some board is undecided";

pub const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("GETAWAY_COMMIT"));

/// Can the runner get away from the chasers?
///
/// getaway decides grid pursuit puzzles exactly and shows the line of play.
#[derive(Debug, Parser)]
#[command(version, long_version = LONG_VERSION, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Use colours [`auto` respects `NO_COLOR`].
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    #[arg(hide_short_help = true, display_order = 900)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide boards: the verdict, and the moves of an escape.
    Solve(Solve),
    /// Check boards against their expectations, on all cores.
    Check(Box<Check>),
    /// Show a game move by move: the solver's or your own.
    Trace(Trace),
    /// Let policies or programs play games, with statistics.
    ///
    /// A single game is shown as a trace.
    Simulate(Box<Simulate>),
    /// Compare policies and programs on the same boards.
    ///
    /// They play with the same luck, and the differences are tested for significance.
    Compare(Box<Compare>),
    /// Play boards yourself in the terminal.
    Play(Play),
    /// Edit a board, with its verdict and faults beside it.
    Edit(Edit),
    /// Report design metrics: shortest lines, traps, difficulty.
    Analyse(Analyse),
    /// Tabulate the metrics of `analyse` for many boards.
    ///
    /// The table can be text, CSV, JSON or a histogram.
    Rate(Box<Rate>),
    /// Draw a game: a page, an animation, a still, a recording.
    Render(Render),
    /// Generate boards of the difficulty you choose.
    Generate(Box<Generate>),
    /// Count all boards of a size by answer.
    ///
    /// It also finds the longest escape.
    Census(Box<Census>),
    /// List the variants of a board by one change, hardest first.
    Mutate(Mutate),
    /// Verify a certificate or a line of play without a search.
    Verify(Verify),
    /// Convert boards: drawings, JSON Lines, lists, tables.
    Convert(Convert),
    /// Print the number of states searched, as a signature.
    ///
    /// It is the total over all boards. Any change to a rule or to the search order changes this number.
    Bench(Bench),
    /// Show the rulesets, their rules, and how to draw boards.
    Rules(Rules),
    /// Print shell completions.
    Completions(Completions),
    /// Print the manual page of the program or of a command.
    Man(ManPage),
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway solve board.txt
  getaway solve --shortest levels/*.txt
  getaway solve --explain board.txt
  getaway solve boards.jsonl#left   the board whose id is `left`
  getaway solve --certificate evidence.gz board.txt
  getaway solve --watch board.txt   the answer beside your editor
  cat board.txt | getaway solve")]
pub struct Solve {
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Explain the verdict.
    ///
    /// For an escape, it names the dangers that each step avoids; otherwise, it says how every first move ends.
    #[arg(long)]
    pub explain: bool,
    /// Write a certificate of the answer, for `verify`.
    ///
    /// The input must contain a single board.
    #[arg(long, value_name = "OUT", conflicts_with = "watch")]
    pub certificate: Option<PathBuf>,
    /// Answer again whenever a file is saved, until Ctrl-C.
    #[arg(long, requires = "files", conflicts_with_all = ["json", "quiet"])]
    pub watch: bool,
    #[command(flatten)]
    pub boards: FilesArgs,
}

#[derive(Clone, Debug, Args)]
pub struct FilesArgs {
    /// Board files, or boards as FILE#N or FILE#ID; `-` is standard input.
    ///
    /// N counts from 1. Without a file, boards are read from standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also print the states searched and the time taken.
    #[arg(long, short)]
    pub verbose: bool,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
pub struct Bench {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub timing: TimingArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub width: WidthArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway trace board.txt
  getaway trace --moves LUL boards.txt#2
  getaway trace --compact board.txt     one line per turn
  getaway trace --animate board.txt     the game as an animation")]
pub struct Trace {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Print a JSON object for each half turn.
    #[arg(long)]
    pub json: bool,
    /// Print a picture of the game instead, as `render` does.
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    #[arg(conflicts_with_all = ["json", "compact", "animate", "columns", "line_width"])]
    pub format: Option<FormatName>,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway simulate level.txt
  getaway simulate --runs 10000 --seed 1 level.txt
  getaway simulate --policy greedy --runs 1000 level.txt
  getaway simulate --runner 'python3 mine.py' --runs 1000 --seed 1 level.txt")]
#[command(mut_args(|arg| in_long_help(arg, &["file", "moves", "shortest"])))]
#[command(mut_arg("seed", |seed| seed.help("The seed for chance [default: header `seed`, or new]")))]
pub struct Simulate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Play N games on all cores and print statistics.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    #[arg(conflicts_with_all = ["compact", "animate", "columns", "line_width"])]
    pub runs: Option<u64>,
    /// Save the first, best and worst game of `--runs` here.
    ///
    /// They are board files for `trace`, `render` and `play --spectate`. Each game then has its own seed.
    #[arg(long, value_name = "FOLDER", requires = "runs")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Print JSON of each half turn, or of the statistics.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub agents: AgentArgs,
    #[command(flatten)]
    pub forfeits: ForfeitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

#[derive(Clone, Debug, Args)]
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
    pub width: WidthArgs,
}

/// Options for reading boards, and the limits of searches. They come last, so that the limits end a help page.
#[derive(Clone, Debug, Default, Args)]
pub struct SearchArgs {
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Boards")]
pub struct ReadArgs {
    #[command(flatten)]
    pub ruleset: RulesetArgs,
    /// Treat warnings as errors.
    #[arg(long, hide_short_help = true)]
    pub strict: bool,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Boards")]
pub struct RulesetArgs {
    /// Use this ruleset for every board, whatever its header and glyphs say.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub ruleset: Option<String>,
    #[command(flatten)]
    pub settings: SettingArgs,
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
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Spend at most this long on a board.
    ///
    /// A board that takes longer is left undecided.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = LIMITS)]
pub struct MemoryArgs {
    /// Use at most this much memory, such as `500MB`.
    ///
    /// All threads share this memory. A board that needs more is left undecided [default: half of the free memory].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<ByteSize>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = LIMITS)]
pub struct WidthArgs {
    /// Stop at bounds this close, such as 0.05.
    ///
    /// They are lower and upper bounds on a probability.
    #[arg(long, value_name = "W", value_parser = width)]
    pub width: Option<f64>,
}

#[derive(Clone, Copy, Debug, Args)]
pub struct ShortestArgs {
    /// Find a shortest line of play.
    #[arg(long)]
    shortest: bool,
}

impl ShortestArgs {
    pub const fn order(self) -> Order {
        if self.shortest {
            Order::BreadthFirst
        } else {
            Order::DepthFirst
        }
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
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
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
    /// Show at most N errors and N mismatches; 0 shows all.
    #[arg(long, value_name = "N", default_value_t = 20, hide_short_help = true)]
    pub max_errors: u64,
}

impl OutputArgs {
    pub const fn max_errors(&self) -> u64 {
        match self.max_errors {
            0 => u64::MAX,
            most => most,
        }
    }
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
    /// Animate the game on the terminal.
    ///
    /// Each board is drawn over the previous one.
    #[arg(long, conflicts_with_all = ["json", "compact"], hide_short_help = true)]
    pub animate: bool,
    /// Wait this long between the boards of `--animate`.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds, requires = "animate")]
    #[arg(hide_short_help = true)]
    pub delay: Duration,
    /// Print N boards side by side [default: as many as fit on the terminal; 1 in a pipe].
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "compact", "animate", "line_width"])]
    #[arg(value_parser = clap::value_parser!(u16).range(1..), hide_short_help = true)]
    pub columns: Option<u16>,
    /// Fit the output into N columns [default: the terminal's width; 80 for `--compact` in a pipe].
    #[arg(long, alias = "width", value_name = "N", conflicts_with_all = ["json", "animate"])]
    #[arg(value_parser = clap::value_parser!(u16).range(20..), hide_short_help = true)]
    pub line_width: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway rules
  getaway rules jimmy
  getaway rules jimmy --sample | getaway trace -")]
pub struct Rules {
    /// The ruleset to show; without it, all rulesets are listed.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print only the sample board, as a board file.
    #[arg(long, requires = "name")]
    pub sample: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway completions bash > ~/.local/share/bash-completion/completions/getaway
  getaway completions fish > ~/.config/fish/completions/getaway.fish
  getaway completions zsh > DIR/_getaway     DIR: one of those in $fpath")]
pub struct Completions {
    /// The shell to generate completions for.
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway man | man -l -
  getaway man solve | man -l -
  getaway man --dir ~/.local/share/man/man1")]
pub struct ManPage {
    /// The command to document; without it, the program itself.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write all pages into this folder instead.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

fn size(text: &str) -> Result<ByteSize, String> {
    let size = text.parse();
    size.map_err(|_| "write a size such as `512MB` or `2GiB`".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "write a number of seconds, 0 or more".to_owned())
}

fn width(text: &str) -> Result<f64, String> {
    let width = text
        .parse()
        .ok()
        .filter(|&width| 0.0 < width && width <= 1.0);
    width.ok_or_else(|| "write a number above 0 and at most 1".to_owned())
}

const ANALYSE_NOTES: &str = "\
`forced` and `last-mistake` look at one shortest escape. `matters` removes each chaser, wall and danger in turn. \
`positions` shows `reachable` and `dead-ends`, `best play` shows `turns`, and `caught by` names the chasers that end \
the other games under best play.

Each part searches at most 30,000 states (300,000 for `what matters`) unless `--max-states` is given; parts that \
reach the limit are named.

The difficulty in bits is log2(1 + moves of a shortest escape) plus, for each turn of it, \
log2((safe + tempting) / safe). `safe` counts the moves that still escape. `tempting` sums the losing moves: one after \
which the runner survives for n moves weighs 1 - 1/n. If a limit hides n, the weight is 1, and the difficulty is \
`at most` the sum.

Examples:
  getaway analyse board.txt
  getaway analyse --json levels/*.txt
  getaway analyse --max-states 1000000 boards.txt#3";

#[derive(Debug, Args)]
#[command(after_long_help = format!("{}\n\n{ANALYSE_NOTES}", Measure::help()))]
pub struct Analyse {
    #[command(flatten)]
    pub boards: FilesArgs,
}

#[derive(Clone, Debug, Args)]
pub struct GameArgs {
    /// Play these moves, such as `LUL`.
    ///
    /// They replace the header `moves` or the solver's line.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for chance [default: the header `seed`, or 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns [default: 1,000 if a game may never end].
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub turns: Option<usize>,
}

/// Leaves an argument with one of these ids out of `-h`, which fits one screen.
fn in_long_help(arg: Arg, ids: &[&str]) -> Arg {
    let is_hidden = arg.is_hide_short_help_set() || ids.contains(&arg.get_id().as_str());
    arg.hide_short_help(is_hidden)
}
