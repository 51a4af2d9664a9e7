//! Arguments of `getaway compare`.

use std::path::PathBuf;

use clap::Args;

use super::SearchArgs;
use super::agents::{AgentMannerArgs, ForfeitArgs};
use super::report::gradescope;

#[derive(Debug, Args)]
#[command(after_help = "\
Every runner plays against every choice of chasers, with the same boards and the same luck in each game. Differences \
are tested game by game with McNemar's exact test and Holm's correction for the number of comparisons. The results \
hold for these boards.

Examples:
  getaway compare --runner solver --runner greedy --runner 'python3 mine.py' level.txt
  getaway compare --runner ./a --runner ./b --runs 1000 --seed 1 --plot rates.svg levels/*.txt
  getaway compare --ghost chase --ghost cooldown --ghost ./sly level.txt")]
pub struct Compare {
    /// Board files, or single boards as FILE#N (counted from 1) or FILE#ID; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A runner: `solver`, `greedy`, `random`, `stay`, or the command of a program [default: solver].
    #[arg(long, value_name = "RUNNER")]
    pub runner: Vec<String>,
    /// The ghosts of a `dungeon`: `rule` (the board's own strategy), `chase` or `cooldown` (for its zombies as
    /// well), or the command of a program.
    #[arg(long, value_name = "GHOST")]
    pub ghost: Vec<String>,
    /// The zombies of a `dungeon`: `rule`, or the command of a program.
    #[arg(long, value_name = "ZOMBIE")]
    pub zombie: Vec<String>,
    /// The monsters of `baddies`: `rule`, or the command of a program.
    #[arg(long, value_name = "MONSTER")]
    pub monster: Vec<String>,
    /// Play N games on each board.
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// The seed for chance [default: a new one, which is printed].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    #[arg(long, value_name = "N", default_value_t = crate::play::agent::TURNS)]
    pub turns: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values: a header, then a line for each board and entrant.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Plot the escape rates with their confidence intervals to this SVG file.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write marks and a leaderboard for Gradescope. The first runner is marked: it gets its escape rate times the
    /// board's `points`. A runner that forfeits too often loses all its games on that board.
    #[arg(long, value_name = "gradescope=FILE", value_parser = gradescope)]
    pub report: Option<PathBuf>,
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub manner: AgentMannerArgs,
    #[command(flatten)]
    pub forfeits: ForfeitArgs,
}
