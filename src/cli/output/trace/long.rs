//! A trace with a board for each half turn, one below the other.

use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};

use super::{Heading, Look, TraceWriter, ending, told, undecided};

/// Writes text.
pub struct TextTrace<W> {
    pub(super) out: W,
    pub(super) heading: Heading,
    pub(super) look: Look,
    pub(super) kind: Option<LineKind>,
}

/// So many actors are named in a half turn.
const NAMED: usize = 12;

impl<W: Write> TextTrace<W> {
    /// A trace that begins with `heading`.
    pub const fn new(out: W, heading: Heading, look: Look) -> Self {
        Self {
            out,
            heading,
            look,
            kind: None,
        }
    }

    fn rows(&mut self, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        for row in self.look.rows(rows, moved) {
            writeln!(self.out, "  {row}")?;
        }
        writeln!(self.out)
    }
}

impl<W: Write> TraceSink for TextTrace<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        writeln!(
            self.out,
            "{}\n\nstart",
            self.heading.lines_with_places(line)
        )?;
        self.rows(&rows(), &[])
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        writeln!(self.out, "{}", told(half, NAMED))?;
        self.rows(&half.rows, &half.events)
    }
}

impl<W: Write> TraceWriter for TextTrace<W> {
    fn end(&mut self, how: &Ending) -> io::Result<()> {
        writeln!(self.out, "{}", ending(how, self.kind.as_ref()))
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        undecided(&mut self.out, limit)
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}
