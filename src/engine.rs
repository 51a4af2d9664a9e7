//! Engines: they search and play any game, and know no rule.
//!
//! What a search needs of a game is a [`Model`]; every [`Deterministic`] ruleset is one. A ruleset may
//! offer a model of itself that is cheaper to search; whatever is found there is replayed under the
//! rules themselves before anyone hears of it ([`crate::play::replay`]).

mod clock;
pub mod mdp;
pub mod packed;
mod ranks;
pub mod rows;
pub mod search;
pub mod survival;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::ruleset::{Deterministic, Outcome};

pub use clock::Clock;

/// What a search needs of a game: its positions, and what each move leads to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no game with a line of play to search for",
    note = "every `Deterministic` ruleset is a model; a game of chance is none"
)]
pub trait Model {
    /// A position in which the runner is to move.
    type State: Clone;
    /// What he chooses.
    type Move: Copy;

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

/// What ends a search before it is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The most states to look at.
    pub max_states: Option<u64>,
    /// The most bytes of memory that the tables of one search may take.
    pub max_memory: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set from outside when all searches are to stop.
    pub stop: Option<&'a AtomicBool>,
    /// How many threads a search may use; one if this is 0. What it finds does not depend on it.
    pub threads: usize,
}

impl Limits<'_> {
    /// How many states a search looks at between two looks at the clock.
    const PACE: u64 = 64;

    /// The limit that a search which has looked at `states` states has run into, if any.
    pub fn reached(&self, states: u64) -> Option<Limit> {
        if self.max_states.is_some_and(|most| states >= most) {
            return Some(Limit::States);
        }
        if states.is_multiple_of(Self::PACE) {
            self.time_is_up()
        } else {
            None
        }
    }

    /// Whether tables of `bytes` bytes are more than a search may take.
    ///
    /// A search asks before it grows its tables, with what they will take then: memory must never be
    /// taken first and measured afterwards.
    pub fn memory_is_full(&self, bytes: u64) -> Option<Limit> {
        self.max_memory
            .is_some_and(|most| bytes > most)
            .then_some(Limit::Memory)
    }

    /// [`Limits::memory_is_full`] as a result.
    ///
    /// # Errors
    ///
    /// The limit, if so many bytes are more than a search may take.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Limit> {
        self.memory_is_full(bytes).map_or(Ok(()), Err)
    }

    /// Whether a search that has looked at `states` states may look at another one.
    ///
    /// # Errors
    ///
    /// The limit, if it may not.
    pub fn check_states(&self, states: u64) -> Result<(), Limit> {
        match self.max_states {
            Some(most) if states >= most => Err(Limit::States),
            _ => Ok(()),
        }
    }

    /// What is left for others while `bytes` bytes are in use.
    ///
    /// # Errors
    ///
    /// The limit, if these are too many already.
    pub fn without(&self, bytes: u64) -> Result<Self, Limit> {
        self.check_memory(bytes)?;
        let max_memory = self.max_memory.map(|most| most - bytes);
        Ok(Self {
            max_memory,
            ..*self
        })
    }

    /// What is left after a search that has looked at `states` states.
    #[must_use]
    pub fn after(&self, states: u64) -> Self {
        let max_states = self.max_states.map(|most| most.saturating_sub(states));
        Self {
            max_states,
            ..*self
        }
    }

    /// [`Limits::time_is_up`] as a result.
    ///
    /// # Errors
    ///
    /// The limit, if the time is over or someone has said stop.
    pub fn check_time(&self) -> Result<(), Limit> {
        self.time_is_up().map_or(Ok(()), Err)
    }

    /// Whether the time is over or someone has said stop.
    pub fn time_is_up(&self) -> Option<Limit> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Limit::Interrupt);
        }
        self.deadline
            .is_some_and(|at| Instant::now() >= at)
            .then_some(Limit::Time)
    }
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_states`].
    States,
    /// [`Limits::max_memory`].
    Memory,
    /// [`Limits::deadline`].
    Time,
    /// [`Limits::stop`].
    Interrupt,
}

impl Limit {
    /// The word for it in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Interrupt => "interrupt",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::States => "state limit reached",
            Self::Memory => "memory limit reached",
            Self::Time => "timed out",
            Self::Interrupt => "interrupted",
        })
    }
}
