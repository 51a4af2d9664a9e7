//! Limits the work in progress between the reader and the sink.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum memory of pieces and results in progress, in bytes.
const MAX: u64 = 1 << 26;

#[derive(Debug)]
pub struct Window {
    /// The bytes in progress; `None` once the window is closed.
    taken: Mutex<Option<u64>>,
    has_changed: Condvar,
}

impl Window {
    pub fn new() -> Self {
        Self {
            taken: Mutex::new(Some(0)),
            has_changed: Condvar::new(),
        }
    }

    /// Waits until `bytes` fit or nothing else is in progress. Returns false if the window is closed.
    pub fn enter(&self, bytes: u64) -> bool {
        let is_full =
            |taken: &mut Option<u64>| taken.is_some_and(|taken| taken > 0 && taken + bytes > MAX);
        let mut taken = self
            .has_changed
            .wait_while(self.taken(), is_full)
            .unwrap_or_else(PoisonError::into_inner);
        *taken = taken.map(|taken| taken + bytes);
        taken.is_some()
    }

    pub fn replace(&self, was: u64, is: u64) {
        let mut taken = self.taken();
        *taken = taken.map(|taken| taken + is - was);
        if is < was {
            self.has_changed.notify_all();
        }
    }

    pub fn close(&self) {
        *self.taken() = None;
        self.has_changed.notify_all();
    }

    fn taken(&self) -> MutexGuard<'_, Option<u64>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
