//! Generated boards as board files or JSON Lines.

use std::io;

use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::Decision;
use getaway_board::puzzle::{Format, Row, literal, written};
use getaway_play::analysis::difficulty::Difficulty;
use getaway_play::solution::{Evidence, Verdict};
use serde::Serializer;
use serde_json::{Value, json};

use super::change::Change;
use super::measures::{Measures, Meter};
use super::sketch::Sketch;
use getaway_board::words::count;
use getaway_solvers::rulesets::Entry;

/// The name of a board, and remarks about it.
pub struct Caption {
    /// The name of the board.
    pub name: String,
    /// The keys and values of remarks in the header.
    pub remarks: Vec<(String, String)>,
}

/// A board with its measures, ready to be written.
#[derive(Clone, Copy)]
pub(crate) struct MeasuredSketch<'a> {
    pub ruleset: &'a Entry,
    pub sketch: &'a Sketch,
    pub measures: &'a Measures,
}

impl MeasuredSketch<'_> {
    pub(crate) fn written(self, caption: &Caption, format: Format) -> Vec<u8> {
        let mut out = Vec::new();
        let written = match format {
            Format::Text => self.write_text(caption, &mut out),
            Format::JsonLines => self.write_json(caption, &mut out),
        };
        written.expect("memory can be written to");
        out
    }

    fn write_text(self, caption: &Caption, out: &mut Vec<u8>) -> io::Result<()> {
        let in_words = |(key, value): (&str, Value)| (key.to_owned(), words(key, &value));
        let mut headers = vec![("name".to_owned(), caption.name.clone())];
        headers.extend(caption.remarks.iter().cloned());
        headers.extend(measures(self.measures).into_iter().map(in_words));
        let mut puzzle = self.sketch.puzzle(self.ruleset.name, &headers);
        if self.ruleset.legend.is_framed() {
            frame(&mut puzzle.rows);
        }
        puzzle.write_text(out)
    }

    fn write_json(self, caption: &Caption, out: &mut Vec<u8>) -> io::Result<()> {
        let text = |(key, value): &(String, String)| (key.clone(), json!(value));
        let mut fields = vec![
            ("ruleset".to_owned(), json!(self.ruleset.name)),
            ("name".to_owned(), json!(caption.name)),
        ];
        fields.extend(caption.remarks.iter().map(text));
        let setting = |(key, value): &(String, String)| {
            let literal = literal(value).and_then(|value| serde_json::from_str(value).ok());
            (key.clone(), literal.unwrap_or_else(|| json!(value)))
        };
        fields.extend(self.sketch.settings.iter().map(setting));
        let found = measures(self.measures).into_iter();
        fields.extend(found.map(|(key, value)| (key.to_owned(), value)));
        fields.push(("rows".to_owned(), json!(self.sketch.rows())));
        written::serializer(&mut *out).collect_map(fields)?;
        out.push(b'\n');
        Ok(())
    }
}

fn frame(rows: &mut Vec<Row>) {
    let Some(mut edge) = rows.first().cloned() else {
        return;
    };
    edge.text = b"-".repeat(edge.text.len() + 2).into();
    for row in rows.iter_mut() {
        row.text = [b"|", &*row.text, b"|"].concat().into();
    }
    rows.insert(0, edge.clone());
    rows.push(edge);
}

/// Returns the measures as headers. Except for `expect` and `moves`, their keys have several words, so readers of boards ignore
/// them.
fn measures(measures: &Measures) -> Vec<(&'static str, Value)> {
    let solution = &measures.solution;
    let steps = match solution.evidence {
        Evidence::Direction { .. } => "path to the food",
        _ => "shortest escape",
    };
    let difficulty = |found: Difficulty| {
        let rounded = (found.bits() * 100.0).round() / 100.0;
        match found {
            Difficulty::Exactly(_) => json!(rounded),
            Difficulty::AtMost(_) => json!(format!("at most {rounded}")),
        }
    };
    let survives = match solution.evidence {
        Evidence::Survives(survives) if survives != Decision::Undecided => Some(json!(survives)),
        _ => None,
    };
    let probability = |probability: f64| match (probability * 1e6).round() / 1e6 {
        0.0 if solution.verdict() == Verdict::Escape => json!("at most 0.000001"),
        rounded => json!(rounded),
    };
    let bounds = match solution.evidence {
        Evidence::Chance { bounds, .. } => Some(json!(format!(
            "between {} and {}",
            (bounds.lower * 1e4).floor() / 1e4,
            (bounds.upper * 1e4).ceil() / 1e4
        ))),
        _ => None,
    };
    let turns = |turns: f64| json!((turns * 1e4).round() / 1e4);
    let line = solution.line().filter(|line| !line.is_empty());
    let first_moves = measures.first_moves.map(|moves| json!(moves));
    let lines = measures.ties.filter(|&ties| ties == 0).map(|_| json!(1));
    let all = [
        ("expect", Some(json!(solution.verdict().name()))),
        ("moves", line.map(|line| json!(line))),
        (steps, measures.moves().map(|moves| json!(moves))),
        ("first moves that lead out", first_moves),
        ("shortest lines of play", lines),
        ("difficulty in bits", measures.difficulty.map(difficulty)),
        ("can live for ever", survives),
        (
            "probability of escape",
            measures.probability().map(probability).or(bounds),
        ),
        ("expected turns", measures.expected_turns.map(turns)),
    ];
    let known = all
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key, value)));
    known.collect()
}

fn words(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) if key == "shortest escape" || key == "path to the food" => {
            count(number.as_u64().unwrap_or_default(), "move")
        }
        other => other.to_string(),
    }
}

/// Describes a change, such as `wall moved from 1,2 to 1,3`.
pub(crate) fn change_in_words(meter: &Meter, grid: Grid, change: &Change) -> String {
    let (layout, legend) = (meter.layout, &meter.ruleset.legend);
    let place = |cell: Cell| legend.place(grid.position(cell));
    let there = |cell: Cell| legend.at(grid.position(cell));
    let mut amounts = layout.style().amounts.iter();
    let what = match amounts.find(|amount| amount.glyph == Some(change.glyph)) {
        _ if change.glyph == layout.style().runner => "runner",
        Some(amount) => amount.one,
        None => "wall",
    };
    match (change.from, change.to) {
        (Some(from), Some(to)) => format!("{what} moved from {} to {}", place(from), place(to)),
        (None, to) => format!("{what} added {}", to.map_or_else(String::new, there)),
        (Some(from), None) => format!("{what} removed {}", there(from)),
    }
}
