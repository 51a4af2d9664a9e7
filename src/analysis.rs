//! Design metrics of a board: shortest lines, forced moves, traps, difficulty.
//!
//! Metrics that a limit prevented are left out, and [`Analysis::cut_short`] names the limit.

pub mod difficulty;

use std::fmt;

use self::difficulty::Difficulty;
use crate::advice::{Lifetime, Worth};
use crate::limits::{Limit, Limits};
use crate::ruleset::Meaning;
use crate::solution::Verdict;

/// The design metrics of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The moves of a shortest escape; in a `maze`, the steps of the path to the food.
    pub length: Option<usize>,
    /// The number of shortest escapes.
    pub shortest_lines: Option<Count<u128>>,
    /// The legal first moves with their worths, in the order of the rules.
    pub first_moves: Vec<(String, Worth)>,
    /// The turns, from 1, of the shortest line shown in which every move but one loses.
    pub forced: Option<Vec<usize>>,
    /// The last turn of that line in which any legal move loses, at once or later: until then the game can still
    /// be thrown away, and after it no more. `None` if no move along the line loses.
    pub last_mistake: Option<Mistake>,
    /// The number of positions in which the runner is to move.
    pub reachable: Option<Count<u64>>,
    /// The number of them without an escape, where there is one from the first.
    pub dead_ends: Option<u64>,
    /// The success of random play, where there is an escape.
    pub random: Option<RandomPlay>,
    /// The difficulty for a person, in bits.
    pub difficulty: Option<Difficulty>,
    /// Bounds on the expected turns of the games that escape under best play, in games of chance. Other strategies
    /// may be as good and quicker. Games that don't escape do not count, since they may never end.
    pub expected_turns: Option<[f64; 2]>,
    /// The outcomes of games under best play.
    pub best_play: Option<BestPlay>,
    /// The parts that a limit cut short.
    pub cut_short: Vec<(Part, Limit)>,
}

/// A part of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// [`Analysis::first_moves`] and what follows from the worths along the shortest line.
    Moves,
    /// The lives after losing moves, and the choice of [`Analysis::last_mistake`].
    Lives,
    /// [`Analysis::difficulty`], of which only an upper bound is known.
    Difficulty,
    /// [`Analysis::shortest_lines`].
    ShortestLines,
    /// [`Analysis::reachable`], and whatever needs all positions.
    Positions,
    /// [`Analysis::random`].
    Random,
    /// [`Analysis::expected_turns`].
    ExpectedTurns,
    /// [`Analysis::best_play`].
    BestPlay,
    /// [`crate::removals`].
    Removals,
}

impl Part {
    /// The name in JSON.
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

/// For people.
impl fmt::Display for Part {
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

/// A number of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count<N> {
    /// Exactly this number.
    Exactly(N),
    /// At least this number.
    AtLeast(N),
}

/// A move that loses a winning game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The turn, from 1.
    pub turn: usize,
    /// The move; of several, the one after which the runner lives longest.
    pub mv: String,
    /// The move of the shortest line.
    pub instead_of: String,
    /// The longest life after it, the move included; `None` if that is not known.
    pub lives: Option<Lifetime>,
}

/// The success of a runner who makes any legal move, all equally likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RandomPlay {
    /// Bounds on the probability of escape.
    Exact([f64; 2]),
    /// The outcomes of simulated games.
    Played(RandomGames),
}

/// The outcomes of games with random moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomGames {
    /// The games that escaped.
    pub escaped: u64,
    /// All games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The most turns of a game.
    pub turns: usize,
}

/// The outcomes of games under best play.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    /// The number of games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The most turns of a game.
    pub most_turns: usize,
    /// The number of games that escaped.
    pub escaped: u64,
    /// The mean turns of the games that escaped; 0 if none did.
    pub turns: f64,
    /// The standard error of that mean.
    pub turns_error: f64,
    /// The glyphs of the actors that caught the runner, and the number of games for each. The runner's own glyph
    /// stands for games in which he walked into a chaser.
    pub caught_by: Vec<(char, u64)>,
    /// The number of games that did not end.
    pub open: u64,
}

/// A thing on a board whose absence changes the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removal {
    /// Its glyph.
    pub glyph: char,
    /// Its meaning.
    pub meaning: Meaning,
    /// Its line in the file, from 1.
    pub line: u64,
    /// Its column, from 1.
    pub column: u64,
    /// The answer without it.
    pub without: Without,
}

/// The answer on a board without one of the things on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Without {
    /// Another verdict.
    Verdict(Verdict),
    /// Another probability of escape.
    Chance {
        /// The bounds.
        bounds: [f64; 2],
        /// True if some strategy escapes whatever the luck; `None` if that is not known.
        certain: Option<bool>,
    },
}

/// The most states of each part of an analysis, unless `max_states` is set: enough for boards that people draw, and
/// well within a second.
pub const PATIENCE: u64 = 30_000;

/// The limits for a part of an analysis.
pub(crate) fn patient<'l>(limits: &Limits<'l>) -> Limits<'l> {
    Limits {
        max_states: Some(limits.max_states.unwrap_or(PATIENCE)),
        ..*limits
    }
}
