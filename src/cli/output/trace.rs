//! How a game is told: in text that a person likes to read, and in JSON.

use std::io::{self, Write};

use anstyle::Style as TextStyle;
use getaway::game::{Ending, Half, LineKind, Teller, Told};
use getaway::limits::Limit;
use getaway::ruleset::Fate;
use serde::Serialize;

use super::diagnostic::Colors;
use super::words::count;

/// A teller who also tells the end.
pub trait Narrator: Teller {
    /// The game has ended.
    ///
    /// # Errors
    ///
    /// Those of the output.
    fn end(&mut self, ending: &Ending) -> io::Result<()>;

    /// There is nothing to tell, since a limit ended the search for a line.
    ///
    /// # Errors
    ///
    /// Those of the output.
    fn undecided(&mut self, limit: Limit) -> io::Result<()>;

    /// What kind of line was told.
    fn kind(&self) -> Option<&LineKind>;
}

/// What kind of line is shown, for people.
fn about(line: &LineKind) -> String {
    match line {
        LineKind::Given => "the moves given".into(),
        LineKind::WayOut => "the solver's way out".into(),
        LineKind::LongestLived => {
            "there is no escape; no line of play lives longer than this".into()
        }
        LineKind::LongestFound => {
            "there is no escape; this is the longest line that was found, there may be longer"
                .into()
        }
        LineKind::Forever { back_to: 0 } => {
            "there is no escape, but one can live for ever: at the end all is as at the start"
                .into()
        }
        LineKind::Forever { back_to } => format!(
            "there is no escape, but one can live for ever: at the end all is as after {}",
            count(*back_to as u64, "move")
        ),
        LineKind::Played { seed } => format!("one game, with the seed {seed}"),
    }
}

/// Tells in text.
pub struct TextTeller<W> {
    out: W,
    title: String,
    colors: Colors,
    kind: Option<LineKind>,
}

/// So many actors are named in a half turn.
const NAMED: usize = 12;

impl<W: Write> TextTeller<W> {
    /// A teller who begins with `title`.
    pub fn new(out: W, title: String, colors: Colors) -> Self {
        Self {
            out,
            title,
            colors,
            kind: None,
        }
    }

    fn rows(&mut self, rows: &[String], moved: &[Told]) -> io::Result<()> {
        let strong = match self.colors {
            Colors::On => TextStyle::new().bold().invert(),
            Colors::Off => TextStyle::new(),
        };
        for (row, text) in (0u32..).zip(rows) {
            self.out.write_all(b"  ")?;
            for (col, glyph) in (0u32..).zip(text.chars()) {
                if moved.iter().any(|told| told.to == (row, col)) {
                    write!(self.out, "{strong}{glyph}{strong:#}")?;
                } else {
                    write!(self.out, "{glyph}")?;
                }
            }
            writeln!(self.out)?;
        }
        writeln!(self.out)
    }
}

/// `g 2,7 -> 2,6`, in rows and columns from 1.
fn event(told: &Told) -> String {
    let place = |(row, col): (u32, u32)| format!("{},{}", row + 1, col + 1);
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

impl<W: Write> Teller for TextTeller<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        writeln!(self.out, "{}", self.title)?;
        writeln!(self.out, "{} (places are row,column from 1)\n", about(line))?;
        writeln!(self.out, "start")?;
        self.rows(&rows(), &[])
    }

    fn half(&mut self, half: &Half) -> io::Result<()> {
        write!(self.out, "turn {}, {}", half.turn, half.who)?;
        if let Some(mv) = &half.mv {
            write!(self.out, " {mv}")?;
        }
        let mut events: Vec<_> = half.events.iter().take(NAMED).map(event).collect();
        if half.events.len() > NAMED {
            events.push(format!("and {} more", half.events.len() - NAMED));
        }
        writeln!(self.out, ": {}", events.join("; "))?;
        self.rows(&half.rows, &half.events)
    }
}

/// Tells in JSON Lines.
pub struct JsonTeller<W> {
    out: W,
    kind: Option<LineKind>,
}

#[derive(Serialize)]
struct JsonHalf<'h> {
    turn: usize,
    who: &'h str,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<&'h str>,
    events: Vec<JsonEvent>,
    rows: &'h [String],
}

#[derive(Serialize)]
struct JsonEvent {
    actor: char,
    from: (u32, u32),
    to: (u32, u32),
    fate: &'static str,
}

impl JsonEvent {
    const fn of(told: &Told) -> Self {
        let fate = match told.fate {
            Fate::Stands => "stands",
            Fate::Fell => "fell",
            Fate::Catches => "catches",
            Fate::Teleports => "teleports",
        };
        Self {
            actor: told.actor,
            from: told.from,
            to: told.to,
            fate,
        }
    }
}

impl<W: Write> JsonTeller<W> {
    /// A teller who writes to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, kind: None }
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }
}

impl<W: Write> Teller for JsonTeller<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        let kind = match line {
            LineKind::Given => "given",
            LineKind::WayOut => "way-out",
            LineKind::LongestLived => "longest-lived",
            LineKind::LongestFound => "longest-found",
            LineKind::Forever { .. } => "forever",
            LineKind::Played { .. } => "played",
        };
        let mut value = serde_json::json!({"line": kind, "rows": rows()});
        match line {
            LineKind::Forever { back_to } => value["back_to"] = (*back_to).into(),
            LineKind::Played { seed } => value["seed"] = (*seed).into(),
            _ => {}
        }
        self.line(&value)
    }

    fn half(&mut self, half: &Half) -> io::Result<()> {
        self.line(&JsonHalf {
            turn: half.turn,
            who: half.who,
            mv: half.mv.as_deref(),
            events: half.events.iter().map(JsonEvent::of).collect(),
            rows: &half.rows,
        })
    }
}

impl<W: Write> Narrator for TextTeller<W> {
    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        match ending {
            Ending::Escaped { turns } => {
                writeln!(self.out, "escaped in {}", count(*turns as u64, "move"))
            }
            Ending::Caught { turns, cause } => {
                writeln!(
                    self.out,
                    "lost after {}: {cause}",
                    count(*turns as u64, "move")
                )
            }
            Ending::Open { .. } if matches!(self.kind, Some(LineKind::Forever { .. })) => {
                writeln!(self.out, "and so on, for ever")
            }
            Ending::Open { turns } => {
                writeln!(
                    self.out,
                    "the game is open after {}",
                    count(*turns as u64, "move")
                )
            }
            Ending::Illegal {
                turn,
                mv,
                reason,
                legal,
            } => {
                let legal = if legal.is_empty() {
                    "none".into()
                } else {
                    legal.join(", ")
                };
                writeln!(
                    self.out,
                    "move {turn} (`{mv}`) is illegal: {reason}; legal moves: {legal}"
                )
            }
        }
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        writeln!(self.out, "undecided: {limit}")
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}

impl<W: Write> Narrator for JsonTeller<W> {
    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        let value = match ending {
            Ending::Escaped { turns } => serde_json::json!({"end": "escaped", "turns": turns}),
            Ending::Caught { turns, cause } => {
                serde_json::json!({"end": "lost", "turns": turns, "cause": cause.to_string()})
            }
            Ending::Open { turns } => serde_json::json!({"end": "open", "turns": turns}),
            Ending::Illegal {
                turn,
                mv,
                reason,
                legal,
            } => serde_json::json!({
                "end": "illegal", "turn": turn, "move": mv, "reason": reason, "legal": legal
            }),
        };
        self.line(&value)
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.line(&serde_json::json!({"end": "undecided", "limit": limit.to_string()}))
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}
