//! The progress of a search, for display.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Bounds, Decision};

/// The progress of a search, which another thread may read at any time.
#[derive(Debug, Default)]
pub struct SearchProgress {
    states: AtomicU64,
    known: Mutex<Findings>,
}

#[derive(Debug, Default)]
struct Findings {
    escapes: Decision,
    bounds: Option<Bounds>,
    /// The task that follows the answer and is under way. Once there is one, the other findings stay the same.
    task: Option<String>,
}

impl SearchProgress {
    /// Returns the number of states that the current search has visited.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// Returns whether the runner can escape, as far as is known. A lower bound above 0 on the probability of escape decides it.
    pub fn escapes(&self) -> Decision {
        match *self.known() {
            Findings {
                escapes: Decision::Undecided,
                bounds: Some(Bounds { lower, .. }),
                ..
            } if lower > 0.0 => Decision::Yes,
            Findings { escapes, .. } => escapes,
        }
    }

    /// Returns bounds on the probability of escape, if known.
    pub fn bounds(&self) -> Option<Bounds> {
        self.known().bounds
    }

    /// Returns the task that follows the answer and is under way, if any.
    pub fn task(&self) -> Option<String> {
        self.known().task.clone()
    }

    /// Begins a task that follows the answer. Its searches don't change the findings, since they may be about other boards.
    pub fn begin_task(&self, task: &str) {
        self.note_states(0);
        self.known().task = Some(task.to_owned());
    }

    /// Prepares for the next board.
    pub fn reset(&self) {
        self.note_states(0);
        *self.known() = Findings::default();
    }

    pub(super) fn note_states(&self, states: u64) {
        self.states.store(states, Ordering::Relaxed);
    }

    /// Sets whether the runner can escape; has no effect once a task has begun.
    pub fn note_escape(&self, escapes: bool) {
        self.note(|known| known.escapes = escapes.into());
    }

    /// Sets bounds on the probability of escape; has no effect once a task has begun.
    pub fn note_bounds(&self, bounds: Bounds) {
        self.note(|known| known.bounds = Some(bounds));
    }

    fn note(&self, change: impl FnOnce(&mut Findings)) {
        let mut known = self.known();
        if known.task.is_none() {
            change(&mut known);
        }
    }

    fn known(&self) -> MutexGuard<'_, Findings> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
