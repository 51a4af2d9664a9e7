//! A trace with several boards beside each other, as many as there is room for.

use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};
use crate::ruleset::Fate;

use super::{Heading, Look, TextTrace, TraceWriter, caption};

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// So many columns of characters.
    Width(usize),
    /// So many boards, however wide.
    Boards(usize),
}

/// Writes boards side by side, or one below the other where no two fit.
pub struct SideBySide<W> {
    /// Also has the output.
    long: TextTrace<W>,
    room: Room,
    /// How many boards stand side by side; known from the first board on.
    most: usize,
    /// How wide each is with its caption.
    width: usize,
    waiting: Vec<Block>,
}

/// A board with its caption.
struct Block {
    caption: Vec<String>,
    rows: Vec<String>,
    /// How wide the rows are, without colours.
    width: usize,
}

/// A caption has at least this much room.
const CAPTION: usize = 16;
/// Between two boards.
const GAP: usize = 3;
/// Before the first.
const INDENT: usize = 2;

impl<W: Write> SideBySide<W> {
    /// A trace that begins with `heading`.
    pub const fn new(out: W, heading: Heading, look: Look, room: Room) -> Self {
        Self {
            long: TextTrace::new(out, heading, look),
            room,
            most: 1,
            width: 0,
            waiting: Vec::new(),
        }
    }

    fn plan(&mut self, rows: &[String]) {
        self.width = width(rows).max(CAPTION);
        self.most = match self.room {
            Room::Boards(most) => most,
            Room::Width(width) => (width.saturating_sub(INDENT) + GAP) / (self.width + GAP),
        };
    }

    fn add(&mut self, caption: &str, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        self.waiting.push(Block {
            caption: wrapped(caption, moved, self.width),
            rows: self.long.look.rows(rows, moved),
            width: width(rows),
        });
        if self.waiting.len() == self.most {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the boards that wait.
    fn flush(&mut self) -> io::Result<()> {
        let blocks = std::mem::take(&mut self.waiting);
        let most = |lines: &dyn Fn(&Block) -> usize| blocks.iter().map(lines).max().unwrap_or(0);
        let captions = most(&|block| block.caption.len());
        for line in 0..captions {
            self.line(blocks.iter().map(|block| {
                let text = block.caption.get(line).map_or("", String::as_str);
                (text, text.chars().count())
            }))?;
        }
        for line in 0..most(&|block| block.rows.len()) {
            self.line(blocks.iter().map(|block| match block.rows.get(line) {
                Some(row) => (row.as_str(), block.width),
                None => ("", 0),
            }))?;
        }
        if !blocks.is_empty() {
            writeln!(self.long.out)?;
        }
        Ok(())
    }

    /// Texts with their widths beside each other, without spaces at the end.
    fn line<'t>(&mut self, texts: impl Iterator<Item = (&'t str, usize)>) -> io::Result<()> {
        let mut spaces = INDENT;
        for (text, width) in texts {
            if width > 0 {
                write!(self.long.out, "{:spaces$}{text}", "")?;
                spaces = 0;
            }
            spaces += self.width.saturating_sub(width) + GAP;
        }
        writeln!(self.long.out)
    }
}

fn width(rows: &[String]) -> usize {
    let widths = rows.iter().map(|row| row.chars().count());
    widths.max().unwrap_or(0)
}

/// The caption of a board, with what happened to those who moved.
fn wrapped(caption: &str, moved: &[TraceEvent], width: usize) -> Vec<String> {
    let happened = moved.iter().filter_map(|event| {
        let what = match event.fate {
            Fate::Stands => return None,
            Fate::Fell => "falls",
            Fate::Catches => "catches",
            Fate::Teleports => "teleports",
        };
        Some(format!("{} {what}", event.actor))
    });
    let happened: Vec<_> = happened.collect();
    let caption = match happened.as_slice() {
        [] => caption.to_owned(),
        happened => format!("{caption}: {}", happened.join(", ")),
    };
    let lines = textwrap::wrap(&caption, width).into_iter();
    lines.map(std::borrow::Cow::into_owned).collect()
}

impl<W: Write> TraceSink for SideBySide<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        let drawn = rows();
        self.plan(&drawn);
        if self.most < 2 {
            return self.long.begin(line, rows);
        }
        self.long.kind = Some(line.clone());
        writeln!(self.long.out, "{}\n", self.long.heading.lines(line))?;
        self.add("start", &drawn, &[])
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        if self.most < 2 {
            return self.long.half(half);
        }
        self.add(&caption(half), &half.rows, &half.events)
    }
}

impl<W: Write> TraceWriter for SideBySide<W> {
    fn end(&mut self, how: &Ending) -> io::Result<()> {
        self.flush()?;
        self.long.end(how)
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.flush()?;
        self.long.undecided(limit)
    }

    fn kind(&self) -> Option<&LineKind> {
        self.long.kind()
    }
}
