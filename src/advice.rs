//! The worth of positions to the runner, and the best moves there.

use crate::limits::{Limit, Limits};
use crate::play::trace::TraceError;
use crate::ruleset::Outcome;

/// Evaluates positions of a board. It remembers its findings: a whole game costs little more than one position.
pub trait Adviser: Send {
    /// Evaluates the position after `line`, with luck from `seed`. What a limit leaves open is [`Worth::Unknown`].
    ///
    /// # Errors
    ///
    /// If the line can't be read or played.
    fn advise(&mut self, line: &str, seed: u64, limits: &Limits) -> Result<Advice, TraceError> {
        self.advise_led((line, ""), seed, limits)
    }

    /// Evaluates the position after a game with led chasers, in the form of the header `chasers`. From then on all
    /// move by their own rules.
    ///
    /// # Errors
    ///
    /// If the line, or the chasers' part, can't be read or played.
    fn advise_led(
        &mut self,
        game: (&str, &str),
        seed: u64,
        limits: &Limits,
    ) -> Result<Advice, TraceError>;
}

/// The evaluation of a position in which the runner is to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The worth of the position.
    pub worth: Worth,
    /// The worth of each legal move, in the order of the rules.
    pub moves: Vec<(String, Worth)>,
    /// The solver's move: on a shortest way out, or with the best chance of one; without an escape, the one with the
    /// longest known life. In a `maze` the next move of the course's search.
    pub best: Option<String>,
    /// A shortest way out from here, in a game without chance.
    pub line: Vec<String>,
}

impl Advice {
    pub(crate) const fn over(outcome: Outcome) -> Self {
        let worth = match outcome {
            Outcome::Escaped => Worth::Escape { moves: Some(0) },
            Outcome::Caught(_) => Worth::Caught {
                lives: Some(Lifetime::Moves(0)),
            },
        };
        Self {
            worth,
            moves: Vec::new(),
            best: None,
            line: Vec::new(),
        }
    }
}

/// The worth of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The runner can escape.
    Escape {
        /// The fewest moves to escape, this one included; `None` if unknown.
        moves: Option<usize>,
    },
    /// The runner can't escape.
    Caught {
        /// The longest life; `None` if unknown.
        lives: Option<Lifetime>,
    },
    /// Bounds on the probability of escape under best play.
    Chance {
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// Unknown because of this limit; without a limit, the question makes no sense here.
    Unknown(Option<Limit>),
}

/// The length of a life without escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// The moves, the present one included.
    Moves(usize),
    /// It never ends.
    Forever,
}

impl Lifetime {
    pub(crate) const fn longer(self) -> Self {
        match self {
            Self::Moves(moves) => Self::Moves(moves + 1),
            Self::Forever => Self::Forever,
        }
    }
}
