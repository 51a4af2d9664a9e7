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
    /// The first of these boards, ordered by the cells of each kind of actor and then by the other cells in row-major order, with empty before solid
    /// before abyss.
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

#[derive(Debug, Default)]
pub struct Counted {
    caught: Tally,
    undecided: Tally,
    escapes: Vec<Tally>,
}

impl Counted {
    /// Counts boards with this answer. `contents` describes the first board, with open cells empty.
    pub fn add(&mut self, answer: Answer, boards: u128, contents: &[u8]) {
        let tally = match answer {
            Answer::Caught => &mut self.caught,
            Answer::Undecided => &mut self.undecided,
            Answer::Escape(moves) => {
                let moves = moves as usize;
                if self.escapes.len() <= moves {
                    self.escapes.resize_with(moves + 1, Tally::default);
                }
                &mut self.escapes[moves]
            }
        };
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

    /// Returns the totals of a unit that represents `weight` placements. If `is_all` is false, the unit holds only boards that a
    /// mirror maps to themselves; another unit counts them as boards.
    pub fn of_unit(self, unit: usize, weight: u8, is_all: bool) -> Totals {
        let escapes = (0..).map(Answer::Escape).zip(self.escapes);
        let others = [
            (Answer::Caught, self.caught),
            (Answer::Undecided, self.undecided),
        ];
        let all = escapes.chain(others).filter(|(_, tally)| tally.boards > 0);
        let weighted = |tally: Tally| {
            let fixed = tally.boards * u128::from(weight);
            let first = tally.first.filter(|_| is_all);
            Tally {
                boards: if is_all { fixed } else { 0 },
                fixed,
                first: first.map(|first| First { unit, ..first }),
            }
        };
        Totals(
            all.map(|(answer, tally)| (answer, weighted(tally)))
                .collect(),
        )
    }
}
