//! What a designer wants to know of a board, beside the answer.
//!
//! Whatever a limit kept from being found out is left out, and [`Analysis::cut_short`] names the limit.

pub mod difficulty;

use std::fmt;

use self::difficulty::Difficulty;
use crate::advice::{Lifetime, Worth};
use crate::limits::{Limit, Limits};
use crate::ruleset::Meaning;
use crate::solution::Verdict;

/// What there is to know of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// How many moves a shortest escape has; in a `maze`, how many steps the path to the food has.
    pub length: Option<usize>,
    /// How many lines of so many moves escape.
    pub shortest_lines: Option<Count<u128>>,
    /// The legal first moves with their worths, in the order of the rules.
    pub first_moves: Vec<(String, Worth)>,
    /// The turns, from 1, of the shortest line shown in which every move but one loses.
    pub forced: Option<Vec<usize>>,
    /// The last turn of that line in which any legal move loses, at once or later: until then the game can still
    /// be thrown away, and after it no more. `None` if no move along the line loses.
    pub last_mistake: Option<Mistake>,
    /// How many positions play can lead to, in which the runner is to move.
    pub reachable: Option<Count<u64>>,
    /// From how many of them there is no escape, where there is one from the first.
    pub dead_ends: Option<u64>,
    /// How often a runner escapes who makes any legal move, where there is an escape.
    pub random: Option<RandomPlay>,
    /// How hard the board is for a person, in bits.
    pub difficulty: Option<Difficulty>,
    /// Bounds on the number of turns that the games take on average which escape, where chance has a say and the
    /// runner plays by the solver's best strategy. Other strategies may be as good and quicker. Games that don't
    /// escape do not count: they may go on for ever.
    pub expected_turns: Option<[f64; 2]>,
    /// How games go in which the runner plays so: they are played.
    pub best_play: Option<BestPlay>,
    /// What was cut short, and by which limit.
    pub cut_short: Vec<(Part, Limit)>,
}

/// A part of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// [`Analysis::first_moves`] and what follows from the worths along the shortest line.
    Moves,
    /// How long the runner lives after losing moves, and which of them is [`Analysis::last_mistake`].
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
    /// The word for it in JSON.
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
            Self::Moves => "what the moves are worth",
            Self::Lives => "how long one lives after losing moves",
            Self::Difficulty => "the difficulty",
            Self::ShortestLines => "the number of shortest lines",
            Self::Positions => "the number of positions",
            Self::Random => "the random player's games",
            Self::ExpectedTurns => "the expected turns",
            Self::BestPlay => "games under best play",
            Self::Removals => "what the board is like without each thing on it",
        })
    }
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count<N> {
    /// So many.
    Exactly(N),
    /// So many and perhaps more.
    AtLeast(N),
}

/// A move by which a game that could be won is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The turn, from 1.
    pub turn: usize,
    /// The move; of several, the one after which the runner lives longest.
    pub mv: String,
    /// The move of the shortest line.
    pub instead_of: String,
    /// How long he can live, that move included; `None` if that is not known.
    pub lives: Option<Lifetime>,
}

/// How often a runner escapes who makes any legal move, each as likely as the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RandomPlay {
    /// The probability that he does so sooner or later lies between these bounds.
    Exact([f64; 2]),
    /// Of games that were played, from this seed and for so many turns at most, so many escaped.
    Played(RandomGames),
}

/// Games of a runner who makes any legal move.
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

/// Games in which the runner plays as well as can be.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    /// How many were played.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The most turns of a game.
    pub most_turns: usize,
    /// How many escaped.
    pub escaped: u64,
    /// How many turns a game that escaped had on average; 0 if none did.
    pub turns: f64,
    /// The standard error of that.
    pub turns_error: f64,
    /// By whom the runner was caught, by its glyph, and in how many games; his own glyph stands for himself,
    /// where he walked into one of them.
    pub caught_by: Vec<(char, u64)>,
    /// How many games did not end.
    pub open: u64,
}

/// A thing on a board whose absence changes the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removal {
    /// Its glyph.
    pub glyph: char,
    /// What it is.
    pub meaning: Meaning,
    /// The line of the file that it stands in, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
    /// What the answer would be without it.
    pub without: Without,
}

/// The answer on a board without one of the things on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Without {
    /// Another verdict.
    Verdict(Verdict),
    /// Where chance has a say: another probability of escape, between these bounds.
    Chance {
        /// The bounds.
        bounds: [f64; 2],
        /// True if some strategy escapes whatever chance does; `None` where that is not known.
        certain: Option<bool>,
    },
}

/// How many states each part of an analysis looks at where nothing else is asked for: enough for the boards
/// that people draw, and well within a second.
pub const PATIENCE: u64 = 30_000;

/// These limits for a part of an analysis.
pub(crate) fn patient<'l>(limits: &Limits<'l>) -> Limits<'l> {
    Limits {
        max_states: Some(limits.max_states.unwrap_or(PATIENCE)),
        ..*limits
    }
}
