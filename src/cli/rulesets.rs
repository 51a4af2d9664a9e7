//! The rulesets that this run of the program knows.

use std::sync::OnceLock;

use crate::rulesets::{Entry, RULESETS};

static KNOWN: OnceLock<Vec<Entry>> = OnceLock::new();

/// Sets what [`known_rulesets`] returns, once and before anything else.
pub fn set(rulesets: &[Entry]) {
    KNOWN.get_or_init(|| rulesets.to_vec());
}

/// The rulesets that the program was started with.
pub fn known_rulesets() -> &'static [Entry] {
    KNOWN.get().map_or(RULESETS, Vec::as_slice)
}
