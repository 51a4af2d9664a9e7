//! The bar on standard error, where that is a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::words::grouped;
use crate::cli::evaluate::Standing;
use crate::cli::exit::Tally;

/// How far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    pace: Pace,
}

/// What moves the bar on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    Files,
    Bytes,
}

impl Progress {
    /// A bar for this many files; `None` if nobody knows how many there are.
    pub fn of_files(files: Option<u64>) -> Self {
        let template = match files {
            Some(_) => "{wide_bar} {pos}/{len} files, {msg}, {eta} left",
            None => "{spinner} {wide_msg} {elapsed}",
        };
        Self::new(files, template, Pace::Files)
    }

    /// A bar for this many games.
    pub fn of_games(games: u64) -> Self {
        Self::new(
            Some(games),
            "{wide_bar} {human_pos}/{human_len} games, {eta} left",
            Pace::Files,
        )
    }

    /// A bar for one file of this many bytes.
    pub fn of_bytes(bytes: u64) -> Self {
        Self::new(
            Some(bytes),
            "{wide_bar} {bytes}/{total_bytes}, {msg}, {eta} left",
            Pace::Bytes,
        )
    }

    /// No bar.
    pub fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            pace: Pace::Files,
        }
    }

    /// Whether there would be someone to see a bar.
    pub fn is_wanted() -> bool {
        io::stderr().is_terminal()
    }

    fn new(length: Option<u64>, template: &str, pace: Pace) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        Self { bar, pace }
    }

    /// A part of so many bytes is done; all boards so far came to `tally`.
    pub fn advance(&self, bytes: u64, is_last: bool, tally: &Tally) {
        if !self.bar.is_hidden() {
            self.bar.inc(match self.pace {
                Pace::Files => is_last.into(),
                Pace::Bytes => bytes,
            });
            self.bar.set_message(message(tally));
        }
    }

    /// So many more games are done.
    pub fn advance_games(&self, games: u64) {
        self.bar.inc(games);
    }

    /// Prints without the bar in the way.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// `1,234 boards, 2 failed`
fn message(tally: &Tally) -> String {
    let failed =
        tally.standing(Standing::Mismatched) + tally.standing(Standing::Error) + tally.unreadable;
    let boards = grouped(tally.boards());
    format!("{boards} boards, {} failed", grouped(failed))
}
