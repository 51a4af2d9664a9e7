use std::fmt;
use std::str::FromStr;

use getaway_board::grid::{Dir, ParseMoveError};

pub(super) const MAX_STEPS: usize = 4;

/// A player's move: up to four single steps, written `U`, `UR` and so on, or `.` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move([Option<Dir>; MAX_STEPS]);

impl Move {
    /// No step.
    pub const STAY: Self = Self([None; MAX_STEPS]);

    /// Returns the steps in order.
    pub fn steps(self) -> impl Iterator<Item = Dir> {
        self.0.into_iter().flatten()
    }

    /// Returns the number of steps.
    pub fn len(self) -> usize {
        self.steps().count()
    }

    /// Returns whether the player stays.
    pub fn is_empty(self) -> bool {
        self == Self::STAY
    }

    /// Returns this move with another step; `None` if it has four.
    pub fn and(mut self, dir: Dir) -> Option<Self> {
        *self.0.iter_mut().find(|step| step.is_none())? = Some(dir);
        Some(self)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad(".");
        }
        let text: String = self.steps().map(Dir::letter).collect();
        f.pad(&text)
    }
}

const NOT_A_MOVE: ParseMoveError = ParseMoveError("`.` or up to four of `U`, `D`, `L`, `R`");

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        if text == "." {
            return Ok(Self::STAY);
        }
        let read = |mv: Self, letter: char| {
            let dir = letter.encode_utf8(&mut [0; 4]).parse().ok()?;
            mv.and(dir)
        };
        let mv = text.chars().try_fold(Self::STAY, read).ok_or(NOT_A_MOVE)?;
        if mv.is_empty() {
            Err(NOT_A_MOVE)
        } else {
            Ok(mv)
        }
    }
}

#[cfg(test)]
#[path = "moves_tests.rs"]
mod tests;
