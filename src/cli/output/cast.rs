//! A game as a terminal recording for asciinema: the trace in colours, each half turn drawn over the one before.

use std::cell::RefCell;
use std::io::{self, Write};
use std::mem;
use std::rc::Rc;

use crate::limits::{Limit, Limits};
use crate::play::trace::{HalfTurn, LineKind, TraceSink};
use crate::render::RenderError;
use crate::render::recording::Recording;
use serde_json::json;

use super::diagnostic::Colors;
use super::trace::{Heading, Long, Look, MovesFrom, Trace};

/// The least size of the terminal, in characters.
const COLS: usize = 80;
/// In lines.
const ROWS: usize = 24;

/// The lines on the screen beside the board.
const AROUND: usize = 10;

/// Clears the screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Writes the recording; each half of a turn is shown for `delay` milliseconds.
pub fn write(
    recording: &Recording,
    from: MovesFrom,
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
    let screen = Screen::default();
    let look = Look {
        colors: Colors::On,
        meaning: recording.subject.meaning,
    };
    let heading = Heading {
        title: recording.subject.title.clone(),
        from,
    };
    let mut cast = Cast {
        trace: Trace::new(heading, Long::new(screen.clone(), look)),
        screen,
        delay,
        time: 0,
        limits,
        out,
    };
    let told = recording.tell(&mut cast).and_then(|()| {
        cast.trace.end(&recording.ending)?;
        cast.show("")?;
        // The last picture stays for a while.
        cast.time += u64::from(delay) * 3;
        cast.show("")
    });
    told.map_err(|error| match error.downcast::<Limit>() {
        Ok(limit) => limit.into(),
        Err(error) => error.into(),
    })
}

/// Collects what a trace writes.
#[derive(Clone, Default)]
struct Screen(Rc<RefCell<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Cast<'o> {
    trace: Trace<'o>,
    screen: Screen,
    /// In milliseconds.
    delay: u32,
    /// In milliseconds.
    time: u64,
    limits: &'o Limits<'o>,
    out: &'o mut dyn Write,
}

impl Cast<'_> {
    /// Writes what the trace has written, with `before` in front.
    fn show(&mut self, before: &str) -> io::Result<()> {
        self.limits.check_time().map_err(io::Error::other)?;
        let text = mem::take(&mut *self.screen.0.borrow_mut());
        let text = String::from_utf8_lossy(&text).replace('\n', "\r\n");
        let line = json!([self.time as f64 / 1000.0, "o", format!("{before}{text}")]);
        writeln!(self.out, "{line}")
    }
}

impl TraceSink for Cast<'_> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.trace.begin(line, rows)?;
        self.show(CLEAR)
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.trace.half(half)?;
        self.time += u64::from(self.delay);
        self.show(CLEAR)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::Board;
    use crate::game::Plan;
    use crate::render::recording::{Recorder, Subject};

    #[test]
    fn a_recording_is_broken_off_by_a_limit() {
        let board: Board = "###\n#o.\n###\n".parse().unwrap();
        let mut recorder = Recorder::new(&Limits::default());
        let ending = board.game().trace(&Plan::default(), &mut recorder);
        let subject = Subject {
            title: "right".into(),
            ruleset: board.ruleset().name,
            meaning: board.ruleset().meaning,
        };
        let recording = recorder.finish(subject, ending.unwrap()).unwrap();
        let stop = AtomicBool::new(true);
        let limits = Limits {
            stop: Some(&stop),
            ..Limits::default()
        };
        let mut out = Vec::new();
        let written = write(&recording, MovesFrom::Header, (450, &limits), &mut out);
        assert!(matches!(written, Err(RenderError::Limit(Limit::Interrupt))));
        let all = write(
            &recording,
            MovesFrom::Header,
            (450, &Limits::default()),
            &mut out,
        );
        assert!(all.is_ok());
    }
}
