//! Design metrics of a board: shortest lines, forced moves, traps, difficulty.

pub mod difficulty;

use std::fmt;

use self::difficulty::Difficulty;
use crate::advice::{Lifetime, Worth};
use crate::limits::{Limit, Limits};
use crate::ruleset::Meaning;
use crate::solution::Verdict;

/// The design metrics of a board. Metrics that a limit prevented are left out, and `cut_short` names the limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The moves of a shortest escape; in a `maze`, the steps to the food.
    pub length: Option<usize>,
    /// The number of shortest escapes.
    pub shortest_lines: Option<Count<u128>>,
    /// The legal first moves and their worths, in the order of the rules.
    pub first_moves: Vec<(String, Worth)>,
    /// The turns of the shown shortest line, from 1, in which every move but one loses.
    pub forced: Option<Vec<usize>>,
    /// The last turn of that line in which some legal move loses, at once or later.
    pub last_mistake: Option<Mistake>,
    /// The number of positions in which the runner is to move.
    pub reachable: Option<Count<u64>>,
    /// The number of these without an escape, if the first has one.
    pub dead_ends: Option<u64>,
    /// The success of random play, if there is an escape.
    pub random: Option<RandomPlay>,
    /// The difficulty for a person, in bits.
    pub difficulty: Option<Difficulty>,
    /// Bounds on the expected turns of the games that escape under best play, in games of chance. Other strategies
    /// may be as good and quicker. Games that don't escape may never end, and do not count.
    pub expected_turns: Option<[f64; 2]>,
    /// Simulated games under best play.
    pub best_play: Option<BestPlay>,
    /// The parts that a limit cut short.
    pub cut_short: Vec<(Section, Limit)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// [`Analysis::first_moves`] and the worths along the shortest line.
    Moves,
    /// The longest lives, for [`Analysis::last_mistake`].
    Lives,
    /// [`Analysis::difficulty`], of which only an upper bound is known.
    Difficulty,
    ShortestLines,
    /// The metrics that need all positions.
    Positions,
    Random,
    ExpectedTurns,
    BestPlay,
    Removals,
}

impl Section {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Lives => "lives",
            Self::Difficulty => "difficulty",
            Self::ShortestLines => "shortest-lines",
            Self::Positions => "positions",
            Self::Random => "random",
            Self::ExpectedTurns => "expected-turns",
            Self::BestPlay => "best-play",
            Self::Removals => "removals",
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Moves => "the worth of the moves",
            Self::Lives => "the lives after losing moves",
            Self::Difficulty => "the difficulty",
            Self::ShortestLines => "the number of shortest lines",
            Self::Positions => "the number of positions",
            Self::Random => "the games of a random player",
            Self::ExpectedTurns => "the expected turns",
            Self::BestPlay => "games under best play",
            Self::Removals => "the board without each of its things",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count<N> {
    Exactly(N),
    AtLeast(N),
}

/// A move that loses a winning game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub turn: usize,
    /// Of several losing moves, the one after which the runner lives longest.
    pub mv: String,
    pub instead_of: String,
    /// The longest life after the mistake, the move included; `None` if unknown.
    pub lives: Option<Lifetime>,
}

/// The success of a runner who makes any legal move, all equally likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RandomPlay {
    /// Bounds on the probability of escape.
    Exact([f64; 2]),
    Played(RandomGames),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomGames {
    pub escaped: u64,
    pub games: u64,
    pub seed: u64,
    /// The most turns of a game.
    pub turns: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    pub games: u64,
    pub seed: u64,
    /// The most turns of a game.
    pub most_turns: usize,
    pub escaped: u64,
    /// Their mean turns; 0 if none escaped.
    pub turns: f64,
    /// The standard error of that mean.
    pub turns_error: f64,
    /// The actors that caught the runner, with numbers of games. The runner's own glyph counts games in which he
    /// walked into a chaser.
    pub caught_by: Vec<(char, u64)>,
    pub open: u64,
}

/// A thing on a board whose absence changes the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removal {
    pub glyph: char,
    pub meaning: Meaning,
    pub line: u64,
    pub column: u64,
    pub without: Without,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Without {
    Verdict(Verdict),
    Chance {
        bounds: [f64; 2],
        /// True if some strategy escapes whatever the luck; `None` if unknown.
        certain: Option<bool>,
    },
}

/// The default limit on the states of each part: enough for boards that people draw, and well within a second.
pub const PATIENCE: u64 = 30_000;

pub(crate) fn patient<'l>(limits: &Limits<'l>) -> Limits<'l> {
    Limits {
        max_states: Some(limits.max_states.unwrap_or(PATIENCE)),
        ..*limits
    }
}
