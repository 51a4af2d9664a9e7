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
  getaway check --verify puzzles                   check the certificate of each answer too
  getaway check --resume run.state boards.jsonl    run it again to continue after a crash
  getaway check --report junit=report.xml --report html=report.html answers
  getaway check --json --partition 2/4 boards      the share of the second of four machines
  generate-boards | getaway check --json -")]
pub struct Check {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Also verify each answer: produce its certificate and check it as `getaway verify` does.
    #[arg(long)]
    pub verify: bool,
    /// Write the answers to this file: a table if its extension is `.parquet` or `.arrow`, else as with `--json`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "verbose"])]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub how: HowArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Save progress in this file, and continue from it if it exists: after a crash, the same command checks
    /// only the rest. Everything is printed at the end, without colours by default.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Check only part I of N, such as `2/4`. Every board belongs to one part, determined by its file name
    /// and line number.
    #[arg(long, value_name = "I/N")]
    pub partition: Option<Partition>,
    /// Write a report with a row for each board: FORMAT is `junit`, `csv`, `markdown`, `html` or `gradescope`.
    /// Repeatable.
    #[arg(long, value_name = "FORMAT=FILE")]
    pub report: Vec<ReportFile>,
    /// Stop at the first mismatch or error.
    #[arg(long, conflicts_with = "max_fail")]
    pub fail_fast: bool,
    /// Stop after N mismatches and errors; the remaining boards in files are counted but not checked.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_fail: Option<u64>,
    /// Print only boards with this verdict, or `mismatch` or `error`; all are checked and counted. Repeatable.
    #[arg(long, value_enum, value_name = "VERDICT", hide_possible_values = true)]
    pub only: Vec<Only>,
}
