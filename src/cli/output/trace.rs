//! Games, ply by ply, as text in several layouts and as JSON.

mod layouts;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;

use anstyle::{AnsiColor, Style};
use getaway_board::limits::Limit;
use getaway_play::trace::{Ending, LineKind, Ply, TraceEvent, TraceSink};
use getaway_ruleset::{Fate, Legend, Meaning};

pub use layouts::{BesideLimit, Compact, Json, Long, SideBySide};

use super::progress::Progress;
use super::text::Colors;
use getaway_board::words::count;
use getaway_solvers::answers::explain::small_probability;

pub struct Trace<'o> {
    pub layout: Box<dyn Layout + 'o>,
    heading: Heading,
    pub kind: Option<LineKind>,
    /// The progress of the search before the game begins.
    pub bar: Progress,
    /// A runner's ply, to which those of the other runners in its turn are joined.
    joined: Option<Ply>,
}

pub trait Layout {
    fn begin(&mut self, heading: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()>;

    fn ply(&mut self, ply: &Ply) -> io::Result<()>;

    /// Writes text below all earlier turns.
    fn line(&mut self, text: &str) -> io::Result<()>;

    /// Ends the trace; `described` is the ending in words.
    fn end(&mut self, _ending: &Ending, described: &str) -> io::Result<()> {
        self.line(described)
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.line(&format!("undecided: {limit}"))
    }
}

impl<'o> Trace<'o> {
    pub fn new(heading: Heading, layout: impl Layout + 'o) -> Self {
        Self {
            layout: Box::new(layout),
            heading,
            kind: None,
            bar: Progress::hidden(),
            joined: None,
        }
    }

    pub fn end(&mut self, ending: &Ending) -> io::Result<()> {
        self.flush()?;
        let described = ending.in_words(self.kind.as_ref());
        self.layout.end(ending, &described)
    }

    fn flush(&mut self) -> io::Result<()> {
        let joined = self.joined.take();
        joined.map_or(Ok(()), |ply| self.layout.ply(&ply))
    }
}

impl TraceSink for Trace<'_> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.bar.finish();
        self.kind = Some(line.clone());
        self.layout.begin(&self.heading, line, &rows())
    }

    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        match (&mut self.joined, &ply.mv) {
            (Some(first), Some(mv)) if first.turn == ply.turn => {
                let moves = first.mv.get_or_insert_default();
                *moves = format!("{moves},{mv}");
                first.events.extend(&ply.events);
                first.rows.clone_from(&ply.rows);
                return Ok(());
            }
            _ => self.flush()?,
        }
        self.joined = Some(ply.clone());
        if ply.mv.is_none() {
            self.flush()?;
        }
        Ok(())
    }
}

#[derive(Clone, Debug)]
pub struct Heading {
    pub title: String,
    /// The source of a given line, in words.
    pub given: &'static str,
}

impl Heading {
    fn lines_with_places(&self, line: &LineKind) -> String {
        format!("{} (places are row,column from 1)", self.lines(line))
    }

