//! The list of rulesets, and how a board finds its own.

use std::hash::Hash;

use crate::engine::search::Order;
use crate::fault::{BoardError, Fault, FaultKind, Faults};
use crate::game::Game;
use crate::limits::Limits;
use crate::puzzle::small::SmallBoard;
use crate::puzzle::{HEADERS, Puzzle};
use crate::rules::baddies::Baddies;
use crate::rules::dungeon::{Dungeon, things};
use crate::rules::jimmy::Jimmy;
use crate::rules::maze::Maze;
use crate::rules::theseus::Theseus;
use crate::ruleset::{Deterministic, Legend, Meaning, Notation, Playable};
use crate::solution::Solution;
use crate::solvers::searched::BySearch;
use crate::verify::{self, Content, Proof, Refusal, Verifiable};

/// The rulesets that this crate knows. A new one is a file in `rules` and a line here: `searched`, unless
/// something in `solvers` decides its boards faster.
pub const RULESETS: &[Entry] = &[
    Entry::solved::<Jimmy>(),
    Entry::solved::<Baddies>(),
    Entry::solved::<Maze>(),
    Entry::solved::<Dungeon>(),
    Entry::searched::<Theseus>(),
];

/// Returns whether a header with this key is a setting: of some ruleset, or of any board.
pub fn is_setting(key: &str) -> bool {
    let is_own = |entry: &Entry| entry.settings.contains(&key);
    ["seed", "points"].contains(&key) || RULESETS.iter().any(is_own)
}

/// A ruleset as far as the commands need it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, as in the header `ruleset`.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub summary: &'static str,
    /// The rules in full, in Markdown.
    pub rules: &'static str,
    /// The glyphs of its drawings, and what they stand for.
    pub legend: Legend,
    /// The keys of the headers that are its settings, beside those that any board can have.
    pub settings: &'static [&'static str],
    /// Whether a board can be of this ruleset, going by its glyphs.
    pub fits: fn(&Puzzle) -> bool,
    /// Why it can't, where it does not fit.
    pub misfit: fn(&Puzzle) -> String,
    /// Reads a board.
    pub read: fn(&Puzzle) -> Result<Box<dyn Game>, BoardError>,
    /// What a glyph in a picture of a position stands for.
    pub meaning: fn(char) -> Meaning,
    /// Checks the evidence in a certificate; [`Entry::verify`] looks at what stands before it.
    pub check: fn(&Puzzle, &mut Content) -> Result<Proof, Refusal>,
}

impl Entry {
    /// A ruleset whose boards are decided by a solver of their own.
    pub const fn solved<R: Notation + Game + Verifiable + 'static>() -> Self {
        Self::new::<R>(
            |puzzle| Ok(Box::new(read::<R>(puzzle)?)),
            |puzzle, content| read::<R>(puzzle)?.check(content),
        )
    }

    /// A ruleset whose boards are decided by a search through their positions.
    pub const fn searched<R>() -> Self
    where
        R: Notation + Deterministic<State: Eq + Hash + Send, Move: Send + Sync> + Playable,
        R: Send + Sync + 'static,
    {
        Self::new::<R>(
            |puzzle| Ok(Box::new(BySearch(read::<R>(puzzle)?))),
            |puzzle, content| verify::by_equality(&read::<R>(puzzle)?, content),
        )
    }

    const fn new<R: Notation>(
        read: fn(&Puzzle) -> Result<Box<dyn Game>, BoardError>,
        check: fn(&Puzzle, &mut Content) -> Result<Proof, Refusal>,
    ) -> Self {
        Self {
            name: R::NAME,
            summary: R::SUMMARY,
            rules: R::RULES,
            legend: R::LEGEND,
            settings: R::SETTINGS,
            fits: R::fits,
            misfit: R::misfit,
            read,
            meaning: R::meaning,
            check,
        }
    }

    /// Which board a certificate for `puzzle` is for.
    pub fn board_text(&self, puzzle: &Puzzle) -> Vec<u8> {
        verify::board_text(self.name, self.settings, puzzle)
    }

    /// Judges a certificate for `puzzle`.
    ///
    /// # Errors
    ///
    /// Why it is not accepted.
    pub fn verify(&self, puzzle: &Puzzle, content: &mut Content) -> Result<Proof, Refusal> {
        verify::verify(content, &self.board_text(puzzle), |content| {
            (self.check)(puzzle, content)
        })
    }
}

