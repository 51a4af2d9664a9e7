//! The answer to a board: a verdict with its evidence.

use std::fmt;

use crate::distribution::wilson;
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
    verdict: Verdict,
    /// What else was found out.
    pub evidence: Evidence,
    /// How many states the search looked at.
    pub states: u64,
    limit: Option<Limit>,
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
        /// True if some strategy always escapes within a bounded number of turns; `None` where that is not known.
        certain: Option<bool>,
        /// A line of play that escapes, with the luck that it needs, if one was found.
        line: Option<Box<LuckyLine>>,
        /// What a policy reached in games that were played, if any were: a statistical statement, which no bound
        /// rests on.
        simulated: Option<Simulated>,
    },
}

/// A line of play that escapes if luck helps.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct LuckyLine {
    /// Its turns; the last one escapes.
    pub turns: Vec<LuckyTurn>,
    /// The probability that the adversaries move like this if the player does; rounded down, above 0 if that can be
    /// told from 0 at all.
    pub probability: f64,
}

/// A turn of a line of play, with the luck that it needs.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct LuckyTurn {
    /// The player's move.
    pub mv: String,
    /// What the adversaries do, in their order; nothing in the last turn.
    pub adversaries: Vec<LuckyStep>,
}

/// What an adversary does in a line of play; places are row and column from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct LuckyStep {
    /// Its glyph.
    pub glyph: char,
    /// Where it was.
    pub from: (u32, u32),
    /// Where it is then.
    pub to: (u32, u32),
    /// Whether it gets there by a teleport.
    pub is_teleport: bool,
    /// How likely it is to do so.
    pub probability: f64,
}

/// What a policy reached in games that were played.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct Simulated {
    /// How many games it won.
    pub escaped: u64,
    /// How many were played.
    pub games: u64,
    /// Where their luck came from.
    pub seed: u64,
}

impl Simulated {
    /// The interval at 95 % of the probability with which the policy escapes.
    pub fn interval(&self) -> [f64; 2] {
        wilson(self.escaped, self.games).1
    }
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

    /// The verdict.
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The limit that ended the search, if the verdict or a part of its evidence is undecided. An undecided board without
    /// a limit is one that can't be solved ([`Game::solvable`](crate::game::Game::solvable)).
    pub const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// The runner can escape.
    pub const fn escape(states: u64) -> Self {
        Self::plain(Verdict::Escape, states)
    }

    /// The runner can't escape.
    pub const fn caught(states: u64) -> Self {
        Self::plain(Verdict::Caught, states)
    }

    /// There is food to get to, or there is none.
    pub const fn food(is_there: bool, states: u64) -> Self {
        let verdict = if is_there {
            Verdict::Food
        } else {
            Verdict::NoFood
        };
        Self::plain(verdict, states)
    }

    /// A search that ran into a limit.
    pub const fn undecided(limit: Limit, states: u64) -> Self {
        Self::plain(Verdict::Undecided, states).cut_short(limit)
    }

    /// The answer to a board that can't be solved ([`Game::solvable`](crate::game::Game::solvable)): undecided without a
    /// limit.
    pub(crate) const fn unasked() -> Self {
        Self::plain(Verdict::Undecided, 0)
    }

    const fn plain(verdict: Verdict, states: u64) -> Self {
        Self {
            verdict,
            evidence: Evidence::None,
            states,
            limit: None,
            is_shortest: false,
        }
    }

    /// Marks a part of the evidence as missing because of this limit.
    #[must_use]
    pub const fn cut_short(mut self, limit: Limit) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Replaces the evidence.
    #[must_use]
    pub fn with(mut self, evidence: Evidence) -> Self {
        self.evidence = evidence;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of a hundred games, by the formula of Wilson with z = 1.96:
    /// 0.5 plus or minus 1.96 * sqrt(0.25 / 100 + 1.96^2 / 40000) / (1 + 1.96^2 / 100).
    #[test]
    fn half_of_a_hundred_games_leave_ten_percent_open() {
        let played = Simulated {
            escaped: 50,
            games: 100,
            seed: 0,
        };
        let [low, high] = played.interval();
        assert!((low - 0.40383).abs() < 1e-4, "{low}");
        assert!((high - 0.59617).abs() < 1e-4, "{high}");
    }
}
