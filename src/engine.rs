//! Engines: they search and play any game, and know no rule.
//!
//! What a search needs of a game is a [`Model`]; every [`Deterministic`] ruleset is one. A ruleset may
//! offer a model of itself that is cheaper to search; whatever is found there is replayed under the
//! rules themselves before anyone hears of it ([`crate::play::replay::replay_while`]).

mod bucket_queue;
pub(crate) mod markov_chain;
pub mod mdp;
pub mod packed;
pub mod positions;
pub mod row_set;
pub mod rows;
pub mod search;
pub mod shortest_lines;
pub mod survival;
pub mod visited;

use crate::ruleset::{Deterministic, Outcome};

/// What a search needs of a game: its positions, and what each move leads to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no game with a line of play to search for",
    note = "every `Deterministic` ruleset is a model; a game of chance is none"
)]
pub trait Model: Sync {
    /// A position in which the runner is to move.
    type State: Clone + Send + Sync;
    /// What he chooses.
    type Move: Copy + Send + Sync;

    /// The first position, or how the game ended before any move.
    ///
    /// # Errors
    ///
    /// The outcome, if there is nothing to choose.
    fn opened(&self) -> Result<Self::State, Outcome>;

    /// His legal moves, the most promising first, always in the same order.
    fn moves(&self, at: &Self::State, out: &mut Vec<Self::Move>);

    /// Plays a whole turn; an outcome if that ends the game.
    fn play(&self, at: &mut Self::State, mv: Self::Move) -> Option<Outcome>;

    /// The most bytes that a position of this game takes, with what it owns on the heap.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }

    /// A number of moves that no escape from here can do with fewer than: 1 at least, or
    /// [`u32::MAX`] if there surely is none. A move lessens it by 1 at most.
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
        crate::ruleset::Ruleset::moves(self, at, out);
    }

    fn play(&self, at: &mut R::State, mv: R::Move) -> Option<Outcome> {
        Deterministic::play(self, at, mv)
    }

    fn state_bytes(&self) -> usize {
        crate::ruleset::Ruleset::state_bytes(self)
    }
}

/// A game that stands somewhere: what can come of it from this position on.
#[derive(Clone, Copy, Debug)]
pub struct Resumed<'m, M: Model> {
    /// The game.
    pub model: &'m M,
    /// The position, in which the runner is to move.
    pub at: &'m M::State,
}

impl<M: Model> Model for Resumed<'_, M> {
    type State = M::State;
    type Move = M::Move;

    fn opened(&self) -> Result<M::State, Outcome> {
        Ok(self.at.clone())
    }

    fn moves(&self, at: &M::State, out: &mut Vec<M::Move>) {
        self.model.moves(at, out);
    }

    fn play(&self, at: &mut M::State, mv: M::Move) -> Option<Outcome> {
        self.model.play(at, mv)
    }

    fn state_bytes(&self) -> usize {
        self.model.state_bytes()
    }

    fn lower_bound(&self, at: &M::State) -> u32 {
        self.model.lower_bound(at)
    }
}
