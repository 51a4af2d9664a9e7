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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chaser_at_fault_does_not_lose_the_game_for_the_runner() {
        for (role, is_runners) in [(RUNNER, true), ("ghost", false)] {
            let fault = Fault {
                role: role.into(),
                reason: "crashed".into(),
            };
            assert_eq!(fault.is_runners(), is_runners);
            assert_eq!(fault.to_string(), format!("the {role} crashed"));
        }
    }
}