    fn lines(&self, line: &LineKind) -> String {
        let board_info = match line {
            LineKind::Given => self.given.into(),
            LineKind::WayOut => "the solver's way out".into(),
            LineKind::Lucky { probability } => format!(
                "a way out if all adversaries move like this (probability {}); the best play is unknown",
                small_probability(*probability)
            ),
            LineKind::LongestLived => {
                "caught: there is no escape, and no line of play lasts longer than this".into()
            }
            LineKind::LongestFound => {
                "caught: there is no escape; there may be lines of play that last longer than this"
                    .into()
            }
            LineKind::Forever { back_to } => {
                let place = match back_to {
                    0 => "the start".into(),
                    moves => format!("the position after {}", count(*moves as u64, "move")),
                };
                format!(
                    "caught: there is no escape, but the runner can survive forever: this leads back to {place}"
                )
            }
            LineKind::Played { seed } => format!("one game, seed {seed}"),
        };
        format!("{}\n{board_info}", self.title)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TraceStyle {
    pub colors: Colors,
    pub legend: Legend,
}

impl TraceStyle {
    fn style(self, glyph: char) -> Style {
        match self.legend.meaning(glyph) {
            _ if self.colors == Colors::Off => Style::new(),
            Meaning::Floor => Style::new().dimmed(),
            Meaning::Wall => AnsiColor::Blue.on_default(),
            Meaning::Runner => AnsiColor::Green.on_default().bold(),
            Meaning::Chaser => AnsiColor::Red.on_default().bold(),
            Meaning::Goal => AnsiColor::Yellow.on_default().bold(),
            Meaning::Danger => AnsiColor::Magenta.on_default(),
        }
    }

    /// Returns the rows of a board, in a frame if the ruleset's boards may have one, with runners on the goals through which they
    /// just left. With colours, the cells in which `events` end are inverted.
    fn rows(self, rows: &[String], events: &[TraceEvent]) -> Vec<String> {
        let moved = events.iter().filter(|_| self.colors == Colors::On);
        let moved: HashSet<_> = moved.map(|event| event.to).collect();
        let line = |(row, glyphs): (u32, &String)| {
            let (mut text, mut current) = (String::new(), Style::new());
            for (col, glyph) in (0..).zip(glyphs.chars()) {
                let glyph = self.departed((row, col), glyph, events).unwrap_or(glyph);
                let mut style = self.style(glyph);
                if moved.contains(&(row, col)) {
                    style = style.invert();
                }
                if style != current {
                    let _ = write!(text, "{current:#}{style}");
                    current = style;
                }
                text.push(glyph);
            }
            format!("{text}{current:#}")
        };
        let lines = (0..).zip(rows).map(line);
        if !self.legend.is_framed() {
            return lines.collect();
        }
        let bar = "-".repeat(self.width(rows));
        let framed = lines.map(|line| format!("|{line}|"));
        let above = [bar.clone()].into_iter();
        above.chain(framed).chain([bar]).collect()
    }

    fn width(self, rows: &[String]) -> usize {
        let widths = rows.iter().map(|row| row.chars().count());
        widths.max().unwrap_or(0) + 2 * usize::from(self.legend.is_framed())
    }

    /// Returns the glyph of the runner that just left the board through a goal on this cell; `None` if none did.
    fn departed(self, cell: (u32, u32), glyph: char, events: &[TraceEvent]) -> Option<char> {
        let is_goal = self.legend.meaning(glyph) == Meaning::Goal;
        let mut events = events.iter().filter(|_| is_goal);
        let last = events.rfind(|event| event.from == cell || event.to == cell)?;
        let is_runner = self.legend.meaning(last.actor) == Meaning::Runner;
        (last.to == cell && is_runner).then_some(last.actor)
    }
}

const fn fate_word(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::Stands => None,
        Fate::Fell => Some("falls"),
        Fate::Catches => Some("catches"),
        Fate::Teleports => Some("teleports"),
    }
}

const NAMED: usize = 12;

/// Returns text such as `g 2,7 -> 2,6`.
fn event(described: &TraceEvent, legend: &Legend) -> String {
    let (from, to) = (legend.place(described.from), legend.place(described.to));
    let what = match described.fate {
        Fate::Stands if described.from == described.to => format!("stays at {from}"),
        Fate::Stands => format!("{from} -> {to}"),
        Fate::Fell => format!("{from} -> {to}, falls into the abyss"),
        Fate::Catches => format!("{from} -> {to}, a catch"),
        Fate::Teleports => format!("{from} -> {to}, by teleport"),
    };
    format!("{} {what}", described.actor)
}

fn caption(ply: &Ply) -> String {
    let mv = ply.mv.as_ref().map(|mv| format!(" {mv}"));
    format!("turn {}, {}{}", ply.turn, ply.who, mv.unwrap_or_default())
}

fn described(ply: &Ply, legend: &Legend) -> String {
    let named = ply.events.iter().take(NAMED);
    let mut events: Vec<_> = named.map(|one| event(one, legend)).collect();
    if ply.events.len() > NAMED {
        events.push(format!("and {} more", ply.events.len() - NAMED));
    }
    format!("{}: {}", caption(ply), events.join("; "))
}