/// Reads a board by the rules of `R`. A setting without which it would be another board must be one of theirs.
fn read<R: Notation>(puzzle: &Puzzle) -> Result<R, BoardError> {
    if !puzzle.headers.is_empty()
        && !R::SETTINGS.contains(&things::KEY)
        && let Some(fault) = things::foreign(puzzle)
    {
        return Err(fault.into());
    }
    R::read(puzzle)
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
        (None, _) => {
            let error = fits_none(entries, puzzle);
            // Why none fits is only known if the board has been gone through.
            puzzle.check_limits().and(Err(error))
        }
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(fits);
            let kind = FaultKind::FitsSeveral(all.map(|entry| entry.name).collect());
            Err(puzzle.fault(puzzle.place(), kind).into())
        }
    }
}

/// Decides a board without headers, if it is plain to see that it is of `jimmy` and nothing is wrong with it: the
/// name of the ruleset and the solution. `None` where it takes the board's [`Puzzle`] to know.
#[inline]
pub fn decide_small(
    board: &SmallBoard,
    order: Order,
    limits: &Limits,
) -> Option<(&'static str, Solution)> {
    // No other ruleset has a glyph `o`, but for drawings of mazes, which have an `R` as well.
    let jimmy = Jimmy::of_small(board)?;
    Some((Jimmy::NAME, jimmy.solve(order, limits)))
}

fn fits_none(entries: &[Entry], puzzle: &Puzzle) -> BoardError {
    let why = |entry: &Entry| format!("`{}`: {}", entry.name, (entry.misfit)(puzzle));
    let why = entries.iter().map(why).collect();
    puzzle
        .fault(puzzle.place(), FaultKind::FitsNone(why))
        .into()
}

/// What is odd about the headers of a board of ruleset `entry`, one of `entries`: keys that mean nothing
/// there. Remarks with a colon in them are not odd.
pub fn warnings(entries: &[Entry], entry: &Entry, puzzle: &Puzzle) -> Vec<Fault> {
    if puzzle.headers.is_empty() {
        return Vec::new();
    }
    let is_known = |key: &str| {
        HEADERS.contains(&key) || entry.settings.contains(&key) || REMARKS.contains(&key)
    };
    let odd = puzzle
        .headers
        .iter()
        .filter(|header| header.is_setting() && !is_known(&header.key));
    let mut faults = Faults::default();
    for header in odd {
        faults.note(header.key_place, odd_header(entries, entry, &header.key));
    }
    puzzle
        .finish(faults)
        .err()
        .map_or_else(Vec::new, |warnings| warnings.faults)
}

/// The keys of headers that are for people.
const REMARKS: [&str; 13] = [
    "author",
    "by",
    "comment",
    "copyright",
    "date",
    "id",
    "license",
    "link",
    "note",
    "see",
    "source",
    "url",
    "version",
];

/// What is odd about a header that is none of a ruleset's.
fn odd_header(entries: &[Entry], entry: &Entry, key: &str) -> FaultKind {
    let owners = entries
        .iter()
        .filter(|other| other.settings.contains(&key))
        .map(|other| other.name);
    let owners: Vec<_> = owners.collect();
    if !owners.is_empty() {
        return FaultKind::ForeignHeader {
            key: key.to_owned(),
            owners,
        };
    }
    FaultKind::UnknownHeader {
        key: key.to_owned(),
        known: HEADERS.iter().chain(entry.settings).copied().collect(),
    }
}
