//! What a census comes to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The answer of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// The shortest escape has so many moves.
    Escape(u32),
    /// There is none.
    Caught,
    /// It takes more states to find out than there may be.
    Undecided,
}

/// The boards with one answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many there are.
    pub boards: u128,
    /// How many each symmetry leaves as they are, summed over the symmetries.
    pub fixed: u128,
    /// The first of them: by the cells of the actors, each kind of actors in turn, and then by the other cells in
    /// row-major order, an empty one before a solid one before an abyss.
    pub first: Option<First>,
}

/// A board of a census.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct First {
    /// The piece of the census that has it.
    pub unit: usize,
    /// For each cell the number of what is there, 0 for nothing.
    pub contents: Vec<u8>,
}

/// The boards by their answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals(pub BTreeMap<Answer, Tally>);

impl Totals {
    /// Adds those of another piece of the census, in whatever order they come.
    pub fn add(&mut self, other: Self) {
        for (answer, tally) in other.0 {
            let own = self.0.entry(answer).or_default();
            own.boards += tally.boards;
            own.fixed += tally.fixed;
            let firsts = own.first.take().into_iter().chain(tally.first);
            own.first = firsts.min();
        }
    }

    /// How many boards there are in all.
    pub fn boards(&self) -> u128 {
        self.0.values().map(|tally| tally.boards).sum()
    }

    /// The longest of the shortest escapes.
    pub fn longest(&self) -> Option<(Answer, &Tally)> {
        let mut escapes = self.0.iter().rev();
        let found = escapes.find(|(answer, _)| matches!(answer, Answer::Escape(_)));
        found.map(|(answer, tally)| (*answer, tally))
    }
}

/// The boards of one piece of a census by their answers, as they are met.
#[derive(Debug, Default)]
pub struct Counted {
    caught: Tally,
    undecided: Tally,
    escapes: Vec<Tally>,
}

impl Counted {
    /// So many boards have this answer; of all that are empty where nothing is settled, these `contents`
    /// are the first.
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

    /// As the totals of this piece, which stands for `weight` like it; boards that a mirror leaves as they
    /// are have been counted among all others already.
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
