//! Which things on a board matter: it is decided again without each of them.

use crate::analysis::{PATIENCE, Removal, Without};
use crate::engine::search::Order;
use crate::limits::{Limit, Limits};
use crate::puzzle::Puzzle;
use crate::ruleset::Meaning;
use crate::rulesets::Entry;
use crate::solution::{Evidence, Solution, Verdict};

/// The things without which the answer on a board is another one, those who chase first; and the limit that was
/// reached before all of them were tried.
///
/// Each of them alone is replaced by empty floor: one who chases, a wall, or a danger. What can't be taken away
/// (such as the frame of a `theseus` board) is passed over. Where chance has a say, the answer is another one if
/// the verdict is, or whether some strategy always escapes, or if the probability of escape differs by
/// [`NOTABLE`] at least. Of a `maze`, whose answer is a direction, there are none.
///
/// Where `limits` allow for any number of states, all tries together look at ten times
/// [`PATIENCE`] at most.
pub fn that_matter(
    (entry, puzzle): (&Entry, &Puzzle),
    solution: &Solution,
    limits: &Limits,
) -> (Vec<Removal>, Option<Limit>) {
    if !matches!(solution.verdict(), Verdict::Escape | Verdict::Caught) {
        return (Vec::new(), solution.limit());
    }
    if let (Evidence::Chance { .. }, Some(limit)) = (&solution.evidence, solution.limit()) {
        return (Vec::new(), Some(limit));
    }
    let mut left = Limits {
        max_states: Some(limits.max_states.unwrap_or(10 * PATIENCE)),
        ..*limits
    };
    let cells: usize = puzzle.rows.iter().map(|row| row.text.len()).sum();
    let to_read = 1 + cells as u64 / CELLS_PER_STATE;
    let mut found = Vec::new();
    for (row, at, removal) in things(entry, puzzle) {
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
        found.extend(difference(solution, &then).map(|without| Removal { without, ..removal }));
        // To read a board counts as well, however few states it takes to decide it.
        left = left.after(then.states + to_read);
    }
    (found, None)
}

/// How far apart two probabilities of escape are at least, if a thing is said to matter.
pub const NOTABLE: f64 = 0.01;

/// What the answer `then` is, if it is notably another one than that before.
fn difference(before: &Solution, then: &Solution) -> Option<Without> {
    let of_chance = |solution: &Solution| match solution.evidence {
        Evidence::Chance {
            lower,
            upper,
            certain,
            ..
        } => Some(([lower, upper], certain)),
        _ => None,
    };
    match (of_chance(before), of_chance(then)) {
        (Some((was, was_certain)), Some((bounds, certain))) => {
            let apart = (bounds[0] - was[1]).max(was[0] - bounds[1]);
            let is_news = certain
                .zip(was_certain)
                .is_some_and(|(now, was)| now != was);
            let differs = is_news || then.verdict() != before.verdict() || apart >= NOTABLE;
            differs.then_some(Without::Chance { bounds, certain })
        }
        _ => (then.verdict() != before.verdict()).then_some(Without::Verdict(then.verdict())),
    }
}

/// About how many cells are read in the time that it takes to look at a state.
const CELLS_PER_STATE: u64 = 16;

/// What could be taken away, those who chase first: its row, its place in it, and what it is.
fn things<'p>(
    entry: &'p Entry,
    puzzle: &'p Puzzle,
) -> impl Iterator<Item = (usize, usize, Removal)> + 'p {
    let ranks = [Meaning::Chaser, Meaning::Wall, Meaning::Danger];
    ranks.into_iter().flat_map(move |meaning| {
        puzzle
            .rows
            .iter()
            .enumerate()
            .flat_map(move |(number, row)| {
                let is_one = move |&at: &usize| {
                    let byte = row.text[at];
                    byte.is_ascii() && (entry.meaning)(char::from(byte)) == meaning
                };
                (0..row.text.len()).filter(is_one).map(move |at| {
                    let place = row.place(at);
                    let removal = Removal {
                        glyph: char::from(row.text[at]),
                        meaning,
                        line: place.line,
                        column: place.column,
                        without: Without::Verdict(Verdict::Undecided),
                    };
                    (number, at, removal)
                })
            })
    })
}
