//! A trace as it goes: each board is drawn over the one before, on a terminal.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};
use crate::ruleset::Meaning;
use anyhow::{Result, bail};
use console::{Term, truncate_str};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level;

use super::{Heading, Look, TraceWriter, ending, told};

/// Draws on the terminal.
pub struct Animation<'a> {
    screen: Screen,
    heading: Heading,
    look: Look,
    delay: Duration,
    /// Whether an interrupt has come.
    is_stopped: Box<dyn Fn() -> bool + 'a>,
    kind: Option<LineKind>,
}

/// The smallest terminal that shows something: rows and columns.
const SMALLEST: (u16, u16) = (10, 20);
/// The rows beside those of the board: two of heading, three of gaps, caption, note, the end, and the
/// one with the cursor.
const BESIDE: usize = 9;
/// So many actors are named in a half turn.
const NAMED: usize = 12;
/// How often a wait is broken off to see whether an interrupt has come.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl<'a> Animation<'a> {
    /// An animation with `delay` between two boards, up to an interrupt.
    pub fn new(
        heading: Heading,
        look: Look,
        delay: Duration,
        is_stopped: Box<dyn Fn() -> bool + 'a>,
    ) -> Self {
        Self {
            screen: Screen::new(),
            heading,
            look,
            delay,
            is_stopped,
            kind: None,
        }
    }

    /// Whether there is a terminal to draw on, large enough.
    pub fn check_terminal() -> Result<()> {
        let term = Term::stdout();
        let Some((rows, columns)) = term.size_checked().filter(|_| term.is_term()) else {
            bail!("`--animate` draws on a terminal, and standard output is none: try `--compact`");
        };
        let (least_rows, least_columns) = SMALLEST;
        if rows < least_rows || columns < least_columns {
            bail!(
                "the terminal is too small for `--animate`: it has {rows} rows and {columns} columns, and \
                 needs {least_rows} and {least_columns}"
            );
        }
        Ok(())
    }

    /// Draws a board and waits.
    fn show(&mut self, caption: &str, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        let heading = self
            .kind
            .as_ref()
            .map_or(String::new(), |kind| self.heading.lines(kind));
        let mut lines: Vec<_> = heading.lines().map(str::to_owned).collect();
        lines.extend([String::new(), caption.to_owned(), String::new()]);
        let (height, width) = self.screen.size();
        let window = Window::of(
            rows,
            self.look,
            (height.saturating_sub(BESIDE).max(1), width),
        );
        lines.extend(window.lines(rows, self.look, moved));
        lines.push(String::new());
        lines.extend(window.note(rows));
        self.screen.draw(&lines)?;
        self.wait(&lines)
    }

    fn wait(&mut self, lines: &[String]) -> io::Result<()> {
        let start = Instant::now();
        loop {
            self.screen.stop_if_told(lines)?;
            if (self.is_stopped)() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            match self.delay.checked_sub(start.elapsed()) {
                None | Some(Duration::ZERO) => return Ok(()),
                Some(rest) => thread::sleep(rest.min(POLL_INTERVAL)),
            }
        }
    }
}

