//! The bar on standard error, where that is a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How far a run is.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many files; `None` if nobody knows how many there are.
    pub fn of_files(files: Option<u64>) -> Self {
        let template = match files {
            Some(_) => "{bar:30} {pos}/{len} files, {msg} [{elapsed}, {eta} left]",
            None => "{spinner} {msg} [{elapsed}]",
        };
        Self::new(files, template)
    }

    /// A bar for this many games.
    pub fn of_games(games: u64) -> Self {
        Self::new(
            Some(games),
            "{bar:30} {pos}/{len} {msg} [{elapsed}, {eta} left]",
        )
    }

    /// A bar for one file of this many bytes.
    pub fn of_bytes(bytes: u64) -> Self {
        Self::new(
            Some(bytes),
            "{bar:30} {bytes}/{total_bytes}, {msg} [{elapsed}, {eta} left]",
        )
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

    /// So much more is done.
    pub fn advance(&self, by: u64, message: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.inc(by);
            self.0.set_message(message());
        }
    }

    /// Prints without the bar in the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
