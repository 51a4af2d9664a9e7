//! Solutions: verdicts with their evidence.

use std::fmt;

use serde::{Deserialize, Serialize};

use getaway_board::limits::{Bounds, Decision, Limit, progress::SearchProgress};
use getaway_ruleset::distribution::wilson;

/// The verdict of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The runner can escape.
    Escape,
    /// The runner can't escape.
    Caught,
    /// The runner can reach food.
    Food,
    /// The runner can't reach food.
    NoFood,
    /// A limit ended the search, or the board can only be played.
    Undecided,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 5] = [
        Self::Escape,
        Self::Caught,
        Self::Food,
        Self::NoFood,
        Self::Undecided,
    ];

    /// Returns the name of the verdict.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Escape => "escape",
            Self::Caught => "caught",
            Self::Food => "food",
            Self::NoFood => "no-food",
            Self::Undecided => "undecided",
        }
    }

    /// Returns whether the runner succeeds.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Escape | Self::Food)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A verdict with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Solution {
    verdict: Verdict,
    /// The evidence.
    pub evidence: Evidence,
    /// The number of states that the search visited.
    pub states: u64,
    limit: Option<Limit>,
    /// True if the line is known to be a shortest one.
    pub is_shortest: bool,
}

/// The evidence for a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// No evidence.
    None,
    /// A line that escapes, with one character for each turn.
    Line(String),
    /// The answer to whether a runner who can't escape can survive forever.
    Survives(Decision),
    /// The next move in a maze.
    Direction {
        /// 0 for up, 1 for right, 2 for down, 3 for left, -1 for none.
        direction: i8,
        /// The cells (row, column) from the head to the food, both included; empty if no food was found.
        steps: Vec<(u32, u32)>,
    },
    /// The probability of escape.
    Chance {
        /// Bounds on the probability under best play.
        bounds: Bounds,
        /// The answer to whether some strategy escapes for certain in a bounded number of turns.
        certain: Decision,
        /// A line that escapes with some luck.
        line: Option<Box<LuckyLine>>,
        /// The result of simulated games, independent of the bounds.
        simulated: Option<Simulated>,
    },
}

/// A line that escapes if the adversaries make certain steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LuckyLine {
    /// The probability that the adversaries make these steps, rounded down.
    pub probability: f64,
    /// The turns of the line; the last one ends in escape.
    pub turns: Vec<LuckyTurn>,
}

/// A turn of a [`LuckyLine`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LuckyTurn {
    /// The adversaries' steps in their order; empty in the last turn.
    pub adversaries: Vec<LuckyStep>,
    /// The player's move, or the moves of several players, joined by commas.
    #[serde(rename = "move")]
    pub mv: String,
}

/// An adversary's step in a [`LuckyTurn`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LuckyStep {
    /// The adversary's glyph.
    #[serde(rename = "actor")]
    pub glyph: char,
    /// The row and column, from 0, before the step.
    pub from: (u32, u32),
    /// The probability of the step.
    pub probability: f64,
    /// True if the adversary teleports.
    #[serde(rename = "teleports")]
    pub is_teleport: bool,
    /// The row and column, from 0, after the step.
    pub to: (u32, u32),
}

/// The result of simulated games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Simulated {
    /// The number of games that escaped.
    pub escaped: u64,
    /// The number of games.
    pub games: u64,
    /// The seed of the first game.
    pub seed: u64,
}

impl Simulated {
    /// Returns the share of the games that escaped.
    pub fn rate(&self) -> f64 {
        wilson(self.escaped, self.games).0
    }

    /// Returns the 95% confidence interval for the probability of escape.
    pub fn interval(&self) -> Bounds {
        wilson(self.escaped, self.games).1
    }
}

impl Evidence {
    /// Returns the probability, if it is known.
    pub fn probability(&self) -> Option<f64> {
        match *self {
            Self::Chance { bounds, .. } if bounds.is_exact() => Some(bounds.middle()),
            _ => None,
        }
    }
}

impl Solution {
    /// Returns the line that escapes, if the evidence is an [`Evidence::Line`].
    pub fn line(&self) -> Option<&str> {
        match &self.evidence {
            Evidence::Line(line) => Some(line),
            _ => None,
        }
    }

    /// Returns the verdict of the solution.
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the limit that left the verdict or some evidence undecided. An undecided board without a limit can't be
    /// solved.
    pub const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns the solution of a search that reached a limit.
    pub const fn undecided(limit: Limit, states: u64) -> Self {
        Self::new(Verdict::Undecided, states).cut_short(Some(limit))
    }

    /// Returns the undecided solution of a board that can't be solved.
    pub const fn unsolvable() -> Self {
        Self::new(Verdict::Undecided, 0)
    }

    /// Returns a solution without evidence.
    pub const fn new(verdict: Verdict, states: u64) -> Self {
        Self {
            verdict,
            evidence: Evidence::None,
            states,
            limit: None,
            is_shortest: false,
        }
    }

    /// Marks some evidence as missing if this limit was reached.
    #[must_use]
    pub const fn cut_short(mut self, limit: Option<Limit>) -> Self {
        self.limit = limit;
        self
    }

    /// Reports the verdict and the bounds to a display of progress.
    pub fn note(&self, progress: Option<&SearchProgress>) {
        if let Some(progress) = progress.filter(|_| self.verdict != Verdict::Undecided) {
            progress.note_escape(self.verdict.is_success());
        }
        if let (Some(progress), Evidence::Chance { bounds, .. }) = (progress, &self.evidence) {
            progress.note_bounds(*bounds);
        }
    }

    /// Replaces the evidence.
    #[must_use]
    pub fn with(mut self, evidence: Evidence) -> Self {
        self.evidence = evidence;
        self
    }
}

#[cfg(test)]
#[path = "solution_tests.rs"]
mod tests;
