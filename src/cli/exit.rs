//! Exit codes, and the counts that determine them.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use getaway_play::solution::Verdict;
use serde::{Deserialize, Serialize};

use getaway_solvers::answers::words::is_count;
use getaway_solvers::answers::{Evaluated, Standing};

/// Counts of boards; each board has exactly one [`Standing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of boards with each verdict, indexed as in [`Verdict::ALL`].
    verdicts: [u64; Verdict::ALL.len()],
    standings: [u64; 5],
    pub interrupted: u64,
    /// The number of boards whose evidence was not judged because of a limit.
    pub unverified: u64,
    pub states: u64,
    pub unjudged: u64,
    pub unreadable: u64,
    pub is_interrupted: bool,
}

impl Tally {
    pub fn is_consistent(&self) -> bool {
        let single = [self.unverified, self.states, self.unjudged, self.unreadable];
        let counts = self.verdicts.iter().chain(&self.standings).chain(&single);
        self.interrupted <= self.standing(Standing::Undecided) && counts.copied().all(is_count)
    }

    pub fn count(&mut self, evaluated: &Evaluated) {
        self.standings[evaluated.standing as usize] += 1;
        if let Ok(answer) = &evaluated.result {
            self.verdicts[answer.solution.verdict() as usize] += 1;
            let is_open = evaluated.standing == Standing::Undecided;
            self.interrupted += u64::from(is_open && answer.is_interrupted());
            self.unverified += u64::from(!answer.is_verified);
            self.states += answer.solution.states;
        }
    }

    pub fn count_error(&mut self) {
        self.standings[Standing::Error as usize] += 1;
    }

    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    pub fn standing(&self, standing: Standing) -> u64 {
        self.standings[standing as usize]
    }

    /// Returns the number of boards that were correctly expected to be unsolvable.
    pub fn unsolvable(&self) -> u64 {
        let others = self.verdicts.iter().sum::<u64>() + self.standing(Standing::Error);
        self.boards().saturating_sub(others)
    }

    pub fn boards(&self) -> u64 {
        self.standings.iter().sum()
    }

    pub fn failures(&self) -> u64 {
        self.standing(Standing::Mismatched) + self.errors()
    }

    /// Returns the number of boards that a limit left undecided, except where that was expected.
    pub fn undecided(&self) -> u64 {
        self.standing(Standing::Undecided)
    }

    pub fn errors(&self) -> u64 {
        self.standing(Standing::Error) + self.unreadable
    }

    pub fn add(&mut self, other: &Self) {
        let sums = self.verdicts.iter_mut().chain(&mut self.standings);
        let counts = other.verdicts.iter().chain(&other.standings);
        for (sum, count) in sums.zip(counts) {
            *sum += count;
        }
        self.interrupted += other.interrupted;
        self.unverified += other.unverified;
        self.states += other.states;
        self.unjudged += other.unjudged;
        self.unreadable += other.unreadable;
        self.is_interrupted |= other.is_interrupted;
    }

    pub fn solve_code(&self) -> ExitCode {
        let bad = self.of(Verdict::Caught) + self.of(Verdict::NoFood);
        self.worst(self.of(Verdict::Undecided), bad)
    }

    pub fn check_code(&self) -> ExitCode {
        let open = self.of(Verdict::Undecided).max(self.undecided());
        self.worst(open, self.standing(Standing::Mismatched))
    }

    fn worst(&self, open: u64, bad: u64) -> ExitCode {
        let open = open + self.unverified + u64::from(self.is_interrupted);
        ExitCode::from(match (self.errors(), open, bad) {
            (0, 0, 0) => 0,
            (0, 0, _) => 1,
            (0, _, _) => 3,
            _ => 2,
        })
    }
}

pub fn wrong() -> ExitCode {
    ExitCode::from(2)
}

pub fn undecided() -> ExitCode {
    ExitCode::from(3)
}

pub fn stopped(message: &str) -> Result<ExitCode> {
    writeln!(io::stderr(), "{message}")?;
    Ok(undecided())
}
