//! The answer that a board file expects.

use std::fmt;

use crate::fault::{Fault, did_you_mean};
use crate::puzzle::Puzzle;
use crate::solution::{Evidence, Solution, Verdict};

/// The value of the header `expect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    Verdict(Verdict),
    /// The next move in a maze, -1 to 3.
    Direction(i8),
    /// The board cannot be solved, such as a level without a player; written `unsolvable`.
    Refusal,
}

impl Expectation {
    pub fn of(puzzle: &Puzzle) -> Result<Option<Self>, Fault> {
        let wanted = |given: &str| did_you_mean(given, &Verdict::ALL.map(Verdict::word));
        puzzle.setting("expect", wanted, Self::parse)
    }

    pub const REFUSAL: &str = "unsolvable";

    fn parse(text: &str) -> Option<Self> {
        if text == Self::REFUSAL {
            return Some(Self::Refusal);
        }
        let verdict = Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.word() == text);
        verdict.map(Self::Verdict).or_else(|| {
            let direction = text
                .parse()
                .ok()
                .filter(|direction| (-1..=3).contains(direction));
            direction.map(Self::Direction)
        })
    }

    /// Returns whether the solution is as expected; `None` if it is undecided.
    pub fn holds(self, solution: &Solution) -> Option<bool> {
        match (self, &solution.evidence) {
            (Self::Verdict(verdict), _) if verdict == solution.verdict() => Some(true),
            _ if solution.verdict() == Verdict::Undecided => None,
            (Self::Direction(wanted), Evidence::Direction { direction, .. }) => {
                Some(wanted == *direction)
            }
            _ => Some(false),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(verdict) => verdict.fmt(f),
            Self::Direction(direction) => direction.fmt(f),
            Self::Refusal => f.write_str(Self::REFUSAL),
        }
    }
}
