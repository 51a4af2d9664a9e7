//! A trace as JSON Lines.

use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent};
use crate::puzzle::written;
use crate::ruleset::Fate;
use serde::Serialize;
use serde_json::json;

use super::{Heading, Layout};

pub struct Json<W>(pub W);

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
        Self {
            actor: told.actor,
            from: told.from,
            to: told.to,
            fate: match told.fate {
                Fate::Stands => "stands",
                Fate::Fell => "fell",
                Fate::Catches => "catches",
                Fate::Teleports => "teleports",
            },
        }
    }
}

impl<W: Write> Json<W> {
    fn object(&mut self, value: &impl Serialize) -> io::Result<()> {
        written::to_writer(&mut self.0, value)?;
        self.line("")
    }
}

impl<W: Write> Layout for Json<W> {
    fn begin(&mut self, _: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        let kind = match line {
            LineKind::Given => "given",
            LineKind::WayOut => "way-out",
            LineKind::Lucky { .. } => "lucky",
            LineKind::LongestLived => "longest-lived",
            LineKind::LongestFound => "longest-found",
            LineKind::Forever { .. } => "forever",
            LineKind::Played { .. } => "played",
        };
        let mut value = json!({"line": kind, "rows": rows});
        match line {
            LineKind::Forever { back_to } => value["back_to"] = (*back_to).into(),
            LineKind::Played { seed } => value["seed"] = (*seed).into(),
            LineKind::Lucky { probability } => value["probability"] = (*probability).into(),
            _ => {}
        }
        self.object(&value)
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.object(&JsonHalf {
            turn: half.turn,
            who: half.who,
            mv: half.mv.as_deref(),
            events: half.events.iter().map(JsonEvent::of).collect(),
            rows: &half.rows,
        })
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.0, "{text}")
    }

    fn end(&mut self, ending: &Ending, _told: &str) -> io::Result<()> {
        self.object(&match ending {
            Ending::Escaped { turns } => json!({"end": "escaped", "turns": turns}),
            Ending::Caught { turns, cause } => {
                json!({"end": "caught", "turns": turns, "cause": cause.to_string()})
            }
            Ending::Forfeited { turns, fault } => json!({
                "end": "forfeited", "turns": turns, "by": fault.role, "reason": fault.reason
            }),
            Ending::Open { turns } => json!({"end": "open", "turns": turns}),
            Ending::Illegal {
                turn,
                mv,
                reason,
                legal,
            } => json!({
                "end": "illegal", "turn": turn, "move": mv, "reason": reason, "legal": legal
            }),
        })
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.object(&json!({"end": "undecided", "limit": limit.to_string()}))
    }
}
