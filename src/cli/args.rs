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

use crate::play::agent::Policy;
use bytesize::ByteSize;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Parser, Subcommand, ValueEnum};

use agents::{AgentArgs, ForfeitArgs};
use census::Census;
use check::Check;
use compare::Compare;
use convert::Convert;
use generate::Generate;
use mutate::Mutate;
use play::{Edit, Play};
use rate::Rate;
pub use render::{FormatName, Render, Turn};
use settings::SettingArgs;
pub use verify::Verify;

pub const AFTER_HELP: &str = "\
Examples:
  getaway solve board.txt           the verdict, and the moves of an escape
  getaway solve boards.txt#3        the third board of a file
  getaway check puzzles             a folder of boards against their expectations
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
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide boards: print each verdict and the moves of an escape.
    Solve(Solve),
    /// Check folders of boards against their expectations, on all cores.
    Check(Box<Check>),
    /// Show a game move by move: the solver's line of play or your own.
    Trace(Trace),
    /// Let a policy or programs play one game, shown as a trace, or many, with statistics.
    Simulate(Box<Simulate>),
    /// Compare policies and programs on the same boards with the same luck, and test the differences for significance.
    Compare(Box<Compare>),
    /// Play boards yourself in the terminal.
    Play(Play),
    /// Edit a board in the terminal, with its verdict and faults beside it.
    Edit(Edit),
    /// Report design metrics: shortest lines, forced moves, traps, difficulty.
    Analyse(Analyse),
    /// Tabulate the metrics of `analyse` for many boards: as a table, CSV, JSON or a histogram.
    Rate(Box<Rate>),
    /// Draw a game: a web page, an animation, a still, or a terminal recording.
    Render(Render),
    /// Generate boards of the difficulty you choose.
    Generate(Box<Generate>),
    /// Count all boards of a given size by answer, and find the longest escape.
    Census(Box<Census>),
    /// List the variants of a board that differ by one change, hardest first.
    Mutate(Mutate),
    /// Verify a certificate or a line of play, without any search.
    Verify(Verify),
    /// Convert boards to drawings, JSON Lines, lists, frames or tables.
    Convert(Convert),
    /// Decide boards and print the total number of states searched, as a signature of the rules.
    ///
    /// Any change to a rule or to the search order changes this number.
    Bench(Bench),
    /// Show the rulesets, their rules, and how to draw boards.
    Rules(Rules),
    /// Print shell completions.
    Completions(Completions),
    /// Print the manual page of the program or of a command.
    Man(ManPage),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway solve board.txt
  getaway solve --shortest levels/*.txt
  getaway solve --explain board.txt
  getaway solve boards.jsonl#left   the board whose id is `left`
  getaway solve --certificate evidence.gz board.txt
  getaway solve --watch board.txt   the answer beside your editor
  cat board.txt | getaway solve")]
pub struct Solve {
    /// Board files, or single boards as FILE#N (counted from 1) or FILE#ID; `-` or no file means standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Answer again whenever a file is saved, until Ctrl-C.
    #[arg(long, requires = "files", conflicts_with_all = ["json", "quiet"])]
    pub watch: bool,
    /// Explain the verdict: the dangers that each step of an escape avoids, or how every first move ends.
    #[arg(long)]
    pub explain: bool,
    /// Write a certificate of the answer, for `getaway verify`; only for a single board.
    #[arg(long, value_name = "OUT", conflicts_with = "watch")]
    pub certificate: Option<PathBuf>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
pub struct Bench {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write the answers to this file: a table if its extension is `.parquet` or `.arrow`, else as with `--json`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "verbose"])]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
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
    /// Print a JSON object for each half turn.
    #[arg(long)]
    pub json: bool,
    /// Print a picture of the game instead, as `render` does.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Option<FormatName>,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway simulate level.txt
  getaway simulate --runs 10000 --seed 1 level.txt
  getaway simulate --policy greedy --runs 1000 level.txt
  getaway simulate --runner 'python3 mine.py' --runs 1000 --seed 1 level.txt")]
pub struct Simulate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// The runner's policy [default: solver].
    #[arg(long, value_enum, value_name = "POLICY", conflicts_with = "moves")]
    pub policy: Option<Policy>,
    /// Play these moves instead of those in the header `moves` or those of a policy.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The random seed [default: the header `seed`, or else a new seed, which is printed].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    #[arg(long, value_name = "N", default_value_t = crate::play::agent::TURNS)]
    pub turns: usize,
    /// Play N games on all cores and print statistics.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    #[arg(conflicts_with_all = ["compact", "animate", "columns", "width"])]
    pub runs: Option<u64>,
    /// Save the first, best and worst game of `--runs` in this folder, as board files for `trace`, `render` and
    /// `play --watch`; each game then has its own seed.
    #[arg(long, value_name = "FOLDER", requires = "runs")]
    pub keep: Option<PathBuf>,
    /// Print JSON: an object for each half turn, or one with the statistics.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub layout: LayoutArgs,
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub agents: AgentArgs,
    #[command(flatten)]
    pub forfeits: ForfeitArgs,
}

pub fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

#[derive(Clone, Debug, Args)]
pub struct BoardArgs {
    /// The board file, or one of its boards as FILE#N (counted from 1) or FILE#ID; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Clone, Debug, Args)]
pub struct HowArgs {
    #[command(flatten)]
    pub search: SearchArgs,
    /// Stop when the bounds on a probability are this close together, such as 0.05.
    #[arg(long, value_name = "W", value_parser = width)]
    pub width: Option<f64>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Debug, Default, Args)]
pub struct SearchArgs {
    /// Use this ruleset for every board, whatever its header and glyphs say.
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    /// Find a shortest line of play.
    #[arg(long)]
    pub shortest: bool,
    /// Treat warnings as errors.
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
}

#[derive(Clone, Debug, Default, Args)]
pub struct LimitArgs {
    /// Search at most N states of a board; a board that needs more is left undecided.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Use at most this much memory in total, such as `2GiB` or `500MB`; a board that needs more is left undecided
    /// [default: half of the free memory].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<ByteSize>,
    /// Spend at most this long on a board; a board that takes longer is left undecided.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct OutputArgs {
    /// Print a JSON object for each board, one per line.
    #[arg(long)]
    pub json: bool,
    /// Print only errors; the exit code gives the result.
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    /// Leave out timings, so that the output is reproducible.
    #[arg(long)]
    pub no_timing: bool,
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show at most N errors and N mismatches; 0 shows all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_errors: u64,
    /// Also print the number of states searched and the time taken.
    #[arg(long, short)]
    pub verbose: bool,
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
    /// Animate the game on the terminal by drawing each board over the previous one.
    #[arg(long, conflicts_with_all = ["json", "compact"])]
    pub animate: bool,
    /// Wait this long between the boards of `--animate`.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds, requires = "animate")]
    pub delay: Duration,
    /// Print N boards side by side [default: as many as fit on the terminal; 1 in a pipe].
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "compact", "animate", "width"])]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub columns: Option<u16>,
    /// Fit the output into N columns [default: the terminal's width; 80 for `--compact` in a pipe].
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "animate"])]
    #[arg(value_parser = clap::value_parser!(u16).range(20..))]
    pub width: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
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
#[command(after_help = "\
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
#[command(after_help = "\
Examples:
  getaway man | man -l -
  getaway man solve | man -l -
  getaway man --dir ~/.local/share/man/man1")]
pub struct ManPage {
    /// The command to document; without it, the program itself.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write all pages into this folder instead.
    #[arg(long, value_name = "OUT", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
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

#[derive(Debug, Args)]
#[command(after_help = "\
Each part searches at most 30,000 states (300,000 for `what matters`) unless `--max-states` is given; parts that \
reach the limit are named.

The difficulty in bits is log2(1 + moves of a shortest escape) plus, for each turn of it, \
log2((safe + tempting) / safe). `safe` counts the moves that still escape. `tempting` sums the losing moves: one after \
which the runner survives for n moves weighs 1 - 1/n. If a limit hides n, the weight is 1, and the difficulty is \
`at most` the sum.

Examples:
  getaway analyse board.txt
  getaway analyse --json levels/*.txt
  getaway analyse --max-states 1000000 boards.txt#3")]
pub struct Analyse {
    /// Board files, or single boards as FILE#N (counted from 1) or FILE#ID; `-` or no file means standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Clone, Debug, Args)]
pub struct GameArgs {
    /// Play these moves, such as `LUL`, instead of the header `moves` or the solver's line.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for chance [default: the header `seed`, or 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns [default: 1,000 if a game may never end].
    #[arg(long, value_name = "N")]
    pub turns: Option<usize>,
}

/// Returns the switches that were typed, except those with the ids in `but`.
pub fn typed(but: &[&str]) -> Vec<String> {
    let mut command = super::definition();
    command.build();
    let matches = command.clone().get_matches();
    let (name, matches) = matches.subcommand().expect("a command was typed");
    let known = command
        .find_subcommand(name)
        .map(clap::Command::get_arguments);
    let args = known.into_iter().flatten();
    let args = args.filter(|arg| !but.contains(&arg.get_id().as_str()));
    args.filter_map(|arg| flag(arg, matches)).collect()
}

fn flag(arg: &Arg, matches: &ArgMatches) -> Option<String> {
    let (id, name) = (arg.get_id().as_str(), arg.get_long()?);
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if !arg.get_action().takes_values() {
        return Some(format!("--{name}"));
    }
    let values = matches.get_raw(id).into_iter().flatten();
    let typed = values.map(|value| format!("--{name} {}", value.to_string_lossy()));
    Some(typed.collect::<Vec<_>>().join(" "))
}
