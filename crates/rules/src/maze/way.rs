use std::fmt;
use std::str::FromStr;

use getaway_board::grid::{Dir, ParseMoveError};

/// A direction, numbered as in the course assignment: 0 up, 1 right, 2 down, 3 left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Way(Dir);

impl Way {
    /// Direction 0.
    pub const UP: Self = Self(Dir::Up);
    /// Direction 1.
    pub const RIGHT: Self = Self(Dir::Right);
    /// Direction 2.
    pub const DOWN: Self = Self(Dir::Down);
    /// Direction 3.
    pub const LEFT: Self = Self(Dir::Left);

    /// All directions in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::UP, Self::RIGHT, Self::DOWN, Self::LEFT];

    /// Returns the number, 0 to 3.
    pub const fn number(self) -> i8 {
        match self.0 {
            Dir::Up => 0,
            Dir::Right => 1,
            Dir::Down => 2,
            Dir::Left => 3,
        }
    }

    /// Returns the direction of the step on the grid.
    pub const fn dir(self) -> Dir {
        self.0
    }
}

impl From<Dir> for Way {
    fn from(dir: Dir) -> Self {
        Self(dir)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl FromStr for Way {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let numbered = Self::ALL.into_iter().find(|way| way.to_string() == text);
        numbered
            .or_else(|| text.parse().ok().map(Self))
            .ok_or(ParseMoveError(
                "one of `0` up, `1` right, `2` down, `3` left",
            ))
    }
}

#[cfg(test)]
#[path = "way_tests.rs"]
mod tests;
