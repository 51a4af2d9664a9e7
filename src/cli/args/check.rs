//! Arguments of `getaway check`.

use std::path::PathBuf;

use clap::Args;

use super::HowArgs;
use super::report::ReportFile;
use super::selection::{Only, Partition};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway check puzzles
  getaway check --max-errors 0 --strict answers/*.txt
  getaway check --verify puzzles                   the evidence for each answer is judged as well
  getaway check --resume run.state boards.jsonl    the same again goes on after a kill
  getaway check --report junit=report.xml --report html=report.html answers
  getaway check --json --partition 2/4 boards      what the second of four machines does
  generate-boards | getaway check --json -")]
pub struct Check {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Verify each answer as well: look for its evidence, and judge that as `getaway verify` does.
    #[arg(long)]
    pub verify: bool,
    /// Write the answers to this file: as `--json` prints them, or as a table if its name ends in `.parquet` or
    /// `.arrow`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "verbose"])]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub how: HowArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How long runs over many boards are cut up, and what is kept of them.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Keep what is done in this file, and go on from there if it exists: after a kill or a crash the same
    /// command judges only the rest. Everything is printed at the end, without colours by default.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Judge only the boards of part I of N, such as `2/4`: every board is in one part, which depends on its
    /// file's name and its line there.
    #[arg(long, value_name = "I/N")]
    pub partition: Option<Partition>,
    /// Write a report with a row for each board: FORMAT is `junit`, `csv`, `markdown` or `html`. May be given
    /// several times.
    #[arg(long, value_name = "FORMAT=FILE")]
    pub report: Vec<ReportFile>,
    /// Judge nothing more after the first mismatch or error.
    #[arg(long, conflicts_with = "max_fail")]
    pub fail_fast: bool,
    /// Judge nothing more after N mismatches and errors; what is left in files is counted.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_fail: Option<u64>,
    /// Print only boards with this verdict, or `mismatch` or `error`, whether anything is wrong with them or
    /// not; all are judged and counted. May be given several times.
    #[arg(long, value_enum, value_name = "VERDICT", hide_possible_values = true)]
    pub only: Vec<Only>,
}
