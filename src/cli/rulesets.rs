//! The rulesets of this program.

use std::sync::{PoisonError, RwLock};

use crate::rulesets::{Entry, RULESETS};

static KNOWN: Known = Known(RwLock::new(RULESETS));

struct Known(RwLock<&'static [Entry]>);

impl Known {
    /// Sets the list, which is never freed: a process sets few lists.
    fn set(&self, rulesets: &[Entry]) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = rulesets.to_vec().leak();
    }

    fn get(&self) -> &'static [Entry] {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

pub fn set(rulesets: &[Entry]) {
    KNOWN.set(rulesets);
}

pub fn known_rulesets() -> &'static [Entry] {
    KNOWN.get()
}

#[cfg(test)]
mod tests;
