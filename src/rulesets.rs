//! The list of rulesets, and how a board finds its own.

use crate::fault::{BoardError, FaultKind, list};
use crate::game::Game;
use crate::puzzle::Puzzle;
use crate::rules::{baddies, dungeon, jimmy, maze};

/// The rulesets that this crate knows. A new one is a file in `rules`, named in `rules.rs`, and an entry
/// in this list.
pub const RULESETS: &[Entry] = &[jimmy::ENTRY, baddies::ENTRY, maze::ENTRY, dungeon::ENTRY];

/// A ruleset as far as reading a board goes.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, as in the header `ruleset`.
    pub name: &'static str,
    /// Whether a board can be of this ruleset, going by its glyphs.
    pub fits: fn(&Puzzle) -> bool,
    /// Why it can't, where it does not fit.
    pub misfit: fn(&Puzzle) -> String,
    /// Reads a board.
    pub read: fn(&Puzzle) -> Result<Box<dyn Game>, BoardError>,
}

/// The entry of this name in `entries`.
pub fn find<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.name == name)
}

/// The ruleset of a board: the one it names in its header, else the one that its glyphs fit.
///
/// # Errors
///
/// If it names none of `entries`, or fits none or several of them.
pub fn of_board<'e>(entries: &'e [Entry], puzzle: &Puzzle) -> Result<&'e Entry, BoardError> {
    if let Some(header) = puzzle.header("ruleset") {
        return find(entries, &header.value).ok_or_else(|| {
            let known = entries.iter().map(|entry| entry.name).collect();
            let kind = FaultKind::UnknownRuleset(header.value.to_string(), known);
            puzzle.fault(header.place, kind).into()
        });
    }
    let mut fits = entries.iter().filter(|entry| (entry.fits)(puzzle));
    match (fits.next(), fits.next()) {
        (Some(entry), None) => Ok(entry),
        (None, _) => Err(fits_none(entries, puzzle)),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(fits);
            let kind = FaultKind::FitsSeveral(all.map(|entry| entry.name).collect());
            Err(puzzle.fault(puzzle.place(), kind).into())
        }
    }
}

fn fits_none(entries: &[Entry], puzzle: &Puzzle) -> BoardError {
    let why = |entry: &Entry| format!("`{}`: {}", entry.name, (entry.misfit)(puzzle));
    let why = entries.iter().map(why).collect();
    puzzle
        .fault(puzzle.place(), FaultKind::FitsNone(why))
        .into()
}

/// The names of `entries`, in backticks.
pub fn names(entries: &[Entry]) -> String {
    list(&entries.iter().map(|entry| entry.name).collect::<Vec<_>>())
}
