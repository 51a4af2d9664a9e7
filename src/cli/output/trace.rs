//! A trace written down: as text that a person likes to read, and as JSON.

mod animation;
mod compact;
mod json;
mod long;
mod side_by_side;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};
use crate::ruleset::{Cause, Fate, Meaning};
use anstyle::{AnsiColor, Style};

pub use animation::Animation;
pub use compact::CompactTrace;
pub use json::JsonTrace;
pub use long::TextTrace;
pub use side_by_side::{Room, SideBySide};

use super::diagnostic::Colors;
use super::explain::small;
use super::words::count;

/// A trace that is written down, with its end.
pub trait TraceWriter: TraceSink {
    /// The game has ended.
    fn end(&mut self, ending: &Ending) -> io::Result<()>;

    /// There is nothing to tell, since a limit ended the search for a line.
    fn undecided(&mut self, limit: Limit) -> io::Result<()>;

    /// What kind of line was told.
    fn kind(&self) -> Option<&LineKind>;
}

/// Writes that there is nothing to tell, since a limit was reached, as text.
pub fn undecided(out: &mut impl Write, limit: Limit) -> io::Result<()> {
    writeln!(out, "undecided: {limit}")
}

/// The same as JSON.
pub fn undecided_json(out: &mut impl Write, limit: Limit) -> io::Result<()> {
    let value = serde_json::json!({"end": "undecided", "limit": limit.to_string()});
    writeln!(out, "{value}")
}

/// Where the moves of a line of play were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovesFrom {
    /// On the command line.
    Argument,
    /// In the board's header.
    Header,
}

impl MovesFrom {
    /// Where they are taken from if these, or none, were typed.
    pub const fn of(typed: Option<&str>) -> Self {
        match typed {
            Some(_) => Self::Argument,
            None => Self::Header,
        }
    }
}

/// What a trace for people begins with.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The file, and the board's name.
    pub title: String,
    /// Where the moves were given.
    pub from: MovesFrom,
}

impl Heading {
    /// The title, and what kind of line is shown: two lines.
    fn lines(&self, line: &LineKind) -> String {
        format!("{}\n{}", self.title, self.about(line))
    }

    /// The same for a trace that names places.
    fn lines_with_places(&self, line: &LineKind) -> String {
        format!("{} (places are row,column from 1)", self.lines(line))
    }

    fn about(&self, line: &LineKind) -> String {
        match line {
            LineKind::Given => match self.from {
                MovesFrom::Argument => "playing `--moves`".into(),
                MovesFrom::Header => "replaying the `moves` header".into(),
            },
            LineKind::WayOut => "the solver's way out".into(),
            LineKind::Lucky { probability } => format!(
                "a way out, if all adversaries move like this (probability {}); the best play is not known",
                small(*probability)
            ),
            LineKind::LongestLived => {
                "caught: there is no escape, and no line of play lasts longer than this".into()
            }
            LineKind::LongestFound => {
                "caught: there is no escape; there may be lines of play that last longer than this"
                    .into()
            }
            LineKind::Forever { back_to: 0 } => {
                "caught: there is no escape, but one can stay alive for ever: this leads back to \
                 the start"
                    .into()
            }
            LineKind::Forever { back_to } => format!(
                "caught: there is no escape, but one can stay alive for ever: this leads back to \
                 where it was after {}",
                count(*back_to as u64, "move")
            ),
            LineKind::Played { seed } => format!("one game, seed {seed}"),
        }
    }
}

/// How pictures are shown.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether in colours.
    pub colors: Colors,
    /// What a glyph stands for.
    pub meaning: fn(char) -> Meaning,
}

impl Look {
    /// The style of a glyph, by what it stands for.
    fn style(self, glyph: char) -> Style {
        if self.colors == Colors::Off {
            return Style::new();
        }
        match (self.meaning)(glyph) {
            Meaning::Floor => Style::new().dimmed(),
            Meaning::Wall => AnsiColor::Blue.on_default(),
            Meaning::Runner => AnsiColor::Green.on_default().bold(),
            Meaning::Chaser => AnsiColor::Red.on_default().bold(),
            Meaning::Goal => AnsiColor::Yellow.on_default().bold(),
            Meaning::Danger => AnsiColor::Magenta.on_default(),
        }
    }