/// The part of a board that is shown.
struct Window {
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Window {
    /// What fits into so many rows and columns, with the runner in the middle of it.
    fn of(rows: &[String], look: Look, (height, width): (usize, usize)) -> Self {
        let is_runner = |glyph| (look.meaning)(glyph) == Meaning::Runner;
        let find = |(row, text): (usize, &String)| Some((row, text.chars().position(is_runner)?));
        let (row, col) = rows.iter().enumerate().find_map(find).unwrap_or_default();
        let widest = rows.iter().map(|row| row.chars().count()).max();
        Self {
            rows: around(row, rows.len(), height),
            columns: around(col, widest.unwrap_or(0), width.saturating_sub(1)),
        }
    }

    fn lines(&self, rows: &[String], look: Look, moved: &[TraceEvent]) -> Vec<String> {
        let moved: HashSet<_> = moved.iter().map(|event| event.to).collect();
        let line = |row: usize| {
            let shown = rows[row]
                .chars()
                .skip(self.columns.start)
                .take(self.columns.len());
            let has_moved = |col| moved.contains(&(row as u32, col));
            look.row(
                &shown.collect::<String>(),
                self.columns.start as u32,
                has_moved,
            )
        };
        self.rows.clone().map(line).collect()
    }

    /// What is left out, and how large a terminal shows it all.
    fn note(&self, rows: &[String]) -> Option<String> {
        let widest = rows
            .iter()
            .map(|row| row.chars().count())
            .max()
            .unwrap_or(0);
        let is_whole = self.rows.len() == rows.len() && self.columns.len() == widest;
        let (height, width) = (rows.len() + BESIDE, widest + 1);
        let note = format!("(cut off; needs {height} rows, {width} columns)");
        (!is_whole).then_some(note)
    }
}

/// The `most` places around `middle` of those from 0 to `size`.
fn around(middle: usize, size: usize, most: usize) -> Range<usize> {
    let shown = size.min(most);
    let start = middle.saturating_sub(shown / 2).min(size - shown);
    start..start + shown
}

/// The terminal, with the cursor hidden as long as this lives.
struct Screen {
    term: Term,
    /// How many lines were drawn, and on a terminal of which size.
    drawn: Option<(usize, (usize, usize))>,
    /// Set by Ctrl-Z, from the first drawing on: the cursor is shown before the program stops.
    is_to_stop: Option<Arc<AtomicBool>>,
}

impl Screen {
    fn new() -> Self {
        Self {
            term: Term::buffered_stdout(),
            drawn: None,
            is_to_stop: None,
        }
    }

    /// Rows and columns.
    fn size(&self) -> (usize, usize) {
        let (rows, columns) = self.term.size_checked().unwrap_or(SMALLEST);
        (rows.into(), columns.into())
    }

    /// Draws these lines over the last ones.
    fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        if self.is_to_stop.is_none() {
            let flag = Arc::default();
            signal_hook::flag::register(SIGTSTP, Arc::clone(&flag))?;
            self.is_to_stop = Some(flag);
        }
        let size = self.size();
        match self.drawn {
            None => self.term.hide_cursor()?,
            Some((drawn, before)) if before == size => self.term.move_cursor_up(drawn)?,
            // Another size has broken the lines anew.
            Some(_) => self.term.clear_screen()?,
        }
        self.drawn = Some((lines.len(), size));
        for line in lines {
            self.term.clear_line()?;
            self.term
                .write_line(&truncate_str(line, size.1.saturating_sub(1), "..."))?;
        }
        self.term.clear_to_end_of_screen()?;
        self.term.flush()
    }

    /// After Ctrl-Z, stops with the cursor shown; when the program goes on, these lines are drawn below what came
    /// meanwhile.
    fn stop_if_told(&mut self, lines: &[String]) -> io::Result<()> {
        let flag = self.is_to_stop.as_ref();
        if !flag.is_some_and(|flag| flag.swap(false, Ordering::Relaxed)) {
            return Ok(());
        }
        self.term.show_cursor()?;
        self.term.flush()?;
        low_level::emulate_default_handler(SIGTSTP)?;
        self.drawn = None;
        self.draw(lines)
    }

    /// Writes a line below, for good.
    fn line(&self, text: &str) -> io::Result<()> {
        self.term.write_line(text)?;
        self.term.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = self.term.show_cursor().and_then(|()| self.term.flush());
        }
    }
}

impl TraceSink for Animation<'_> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        self.show("start", &rows(), &[])
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.show(&told(half, NAMED), &half.rows, &half.events)
    }
}

impl TraceWriter for Animation<'_> {
    fn end(&mut self, how: &Ending) -> io::Result<()> {
        self.screen.line(&ending(how, self.kind.as_ref()))
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        match self.screen.drawn {
            Some(_) => self.screen.line(&limit.to_string()),
            None => self.screen.line(&format!("undecided: {limit}")),
        }
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}
