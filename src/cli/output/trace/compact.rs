//! A trace with one line for each turn.

use std::io::{self, Write};

use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent};
use crate::ruleset::{Fate, Legend};

use super::{Heading, Layout, Long, TraceStyle, fate_word};

pub struct Compact<W> {
    /// Owns the output, and shows the first board.
    long: Long<W>,
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
    fn add(&mut self, event: &TraceEvent) {
        if event.from == event.to && event.fate == Fate::Stands {
            return;
        }
        match self.walks.last_mut() {
            Some(walk)
                if walk.fate == Fate::Stands
                    && walk.actor == event.actor
                    && walk.cells.last() == Some(&event.from) =>
            {
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
    /// Returns text such as `2,7>2,6 falls`.
    fn text(&self, legend: &Legend) -> String {
        let cells: Vec<_> = self.cells.iter().map(|&cell| legend.place(cell)).collect();
        let fate = fate_word(self.fate).map(|word| format!(" {word}"));
        cells.join(">") + &fate.unwrap_or_default()
    }
}

impl<W: Write> Compact<W> {
    /// No line exceeds `width` characters unless a single step does.
    pub fn new(out: W, look: TraceStyle, width: usize) -> Self {
        Self {
            long: Long::new(out, look),
            width,
            turn: Turn::default(),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let turn = std::mem::take(&mut self.turn);
        if turn.moves.is_empty() && turn.walks.is_empty() {
            return Ok(());
        }
        let moves = match turn.moves.as_slice() {
            [] => "-".into(),
            moves => moves.join(" "),
        };
        let start = format!("{:>4}  {moves:<4}  ", turn.number);
        let room = self.width.saturating_sub(start.chars().count());
        let walks = self.walks(&turn.walks, room);
        self.long.line(&format!("{start}{walks}"))
    }

    /// Describes the walks that fit; the first to be left out are those without events.
    fn walks(&self, walks: &[Walk], room: usize) -> String {
        let look = &self.long.look;
        let text = |shown: &[&Walk], actor: &dyn Fn(char) -> String| {
            let walk = |walk: &&Walk| format!("{} {}", actor(walk.actor), walk.text(&look.legend));
            let mut parts: Vec<_> = shown.iter().map(walk).collect();
            match walks.len() - shown.len() {
                0 if parts.is_empty() => "-".into(),
                0 => parts.join("  "),
                more => {
                    parts.push(format!("and {more} more"));
                    parts.join("  ")
                }
            }
        };
        let mut shown: Vec<_> = walks.iter().collect();
        while !shown.is_empty() && text(&shown, &String::from).chars().count() > room {
            let plain = |walk: &&Walk| walk.fate == Fate::Stands;
            let last = shown.iter().rposition(plain);
            shown.remove(last.unwrap_or(shown.len() - 1));
        }
        text(&shown, &|glyph| {
            let style = look.style(glyph);
            format!("{style}{glyph}{style:#}")
        })
    }
}

impl<W: Write> Layout for Compact<W> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        let heading = heading.lines_with_places(line);
        self.long.line(&format!("{heading}\n"))?;
        self.long.rows(rows, &[])?;
        self.long.line("turn  move  who goes where")
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
        self.long.line(text)
    }

    fn end(&mut self, _ending: &Ending, told: &str) -> io::Result<()> {
        self.line("")?;
        self.line(told)
    }
}
