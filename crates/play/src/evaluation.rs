//! Evaluates positions for the runner.

use std::fmt;
use std::sync::Arc;

use crate::session::BoardSession;

use crate::trace::TraceError;
use getaway_board::limits::{Bounds, Limit, Limits};
use getaway_board::words::count;
use getaway_ruleset::{Outcome, Playable, Ruleset, Stochastic};
use serde::{Serialize, Serializer};
use serde_json::json;

/// Evaluates positions of a board, and caches results.
pub trait Evaluator: Send {
    /// Evaluates the position after `line`, with chance seeded by `seed`.
    ///
    /// # Errors
    ///
    /// Fails if the line can't be read or played.
    fn evaluate(
        &mut self,
        line: &str,
        seed: u64,
        limits: &Limits,
    ) -> Result<Evaluation, TraceError> {
        self.evaluate_controlled(line, "", seed, limits)
    }

    /// Evaluates the position after a line of play: the runner's moves, and orders (as in the header `chasers`) for chasers that
    /// an agent controls. From this position on, all chasers move by their own rules.
    ///
    /// # Errors
    ///
    /// Fails if the moves or the orders can't be read or played.
    fn evaluate_controlled(
        &mut self,
        line: &str,
        chasers: &str,
        seed: u64,
        limits: &Limits,
    ) -> Result<Evaluation, TraceError>;
}

/// Evaluates positions of one board.
pub trait PositionEvaluator<S>: Send {
    /// Evaluates a reachable position.
    fn evaluate_at(&mut self, at: &S, limits: &Limits) -> Evaluation;
}

/// Plays lines, and evaluates the positions after them.
pub struct LineEvaluator<R: Ruleset> {
    session: BoardSession<R>,
    evaluator: Box<dyn PositionEvaluator<R::State>>,
}

impl<R: Stochastic + Playable> LineEvaluator<R> {
    /// Returns an evaluator of lines on a board, which evaluates the positions after them with `evaluator`.
    pub fn new(rules: Arc<R>, evaluator: Box<dyn PositionEvaluator<R::State>>) -> Self {
        let session = BoardSession::new(rules, 0);
        Self { session, evaluator }
    }
}

impl<R: Stochastic + Playable + Send> Evaluator for LineEvaluator<R> {
    fn evaluate_controlled(
        &mut self,
        line: &str,
        chasers: &str,
        seed: u64,
        limits: &Limits,
    ) -> Result<Evaluation, TraceError> {
        let (at, outcome) = self.session.replay(line, chasers, seed)?;
        Ok(match outcome {
            Some(outcome) => Evaluation::over(outcome),
            None => self.evaluator.evaluate_at(at, limits),
        })
    }
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The value of the position.
    pub value: PositionValue,
    /// The legal moves with their values, in the order of the rules.
    pub moves: Vec<(String, PositionValue)>,
    /// The solver's move, if it has one. Without chance, it is the first move of a shortest way out or, if no way out is known, a
    /// move that may escape or else the one with the longest known survival. With chance, it is the move with the highest
    /// probability of escape, if known; in a `dungeon`, it is otherwise a move away from the adversaries. But in a `maze` outside
    /// an arena, it is the move that the rules prescribe.
    pub best: Option<String>,
    /// The moves of a shortest way out; empty if none is known, as in games of chance.
    pub line: Vec<String>,
}

impl Evaluation {
    /// Returns the evaluation of a finished game.
    pub const fn over(outcome: Outcome) -> Self {
        let value = match outcome {
            Outcome::Escaped => PositionValue::Escape { moves: Some(0) },
            Outcome::Caught(_) => PositionValue::Caught {
                lives: Some(Lifetime::Moves(0)),
            },
        };
        Self {
            value,
            moves: Vec::new(),
            best: None,
            line: Vec::new(),
        }
    }
}

/// The value of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PositionValue {
    /// The runner can escape.
    Escape {
        /// The minimum number of moves, if known; the value of a move counts that move.
        moves: Option<usize>,
    },
    /// The runner can't escape.
    Caught {
        /// The longest possible survival, if known.
        lives: Option<Lifetime>,
    },
    /// Bounds on the probability of escape under best play.
    Chance(Bounds),
    /// In a `maze`: the way to the nearest food if the walls stay in place.
    Food {
        /// The minimum number of steps, if there is a way; the value of a move counts that step.
        steps: Option<usize>,
    },
    /// The value is unknown because of this limit; `None` if the position has no value.
    Unknown(Option<Limit>),
}

impl PositionValue {
    /// Returns the probability of escape or the middle of its bounds, if the value has one.
    pub const fn probability(self) -> Option<f64> {
        match self {
            Self::Escape { .. } => Some(1.0),
            Self::Caught { .. } => Some(0.0),
            Self::Chance(bounds) => Some(bounds.middle()),
            Self::Food { .. } | Self::Unknown(_) => None,
        }
    }
}

impl Serialize for PositionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = match *self {
            Self::Escape { moves } => json!({"escapes": true, "length": moves}),
            Self::Caught { lives } => json!({"escapes": false, "lives": lives}),
            Self::Chance(bounds) => json!({ "bounds": bounds }),
            Self::Food { steps } => json!({"food": steps.is_some(), "length": steps}),
            Self::Unknown(limit) => json!({ "limit": limit }),
        };
        json.serialize(serializer)
    }
}

impl fmt::Display for PositionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = |moves: usize| count(moves as u64, "move");
        match *self {
            Self::Escape { moves: Some(count) } => write!(f, "escape in {}", moves(count)),
            Self::Escape { moves: None } => f.write_str("escape"),
            Self::Caught {
                lives: Some(Lifetime::Moves(count)),
            } => write!(f, "caught after {}", moves(count)),
            Self::Caught {
                lives: Some(Lifetime::Forever),
            } => f.write_str("no escape, but survives forever"),
            Self::Caught { lives: None } | Self::Chance(Bounds { upper: 0.0, .. }) => {
                f.write_str("no escape")
            }
            Self::Chance(bounds) if bounds.is_exact() => write!(f, "{:.4}", bounds.middle()),
            Self::Chance(Bounds { lower, upper }) => write!(f, "{lower:.4} to {upper:.4}"),
            Self::Food { steps: Some(steps) } => {
                write!(f, "food in {}", count(steps as u64, "step"))
            }
            Self::Food { steps: None } => f.write_str("no way to food"),
            Self::Unknown(None) => f.write_str("unknown"),
            Self::Unknown(Some(limit)) => write!(f, "unknown: {limit}"),
        }
    }
}

/// The survival of a runner who can't escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// The number of moves, including the one that leads to the capture.
    Moves(usize),
    /// The runner can survive forever.
    Forever,
}

impl Lifetime {
    /// Returns a lifetime that is one move longer.
    #[must_use]
    pub const fn longer(self) -> Self {
        match self {
            Self::Moves(moves) => Self::Moves(moves + 1),
            Self::Forever => Self::Forever,
        }
    }
}

#[cfg(test)]
#[path = "evaluation_tests.rs"]
mod tests;
