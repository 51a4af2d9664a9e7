//! Searches for games without chance. They need not know the rules, since they work on a [`Model`]: a [`Deterministic`] ruleset,
//! or a cheaper model of one. This package must not depend on `getaway-rules`, which holds the rulesets.
//!
//! ```
//! use getaway_board::limits::Limits;
//! use getaway_ruleset::{Cause, Outcome};
//! use getaway_search::Model;
//! use getaway_search::search::{Finding, Order, Search};
//! use getaway_search::visited::ExactSet;
//!
//! /// From 0, steps of 1 and 3 lead to 10.
//! struct NumberLine;
//!
//! impl Model for NumberLine {
//!     type State = u32;
//!     type Move = u32;
//!
//!     fn opened(&self) -> Result<u32, Outcome> {
//!         Ok(0)
//!     }
//!
//!     fn moves(&self, _at: &u32, out: &mut Vec<u32>) {
//!         out.extend([1, 3]);
//!     }
//!
//!     fn play(&self, at: &mut u32, step: u32) -> Option<Outcome> {
//!         *at += step;
//!         match *at {
//!             0..10 => None,
//!             10 => Some(Outcome::Escaped),
//!             _ => Some(Outcome::Caught(Cause::Trapped)),
//!         }
//!     }
//! }
//!
//! let mut search = Search::new(ExactSet::default());
//! let found = search.run(&NumberLine, Order::Shortest, &Limits::default());
//! assert!(matches!(found, Finding::Escape(steps) if steps.len() == 4));
//! ```

#![deny(missing_docs)]

pub mod row_set;
pub mod rows;
pub mod search;
pub mod shortest_lines;
pub mod survival;
pub mod visited;
pub mod watched;

use getaway_board::limits::Limit;
use getaway_ruleset::{Deterministic, Outcome};

/// The game that a search explores.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be searched for a line of play",
    note = "every `Deterministic` ruleset can; a game of chance cannot"
)]
pub trait Model: Sync {
    /// A position in which the runner is to move.
    type State: Clone + Send + Sync;
    /// A move of the runner.
    type Move: Copy + Send + Sync;

    /// Returns the first position, or the outcome if the game ends before the first move.
    fn opened(&self) -> Result<Self::State, Outcome>;

    /// Appends the runner's legal moves, always in the same order, in which a depth-first search tries them.
    fn moves(&self, at: &Self::State, out: &mut Vec<Self::Move>);

    /// Plays a whole turn; returns an outcome if it ends the game.
    fn play(&self, at: &mut Self::State, mv: Self::Move) -> Option<Outcome>;

    /// Plays the moves of `at` in turn, up to the first that escapes, and returns that one; `None` if no move escapes. Calls
    /// `visit` with each move that does not end the game and the position after it. `moves` and `next` are buffers.
    ///
    /// # Errors
    ///
    /// Returns the first limit that `visit` returns.
    fn expand(
        &self,
        at: &Self::State,
        moves: &mut Vec<Self::Move>,
        next: &mut Self::State,
        mut visit: impl FnMut(Self::Move, &Self::State) -> Result<(), Limit>,
    ) -> Result<Option<Self::Move>, Limit> {
        moves.clear();
        self.moves(at, moves);
        for &mv in &*moves {
            next.clone_from(at);
            match self.play(next, mv) {
                None => visit(mv, next)?,
                Some(Outcome::Escaped) => return Ok(Some(mv)),
                Some(Outcome::Caught(_)) => {}
            }
        }
        Ok(None)
    }

    /// Returns the maximum size of a position in bytes, including its heap memory.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }

    /// Returns a lower bound on the number of moves to an escape: at least 1, or [`u32::MAX`] if no escape is possible. A move
    /// reduces the bound by at most 1.
    fn lower_bound(&self, _at: &Self::State) -> u32 {
        1
    }
}

impl<R: Deterministic> Model for R {
    type State = R::State;
    type Move = R::Move;

    fn opened(&self) -> Result<R::State, Outcome> {
        Deterministic::opened(self)
    }

    fn moves(&self, at: &R::State, out: &mut Vec<R::Move>) {
        getaway_ruleset::Ruleset::moves(self, at, out);
    }

    fn play(&self, at: &mut R::State, mv: R::Move) -> Option<Outcome> {
        Deterministic::play(self, at, mv)
    }

    fn state_bytes(&self) -> usize {
        getaway_ruleset::Ruleset::state_bytes(self)
    }
}
