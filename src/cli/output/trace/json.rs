//! A trace as JSON Lines.

use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind, TraceEvent, TraceSink};
use crate::puzzle::written;
use crate::ruleset::Fate;
use serde::Serialize;

use super::{TraceWriter, undecided_json};

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
        written::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }
}

impl<W: Write> TraceSink for JsonTrace<W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.kind = Some(line.clone());
        let kind = match line {
            LineKind::Given => "given",
            LineKind::WayOut => "way-out",
            LineKind::Lucky { .. } => "lucky",
            LineKind::LongestLived => "longest-lived",
            LineKind::LongestFound => "longest-found",
            LineKind::Forever { .. } => "forever",
            LineKind::Played { .. } => "played",
        };
        let mut value = serde_json::json!({"line": kind, "rows": rows()});
        match line {
            LineKind::Forever { back_to } => value["back_to"] = (*back_to).into(),
            LineKind::Played { seed } => value["seed"] = (*seed).into(),
            LineKind::Lucky { probability } => value["probability"] = (*probability).into(),
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

impl<W: Write> TraceWriter for JsonTrace<W> {
    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        let value = match ending {
            Ending::Escaped { turns } => serde_json::json!({"end": "escaped", "turns": turns}),
            Ending::Caught { turns, cause } => {
                serde_json::json!({"end": "caught", "turns": turns, "cause": cause.to_string()})
            }
            Ending::Forfeited { turns, fault } => serde_json::json!({
                "end": "forfeited", "turns": turns, "by": fault.role, "reason": fault.reason
            }),
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
