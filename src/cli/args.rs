//! What can be typed: the command line, without any logic.

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

/// What the help ends with.
pub const AFTER_HELP: &str = "\
Examples:
  getaway solve board.txt           the verdict, and the moves of an escape
  getaway solve boards.txt#3        the third board of a file
  getaway check puzzles             a folder of boards against what they expect
  getaway trace board.txt           the game, move by move

Exit codes:
  0  every board escapes (check: everything is as expected)
  1  some board is caught (check: some expectation does not hold)
  2  some input is not a board, or the command line is wrong
  3  some board is undecided, since a limit was reached";

/// The version with the commit that it was built from, where that is known.
pub const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("GETAWAY_COMMIT"));

/// Can the one who runs get away from those who chase?
///
/// getaway decides grid pursuit puzzles exactly, and shows the line of play.
#[derive(Debug, Parser)]
#[command(version, long_version = LONG_VERSION, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours [`auto` respects `NO_COLOR`].
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    pub color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide boards: print each verdict and, for an escape, the moves.
    Solve(Solve),
    /// Check folders of boards against what they expect, on all cores.
    Check(Box<Check>),
    /// Show a game move by move, along the solver's line of play or your own.
    Trace(Trace),
    /// Play games by a policy or by programs: one with its trace, or many with statistics.
    Simulate(Box<Simulate>),
    /// Play policies and programs on the same boards with the same luck, and say which differences mean something.
    Compare(Box<Compare>),
    /// Play boards yourself, in the terminal.
    Play(Play),
    /// Draw a board in the terminal; its verdict and its faults stand beside it.
    Edit(Edit),
    /// Tell what a designer wants to know of a board: shortest lines, forced moves, traps, difficulty.
    Analyse(Analyse),
    /// Measure many boards side by side: the numbers of `analyse` as a table, CSV, JSON or a histogram.
    Rate(Box<Rate>),
    /// Draw a game: a page that replays it, an animation, a still, or a recording for the terminal.
    Render(Render),
    /// Make new boards, as hard as you like.
    Generate(Box<Generate>),
    /// Count all boards of a kind by their answers, and find the one with the longest escape.
    Census(Box<Census>),
    /// Change one thing on a board: the variants with the same verdict, or another, hardest first.
    Mutate(Mutate),
    /// Judge the evidence for an answer, or a line of play, without any search.
    Verify(Verify),
    /// Write boards in another format: drawings, JSON Lines, lists, frames, tables.
    Convert(Convert),
    /// Decide boards and print only the sum of their states, a signature of the rules.
    ///
    /// Any change of a rule or of the order of search changes it.
    Bench(Bench),
    /// Show the rules: what can be played, and how boards are drawn.
    Rules(Rules),
    /// Print what a shell needs to complete command lines.
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
    /// Board files, or single boards as FILE#N (counted from 1) or FILE#ID; `-` is standard input,
    /// which is also read where no file is named.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Answer again whenever a file is saved, until Ctrl-C.
    #[arg(long, requires = "files", conflicts_with_all = ["json", "quiet"])]
    pub watch: bool,
    /// Say why: what each step of an escape avoids, or what ends every first move.
    #[arg(long)]
    pub explain: bool,
    /// Write down why the answer is right, for `getaway verify`; there must be one board.
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
    /// Write the answers to this file: as `--json` prints them, or as a table if its name ends in `.parquet` or
    /// `.arrow`.
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
  getaway trace --compact board.txt     a line a turn
  getaway trace --animate board.txt     the game as it goes")]
