//! Levels of difficulty, which set the criteria for new boards that people play.

use std::str::FromStr;

use super::criteria::Criteria;
use super::layout::Question;
use super::{CriteriaError, GeneratedBoard, Generator, RunEnd, layouts};
use getaway_board::limits::Limits;

/// The level of a new board, by difficulty, by probability of escape or, in a maze, by moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// From 2 to 4 bits, a probability from 0.7 to 0.95, or at least 3 moves.
    Easy,
    /// From 4.5 to 7 bits, a probability from 0.4 to 0.7, or at least 8 moves.
    Medium,
    /// At least 8 bits, a probability from 0.05 to 0.4, or at least 16 moves.
    Hard,
    /// A difficulty in bits, as in an [`Analysis`](getaway_play::analysis::Analysis), give or take half a bit.
    Bits(f64),
}

impl Eq for Level {}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "easy" => Ok(Self::Easy),
            "medium" => Ok(Self::Medium),
            "hard" => Ok(Self::Hard),
            bits => {
                let bits = bits
                    .parse()
                    .ok()
                    .filter(|bits| (0.0..=1000.0).contains(bits));
                let why = "write `easy`, `medium`, `hard`, or a number of bits such as 6";
                bits.map(Self::Bits).ok_or(why)
            }
        }
    }
}

impl Level {
    /// Returns the level for the key `e`, `m` or `h`; `None` for other keys.
    pub const fn of_key(key: char) -> Option<Self> {
        match key {
            'e' => Some(Self::Easy),
            'm' => Some(Self::Medium),
            'h' => Some(Self::Hard),
            _ => None,
        }
    }

    /// Returns the value for this level; `None` for [`Self::Bits`].
    pub fn pick<T>(self, [easy, medium, hard]: [T; 3]) -> Option<T> {
        match self {
            Self::Easy => Some(easy),
            Self::Medium => Some(medium),
            Self::Hard => Some(hard),
            Self::Bits(_) => None,
        }
    }

    /// Returns the criteria for boards of this level.
    pub fn criteria(self, ruleset: &str) -> Criteria {
        let mut criteria = Criteria::default();
        let bits = [2.0..=4.0, 4.5..=7.0, 8.0..=1000.0];
        let odds = [0.7..=0.95, 0.4..=0.7, 0.05..=0.4];
        match (
            self,
            layouts::find(ruleset).map(|layout| layout.style().question),
        ) {
            // The generator refuses a difficulty in bits if the ruleset has none.
            (Self::Bits(bits), _) => criteria.difficulty = Some((bits - 0.5).max(0.0)..=bits + 0.5),
            (level, Some(Question::Escape)) => criteria.difficulty = level.pick(bits),
            (level, Some(Question::Chance)) => criteria.probability = level.pick(odds),
            (level, _) => criteria.min_moves = level.pick([3, 8, 16]),
        }
        criteria
    }

    /// Checks that boards of this level can be requested for a ruleset.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Generator::new`] for the criteria of this level.
    pub fn check(self, ruleset: &str) -> Result<(), CriteriaError> {
        Generator::new(ruleset, &self.criteria(ruleset), Limits::default()).map(|_| ())
    }

    /// Makes a board of this level, as the text of a board file. The seed determines it, unless a limit is reached. In that case,
    /// it is the best board found so far, which may not be of this level.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no such board, or says that no board was found within the limits.
    pub fn board(
        self,
        ruleset: &str,
        rows: Option<usize>,
        cols: Option<usize>,
        seed: u64,
        limits: Limits,
    ) -> Result<String, CriteriaError> {
        let criteria = Criteria {
            rows,
            cols,
            ..self.criteria(ruleset)
        };
        let generator = Generator::new(ruleset, &criteria, limits)?;
        let mut text = None;
        let end = generator.boards(
            seed,
            1,
            &|_, _| (),
            &mut |GeneratedBoard { seed, board, .. }| {
                text = Some(generator.text(&board, format!("{ruleset} {seed}")));
                true
            },
        );
        let why = match end {
            RunEnd::Impossible(_) => "there is no such board: make it larger",
            _ => "no such board was found in time",
        };
        text.ok_or_else(|| CriteriaError(why.to_owned()))
    }
}

#[cfg(test)]
#[path = "level_tests.rs"]
mod tests;
