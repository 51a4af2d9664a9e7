//! A trace with several boards side by side.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::play::trace::{HalfTurn, LineKind, TraceEvent};
use console::measure_text_width;

use super::{Heading, Layout, Long, TraceStyle, caption, fate_word, width};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Width(usize),
    Boards(usize),
}

/// Boards side by side, or one below another if no two fit.
pub struct SideBySide<W> {
    /// Owns the output, and takes over if no two boards fit.
    long: Long<W>,
    room: Room,
    most: usize,
    width: usize,
    waiting: Vec<Block>,
}

/// The lines of a caption, and the rows of a board.
type Block = [Vec<String>; 2];

const CAPTION: usize = 16;
const GAP: usize = 3;
const INDENT: usize = 2;

impl<W: Write> SideBySide<W> {
    pub const fn new(out: W, look: TraceStyle, room: Room) -> Self {
        Self {
            long: Long::new(out, look),
            room,
            most: 1,
            width: 0,
            waiting: Vec::new(),
        }
    }

    fn add(&mut self, caption: &str, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        let fates = moved
            .iter()
            .filter_map(|event| Some(format!("{} {}", event.actor, fate_word(event.fate)?)));
        let caption = match fates.collect::<Vec<_>>() {
            fates if fates.is_empty() => caption.to_owned(),
            fates => format!("{caption}: {}", fates.join(", ")),
        };
        let caption = textwrap::wrap(&caption, self.width).into_iter();
        let rows = self.long.look.rows(rows, moved);
        self.waiting
            .push([caption.map(Cow::into_owned).collect(), rows]);
        if self.waiting.len() == self.most {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let blocks = std::mem::take(&mut self.waiting);
        for part in 0..2 {
            let heights = blocks.iter().map(|block| block[part].len());
            for line in 0..heights.max().unwrap_or(0) {
                self.line_of(blocks.iter().map(|block| block[part].get(line)))?;
            }
        }
        if !blocks.is_empty() {
            writeln!(self.long.out)?;
        }
        Ok(())
    }

    fn line_of<'t>(&mut self, texts: impl Iterator<Item = Option<&'t String>>) -> io::Result<()> {
        let mut spaces = INDENT;
        for text in texts {
            if let Some(text) = text {
                write!(self.long.out, "{:spaces$}{text}", "")?;
                spaces = 0;
            }
            let width = text.map_or(0, |text| measure_text_width(text));
            spaces += self.width.saturating_sub(width) + GAP;
        }
        writeln!(self.long.out)
    }
}

impl<W: Write> Layout for SideBySide<W> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        self.width = width(rows).max(CAPTION);
        self.most = match self.room {
            Room::Boards(most) => most,
            Room::Width(width) => (width.saturating_sub(INDENT) + GAP) / (self.width + GAP),
        };
        if self.most < 2 {
            return self.long.begin(heading, line, rows);
        }
        writeln!(self.long.out, "{}\n", heading.lines(line))?;
        self.add("start", rows, &[])
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        if self.most < 2 {
            return self.long.half(half);
        }
        self.add(&caption(half), &half.rows, &half.events)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        self.long.line(text)
    }
}
