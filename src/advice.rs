//! What a position of a game in play is worth to the runner, and what he had better do.

use crate::limits::{Limit, Limits};
use crate::play::trace::TraceError;
use crate::ruleset::Outcome;

/// One who knows what the positions of a board are worth.
///
/// What it has found out about the board serves for the next question, so that a whole game costs little more
/// than its first position.
pub trait Adviser: Send {
    /// What is known of the position that the moves of `line` lead to, with luck from `seed`.
    ///
    /// A limit is not an error: what it kept from being found out is [`Worth::Unknown`].
    ///
    /// # Errors
    ///
    /// If the line can't be read or played.
    fn advise(&mut self, line: &str, seed: u64, limits: &Limits) -> Result<Advice, TraceError> {
        self.advise_led((line, ""), seed, limits)
    }

    /// The same where chasers were led up to there as the second text says, in the form of the header `chasers`. What
    /// the position is worth is what it would be if all of them moved by their own rules from then on.
    ///
    /// # Errors
    ///
    /// The same, and if the chasers can't do what is told of them.
    fn advise_led(
        &mut self,
        game: (&str, &str),
        seed: u64,
        limits: &Limits,
    ) -> Result<Advice, TraceError>;
}

/// What is known of a position in which the runner is to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// What the position is worth.
    pub worth: Worth,
    /// What each legal move is worth, in the order of the rules.
    pub moves: Vec<(String, Worth)>,
    /// The move that the solver would make: on a shortest way out, or with the best chance of one; where there
    /// is none, the one after which the runner lives longest, as far as is known. In a `maze`, where the
    /// runner knows himself where to go, that.
    pub best: Option<String>,
    /// The moves of a shortest way out from here, in a game without chance.
    pub line: Vec<String>,
}

impl Advice {
    /// What there is to say of a game that ended so: there is nothing to choose.
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

/// What a position, or a move, is worth to the runner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// He can escape, with this move and so many after it at the fewest.
    Escape {
        /// The fewest moves from here that escape, this one included; `None` if that is not known.
        moves: Option<usize>,
    },
    /// He can't escape any more.
    Caught {
        /// How long he can still live; `None` if that is not known.
        lives: Option<Lifetime>,
    },
    /// The probability of escape under best play lies between these.
    Chance {
        /// It is not below this.
        lower: f64,
        /// It is not above this.
        upper: f64,
    },
    /// Nothing is known: this limit came first, or without one, nobody works it out.
    Unknown(Option<Limit>),
}

/// How long one can live who can't escape; longer lives are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// For so many more moves, this one included, and no longer.
    Moves(usize),
    /// For ever.
    Forever,
}

impl Lifetime {
    /// With a move more before it.
    pub(crate) const fn longer(self) -> Self {
        match self {
            Self::Moves(moves) => Self::Moves(moves + 1),
            Self::Forever => Self::Forever,
        }
    }
}
