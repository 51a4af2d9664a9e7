//! The list of rulesets, and how a board finds its own.

use crate::fault::{BoardError, FaultKind, list};
use crate::game::Game;
use crate::puzzle::Puzzle;
use crate::rules::{baddies, jimmy};

/// The rulesets that this crate knows: a new one is one file and one line here.
pub const RULESETS: &[Entry] = &[jimmy::ENTRY, baddies::ENTRY];

/// A ruleset as far as reading a board goes.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, as in the header `ruleset`.
    pub name: &'static str,
    /// Why a board can't be of this ruleset, going by its glyphs; `None` if it can.
    pub misfit: fn(&Puzzle) -> Option<String>,
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
    let fits: Vec<_> = entries
        .iter()
        .filter(|entry| (entry.misfit)(puzzle).is_none())
        .collect();
    match fits.as_slice() {
        [entry] => Ok(entry),
        [] => Err(fits_none(entries, puzzle)),
        several => {
            let names = several.iter().map(|entry| entry.name).collect();
            Err(puzzle
                .fault(puzzle.place(), FaultKind::FitsSeveral(names))
                .into())
        }
    }
}

fn fits_none(entries: &[Entry], puzzle: &Puzzle) -> BoardError {
    let why = |entry: &Entry| Some(format!("`{}`: {}", entry.name, (entry.misfit)(puzzle)?));
    let why = entries.iter().filter_map(why).collect();
    puzzle
        .fault(puzzle.place(), FaultKind::FitsNone(why))
        .into()
}

/// The names of `entries`, in backticks.
pub fn names(entries: &[Entry]) -> String {
    list(&entries.iter().map(|entry| entry.name).collect::<Vec<_>>())
}