    /// The glyphs of a row from column `first` on; in colours, the cells that someone has moved to are
    /// inverted.
    fn row(self, glyphs: &str, first: u32, has_moved: impl Fn(u32) -> bool) -> String {
        if self.colors == Colors::Off {
            return glyphs.to_owned();
        }
        let mut text = String::new();
        let mut current = Style::new();
        for (col, glyph) in (first..).zip(glyphs.chars()) {
            let mut style = self.style(glyph);
            if has_moved(col) {
                style = style.invert();
            }
            if style != current {
                let _ = write!(text, "{current:#}{style}");
                current = style;
            }
            text.push(glyph);
        }
        let _ = write!(text, "{current:#}");
        text
    }

    /// A whole board, row by row.
    fn rows(self, rows: &[String], moved: &[TraceEvent]) -> Vec<String> {
        let moved: HashSet<_> = moved.iter().map(|event| event.to).collect();
        let row =
            |(row, text): (u32, &String)| self.row(text, 0, |col| moved.contains(&(row, col)));
        (0..).zip(rows).map(row).collect()
    }
}

/// A place in rows and columns from 1.
fn place((row, col): (u32, u32)) -> String {
    format!("{},{}", row + 1, col + 1)
}

/// `g 2,7 -> 2,6`
fn event(told: &TraceEvent) -> String {
    let (from, to) = (place(told.from), place(told.to));
    let actor = told.actor;
    match told.fate {
        Fate::Stands if told.from == told.to => format!("{actor} stays at {from}"),
        Fate::Stands => format!("{actor} {from} -> {to}"),
        Fate::Fell => format!("{actor} {from} -> {to}, falls into the abyss"),
        Fate::Catches => format!("{actor} {from} -> {to}, a catch"),
        Fate::Teleports => format!("{actor} {from} -> {to}, by teleport"),
    }
}

/// `turn 3, hero d`
fn caption(half: &HalfTurn) -> String {
    let mv = half.mv.iter().map(|mv| format!(" {mv}"));
    format!("turn {}, {}{}", half.turn, half.who, mv.collect::<String>())
}

/// `turn 3, hero d: H 2,7 -> 2,8`, with at most `most` actors.
fn told(half: &HalfTurn, most: usize) -> String {
    let mut events: Vec<_> = half.events.iter().take(most).map(event).collect();
    if half.events.len() > most {
        events.push(format!("and {} more", half.events.len() - most));
    }
    format!("{}: {}", caption(half), events.join("; "))
}

/// How a game has ended, in a line.
fn ending(ending: &Ending, kind: Option<&LineKind>) -> String {
    let moves = |turns: &usize| count(*turns as u64, "move");
    match ending {
        Ending::Escaped { turns } => format!("escape in {}", moves(turns)),
        Ending::Caught {
            turns,
            cause: Cause::Chaser,
        } => format!("caught by a chaser after {}", moves(turns)),
        Ending::Caught { turns, cause } => format!("caught after {}: {cause}", moves(turns)),
        Ending::Open { .. } if matches!(kind, Some(LineKind::Forever { .. })) => {
            "and so on, for ever".into()
        }
        Ending::Forfeited { turns, fault } => {
            format!("forfeited after {}: {fault}", moves(turns))
        }
        Ending::Open { turns } => format!("unfinished after {}", moves(turns)),
        Ending::Illegal {
            turn,
            mv,
            reason,
            legal,
        } => {
            let legal = match legal.as_slice() {
                [] => "none".into(),
                legal => legal.join(", "),
            };
            format!("move {turn} (`{mv}`) is illegal: {reason}; legal moves: {legal}")
        }
    }
}
