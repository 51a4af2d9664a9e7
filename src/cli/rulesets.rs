//! The rulesets of this program.

use std::sync::{PoisonError, RwLock};

use crate::rulesets::{Entry, RULESETS};

static REGISTRY: Registry = Registry(RwLock::new(RULESETS));

struct Registry(RwLock<&'static [Entry]>);

impl Registry {
    /// Sets the list. It is never freed, since a process sets only a few lists.
    fn set(&self, rulesets: &[Entry]) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = rulesets.to_vec().leak();
    }

    fn get(&self) -> &'static [Entry] {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

pub fn set(rulesets: &[Entry]) {
    REGISTRY.set(rulesets);
}

pub fn known_rulesets() -> &'static [Entry] {
    REGISTRY.get()
}

#[cfg(test)]
mod tests;
