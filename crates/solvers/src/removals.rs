//! Finds the items that matter on a board.

use crate::rulesets::Entry;
use getaway_board::limits::{Decision, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_play::analysis::{DEFAULT_MAX_STATES, Removal, Without};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_ruleset::Meaning;
use getaway_search::search::Order;

/// Solves the board with each chaser, wall and danger in turn replaced by floor. Returns the items whose removal changes the
/// answer, chasers first, and the limit that ended the search early.
///
/// Skips items that can't be removed, such as the frame of a `theseus` board. An answer changes if the verdict or certainty does,
/// or the probability by at least [`NOTABLE_CHANGE`]. Finds none in a `maze`. If a limit left the verdict or the probability
/// open, returns no items and that limit.
///
/// By default, the searches together visit at most ten times [`DEFAULT_MAX_STATES`] states.
pub fn necessary_items(
    entry: &Entry,
    puzzle: &Puzzle,
    solution: &Solution,
    limits: &Limits,
) -> (Vec<Removal>, Option<Limit>) {
    if !matches!(solution.verdict(), Verdict::Escape | Verdict::Caught) {
        return (Vec::new(), solution.limit());
    }
    if let (Evidence::Chance { .. }, Some(limit)) = (&solution.evidence, solution.limit()) {
        return (Vec::new(), Some(limit));
    }
    let mut left = limits.or_max_states(10 * DEFAULT_MAX_STATES);
    let cells: usize = puzzle.rows.iter().map(|row| row.text.len()).sum();
    let to_read = 1 + cells as u64 / CELLS_PER_STATE;
    let mut found = Vec::new();
    for (meaning, row, at) in removable_items(entry, puzzle) {
        let without = puzzle.with_glyph(row, at, entry.legend.empty());
        let game = match (entry.read)(&without) {
            Ok(game) => game,
            Err(error) if error.limit().is_some() => return (found, error.limit()),
            Err(_) => continue,
        };
        let then = game.solve(Order::DepthFirst, &left);
        if let Some(limit) = then.limit() {
            return (found, Some(limit));
        }
        found.extend(difference(solution, &then).map(|without| {
            let (place, cell) = (puzzle.rows[row].place(at), (row as u32, at as u32));
            Removal {
                glyph: char::from(puzzle.rows[row].text[at]),
                meaning,
                at: (entry.cell)(puzzle, cell.0, cell.1).unwrap_or(cell),
                line: place.line,
                column: place.column,
                without,
            }
        }));
        left = left.after(then.states + to_read);
    }
    (found, None)
}

/// The smallest change in a probability that counts.
pub const NOTABLE_CHANGE: f64 = 0.01;

fn difference(before: &Solution, then: &Solution) -> Option<Without> {
    let of_chance = |solution: &Solution| match solution.evidence {
        Evidence::Chance {
            bounds, certain, ..
        } => Some((bounds, certain)),
        _ => None,
    };
    match (of_chance(before), of_chance(then)) {
        (Some((was, was_certain)), Some((bounds, certain))) => {
            let apart = (bounds.lower - was.upper).max(was.lower - bounds.upper);
            let are_known = ![certain, was_certain].contains(&Decision::Undecided);
            let is_news = are_known && certain != was_certain;
            let differs = is_news || then.verdict() != before.verdict() || apart >= NOTABLE_CHANGE;
            differs.then_some(Without::Chance { bounds, certain })
        }
        _ => (then.verdict() != before.verdict()).then_some(Without::Verdict(then.verdict())),
    }
}

/// The approximate number of cells read in the time that a search takes for one state.
const CELLS_PER_STATE: u64 = 16;

/// Returns the meaning, the row and the offset in the row of each chaser, then of each wall, and then of each danger.
fn removable_items(
    entry: &Entry,
    puzzle: &Puzzle,
) -> impl Iterator<Item = (Meaning, usize, usize)> {
    let meanings = [Meaning::Chaser, Meaning::Wall, Meaning::Danger];
    meanings.into_iter().flat_map(move |meaning| {
        let is_one = move |&glyph: &u8| {
            glyph.is_ascii() && entry.legend.meaning(char::from(glyph)) == meaning
        };
        let rows = puzzle.rows.iter().enumerate();
        rows.flat_map(move |(row, written)| {
            let glyphs = written.text.iter().enumerate();
            let ones = glyphs.filter(move |(_, glyph)| is_one(glyph));
            ones.map(move |(at, _)| (meaning, row, at))
        })
    })
}
