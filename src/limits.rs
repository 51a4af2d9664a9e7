//! What ends a search before it is done: states, memory, time, an interrupt; how it is heard in time
//! ([`Clock`]), and how memory is counted (`Budget`).

mod budget;
mod clock;
#[cfg(test)]
pub(crate) mod measured;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;
#[cfg(target_family = "wasm")]
pub(crate) use web_time::Instant;

pub(crate) use budget::{Budget, bytes};
pub use clock::Clock;

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
    /// How close bounds on a probability are to get before a search for it ends; as close as they are printed if
    /// there is no such wish.
    pub width: Option<f64>,
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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

impl std::error::Error for Limit {}

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