pub struct Trace {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Print a JSON object for each half of a turn.
    #[arg(long)]
    pub json: bool,
    /// Print a picture of the game instead, as `render` writes it.
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
    /// How the runner plays [default: solver].
    #[arg(long, value_enum, value_name = "POLICY", conflicts_with = "moves")]
    pub policy: Option<Policy>,
    /// Play these moves instead of the header `moves` or a policy.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for what is left to chance [default: the header `seed`, or a new one, which is
    /// printed].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    #[arg(long, value_name = "N", default_value_t = crate::play::agent::TURNS)]
    pub turns: usize,
    /// Play N games on all cores, and print statistics.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    #[arg(conflicts_with_all = ["compact", "animate", "columns", "width"])]
    pub runs: Option<u64>,
    /// Keep the first, the best and the worst game of `--runs` in this folder, as board files for `trace`, `render` and
    /// `play --watch`; each game then has a seed of its own.
    #[arg(long, value_name = "FOLDER", requires = "runs")]
    pub keep: Option<PathBuf>,
    /// Print JSON: an object for each half of a turn, or one with the statistics.
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

/// The name of a value as it is typed.
pub fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Which board.
#[derive(Clone, Debug, Args)]
pub struct BoardArgs {
    /// The board file, or one board of it as FILE#N (counted from 1) or FILE#ID; `-` is standard
    /// input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// How boards are decided, and their answers printed.
#[derive(Clone, Debug, Args)]
pub struct HowArgs {
    #[command(flatten)]
    pub search: SearchArgs,
    /// Stop when the bounds on a probability are this close to each other, such as 0.05.
    #[arg(long, value_name = "W", value_parser = width)]
    pub width: Option<f64>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How to search.
#[derive(Clone, Debug, Default, Args)]
pub struct SearchArgs {
    /// Read every board by the rules of this ruleset, whatever its header and glyphs say.
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    /// Find a shortest line of play.
    #[arg(long)]
    pub shortest: bool,
    /// Treat every warning as an error of its board.
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// What ends a search.
#[derive(Clone, Debug, Default, Args)]
pub struct LimitArgs {
    /// Look at no more than N states of a board; if they don't decide it, it is undecided.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Use at most this much memory, such as `2GiB` or `500MB`, shared by all threads, for boards and
    /// searches; a board that needs more is undecided [default: half of what is free].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<ByteSize>,
    /// Spend at most this long on reading and deciding a board; if it isn't decided by then, it is
    /// undecided.
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
    /// Print only errors; the exit code tells the rest.
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    /// Leave out all timings, so that the output is reproducible.
    #[arg(long)]
    pub no_timing: bool,
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show at most N errors, and as many mismatches; 0 shows all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_errors: u64,
    /// Print more: the states looked at and the time taken.
    #[arg(long, short)]
    pub verbose: bool,
}

impl OutputArgs {
    /// How many errors, and how many mismatches, are shown at most.
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
    /// Even when piped, and whatever `NO_COLOR` says.
    Always,
    /// Never.
    Never,
}

/// How a trace is laid out.
#[derive(Clone, Debug, Args)]
pub struct LayoutArgs {
    /// Print one line a turn.
    #[arg(long, conflicts_with = "json")]
    pub compact: bool,
    /// Show the game as it goes: draw each board over the one before, on a terminal.
    #[arg(long, conflicts_with_all = ["json", "compact"])]
    pub animate: bool,
    /// Wait so long between two boards of `--animate`.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds, requires = "animate")]
    pub delay: Duration,
    /// Print N boards side by side; with 1 each stands below the one before [default: as many as fit on
    /// the terminal; 1 in a pipe].
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "compact", "animate", "width"])]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub columns: Option<u16>,
    /// Lay out for lines of N characters [default: what the terminal has; 80 for `--compact` in a pipe].
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
    /// The ruleset; without one they are listed.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print only the board to try, as a board file.
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
    /// The shell.
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
    /// The command; without one, the page of the program.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Write all pages into this folder instead.
    #[arg(long, value_name = "OUT", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

/// A time as it is typed.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "write a number of seconds, 0 or more".to_owned())
}

/// Above 0 and at most 1.
fn width(text: &str) -> Result<f64, String> {
    let width = text
        .parse()
        .ok()
        .filter(|&width| 0.0 < width && width <= 1.0);
    width.ok_or_else(|| "write a number above 0 and at most 1".to_owned())
}

#[derive(Debug, Args)]
#[command(after_help = "\
Each part looks at no more than 30,000 states (ten times as many for `what matters`) unless \
`--max-states` says otherwise; what that cuts short is named.

The difficulty, in bits, is log2(1 + moves of a shortest way out) and, for each turn on it, \
log2((safe + tempting) / safe): `safe` is the number of moves after which there still is an escape, \
and a losing move after which one lives for n moves weighs 1 - 1/n of a `tempting` one. Where a \
limit keeps n from being found out it weighs 1, and the difficulty is `at most` the sum.

Examples:
  getaway analyse board.txt
  getaway analyse --json levels/*.txt
  getaway analyse --max-states 1000000 boards.txt#3")]
pub struct Analyse {
    /// Board files, or single boards as FILE#N (counted from 1) or FILE#ID; `-` is standard input,
    /// which is also read where no file is named.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub how: HowArgs,
}

/// Which game on a board is shown.
#[derive(Clone, Debug, Args)]
pub struct GameArgs {
    /// Play these moves, such as `LUL`, instead of the header `moves` or the solver's line.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for what is left to chance [default: the header `seed`, or 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns [default: 1,000 where a game can go on for ever].
    #[arg(long, value_name = "N")]
    pub turns: Option<usize>,
}

/// The switches of the command as they were typed, but for these.
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

/// A switch as it could be typed, if it was.
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
