//! The answer that a board file expects.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::solution::{Evidence, Solution, Verdict};
use getaway_board::fault::{Fault, closest_word};
use getaway_board::limits::{Bounds, Decision};
use getaway_board::puzzle::Puzzle;

/// The answer that the header `expect` of a board claims.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expectation {
    /// A verdict.
    Verdict(Verdict),
    /// The next move in a maze, -1 to 3. In a game of chance, 0 and 1 are probabilities.
    Direction(i8),
    /// The probability of escape in a game of chance, written with a decimal point unless it is 0 or 1.
    Probability(f64),
    /// The board cannot be solved; written `unsolvable`.
    Refusal,
}

impl Expectation {
    /// Reads the header `expect`; `None` if the board has none.
    ///
    /// # Errors
    ///
    /// Returns a fault if the value is no answer, or the header is duplicated.
    pub fn of(puzzle: &Puzzle) -> Result<Option<Self>, Fault> {
        let expected = |given: &str| match closest_word(given, &Verdict::ALL.map(Verdict::name)) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "write a verdict such as `escape`, a direction from -1 to 3, \
                     or a probability such as `0.5`"
                .into(),
        };
        puzzle.setting("expect", expected, Self::parse)
    }

    /// The value of the header for boards that can't be solved.
    pub const REFUSAL: &str = "unsolvable";

    fn parse(text: &str) -> Option<Self> {
        if text == Self::REFUSAL {
            return Some(Self::Refusal);
        }
        if let Some(verdict) = Verdict::ALL.iter().find(|verdict| verdict.name() == text) {
            return Some(Self::Verdict(*verdict));
        }
        if text.contains('.') {
            let probability: f64 = text.parse().ok()?;
            let is_probability =
                (0.0..=1.0).contains(&probability) && probability.is_sign_positive();
            return is_probability.then_some(Self::Probability(probability));
        }
        let direction = text.parse().ok()?;
        (-1..=3)
            .contains(&direction)
            .then_some(Self::Direction(direction))
    }

    /// Decides whether the solution is as expected. No solution confirms a [`Self::Refusal`].
    pub fn holds(self, solution: &Solution) -> Decision {
        match (self, &solution.evidence) {
            (Self::Verdict(verdict), _) if verdict == solution.verdict() => Decision::Yes,
            _ if solution.verdict() == Verdict::Undecided => Decision::Undecided,
            (Self::Direction(expected), Evidence::Direction { direction, .. }) => {
                (expected == *direction).into()
            }
            (Self::Direction(expected @ 0..=1), Evidence::Chance { .. }) => {
                Self::Probability(expected.into()).holds(solution)
            }
            (Self::Probability(expected), Evidence::Chance { bounds, .. }) => {
                let is_possible = Bounds {
                    lower: bounds.lower - Bounds::PRECISION,
                    upper: bounds.upper + Bounds::PRECISION,
                }
                .contains(expected);
                let is_known = bounds.is_exact() || !is_possible;
                is_known.then_some(is_possible).into()
            }
            _ => Decision::No,
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(verdict) => verdict.fmt(f),
            Self::Direction(direction) => direction.fmt(f),
            Self::Probability(probability) => write!(f, "{probability:?}"),
            Self::Refusal => f.write_str(Self::REFUSAL),
        }
    }
}
