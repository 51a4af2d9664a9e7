//! The layouts of a printed trace: boards one below another, a line for each turn, boards side by side, or JSON Lines.

use std::borrow::Cow;
use std::io::{self, Write};

use console::measure_text_width;
use getaway_board::limits::Limit;
use getaway_board::puzzle::written;
use getaway_play::trace::{Ending, LineKind, Ply, TraceEvent};
use getaway_ruleset::{Fate, Legend};
use serde::Serialize;
use serde_json::json;

use super::{Heading, Layout, TraceStyle, caption, described, fate_word};

pub struct Long<W> {
    out: W,
    style: TraceStyle,
}

impl<W: Write> Long<W> {
    pub const fn new(out: W, style: TraceStyle) -> Self {
        Self { out, style }
    }

    fn write_rows(&mut self, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        for row in self.style.rows(rows, moved) {
            writeln!(self.out, "  {row}")?;
        }
        writeln!(self.out)
    }
}

impl<W: Write> Layout for Long<W> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        let heading = heading.lines_with_places(line);
        writeln!(self.out, "{heading}\n\nstart")?;
        self.write_rows(rows, &[])
    }

    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        writeln!(self.out, "{}", described(ply, &self.style.legend))?;
        self.write_rows(&ply.rows, &ply.events)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }
}

pub struct Compact<W> {
    /// Holds the output, and writes the first board and all lines of text.
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
    /// Creates the layout. It leaves out actors whose steps would make a turn's line longer than `width` characters.
    pub fn new(out: W, style: TraceStyle, width: usize) -> Self {
        Self {
            long: Long::new(out, style),
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
            moves => moves.join(","),
        };
        let start = format!("{:>4}  {moves:<4}  ", turn.number);
        let room = self.width.saturating_sub(start.chars().count());
        let walks = self.walks(&turn.walks, room);
        self.long.line(&format!("{start}{walks}"))
    }

    /// Describes the walks that fit; those without a fate such as `falls` are left out first.
    fn walks(&self, walks: &[Walk], room: usize) -> String {
        let style = &self.long.style;
        let text = |shown: &[&Walk]| {
            let walk = |walk: &&Walk| {
                let (glyph, colors) = (walk.actor, style.style(walk.actor));
                format!("{colors}{glyph}{colors:#} {}", walk.text(&style.legend))
            };
            let mut parts: Vec<_> = shown.iter().map(walk).collect();
            match walks.len() - shown.len() {
                0 if parts.is_empty() => return "-".into(),
                0 => {}
                more => parts.push(format!("and {more} more")),
            }
            parts.join("  ")
        };
        let mut shown: Vec<_> = walks.iter().collect();
        while !shown.is_empty() && measure_text_width(&text(&shown)) > room {
            let plain = |walk: &&Walk| walk.fate == Fate::Stands;
            let last = shown.iter().rposition(plain);
            shown.remove(last.unwrap_or(shown.len() - 1));
        }
        text(&shown)
    }
}

impl<W: Write> Layout for Compact<W> {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        let heading = heading.lines_with_places(line);
        self.long.line(&format!("{heading}\n"))?;
        self.long.write_rows(rows, &[])?;
        self.long.line("turn  move  who goes where")
    }

    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        if ply.turn != self.turn.number {
            self.flush()?;
            self.turn.number = ply.turn;
        }
        self.turn.moves.extend(ply.mv.clone());
        ply.events.iter().for_each(|event| self.turn.add(event));
        Ok(())
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        self.long.line(text)
    }

    fn end(&mut self, _ending: &Ending, described: &str) -> io::Result<()> {
        self.line("")?;
        self.line(described)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideLimit {
    Width(usize),
    Boards(usize),
}

/// Boards side by side, or one below another if no two fit.
pub struct SideBySide<W> {
    /// Holds the output, and writes everything if no two boards fit.
    long: Long<W>,
    room: BesideLimit,
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
    pub const fn new(out: W, style: TraceStyle, room: BesideLimit) -> Self {
        Self {
            long: Long::new(out, style),
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
        let rows = self.long.style.rows(rows, moved);
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
        self.width = self.long.style.width(rows).max(CAPTION);
        self.most = match self.room {
            BesideLimit::Boards(most) => most,
            BesideLimit::Width(width) => (width.saturating_sub(INDENT) + GAP) / (self.width + GAP),
        };
        if self.most < 2 {
            return self.long.begin(heading, line, rows);
        }
        writeln!(self.long.out, "{}\n", heading.lines(line))?;
        self.add("start", rows, &[])
    }

    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        if self.most < 2 {
            return self.long.ply(ply);
        }
        self.add(&caption(ply), &ply.rows, &ply.events)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        self.long.line(text)
    }
}

pub struct Json<W>(pub W);

impl<W: Write> Json<W> {
    fn object(&mut self, value: &impl Serialize) -> io::Result<()> {
        written::to_writer(&mut self.0, value)?;
        self.line("")
    }
}

impl<W: Write> Layout for Json<W> {
    fn begin(&mut self, _: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        let mut value = json!(line);
        value["rows"] = rows.into();
        self.object(&value)
    }

    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        self.object(ply)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.0, "{text}")
    }

    fn end(&mut self, ending: &Ending, _text: &str) -> io::Result<()> {
        self.object(&json!(ending))
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.object(&json!({"end": "undecided", "limit": limit.to_string()}))
    }
}
