//! Arguments of `getaway compare`.

use std::path::PathBuf;

use clap::Args;

use super::agents::{AgentMannerArgs, ForfeitArgs, RoleArgs};
use super::report::gradescope;
use super::{SearchArgs, ThreadArgs};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every runner plays against every choice of chasers, with the same boards and the same luck in each game. Differences \
are tested game by game with McNemar's exact test and Holm's correction for the number of comparisons. The results \
hold for these boards.

Examples:
  getaway compare --runner greedy --runner 'python3 mine.py' level.txt
  getaway compare --runner ./a --runner ./b --runs 99 --plot r.svg levels/*.txt
  getaway compare --ghost chase --ghost cooldown --ghost ./sly level.txt")]
pub struct Compare {
    /// Board files, or boards as FILE#N or FILE#ID; `-` is standard input.
    ///
    /// N counts from 1.
    #[arg(required = true, value_name = "FILE", hide_short_help = true)]
    pub files: Vec<PathBuf>,
    /// Play N games on each board.
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// The seed for chance [default: new, and printed].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    #[arg(long, value_name = "N", default_value_t = crate::play::agent::TURNS, hide_short_help = true)]
    pub turns: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values with a header.
    ///
    /// A line follows for each board and entrant.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Plot the escape rates to this SVG file.
    ///
    /// The plot includes their confidence intervals.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write marks and a leaderboard for Gradescope.
    ///
    /// The first runner is marked: it gets its escape rate times the board's `points`. A runner that forfeits too often
    /// loses all its games on that board.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = gradescope)]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub roles: RoleArgs,
    #[command(flatten)]
    pub manner: AgentMannerArgs,
    #[command(flatten)]
    pub forfeits: ForfeitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}
