//! A trace with a line for each turn: the move, who went where, and what happened.

use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};
use crate::ruleset::Fate;

use super::{Heading, Look, TraceWriter, ending, place, undecided};

/// Writes a line a turn.
pub struct CompactTrace<W> {
    out: W,
    heading: Heading,
    look: Look,
    /// The most characters of a line.
    width: usize,
    kind: Option<LineKind>,
    turn: Turn,
}

/// A turn under way.
#[derive(Default)]
struct Turn {
    number: usize,
    moves: Vec<String>,
    walks: Vec<Walk>,
}

/// Where an actor went in a turn.
struct Walk {
    actor: char,
    /// The cells that it stood on, one after the other.
    cells: Vec<(u32, u32)>,
    fate: Fate,
}

impl Turn {
    fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.walks.is_empty()
    }

    fn add(&mut self, event: &TraceEvent) {
        if event.from == event.to && event.fate == Fate::Stands {
            return;
        }
        // An actor that takes several steps in a row takes one walk.
        match self.walks.last_mut() {
            Some(walk) if walk.goes_on(event) => {
                walk.cells.push(event.to);
                walk.fate = event.fate;
            }
            _ => self.walks.push(Walk {
                actor: event.actor,
                cells: vec![event.from, event.to],
                fate: event.fate,
            }),
        }
    }
}

impl Walk {
    fn goes_on(&self, event: &TraceEvent) -> bool {
        self.fate == Fate::Stands
            && self.actor == event.actor
            && self.cells.last() == Some(&event.from)
    }

    /// `2,7>2,6 falls`
    fn text(&self) -> String {
        let cells: Vec<_> = self.cells.iter().map(|&cell| place(cell)).collect();
        let fate = match self.fate {
            Fate::Stands => "",
            Fate::Fell => " falls",
            Fate::Catches => " catches",
            Fate::Teleports => " teleports",
        };
        format!("{}{fate}", cells.join(">"))
    }
}

/// Which walks are shown in a line.
struct Shown<'w> {
    walks: Vec<&'w Walk>,
    /// How many are not.
    more: usize,
}

impl<'w> Shown<'w> {
    /// As many as there is room for: those with which something happened come before all others.
    fn of(walks: &'w [Walk], room: usize) -> Self {
        let mut shown = Shown {
            walks: walks.iter().collect(),
            more: 0,
        };
        while shown.width() > room && !shown.walks.is_empty() {
            let plain = |walk: &&Walk| walk.fate == Fate::Stands;
            let last = shown.walks.iter().rposition(plain);
            shown.walks.remove(last.unwrap_or(shown.walks.len() - 1));
            shown.more += 1;
        }
        shown
    }

    fn width(&self) -> usize {
        self.text(&|actor| actor.to_string()).chars().count()
    }

    fn text(&self, actor: &dyn Fn(char) -> String) -> String {
        let walk = |walk: &&Walk| format!("{} {}", actor(walk.actor), walk.text());
        let mut parts: Vec<_> = self.walks.iter().map(walk).collect();
        match (self.more, parts.is_empty()) {
            (0, true) => "-".into(),
            (0, false) => parts.join("  "),
            (more, _) => {
                parts.push(format!("and {more} more"));
                parts.join("  ")
            }
        }
    }
}

impl<W: Write> CompactTrace<W> {
    /// A trace in lines of at most `width` characters, wherever a single step fits into them.
    pub fn new(out: W, heading: Heading, look: Look, width: usize) -> Self {
        Self {
            out,
            heading,
            look,
            width,
            kind: None,
            turn: Turn::default(),
        }
    }

    /// Writes the turn that is over.
    fn flush(&mut self) -> io::Result<()> {
        let turn = std::mem::take(&mut self.turn);
        if turn.is_empty() {
            return Ok(());
        }
        let moves = match turn.moves.as_slice() {
            [] => "-".into(),
            moves => moves.join(" "),
        };
        let start = format!("{:>4}  {moves:<4}  ", turn.number);
        let room = self.width.saturating_sub(start.chars().count());
        let actor = |glyph| {
            let style = self.look.style(glyph);
            format!("{style}{glyph}{style:#}")
        };
        let walks = Shown::of(&turn.walks, room).text(&actor);
        writeln!(self.out, "{start}{walks}")
    }
}

impl<W: Write> TraceSink for CompactTrace<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        writeln!(self.out, "{}\n", self.heading.lines_with_places(line))?;
        for row in self.look.rows(&rows(), &[]) {
            writeln!(self.out, "  {row}")?;
        }
        writeln!(self.out, "\nturn  move  who goes where")
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        if half.turn != self.turn.number {
            self.flush()?;
            self.turn.number = half.turn;
        }
        self.turn.moves.extend(half.mv.clone());
        half.events.iter().for_each(|event| self.turn.add(event));
        Ok(())
    }
}

impl<W: Write> TraceWriter for CompactTrace<W> {
    fn end(&mut self, how: &Ending) -> io::Result<()> {
        self.flush()?;
        writeln!(self.out, "\n{}", ending(how, self.kind.as_ref()))
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.flush()?;
        undecided(&mut self.out, limit)
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}
