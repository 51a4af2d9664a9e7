//! The boards of a file, and boards in the editor.

use getaway::solvers::rulesets::closest;
use getaway::{Board, Boards, Limits, Puzzle, RULESETS};
use serde_json::{Value, json};

use crate::game::view;
use crate::{limits, text};

/// Returns the boards of a board file or of JSON Lines, each as a board file.
pub fn all(file: &str) -> Value {
    let mut all = Vec::new();
    Puzzle::each(file, &Limits::default, &mut |puzzle, read| {
        let mut own = Vec::new();
        let written = puzzle.write_text(&mut own);
        if puzzle.rows.is_empty() || written.is_err() {
            return true;
        }
        all.push(json!({
            "name": puzzle.name(),
            "ruleset": closest(RULESETS, puzzle).name,
            "text": String::from_utf8_lossy(&own),
            "isBroken": read.is_err(),
        }));
        true
    });
    all.into()
}

/// Returns a drawing of a text's first board, with the name and the legend of its ruleset, and the board's faults.
pub fn drawing(file: &str) -> Result<Value, String> {
    let mut puzzle = Puzzle::empty();
    let read = Boards::new(file.as_bytes(), 1).read(&mut puzzle);
    let entry = closest(RULESETS, &puzzle);
    let rows: Vec<String> = puzzle
        .rows
        .iter()
        .map(|row| String::from_utf8_lossy(&row.text).into_owned())
        .collect();
    let error = read.and_then(|_| Board::read(&puzzle).map(drop)).err();
    let faults = error.iter().flat_map(|error| &error.faults);
    let faults = faults.map(|fault| {
        json!({
            "spot": puzzle.position_of(fault.place),
            "line": fault.place.line,
            "column": fault.place.column,
            "message": fault.kind.to_string(),
            "help": fault.kind.help(),
        })
    });
    let recording = getaway::pictures::record_rows(entry, &rows);
    Ok(json!({
        "ruleset": entry.name,
        "rows": rows,
        "above": puzzle.place().line - 1,
        "view": view(&recording, 0, &limits(5.0)).map_err(text)?,
        "faults": faults.collect::<Value>(),
        "isListed": rows.first().is_some_and(|row| row.starts_with(['[', '('])),
    }))
}
