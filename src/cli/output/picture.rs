//! Small pictures of boards.

use std::slice;

use crate::any_board::Board;
use crate::cli::options::Options;
use crate::cli::panics;
use crate::pictures::record_rows;
use getaway_board::puzzle::Puzzle;
use getaway_render::html::thumbnail;
use getaway_render::recording::Recording;
use getaway_solvers::answers::{Outcome, Problem};
use getaway_solvers::rulesets::Entry;

/// The maximum number of cells in a picture. With more cells, the details would be too small to see.
const MAX_CELLS: usize = 1 << 12;

/// Draws a board, or its text if it is invalid or can't be played, with a mark on each cell at fault. Returns an empty string for
/// a board that has more than [`MAX_CELLS`] cells, has none or can't be drawn.
pub fn of(options: &Options, puzzle: &Puzzle, outcome: &Outcome) -> String {
    let widest = puzzle.rows.iter().map(|row| row.text.len()).max();
    let cells = puzzle.rows.len() * widest.unwrap_or_default();
    if !(1..=MAX_CELLS).contains(&cells) {
        return String::new();
    }
    let recording = record(options.likely_ruleset(puzzle), puzzle);
    let faults = match &outcome.result {
        Err(Problem::Board(error)) => &*error.faults,
        _ => &[],
    };
    let spots: Vec<_> = faults
        .iter()
        .filter_map(|fault| puzzle.position_of(fault.place))
        .collect();
    thumbnail(&recording, &spots).unwrap_or_default()
}

/// Records a board at the start of the game, or its text if it is invalid or can't be played.
pub fn record(ruleset: &Entry, puzzle: &Puzzle) -> Recording {
    let read = || {
        Board::read_as(slice::from_ref(ruleset), puzzle)
            .ok()?
            .record("")
            .ok()
    };
    let read = panics::caught(read).unwrap_or_default();
    read.unwrap_or_else(|| {
        let rows = puzzle
            .rows
            .iter()
            .map(|row| String::from_utf8_lossy(&row.text).into())
            .collect::<Vec<_>>();
        record_rows(ruleset, &rows)
    })
}
