//! The reasons for the answer to a board.

use std::fmt;

use crate::advice::Worth;
use crate::limits::Limit;
use crate::ruleset::Cause;
use crate::solution::LuckyLine;

/// The choices of the runner, and what the others would have led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The reason why there is no escape, if it is proved and short.
    pub reason: Option<Reason>,
    /// The turns of the line of play that escapes; where there is none, the first turn alone.
    pub turns: Vec<Turn>,
    /// A lucky line of play that escapes, where the moves' probabilities are not known.
    pub line: Option<LuckyLine>,
    /// The limit that ended the explanation before the last turn of the line.
    pub limit: Option<Limit>,
}

/// A turn of the runner.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The move of the line that escapes, or the best one.
    pub mv: Option<String>,
    /// All legal moves, in the order of the rules.
    pub moves: Vec<Move>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The move.
    pub mv: String,
    /// Its worth.
    pub worth: Worth,
    /// The end of the longest life after a losing move. `None` if the move does not lose, the life has no end, or its
    /// end is not known.
    pub end: Option<End>,
}

/// The end of a game for the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The cause.
    pub cause: Cause,
    /// The glyph of the chaser that catches the runner, and its row and column from 0.
    pub by: Option<(char, (u32, u32))>,
}

/// A proved reason why there is no escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The game is lost before the first move.
    BeforeFirstMove,
    /// There is no legal first move.
    NoMove,
    /// There is no way out, even without chasers.
    WalledIn,
    /// There is a way out without chasers, and one with them if the edge of the board were one cell farther out on
    /// every side, with floor in between.
    BlockedByEdge {
        /// The fewest moves.
        moves: usize,
    },
    /// There is a way out without chasers, but they cut off every way, or force the runner to stop. A farther edge
    /// does not help, or that is not known.
    OutRun {
        /// The fewest moves.
        alone: usize,
    },
    /// The level has no exit.
    NoExit,
    /// There is no way to the key.
    KeyOutOfReach,
    /// There is no way to the exit.
    ExitOutOfReach,
    /// The map has no runner.
    NoRunner,
    /// There is no food.
    NoFood,
    /// There is no way to any food.
    FoodOutOfReach,
}

impl Reason {
    /// The name in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::BeforeFirstMove => "before-first-move",
            Self::NoMove => "no-move",
            Self::WalledIn => "walled-in",
            Self::BlockedByEdge { .. } => "blocked-by-edge",
            Self::OutRun { .. } => "out-run",
            Self::NoExit => "no-exit",
            Self::KeyOutOfReach => "key-out-of-reach",
            Self::ExitOutOfReach => "exit-out-of-reach",
            Self::NoRunner => "no-runner",
            Self::NoFood => "no-food",
            Self::FoodOutOfReach => "food-out-of-reach",
        }
    }
}

/// For people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BeforeFirstMove => "caught before the first move",
            Self::NoMove => "trapped: there is no legal first move",
            Self::WalledIn => "walled in: there is no way out even if nobody chases",
            Self::OutRun { alone } => {
                return write!(
                    f,
                    "out-run: alone it would take {alone} {}, but the chasers cut off every way",
                    of_moves(*alone)
                );
            }
            Self::BlockedByEdge { moves } => {
                return write!(
                    f,
                    "blocked by the edge: one cell more on every side, and {moves} {} would lead out",
                    of_moves(*moves)
                );
            }
            Self::NoExit => "there is no exit",
            Self::KeyOutOfReach => "there is no way to the key, without which the exit stays closed",
            Self::ExitOutOfReach => "there is no way to the exit",
            Self::NoRunner => "there is no runner on the map",
            Self::NoFood => "there is no food on the map",
            Self::FoodOutOfReach => "there is food, but no way to it",
        })
    }
}

const fn of_moves(count: usize) -> &'static str {
    if count == 1 { "move" } else { "moves" }
}
