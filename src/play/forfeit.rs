//! Games that are over because somebody outside this program was at fault.

use std::fmt;

/// What the one who runs is called, where roles have names; the others are [`Role`](crate::ruleset::led::Role)s.
pub const RUNNER: &str = "runner";

/// What somebody outside did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// For whom they decided.
    pub role: String,
    /// What they did, to follow a name: "crashed".
    pub reason: String,
}

impl Fault {
    /// Whether the runner loses the game, rather than those who chase.
    pub fn is_runners(&self) -> bool {
        self.role == RUNNER
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} {}", self.role, self.reason)
    }
}
