//! A progress bar on standard error, if that is a terminal.

use std::io::{self, IsTerminal};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::answers::words::grouped;
use crate::cli::exit::Tally;

#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// `bytes` is `None` if their number is unknown.
    pub fn of_bytes(bytes: Option<u64>) -> Self {
        let template = match bytes {
            Some(_) => "{bar:20} {percent:>3}%, {msg}, {eta} left",
            None => "{spinner} {msg}, {elapsed}",
        };
        Self::new(bytes, template)
    }

    pub fn of(many: u64, what: &str) -> Self {
        let template = "{bar:20} {percent:>3}%, {human_pos} of {human_len} ";
        Self::new(Some(many), &format!("{template}{what}, {{eta}} left"))
    }

    pub fn of_variants() -> Self {
        Self::new(None, "{spinner} {human_pos} variants tried, {elapsed}")
    }

    /// Hides the bar unless standard error is a terminal.
    pub fn where_wanted(bar: impl FnOnce() -> Self) -> Self {
        if io::stderr().is_terminal() {
            bar()
        } else {
            Self::hidden()
        }
    }

    pub fn of_search() -> Self {
        let bar = Self::new(None, "{spinner} {human_pos} boards tried, {msg}, {elapsed}");
        bar.0.set_message("none found yet");
        bar
    }

    /// Adds to the number of boards tried; the message reports findings.
    pub fn found(&self, looked: u64, message: Option<String>) {
        self.0.inc(looked);
        if let Some(message) = message {
            self.0.set_message(message);
        }
    }

    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    fn new(length: Option<u64>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(
            length,
            ProgressDrawTarget::term_like_with_hz(Box::new(Narrow(Term::stderr())), 10),
        );
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        Self(bar)
    }

    /// `tally` counts all boards of the run.
    pub fn advance(&self, bytes: u64, tally: &Tally) {
        if !self.0.is_hidden() {
            self.0.inc(bytes);
            self.0.set_message(message(tally));
        }
    }

    pub fn advance_games(&self, games: u64) {
        self.0.inc(games);
    }

    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// Returns text such as `1,234 boards, 2 failed`.
fn message(tally: &Tally) -> String {
    let boards = grouped(tally.boards());
    format!("{boards} boards, {} failed", grouped(tally.failures()))
}

/// A terminal that claims fewer columns, so that the `^C` that it echoes after the bar does not wrap.
#[derive(Debug)]
struct Narrow(Term);

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        TermLike::width(&self.0).saturating_sub(4).max(1)
    }

    fn height(&self) -> u16 {
        TermLike::height(&self.0)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        TermLike::move_cursor_up(&self.0, lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        TermLike::move_cursor_down(&self.0, lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        TermLike::move_cursor_right(&self.0, columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        TermLike::move_cursor_left(&self.0, columns)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        TermLike::write_line(&self.0, line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        TermLike::write_str(&self.0, text)
    }

    fn clear_line(&self) -> io::Result<()> {
        TermLike::clear_line(&self.0)
    }

    fn flush(&self) -> io::Result<()> {
        TermLike::flush(&self.0)
    }
}
