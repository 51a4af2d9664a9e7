//! What can be typed after `getaway check`.

use std::path::PathBuf;

use clap::Args;

use super::HowArgs;

/// `getaway check`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  getaway check puzzles
  getaway check --max-errors 0 --strict answers/*.txt
  getaway check --resume run.state boards.jsonl    the same again goes on after a kill
  generate-boards | getaway check --json -")]
pub struct Check {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
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
}
