//! Arguments of `getaway check`.

use std::path::PathBuf;

use clap::Args;

use super::agents::AgentLimitArgs;
use super::report::ReportFile;
use super::selection::{Only, Partition};
use super::{HowArgs, ShortestArgs, in_long_help};

#[derive(Debug, Args)]
#[command(mut_args(|arg| in_long_help(arg, &["fail_fast", "shortest"])))]
#[command(after_long_help = "\
Examples:
  getaway check puzzles
  getaway check --max-errors 0 --strict answers/*.txt
  getaway check --verify puzzles                with each answer's certificate
  getaway check --resume run.state boards.jsonl again, to continue after a crash
  getaway check --report junit=report.xml --report html=report.html answers
  getaway check --agent 'python3 mine.py' --report gradescope=results.json boards
  getaway check --json --partition 2/4 boards   the part of machine 2 of 4
  generate-boards | getaway check --json -")]
pub struct Check {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Check each answer's certificate too.
    #[arg(long)]
    pub verify: bool,
    /// Let a program answer each board.
    ///
    /// Its answer replaces the headers `expect` and `moves`: see `getaway rules agents`.
    #[arg(long, value_name = "COMMAND")]
    pub agent: Option<String>,
    /// Write the answers to this file, as with `--json`.
    ///
    /// It is a table if its extension is `.parquet` or `.arrow`.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "verbose"])]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Also print the states searched and the time taken.
    #[arg(long, short, hide_short_help = true)]
    pub verbose: bool,
    #[command(flatten)]
    pub agents: AgentLimitArgs,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Save progress in this file, and continue from it.
    ///
    /// After a crash, the same command checks only the rest. Everything is printed at the end, without colours by
    /// default.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Check only part I of N, such as `2/4`.
    ///
    /// Every board belongs to one part, determined by its file name and line number.
    #[arg(long, value_name = "I/N", hide_short_help = true)]
    pub partition: Option<Partition>,
    /// Write a report, such as `junit=report.xml`.
    ///
    /// It has a row for each board. FORMAT is `junit`, `csv`, `markdown`, `html` or `gradescope`. Repeatable.
    #[arg(long, value_name = "FORMAT=FILE")]
    pub report: Vec<ReportFile>,
    /// Stop at the first mismatch or error.
    #[arg(long, conflicts_with = "max_fail")]
    pub fail_fast: bool,
    /// Stop after N mismatches and errors.
    ///
    /// The remaining boards in files are counted but not checked.
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_fail: Option<u64>,
    /// Print only this verdict, or `mismatch` or `error`.
    ///
    /// All boards are checked and counted. Repeatable.
    #[arg(long, value_enum, value_name = "VERDICT", hide_possible_values = true)]
    pub only: Vec<Only>,
}
