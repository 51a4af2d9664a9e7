//! A progress bar on standard error, shown only on a terminal.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use console::{Term, truncate_str};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

use super::text;
use crate::cli::exit::Tally;
use crate::cli::pipeline::Writer;
use getaway_board::limits::Decision;
use getaway_board::limits::progress::SearchProgress;
use getaway_board::words::{count, grouped};
use getaway_generate::Measures;

/// The time after which a search shows its progress.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(250);

#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    pub fn of_bytes(bytes: Option<u64>) -> Self {
        let template = match bytes {
            Some(_) => "{wide_bar} {percent:>3}%, {msg}, {eta} left",
            None => "{spinner} {msg}, {elapsed}",
        };
        let bar = Self::new(bytes, style(template));
        bar.0.set_message(count(0, "board"));
        bar
    }

    pub fn of(many: u64, what: &str) -> Self {
        let template = "{wide_bar} {percent:>3}%, {human_pos} of {human_len} ";
        let style = style(&format!("{template}{what}, {{eta}} left"));
        Self::new(Some(many), style)
    }

    /// Shows how many of at most `all` states have been visited. `what` names them, such as `states listed`.
    pub fn of_states(what: &'static str, all: usize, search: &Arc<SearchProgress>) -> Self {
        let (search, all) = (Arc::clone(search), all as u64);
        let work = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let done = search.states();
            let rest = state.elapsed().as_secs() * all.saturating_sub(done);
            let left = rest
                .checked_div(done)
                .map(|left| format!(", up to {left} s left"));
            let text = format!("{} of at most {} {what}", grouped(done), grouped(all));
            let _ = write!(out, "{text}{}", left.unwrap_or_default());
        };
        Self::new(None, style("{spinner} {work}").with_key("work", work))
    }

    pub fn of_board(search: &Arc<SearchProgress>) -> Self {
        let key = |text: fn(&SearchProgress, Duration) -> String| {
            let search = Arc::clone(search);
            move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let time = state.elapsed();
                if time >= SHOWN_AFTER && search.states() > 0 {
                    let width = TermLike::width(&Narrow(Term::stderr())).into();
                    let text = text(&search, time);
                    let _ = out.write_str(&truncate_str(&text, width, ""));
                }
            }
        };
        let style = style("{answer}\n{effort}").with_key("answer", key(answer_so_far));
        Self::new(None, style.with_key("effort", key(effort_so_far)))
    }

    /// Returns the bar, or a hidden one if standard error is not a terminal.
    pub fn on_terminal(bar: impl FnOnce() -> Self) -> Self {
        let shown = io::stderr().is_terminal().then(bar);
        shown.unwrap_or_else(Self::hidden)
    }

    /// Shows how many items have been tried, the best one found so far, and how much time is left before `deadline`, if there is
    /// one. `what` names an item, such as `board`.
    pub fn of_search(what: &'static str, deadline: Option<Instant>) -> Self {
        let tried = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let time = state.elapsed().as_secs();
            let _ = write!(out, "{} tried, {time} s", count(state.pos(), what));
            if let Some(deadline) = deadline {
                let left = deadline.saturating_duration_since(Instant::now()).as_secs();
                let _ = write!(out, ", at most {left} s left");
            }
        };
        let style = style("{spinner} {tried}, {wide_msg}").with_key("tried", tried);
        let bar = Self::new(None, style);
        bar.0.set_message("none found yet");
        bar
    }

    pub fn found(&self, looked: u64, best: Option<&Measures>) {
        self.0.inc(looked);
        if let Some(best) = best {
            self.0.set_message(best_so_far(best));
        }
    }

    /// Prints a text on standard error, above the bar. Prints nothing if the bar is hidden, or before
    /// [`SHOWN_AFTER`] has passed.
    pub fn print(&self, text: impl FnOnce() -> Vec<u8>) {
        if !self.0.is_hidden() && self.0.elapsed() >= SHOWN_AFTER {
            self.0.suspend(|| _ = io::stderr().write_all(&text()));
        }
    }

    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    fn new(length: Option<u64>, style: ProgressStyle) -> Self {
        let terminal = Box::new(Narrow(Term::stderr()));
        let target = ProgressDrawTarget::term_like_with_hz(terminal, 10);
        let bar = ProgressBar::with_draw_target(length, target).with_style(style);
        // The clock moves even while a single piece of work takes long.
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    pub fn advance(&self, by: u64) {
        self.0.inc(by);
    }

    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Returns a writer whose text appears above the bar.
    pub fn above<W: Write>(&self, out: W) -> impl Write + use<W> {
        let bar = self.0.clone();
        Above { bar, out }
    }

    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Writer for Progress {
    fn advance(&mut self, bytes: u64, tally: &Tally) {
        let (boards, failures) = (count(tally.boards(), "board"), grouped(tally.failures()));
        self.0.inc(bytes);
        self.0.set_message(format!("{boards}, {failures} failed"));
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.finish_and_clear();
        Ok(())
    }
}

struct Above<W> {
    bar: ProgressBar,
    out: W,
}

impl<W: Write> Write for Above<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bar.suspend(|| self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bar.suspend(|| self.out.flush())
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed")
}

fn answer_so_far(search: &SearchProgress, _time: Duration) -> String {
    let verdict = match search.escapes() {
        Decision::Yes => "escape",
        Decision::No => "caught",
        Decision::Undecided => "undecided so far",
    };
    let bounds = search.bounds();
    let chance = bounds.map(|bounds| text::chance(bounds, Decision::Undecided));
    let task = search.task().map(|task| format!("; {task}"));
    format!(
        "{verdict}{}{}",
        chance.unwrap_or_default(),
        task.unwrap_or_default()
    )
}

fn effort_so_far(search: &SearchProgress, time: Duration) -> String {
    let positions = count(search.states(), "position");
    let memory = memory().map(|bytes| format!(", {}", ByteSize::b(bytes).display().si()));
    let (time, memory) = (time.as_secs(), memory.unwrap_or_default());
    format!("{positions}, {time} s{memory}; Ctrl-C keeps this")
}

fn memory() -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let mut system = System::new();
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
    system.process(own).map(sysinfo::Process::memory)
}

fn best_so_far(measures: &Measures) -> String {
    let turns = measures
        .expected_turns
        .map_or_else(String::new, |turns| format!("{turns:.1} turns, "));
    let what = match (measures.moves(), measures.probability()) {
        (Some(moves), _) => count(moves as u64, "move"),
        (None, Some(probability)) => format!("{turns}probability {probability:.4}"),
        (None, None) => measures.solution.verdict().to_string(),
    };
    format!("best so far: {what}")
}

/// A terminal that reports fewer columns than it has, so that the `^C` echoed after the bar does not wrap.
#[derive(Debug)]
struct Narrow(Term);

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        TermLike::width(&self.0).saturating_sub(4).max(1)
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
