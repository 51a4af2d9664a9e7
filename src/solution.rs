//! The answer to a board: a verdict with its evidence.

use std::fmt;

use crate::limits::Limit;

/// What a search concluded about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Verdict {
    /// The runner can escape.
    Escape,
    /// He can't.
    Caught,
    /// There is food that he can get to.
    Food,
    /// There is none.
    NoFood,
    /// A limit ended the search before it could tell.
    Undecided,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Escape,
        Self::Caught,
        Self::Food,
        Self::NoFood,
        Self::Undecided,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Escape => "escape",
            Self::Caught => "caught",
            Self::Food => "food",
            Self::NoFood => "no-food",
            Self::Undecided => "undecided",
        }
    }

    /// Whether the runner gets what he wants.
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Escape | Self::Food)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A verdict with its evidence.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct Solution {
    /// The verdict.
    pub verdict: Verdict,
    /// What else was found out.
    pub evidence: Evidence,
    /// How many states the search looked at.
    pub states: u64,
    /// The limit that ended the search, if the verdict or a part of its evidence is undecided.
    pub limit: Option<Limit>,
    /// Whether no line of play that escapes is shorter than the one in the evidence, as far as is known.
    pub is_shortest: bool,
}

/// What a verdict comes with.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Evidence {
    /// Nothing more.
    None,
    /// A line of play that escapes, one character a turn.
    Line(String),
    /// Whether the runner, who can't escape, can live for ever; `None` if a limit ended the search for
    /// that.
    Survives(Option<bool>),
    /// The next move in a maze.
    Direction {
        /// 0 up, 1 right, 2 down, 3 left, -1 none.
        direction: i8,
        /// The cells (row, column) from the head to the food, both included; empty without food.
        steps: Vec<(u32, u32)>,
    },
    /// The chances of escape under best play. Where nothing is known, the bounds are 0 and 1:
    /// [`Evidence::probability`] tells whether they are a probability.
    Chance {
        /// The probability is not below this.
        lower: f64,
        /// The probability is not above this.
        upper: f64,
        /// Whether some strategy is known to escape always, within a bounded number of turns.
        certain: bool,
    },
}

impl Evidence {
    /// The probability of escape under best play is known up to this.
    pub const PRECISION: f64 = 1e-6;

    /// The probability of escape under best play, if its bounds are so near to each other that it
    /// is known up to [`Evidence::PRECISION`].
    pub fn probability(&self) -> Option<f64> {
        match *self {
            Self::Chance { lower, upper, .. } if upper - lower <= Self::PRECISION => {
                Some(f64::midpoint(lower, upper))
            }
            _ => None,
        }
    }
}

impl Solution {
    /// The line of play that escapes, one character a turn, if there is one to show.
    pub fn line(&self) -> Option<&str> {
        match &self.evidence {
            Evidence::Line(line) => Some(line),
            _ => None,
        }
    }

    /// A verdict and nothing more.
    pub const fn plain(verdict: Verdict, states: u64) -> Self {
        Self {
            verdict,
            evidence: Evidence::None,
            states,
            limit: None,
            is_shortest: false,
        }
    }

    /// A search that ran into a limit.
    pub const fn undecided(limit: Limit, states: u64) -> Self {
        Self {
            verdict: Verdict::Undecided,
            evidence: Evidence::None,
            states,
            limit: Some(limit),
            is_shortest: false,
        }
    }
}
