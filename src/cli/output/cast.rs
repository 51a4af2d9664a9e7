//! A game as an asciinema recording in colour.

use std::io::{self, Write};
use std::mem;

use getaway_board::limits::{Limit, Limits};
use getaway_play::trace::{HalfTurn, LineKind};
use getaway_render::RenderError;
use getaway_render::recording::Recording;
use serde_json::json;

use super::diagnostic::Colors;
use super::trace::{Heading, Layout, Long, Trace, TraceStyle};

/// The smallest size of the recorded terminal.
const COLS: usize = 80;
const ROWS: usize = 24;
/// The number of lines in addition to those of the board.
const AROUND: usize = 10;
const CLEAR: &str = "\x1b[H\x1b[2J";

pub fn write(
    recording: &Recording,
    given: &'static str,
    (delay, limits): (u32, &Limits),
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let board = &recording.start;
    let header = json!({
        "version": 2,
        "width": COLS.max(board.cols() + 4),
        "height": ROWS.max(board.rows() + AROUND),
        "title": recording.subject.title,
    });
    writeln!(out, "{header}")?;
    let look = TraceStyle {
        colors: Colors::On,
        legend: recording.subject.legend,
    };
    let cast = Cast {
        long: Long::new(Vec::new(), look),
        delay: delay.into(),
        time: 0,
        limits,
        out,
    };
    let title = recording.subject.title.clone();
    let mut trace = Trace::new(Heading { title, given }, cast);
    let played = recording.tell(&mut trace);
    let played = played.and_then(|()| trace.end(&recording.ending));
    played.map_err(|error| match error.downcast::<Limit>() {
        Ok(limit) => limit.into(),
        Err(error) => error.into(),
    })
}

struct Cast<'o> {
    long: Long<Vec<u8>>,
    /// The delay between frames, in milliseconds like `time`.
    delay: u64,
    time: u64,
    limits: &'o Limits<'o>,
    out: &'o mut dyn Write,
}

impl Cast<'_> {
    fn show(&mut self, before: &str) -> io::Result<()> {
        self.limits.check_time().map_err(io::Error::other)?;
        let text = mem::take(&mut self.long.out);
        let text = String::from_utf8_lossy(&text).replace('\n', "\r\n");
        let line = json!([self.time as f64 / 1000.0, "o", format!("{before}{text}")]);
        writeln!(self.out, "{line}")
    }
}

impl Layout for Cast<'_> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        self.long.begin(heading, line, rows)?;
        self.show(CLEAR)
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.long.half(half)?;
        self.time += self.delay;
        self.show(CLEAR)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.long.line(text)?;
        self.show("")?;
        self.time += 3 * self.delay;
        self.show("")
    }
}

#[cfg(test)]
#[path = "cast_tests.rs"]
mod tests;
