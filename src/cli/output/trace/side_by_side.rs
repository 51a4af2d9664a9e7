//! A trace with several boards side by side.

use std::io::{self, Write};

use crate::play::trace::{HalfTurn, LineKind, TraceEvent};

use super::{Heading, Layout, Long, TraceStyle, caption, fate_word, width};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Width(usize),
    Boards(usize),
}

/// A layout with boards side by side, or one below another if no two fit.
pub struct SideBySide<W> {
    /// The layout that is used if no two boards fit. It also owns the output.
    long: Long<W>,
    room: Room,
    /// The number of boards side by side, known after the first board.
    most: usize,
    width: usize,
    waiting: Vec<Block>,
}

struct Block {
    caption: Vec<String>,
    rows: Vec<String>,
    /// The width in characters, excluding colour codes.
    width: usize,
}

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

fn wrapped(caption: &str, moved: &[TraceEvent], width: usize) -> Vec<String> {
    let happened = moved
        .iter()
        .filter_map(|event| Some(format!("{} {}", event.actor, fate_word(event.fate)?)));
    let happened: Vec<_> = happened.collect();
    let caption = match happened.as_slice() {
        [] => caption.to_owned(),
        happened => format!("{caption}: {}", happened.join(", ")),
    };
    let lines = textwrap::wrap(&caption, width).into_iter();
    lines.map(std::borrow::Cow::into_owned).collect()
}

impl<W: Write> Layout for SideBySide<W> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        self.plan(rows);
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
