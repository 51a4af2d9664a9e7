//! A trace with one line for each turn: the move, the walks, and the events.

use std::io::{self, Write};

use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent};
use crate::ruleset::{Fate, Legend};

use super::{Heading, Layout, TraceStyle, fate_word};

pub struct Compact<W> {
    out: W,
    look: TraceStyle,
    width: usize,
    turn: Turn,
}

#[derive(Default)]
struct Turn {
    number: usize,
    moves: Vec<String>,
    walks: Vec<Walk>,
}

struct Walk {
    actor: char,
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
        // Consecutive steps of an actor are one walk.
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

    /// Returns text such as `2,7>2,6 falls`.
    fn text(&self, legend: &Legend) -> String {
        let cells: Vec<_> = self.cells.iter().map(|&cell| legend.place(cell)).collect();
        let fate = fate_word(self.fate).map(|word| format!(" {word}"));
        cells.join(">") + &fate.unwrap_or_default()
    }
}

struct Shown<'w> {
    legend: Legend,
    walks: Vec<&'w Walk>,
    more: usize,
}

impl<'w> Shown<'w> {
    /// Selects the walks that fit in a line; those without events are left out first.
    fn of(walks: &'w [Walk], legend: Legend, room: usize) -> Self {
        let mut shown = Shown {
            legend,
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
        let walk = |walk: &&Walk| format!("{} {}", actor(walk.actor), walk.text(&self.legend));
        let mut parts: Vec<_> = self.walks.iter().map(walk).collect();
        if self.more > 0 {
            parts.push(format!("and {} more", self.more));
        } else if parts.is_empty() {
            return "-".into();
        }
        parts.join("  ")
    }
}

impl<W: Write> Compact<W> {
    /// Creates a layout whose lines have at most `width` characters, provided that a single step fits.
    pub fn new(out: W, look: TraceStyle, width: usize) -> Self {
        Self {
            out,
            look,
            width,
            turn: Turn::default(),
        }
    }

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
        let walks = Shown::of(&turn.walks, self.look.legend, room).text(&actor);
        writeln!(self.out, "{start}{walks}")
    }
}

impl<W: Write> Layout for Compact<W> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        writeln!(self.out, "{}\n", heading.lines_with_places(line))?;
        for row in self.look.rows(rows, &[]) {
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

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(self.out, "{text}")
    }

    fn end(&mut self, _ending: &Ending, told: &str) -> io::Result<()> {
        self.line("")?;
        self.line(told)
    }
}
