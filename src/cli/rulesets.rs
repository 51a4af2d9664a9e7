//! The rulesets of this program.

use std::sync::OnceLock;

use crate::rulesets::{Entry, RULESETS};

static KNOWN: OnceLock<Vec<Entry>> = OnceLock::new();

/// Sets the result of [`known_rulesets`], once and before anything else.
pub fn set(rulesets: &[Entry]) {
    KNOWN.get_or_init(|| rulesets.to_vec());
}

pub fn known_rulesets() -> &'static [Entry] {
    KNOWN.get().map_or(RULESETS, Vec::as_slice)
}
