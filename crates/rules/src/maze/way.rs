use std::fmt;
use std::str::FromStr;

use getaway_board::grid::Dir;

/// A direction, numbered as in the course assignment: 0 up, 1 right, 2 down, 3 left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Way(Dir);

impl Way {
    pub const UP: Self = Self(Dir::Up);
    pub const RIGHT: Self = Self(Dir::Right);
    pub const DOWN: Self = Self(Dir::Down);
    pub const LEFT: Self = Self(Dir::Left);

    pub const ALL: [Self; 4] = [Self::UP, Self::RIGHT, Self::DOWN, Self::LEFT];

    pub const fn number(self) -> i8 {
        match self.0 {
            Dir::Up => 0,
            Dir::Right => 1,
            Dir::Down => 2,
            Dir::Left => 3,
        }
    }

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
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbered = Self::ALL.into_iter().find(|way| way.to_string() == text);
        numbered
            .or_else(|| text.parse().ok().map(Self))
            .ok_or("a move is one of `0` up, `1` right, `2` down, `3` left")
    }
}

#[cfg(test)]
#[path = "way_tests.rs"]
mod tests;
