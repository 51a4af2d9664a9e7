//! The bar on standard error, where that is a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::words::grouped;
use crate::cli::evaluate::Standing;
use crate::cli::exit::Tally;

/// How far a run is. The bar leaves room at the end of a line of 80 columns, so that the `^C` of a
/// terminal does not push it up.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many bytes of boards; `None` if nobody knows how many there are.
    pub fn of_bytes(bytes: Option<u64>) -> Self {
        let template = match bytes {
            Some(_) => "{bar:20} {percent:>3}%, {msg}, {eta} left",
            None => "{spinner} {msg}, {elapsed}",
        };
        Self::new(bytes, template)
    }

    /// A bar for this many games.
    pub fn of_games(games: u64) -> Self {
        let template = "{bar:20} {percent:>3}%, {human_pos} of {human_len} games, {eta} left";
        Self::new(Some(games), template)
    }

    /// No bar.
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Whether there would be someone to see a bar.
    pub fn is_wanted() -> bool {
        io::stderr().is_terminal()
    }

    fn new(length: Option<u64>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        Self(bar)
    }

    /// A part of so many bytes is done; all boards so far came to `tally`.
    pub fn advance(&self, bytes: u64, tally: &Tally) {
        if !self.0.is_hidden() {
            self.0.inc(bytes);
            self.0.set_message(message(tally));
        }
    }

    /// So many more games are done.
    pub fn advance_games(&self, games: u64) {
        self.0.inc(games);
    }

    /// Prints without the bar in the way.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// `1,234 boards, 2 failed`
fn message(tally: &Tally) -> String {
    let failed =
        tally.standing(Standing::Mismatched) + tally.standing(Standing::Error) + tally.unreadable;
    let boards = grouped(tally.boards());
    format!("{boards} boards, {} failed", grouped(failed))
}
