//! The rulesets of this program.

use std::sync::{PoisonError, RwLock};

use crate::rulesets::{Entry, RULESETS};

static KNOWN: Known = Known(RwLock::new(RULESETS));

struct Known(RwLock<&'static [Entry]>);

impl Known {
    /// The list is never freed, since a process sets few of them.
    fn set(&self, rulesets: &[Entry]) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = rulesets.to_vec().leak();
    }

    fn get(&self) -> &'static [Entry] {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets the result of [`known_rulesets`].
pub fn set(rulesets: &[Entry]) {
    KNOWN.set(rulesets);
}

pub fn known_rulesets() -> &'static [Entry] {
    KNOWN.get()
}

#[cfg(test)]
mod tests;
