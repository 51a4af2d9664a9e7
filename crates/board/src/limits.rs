//! The limits on a search, and the objects that count its work and memory.

mod budget;
mod findings;
pub mod progress;

use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
pub use web_time::Instant;

pub use budget::{Budget, bytes};
pub use findings::{Bounds, Decision};
use progress::SearchProgress;
use rayon::ThreadPoolBuilder;

/// The limits on a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The maximum number of states to visit.
    pub max_states: Option<u64>,
    /// The maximum size of large data, such as a search's tables, in bytes.
    pub max_memory: Option<u64>,
    /// The time at which to stop.
    pub deadline: Option<Instant>,
    /// A flag that stops all searches once it is true.
    pub stop: Option<&'a AtomicBool>,
    /// The gap between bounds on a probability at which a search ends; by default 0.000001.
    pub width: Option<f64>,
    /// The maximum number of threads, which does not affect the result; 0 means 1.
    pub threads: usize,
    /// The object to which searches report their progress, for display.
    pub progress: Option<&'a SearchProgress>,
}

impl Limits<'_> {
    /// Checks that `bytes` bytes fit into the memory limit.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Memory`] if they don't fit.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Limit> {
        match self.max_memory {
            Some(max) if bytes > max => Err(Limit::Memory),
            _ => Ok(()),
        }
    }

    /// Notes that a search has visited `states` states, and checks that it may visit another.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::States`] if the search has reached [`Limits::max_states`].
    pub fn check_states(&self, states: u64) -> Result<(), Limit> {
        self.note_states(states);
        match self.max_states {
            Some(max) if states >= max => Err(Limit::States),
            _ => Ok(()),
        }
    }

    /// Runs `work`. If [`Limits::threads`] is above 1, its parallel loops run on a pool of at most that many threads: the one of
    /// this thread if it is no larger, or a new one.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads);
        // If the system refuses more threads, a pool of this thread alone keeps parallel loops from asking for others.
        let has_pool =
            rayon::current_thread_index().is_some() && rayon::current_num_threads() <= self.threads;
        let needs_pool = self.threads > 1 && !has_pool;
        let pool = needs_pool.then(|| {
            pool(self.threads)
                .build()
                .or_else(|_| pool(1).use_current_thread().build())
        });
        match pool {
            Some(Ok(pool)) => pool.install(work),
            _ => work(),
        }
    }

    /// Returns the limits that remain while `bytes` bytes are in use.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Memory`] if `bytes` exceeds the memory limit.
    pub fn without(&self, bytes: u64) -> Result<Self, Limit> {
        self.check_memory(bytes)?;
        let max_memory = self.max_memory.map(|max| max - bytes);
        Ok(Self {
            max_memory,
            ..*self
        })
    }

    /// Returns the limits that remain after a search has visited `states` states.
    #[must_use]
    pub fn after(&self, states: u64) -> Self {
        let max_states = self.max_states.map(|max| max.saturating_sub(states));
        Self {
            max_states,
            ..*self
        }
    }

    /// Returns these limits, with at most `max` states unless another number of states is set.
    #[must_use]
    pub fn or_max_states(&self, max: u64) -> Self {
        let max_states = Some(self.max_states.unwrap_or(max));
        Self {
            max_states,
            ..*self
        }
    }

    /// Notes how many states the current search has visited.
    pub fn note_states(&self, states: u64) {
        if let Some(progress) = self.progress {
            progress.note_states(states);
        }
    }

    /// Notes whether the runner can escape.
    pub fn note_escape(&self, escapes: bool) {
        if let Some(progress) = self.progress {
            progress.note_escape(escapes);
        }
    }

    /// Notes bounds on the probability of escape.
    pub fn note_bounds(&self, bounds: Bounds) {
        if let Some(progress) = self.progress {
            progress.note_bounds(bounds);
        }
    }

    /// Notes the task, such as an explanation, that begins now that the answer is known.
    pub fn note_task(&self, task: &str) {
        if let Some(progress) = self.progress {
            progress.begin_task(task);
        }
    }

    /// Checks the time and the stop flag.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn check_time(&self) -> Result<(), Limit> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Limit::Interrupt);
        }
        match self.deadline {
            Some(at) if Instant::now() >= at => Err(Limit::Time),
            _ => Ok(()),
        }
    }
}

/// The limit that ended a search.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The search reached [`Limits::max_states`].
    #[error("state limit reached")]
    States,
    /// The search needs more memory than [`Limits::max_memory`], or larger tables than it supports.
    #[error("memory limit reached")]
    Memory,
    /// The search reached [`Limits::deadline`].
    #[error("timed out")]
    Time,
    /// [`Limits::stop`] was set.
    #[error("interrupted")]
    Interrupt,
}

impl Limit {
    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Interrupt => "interrupt",
        }
    }
}

/// Counts work to decide when to check the time: often enough to stop promptly, at almost no cost.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'l> {
    limits: Limits<'l>,
    left: u64,
}

impl<'l> Clock<'l> {
    /// The number of units of work between two checks of the time.
    pub(crate) const PACE: u64 = 1 << 14;

    /// Creates a clock, which first checks the time as soon as work is counted.
    pub const fn new(limits: &Limits<'l>) -> Self {
        Self {
            limits: *limits,
            left: 0,
        }
    }

    /// Returns the limits.
    pub const fn limits(&self) -> &Limits<'l> {
        &self.limits
    }

    /// Counts `amount` units of work, and checks the time and the stop flag each time that enough units have been counted. A unit
    /// is a visit to a cell or an actor, a few nanoseconds.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Time`] or [`Limit::Interrupt`] if that limit was reached.
    #[inline]
    pub fn work(&mut self, amount: u64) -> Result<(), Limit> {
        if amount < self.left {
            self.left -= amount;
            return Ok(());
        }
        self.left = Self::PACE;
        self.limits.check_time()
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
