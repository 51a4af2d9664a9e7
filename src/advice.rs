//! The worth of positions to the runner, and the best moves there.

use crate::limits::{Limit, Limits};
use crate::play::trace::TraceError;
use crate::ruleset::Outcome;

/// Evaluates positions of a board.
///
/// An adviser remembers its findings, so that a whole game costs little more than its first position.
pub trait Adviser: Send {
    /// Evaluates the position after the moves of `line`, with luck from `seed`.
    ///
    /// A limit is not an error: what it left open is [`Worth::Unknown`].
    ///
    /// # Errors
    ///
    /// If the line can't be read or played.
    fn advise(&mut self, line: &str, seed: u64, limits: &Limits) -> Result<Advice, TraceError> {
        self.advise_led((line, ""), seed, limits)
    }

    /// Evaluates the position after a game in which chasers were led as the second text says, in the form of the
    /// header `chasers`. From then on all of them move by their own rules.
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
    /// The solver's move: on a shortest way out, or with the best chance of one. Where there is none, the one with
    /// the longest life, as far as is known; in a `maze` the next move of the course's search.
    pub best: Option<String>,
    /// The moves of a shortest way out from here, in a game without chance.
    pub line: Vec<String>,
}

impl Advice {
    /// The evaluation of a game that is over.
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

/// The worth of a position or a move to the runner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The runner can escape.
    Escape {
        /// The fewest moves from here that escape, this one included; `None` if that is not known.
        moves: Option<usize>,
    },
    /// The runner can't escape any more.
    Caught {
        /// The longest life; `None` if that is not known.
        lives: Option<Lifetime>,
    },
    /// The probability of escape under best play lies between these bounds.
    Chance {
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// Nothing is known. Without a limit, the question makes no sense here.
    Unknown(Option<Limit>),
}

/// The length of a life without escape; longer lives are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// This number of moves, the present one included.
    Moves(usize),
    /// Without end.
    Forever,
}

impl Lifetime {
    /// One move longer.
    pub(crate) const fn longer(self) -> Self {
        match self {
            Self::Moves(moves) => Self::Moves(moves + 1),
            Self::Forever => Self::Forever,
        }
    }
}
