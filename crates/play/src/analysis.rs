//! Design metrics of a board: shortest lines, forced moves, traps, difficulty.

pub mod difficulty;

mod json;

use std::collections::BTreeMap;
use std::fmt;

use self::difficulty::Difficulty;
use crate::evaluation::{Lifetime, PositionValue};
use crate::solution::{Simulated, Verdict};
use getaway_board::limits::{Bounds, Decision, Limit};
use getaway_ruleset::Meaning;
use serde::Serialize;

/// The design metrics of a board, except those that do not apply to it or that a limit prevented.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The number of moves in a shortest escape or, in a `maze`, of steps on the path found to food.
    pub length: Option<usize>,
    /// The number of shortest escapes.
    pub shortest_lines: Option<Count<u128>>,
    /// The legal first moves and their values, in the order of the rules.
    pub first_moves: Vec<(String, PositionValue)>,
    /// The turns of the solution's line, from 1, in which there are several moves and all but one lose.
    pub forced: Option<Vec<usize>>,
    /// The last turn of the solution's line in which another move would lose.
    pub last_mistake: Option<Mistake>,
    /// The number of reachable positions in which the runner is to move; in a `maze`, of reachable cells.
    pub reachable: Option<Count<u64>>,
    /// The number of reachable positions without an escape, if the first position has one.
    pub dead_ends: Option<u64>,
    /// The success rate of random play, if an escape exists.
    pub random: Option<RandomPlay>,
    /// The difficulty for a person, in bits.
    pub difficulty: Option<Difficulty>,
    /// In games of chance, bounds on the expected number of turns under best play, over the games that end in an escape.
    pub expected_turns: Option<Bounds>,
    /// The results of simulated games under best play.
    pub best_play: Option<BestPlay>,
    /// The items whose removal changes the answer; `None` if they were not looked for, or in a `maze`.
    pub matters: Option<Vec<Removal>>,
    /// The parts of the analysis that a limit cut short.
    pub cut_short: Vec<(Section, Limit)>,
}

impl Analysis {
    /// Returns whether a limit cut this part short.
    pub fn is_cut(&self, section: Section) -> bool {
        self.cut_short.iter().any(|(cut, _)| *cut == section)
    }
}

/// A part of an analysis, which a limit may cut short on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// The first moves and their values.
    Moves,
    /// The survival times after losing moves.
    Lives,
    /// The difficulty of the line of play.
    Difficulty,
    /// The number of shortest lines.
    ShortestLines,
    /// The reachable positions.
    Positions,
    /// The result of random play.
    Random,
    /// The mean number of turns under best play.
    ExpectedTurns,
    /// Simulated games under best play.
    BestPlay,
    /// The items whose removal changes the answer.
    Removals,
}

impl Section {
    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Returns the name in JSON, and the name in sentences.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Moves => ("moves", "the values of the moves"),
            Self::Lives => ("lives", "the survival after losing moves"),
            Self::Difficulty => ("difficulty", "the difficulty"),
            Self::ShortestLines => ("shortest-lines", "the number of shortest lines"),
            Self::Positions => ("positions", "the number of positions"),
            Self::Random => ("random", "the games of a random player"),
            Self::ExpectedTurns => ("expected-turns", "the expected turns"),
            Self::BestPlay => ("best-play", "games under best play"),
            Self::Removals => ("removals", "the board with each item removed in turn"),
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.names().1)
    }
}

/// A number that may have been counted only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count<N> {
    /// The number itself.
    Exactly(N),
    /// A lower bound, because a limit ended the count.
    AtLeast(N),
}

/// A move that loses although an escape exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// A move of the same turn that keeps an escape.
    pub instead_of: String,
    /// The longest survival after the mistake, if known; it includes the move itself.
    pub lives: Option<Lifetime>,
    /// The losing move with the longest survival. An unknown survival counts as the longest.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of the turn, from 1.
    pub turn: usize,
}

/// The success rate of a runner who chooses uniformly among the legal moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RandomPlay {
    /// Bounds on the probability of escape.
    Exact(Bounds),
    /// The result of simulated games.
    Played {
        /// The games.
        games: Simulated,
        /// The maximum number of turns of a game.
        turns: usize,
    },
}

/// Simulated games under best play.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    /// The number of games.
    pub games: u64,
    /// The seed of the first game.
    pub seed: u64,
    /// The maximum number of turns of a game.
    pub max_turns: usize,
    /// The number of games that escaped.
    pub escaped: u64,
    /// The mean number of turns in games that escaped; 0 if none did.
    pub turns: f64,
    /// The standard error of this mean.
    pub turns_error: f64,
    /// The number of games that were lost to the actors of each glyph. `P` stands for losses without a catch, such as walking
    /// into a chaser.
    pub caught_by: BTreeMap<char, u64>,
    /// The number of games that neither escaped nor were lost, such as those that reached the maximum number of turns.
    pub open: u64,
}

impl BestPlay {
    /// Returns the 95% confidence interval for the mean number of turns.
    pub fn interval(&self) -> Bounds {
        let half = 1.96 * self.turns_error;
        Bounds {
            lower: self.turns - half,
            upper: self.turns + half,
        }
    }
}

/// An item on a board whose removal changes the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removal {
    /// The glyph of the item.
    pub glyph: char,
    /// The meaning of the glyph.
    pub meaning: Meaning,
    /// The row and column, from 0, in a picture of the board.
    pub at: (u32, u32),
    /// The line in the file, from 1.
    pub line: u64,
    /// The column in the line, from 1.
    pub column: u64,
    /// The answer without the item.
    pub without: Without,
}

/// The answer to a board without one of its items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Without {
    /// The verdict.
    Verdict(Verdict),
    /// The value of a game of chance.
    Chance {
        /// Bounds on the probability of escape.
        bounds: Bounds,
        /// The answer to whether some strategy escapes for certain.
        certain: Decision,
    },
}

/// The default limit on states for each search in the analysis or explanation of a game without chance. It keeps each search well
/// under a second.
pub const DEFAULT_MAX_STATES: u64 = 30_000;
