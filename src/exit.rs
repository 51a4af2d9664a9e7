//! Exit codes, and what the boards of a run add up to.

use std::process::ExitCode;

use getaway::game::Verdict;

/// How often each thing happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By [`Verdict::ALL`].
    verdicts: [u64; Verdict::ALL.len()],
    /// Boards with an expectation that held.
    pub as_expected: u64,
    /// Boards with an expectation that was missed.
    pub mismatches: u64,
    /// How many states the searches looked at.
    pub states: u64,
    /// Boards and files that could not be read.
    pub errors: u64,
    /// Whether someone said stop, so that nobody knows what the rest would have come to.
    pub interrupted: bool,
}

impl Tally {
    /// Counts a verdict.
    pub fn count(&mut self, verdict: Verdict) {
        self.verdicts[verdict as usize] += 1;
    }

    /// How many boards had this verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    /// How many boards had any verdict.
    pub fn boards(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        for (sum, count) in self.verdicts.iter_mut().zip(other.verdicts) {
            *sum += count;
        }
        self.as_expected += other.as_expected;
        self.mismatches += other.mismatches;
        self.states += other.states;
        self.errors += other.errors;
        self.interrupted |= other.interrupted;
    }

    /// The exit code of `solve`: the worst of all boards.
    pub fn solve_code(&self) -> ExitCode {
        let bad = self.of(Verdict::Caught) + self.of(Verdict::NoFood);
        self.worst(bad)
    }

    /// The exit code of `check`.
    pub fn check_code(&self) -> ExitCode {
        self.worst(self.mismatches)
    }

    /// 2 before 3 before 1.
    fn worst(&self, bad: u64) -> ExitCode {
        let undecided = self.of(Verdict::Undecided) + u64::from(self.interrupted);
        ExitCode::from(match (self.errors, undecided, bad) {
            (0, 0, 0) => 0,
            (0, 0, _) => 1,
            (0, _, _) => 3,
            _ => 2,
        })
    }
}

/// The exit code for a command line or an input that is wrong.
pub fn wrong() -> ExitCode {
    ExitCode::from(2)
}
