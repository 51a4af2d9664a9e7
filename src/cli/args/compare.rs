//! Arguments of `getaway compare`.

use std::path::PathBuf;

use clap::Args;

use super::SearchArgs;
use super::agents::{AgentMannerArgs, ForfeitArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Every runner is played against every choice of chasers. They meet the same boards and the same luck in each game, \
so a difference is judged game by game: by McNemar's exact test, corrected for the number of comparisons (Holm). \
What it says holds for these boards.

Examples:
  getaway compare --runner solver --runner greedy --runner 'python3 mine.py' level.txt
  getaway compare --runner ./a --runner ./b --runs 1000 --seed 1 --plot rates.svg levels/*.txt
  getaway compare --ghost chase --ghost cooldown --ghost ./sly level.txt")]
pub struct Compare {
    /// Board files, all boards of each, or one board as FILE#N (counted from 1) or FILE#ID; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A runner: `solver`, `greedy`, `random`, `stay`, or the command of a program [default: solver].
    #[arg(long, value_name = "RUNNER")]
    pub runner: Vec<String>,
    /// Who leads the ghosts of a `dungeon`: `rule` (the board's own strategy), `chase` or `cooldown` (for its zombies
    /// as well), or the command of a program.
    #[arg(long, value_name = "GHOST")]
    pub ghost: Vec<String>,
    /// Who leads the zombies of a `dungeon`: `rule`, or the command of a program.
    #[arg(long, value_name = "ZOMBIE")]
    pub zombie: Vec<String>,
    /// Who leads the monsters of `baddies`: `rule`, or the command of a program.
    #[arg(long, value_name = "MONSTER")]
    pub monster: Vec<String>,
    /// Play N games on each board.
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// The seed for what is left to chance [default: a new one, which is printed].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play at most N turns.
    #[arg(long, value_name = "N", default_value_t = crate::play::agent::TURNS)]
    pub turns: usize,
    /// Print JSON: one object with everything.
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values: a line for each board and each who plays, with a line of names first.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Draw the escape rates with their intervals as well, as an SVG file.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
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
