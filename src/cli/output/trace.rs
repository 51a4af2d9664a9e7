//! A trace written down: as text that a person likes to read, and as JSON.

use std::collections::HashSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style as TextStyle};
use getaway::limits::Limit;
use getaway::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};
use getaway::ruleset::{Cause, Fate, Meaning};
use serde::Serialize;

use super::diagnostic::Colors;
use super::words::count;

/// A trace that is written down, with its end.
pub trait TraceWriter: TraceSink {
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

/// Writes that there is nothing to tell, since a limit was reached, as text.
///
/// # Errors
///
/// Those of the output.
pub fn undecided(out: &mut impl Write, limit: Limit) -> io::Result<()> {
    writeln!(out, "undecided: {limit}")
}

/// The same as JSON.
///
/// # Errors
///
/// Those of the output.
pub fn undecided_json(out: &mut impl Write, limit: Limit) -> io::Result<()> {
    let value = serde_json::json!({"end": "undecided", "limit": limit.to_string()});
    writeln!(out, "{value}")
}

/// What kind of line is shown, for people.
fn about(line: &LineKind, from: MovesFrom) -> String {
    match line {
        LineKind::Given => match from {
            MovesFrom::Argument => "playing `--moves`".into(),
            MovesFrom::Header => "replaying the `moves` header".into(),
        },
        LineKind::WayOut => "the solver's way out".into(),
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
    fn style(self, glyph: char) -> TextStyle {
        match (self.meaning)(glyph) {
            Meaning::Floor => TextStyle::new().dimmed(),
            Meaning::Wall => AnsiColor::Blue.on_default(),
            Meaning::Runner => AnsiColor::Green.on_default().bold(),
            Meaning::Chaser => AnsiColor::Red.on_default().bold(),
            Meaning::Goal => AnsiColor::Yellow.on_default().bold(),
            Meaning::Danger => AnsiColor::Magenta.on_default(),
        }
    }
}

/// Writes text.
pub struct TextTrace<W> {
    out: W,
    title: String,
    from: MovesFrom,
    look: Look,
    kind: Option<LineKind>,
}

/// So many actors are named in a half turn.
const NAMED: usize = 12;

impl<W: Write> TextTrace<W> {
    /// A trace that begins with `title`.
    pub const fn new(out: W, title: String, from: MovesFrom, look: Look) -> Self {
        Self {
            out,
            title,
            from,
            look,
            kind: None,
        }
    }

    fn rows(&mut self, rows: &[String], moved: &[TraceEvent]) -> io::Result<()> {
        let moved: HashSet<_> = moved.iter().map(|event| event.to).collect();
        for (row, text) in (0u32..).zip(rows) {
            match self.look.colors {
                Colors::Off => write!(self.out, "  {text}")?,
                Colors::On => self.coloured(text, |col| moved.contains(&(row, col)))?,
            }
            writeln!(self.out)?;
        }
        writeln!(self.out)
    }

    /// A row in colours; the cells that someone has moved to are inverted.
    fn coloured(&mut self, text: &str, has_moved: impl Fn(u32) -> bool) -> io::Result<()> {
        self.out.write_all(b"  ")?;
        let mut current = TextStyle::new();
        for (col, glyph) in (0u32..).zip(text.chars()) {
            let mut style = self.look.style(glyph);
            if has_moved(col) {
                style = style.invert();
            }
            if style != current {
                write!(self.out, "{current:#}{style}")?;
                current = style;
            }
            write!(self.out, "{glyph}")?;
        }
        write!(self.out, "{current:#}")
    }
}

/// `g 2,7 -> 2,6`, in rows and columns from 1.
fn event(told: &TraceEvent) -> String {
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

impl<W: Write> TraceSink for TextTrace<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        writeln!(self.out, "{}", self.title)?;
        writeln!(
            self.out,
            "{} (places are row,column from 1)\n",
            about(line, self.from)
        )?;
        writeln!(self.out, "start")?;
        self.rows(&rows(), &[])
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
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

/// Writes JSON Lines.
pub struct JsonTrace<W> {
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
    const fn of(told: &TraceEvent) -> Self {
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

impl<W: Write> JsonTrace<W> {
    /// A trace written to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, kind: None }
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }
}

impl<W: Write> TraceSink for JsonTrace<W> {
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

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.line(&JsonHalf {
            turn: half.turn,
            who: half.who,
            mv: half.mv.as_deref(),
            events: half.events.iter().map(JsonEvent::of).collect(),
            rows: &half.rows,
        })
    }
}

impl<W: Write> TraceWriter for TextTrace<W> {
    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        match ending {
            Ending::Escaped { turns } => {
                writeln!(self.out, "escape in {}", count(*turns as u64, "move"))
            }
            Ending::Caught {
                turns,
                cause: Cause::Chaser,
            } => {
                let moves = count(*turns as u64, "move");
                writeln!(self.out, "caught by a chaser after {moves}")
            }
            Ending::Caught { turns, cause } => {
                let moves = count(*turns as u64, "move");
                writeln!(self.out, "caught after {moves}: {cause}")
            }
            Ending::Open { .. } if matches!(self.kind, Some(LineKind::Forever { .. })) => {
                writeln!(self.out, "and so on, for ever")
            }
            Ending::Open { turns } => {
                writeln!(
                    self.out,
                    "unfinished after {}",
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
        undecided(&mut self.out, limit)
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}

impl<W: Write> TraceWriter for JsonTrace<W> {
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
        undecided_json(&mut self.out, limit)
    }

    fn kind(&self) -> Option<&LineKind> {
        self.kind.as_ref()
    }
}
