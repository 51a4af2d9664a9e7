//! Boards that were made, as board files or JSON Lines.

use std::io::{self, Write};

use getaway::generate::judge::Judged;
use getaway::generate::layout::Layout;
use getaway::solution::Evidence;
use serde::Serializer;
use serde_json::{Value, json};

use super::words::count;

/// How boards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardFormat {
    /// Drawings with headers.
    Text,
    /// A JSON object a line.
    Json,
}

/// What a board's header says beside its answer.
pub struct Caption {
    /// Its name.
    pub name: String,
    /// Remarks, as keys and values.
    pub remarks: Vec<(String, String)>,
}

/// Writes a board with its answer and measures.
///
/// # Errors
///
/// Those of `out`.
pub fn write_board(
    (layout, board): (&dyn Layout, &Judged),
    caption: &Caption,
    format: BoardFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        BoardFormat::Text => write_text(layout, board, caption, out),
        BoardFormat::Json => write_json(layout, board, caption, out),
    }
}

fn write_text(
    layout: &dyn Layout,
    board: &Judged,
    caption: &Caption,
    out: &mut dyn Write,
) -> io::Result<()> {
    let in_words = |(key, value): (&str, Value)| (key.to_owned(), words(key, &value));
    let mut headers = vec![("name".to_owned(), caption.name.clone())];
    headers.extend(caption.remarks.iter().cloned());
    headers.extend(measures(board).into_iter().map(in_words));
    let mut puzzle = board.sketch.puzzle(layout.ruleset(), &headers);
    if layout.is_framed() {
        let width = board.sketch.grid().cols() as usize;
        let edge = "-".repeat(width + 2).into_bytes();
        for row in &mut puzzle.rows {
            let framed = [b"|", &*row.text, b"|"].concat();
            row.text = framed.into();
        }
        let mut first = puzzle.rows[0].clone();
        first.text = edge.into();
        puzzle.rows.insert(0, first.clone());
        puzzle.rows.push(first);
    }
    let mut text = Vec::new();
    puzzle.write_text(&mut text)?;
    out.write_all(&text)
}

fn write_json(
    layout: &dyn Layout,
    board: &Judged,
    caption: &Caption,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = |(key, value): &(String, String)| (key.clone(), json!(value));
    let mut fields = vec![
        ("ruleset".to_owned(), json!(layout.ruleset())),
        ("name".to_owned(), json!(caption.name)),
    ];
    fields.extend(caption.remarks.iter().map(text));
    fields.extend(board.sketch.settings.iter().map(text));
    let found = measures(board).into_iter();
    fields.extend(found.map(|(key, value)| (key.to_owned(), value)));
    fields.push(("rows".to_owned(), json!(board.sketch.rows())));
    let mut line = Vec::new();
    serde_json::Serializer::new(&mut line).collect_map(fields)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// What a header says of a board's answer. Keys of several words are remarks to those who read the board.
fn measures(board: &Judged) -> Vec<(&'static str, Value)> {
    let solution = &board.measures.solution;
    let mut all = vec![("expect", json!(solution.verdict.word()))];
    if let Some(line) = solution.line() {
        all.push(("moves", json!(line)));
    }
    if let Some(moves) = board.measures.moves() {
        let key = match solution.evidence {
            Evidence::Direction { .. } => "path to the food",
            _ => "shortest escape",
        };
        all.push((key, json!(moves)));
    }
    if let Some(moves) = board.measures.first_moves {
        all.push(("first moves that lead out", json!(moves)));
    }
    if let Evidence::Survives(Some(survives)) = solution.evidence {
        all.push(("can live for ever", json!(survives)));
    }
    if let Some(probability) = board.measures.probability() {
        let rounded = (probability * 1e6).round() / 1e6;
        all.push(("probability of escape", json!(rounded)));
    }
    all
}

/// A value as a header has it.
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
