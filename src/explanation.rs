//! Why a board has the answer that it has.

use std::fmt;

use crate::advice::Worth;
use crate::limits::Limit;
use crate::ruleset::Cause;
use crate::solution::LuckyLine;

/// Why a board has the answer that it has: what was to be chosen, and what the rest would have led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// Why there is no escape, where that can be said, and proved, in a few words.
    pub reason: Option<Reason>,
    /// The turns of the line of play that escapes; where there is none, the first turn alone.
    pub turns: Vec<Turn>,
    /// A line of play that escapes if luck helps, where the moves' probabilities are not known.
    pub line: Option<LuckyLine>,
    /// The limit that was reached before all turns of the line were looked at, if one was.
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
    /// What it is worth.
    pub worth: Worth,
    /// How the game ends in which the runner, who has lost with it, lives as long as he can; `None` if he has not
    /// lost, can live for ever, or nobody knows how long.
    pub end: Option<End>,
}

/// How a game ends for the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Why it ends.
    pub cause: Cause,
    /// Who catches him, by its glyph, and where (row and column, from 0).
    pub by: Option<(char, (u32, u32))>,
}

/// Why there is no escape; each of them is proved when it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The game is lost before the first move.
    BeforeFirstMove,
    /// There is no legal first move.
    NoMove,
    /// Even if nobody chased him he would not get out.
    WalledIn,
    /// He would get out in so many moves if the edge of the board were one cell farther out on every side, with
    /// floor in between and everybody where he is; as it is, he would get out only if nobody chased him.
    BlockedByEdge {
        /// The fewest moves.
        moves: usize,
    },
    /// If nobody chased him he would get out in so many moves; but whatever he does, they are there first, or he
    /// has to stop. A board with its edge one cell farther out would not help, or it has no edge that is in his
    /// way, or a limit came before that was known.
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
    /// The word for it in JSON.
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
