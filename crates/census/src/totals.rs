//! The totals of a census.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The answer to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// The runner escapes; the number of moves of a shortest escape.
    Escape(u32),
    /// The runner can't escape.
    Caught,
    /// The search reached its limit on states.
    Undecided,
}

/// The counts of the boards with one answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of boards.
    pub boards: u128,
    /// The sum over all symmetries of the number of boards that the symmetry maps to themselves.
    pub fixed: u128,
    /// The first of the boards, ordered by the placement of the actors and then by the contents of the other cells; `None` if
    /// `boards` is 0.
    pub first: Option<FirstBoard>,
}

/// A board: a placement of the actors, and the contents of the other cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FirstBoard {
    /// The number of a unit with this placement.
    pub unit: usize,
    /// The index of each cell's content among those that the ruleset has for cells without an actor; 0 for a cell with one.
    pub contents: Vec<u8>,
}

/// The tally of each answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals(pub BTreeMap<Answer, Tally>);

impl Totals {
    /// Adds the totals of other units of the same census.
    pub fn add(&mut self, other: Self) {
        for (answer, tally) in other.0 {
            let own = self.0.entry(answer).or_default();
            own.boards += tally.boards;
            own.fixed += tally.fixed;
            let firsts = own.first.take().into_iter().chain(tally.first);
            own.first = firsts.min();
        }
    }

    /// Returns the number of boards with any answer.
    pub fn boards(&self) -> u128 {
        self.0.values().map(|tally| tally.boards).sum()
    }

    /// Returns the longest of the shortest escapes, with its tally; `None` if no board has an escape.
    pub fn longest(&self) -> Option<(Answer, &Tally)> {
        let mut escapes = self.0.iter().rev();
        let found = escapes.find(|(answer, _)| matches!(answer, Answer::Escape(_)));
        found.map(|(answer, tally)| (*answer, tally))
    }

    /// Adds boards with this answer. `contents` describes the first of them, with undecided cells empty.
    pub fn count(&mut self, answer: Answer, boards: u128, contents: &[u8]) {
        let tally = self.0.entry(answer).or_default();
        tally.boards += boards;
        let mut first = tally.first.iter();
        if first.all(|first| *contents < *first.contents) {
            let contents = contents.to_vec();
            tally.first = Some(FirstBoard { unit: 0, contents });
        }
    }

    /// Returns the totals of a unit that represents `weight` placements. Unless `is_all`, another unit also counts these boards,
    /// so they only count as fixed.
    #[must_use]
    pub fn of_unit(mut self, unit: usize, weight: u8, is_all: bool) -> Self {
        for tally in self.0.values_mut() {
            tally.fixed = tally.boards * u128::from(weight);
            tally.boards = if is_all { tally.fixed } else { 0 };
            let first = tally.first.take().filter(|_| is_all);
            tally.first = first.map(|first| FirstBoard { unit, ..first });
        }
        self
    }
}
