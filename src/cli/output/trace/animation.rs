//! The animation of a game on a terminal.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use console::{Term, truncate_str};
use getaway_board::limits::Limit;
use getaway_play::trace::{HalfTurn, LineKind, TraceEvent};
use getaway_ruleset::Meaning;
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level;

use super::{Heading, Layout, TraceStyle, described, width};

pub struct Animation<'a> {
    screen: Screen,
    look: TraceStyle,
    delay: Duration,
    is_stopped: Box<dyn Fn() -> bool + 'a>,
    heading: String,
}

const SMALLEST: (u16, u16) = (10, 20);
/// The number of rows above and below the board: two for the heading, three for gaps, and one each for caption, note, ending
/// and cursor.
const BESIDE: usize = 9;
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl<'a> Animation<'a> {
    pub fn new(look: TraceStyle, delay: Duration, is_stopped: impl Fn() -> bool + 'a) -> Self {
        Self {
            screen: Screen {
                term: Term::buffered_stdout(),
                drawn: None,
                is_to_stop: None,
            },
            look,
            delay,
            is_stopped: Box::new(is_stopped),
            heading: String::new(),
        }
    }

    pub fn check_terminal() -> Result<()> {
        let term = Term::stdout();
        let Some((rows, columns)) = term.size_checked().filter(|_| term.is_term()) else {
            bail!(
                "`--animate` draws on a terminal, and standard output is not one: try `--compact`"
            );
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

    fn show(&mut self, caption: &str, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        let mut lines: Vec<_> = self.heading.lines().map(str::to_owned).collect();
        lines.extend([String::new(), caption.to_owned(), String::new()]);
        let (rows_shown, columns_shown) = self.window(rows);
        let (height, width) = (rows.len(), width(rows));
        let is_whole = rows_shown.len() == height && columns_shown.len() == width;
        lines.extend(self.look.part(rows, (rows_shown, columns_shown), moved));
        lines.push(String::new());
        if !is_whole {
            let (height, width) = (height + BESIDE, width + 1);
            lines.push(format!("(cut off; needs {height} rows, {width} columns)"));
        }
        self.screen.draw(&lines)?;
        self.wait(&lines)
    }

    /// Returns the ranges of rows and columns that fit the screen, with the runner in the middle.
    fn window(&self, rows: &[String]) -> (Range<usize>, Range<usize>) {
        let (height, columns) = self.screen.size();
        let height = height.saturating_sub(BESIDE).max(1);
        let is_runner = |glyph| self.look.legend.meaning(glyph) == Meaning::Runner;
        let find = |(row, text): (usize, &String)| Some((row, text.chars().position(is_runner)?));
        let (row, col) = rows.iter().enumerate().find_map(find).unwrap_or_default();
        let columns = around(col, width(rows), columns.saturating_sub(1));
        (around(row, rows.len(), height), columns)
    }

    fn wait(&mut self, lines: &[String]) -> io::Result<()> {
        let start = Instant::now();
        loop {
            self.screen.stop_on_request(lines)?;
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

fn around(middle: usize, size: usize, most: usize) -> Range<usize> {
    let shown = size.min(most);
    let start = middle.saturating_sub(shown / 2).min(size - shown);
    start..start + shown
}

/// The terminal with a hidden cursor; dropping this value shows the cursor.
struct Screen {
    term: Term,
    /// The number of lines, and the terminal's size, at the last drawing.
    drawn: Option<(usize, (usize, usize))>,
    /// Set by Ctrl-Z, so that the program can show the cursor before it stops.
    is_to_stop: Option<Arc<AtomicBool>>,
}

impl Screen {
    fn size(&self) -> (usize, usize) {
        let (rows, columns) = self.term.size_checked().unwrap_or(SMALLEST);
        (rows.into(), columns.into())
    }

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
            // At its new size, the terminal wraps lines differently.
            Some(_) => self.term.clear_screen()?,
        }
        self.drawn = Some((lines.len(), size));
        for line in lines {
            self.term.clear_line()?;
            let line = truncate_str(line, size.1.saturating_sub(1), "...");
            self.term.write_line(&line)?;
        }
        self.term.clear_to_end_of_screen()?;
        self.term.flush()
    }

    /// Stops the program after Ctrl-Z, with the cursor shown, and redraws when it continues.
    fn stop_on_request(&mut self, lines: &[String]) -> io::Result<()> {
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
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = self.term.show_cursor().and_then(|()| self.term.flush());
        }
    }
}

impl Layout for Animation<'_> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        self.heading = heading.lines(line);
        self.show("start", rows, &[])
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.show(
            &described(half, &self.look.legend),
            &half.rows,
            &half.events,
        )
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.screen.term.write_line(text)?;
        self.screen.term.flush()
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        match self.screen.drawn {
            Some(_) => self.line(&limit.to_string()),
            None => self.line(&format!("undecided: {limit}")),
        }
    }
}
