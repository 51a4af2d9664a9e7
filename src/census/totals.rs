//! The totals of a census.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Answer {
    Escape(u32),
    Caught,
    Undecided,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub boards: u128,
    /// For each symmetry, the number of boards that it maps to themselves, summed over the symmetries.
    pub fixed: u128,
    /// The board with the first placement of the actors and, among these, the first contents of the other cells.
    pub first: Option<First>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct First {
    pub unit: usize,
    pub contents: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals(pub BTreeMap<Answer, Tally>);

impl Totals {
    pub fn add(&mut self, other: Self) {
        for (answer, tally) in other.0 {
            let own = self.0.entry(answer).or_default();
            own.boards += tally.boards;
            own.fixed += tally.fixed;
            let firsts = own.first.take().into_iter().chain(tally.first);
            own.first = firsts.min();
        }
    }

    pub fn boards(&self) -> u128 {
        self.0.values().map(|tally| tally.boards).sum()
    }

    pub fn longest(&self) -> Option<(Answer, &Tally)> {
        let mut escapes = self.0.iter().rev();
        let found = escapes.find(|(answer, _)| matches!(answer, Answer::Escape(_)));
        found.map(|(answer, tally)| (*answer, tally))
    }
}

/// The boards of a unit with each answer.
#[derive(Debug, Default)]
pub struct Counted(Vec<(Answer, Tally)>);

impl Counted {
    /// Counts boards with this answer. `contents` describes the first board, with open cells empty.
    pub fn add(&mut self, answer: Answer, boards: u128, contents: &[u8]) {
        let known = self.0.iter().position(|(known, _)| *known == answer);
        let at = known.unwrap_or_else(|| {
            self.0.push((answer, Tally::default()));
            self.0.len() - 1
        });
        let tally = &mut self.0[at].1;
        tally.boards += boards;
        match &mut tally.first {
            Some(first) if *first.contents <= *contents => {}
            first => {
                *first = Some(First {
                    unit: 0,
                    contents: contents.to_vec(),
                });
            }
        }
    }

    /// Returns the totals of a unit that represents `weight` placements. Unless `is_all`, another unit also counts its boards.
    pub fn of_unit(self, unit: usize, weight: u8, is_all: bool) -> Totals {
        let weighted = |(answer, tally): (Answer, Tally)| {
            let fixed = tally.boards * u128::from(weight);
            let first = tally.first.filter(|_| is_all);
            let tally = Tally {
                boards: if is_all { fixed } else { 0 },
                fixed,
                first: first.map(|first| First { unit, ..first }),
            };
            (answer, tally)
        };
        Totals(self.0.into_iter().map(weighted).collect())
    }
}
