//! Exit codes, and the counts that determine them.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use getaway_play::solution::Verdict;
use getaway_solvers::answers::{CheckStatus, Outcome};

/// Counts of the boards, unreadable files and states of a run. Each judged board has exactly one [`CheckStatus`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of boards with each verdict, indexed as in [`Verdict::ALL`].
    verdicts: [u64; Verdict::ALL.len()],
    statuses: [u64; 5],
    pub interrupted: u64,
    /// The number of answers that were not verified because a limit was reached.
    pub unverified: u64,
    pub states: u64,
    pub unjudged: u64,
    pub unreadable: u64,
    pub is_interrupted: bool,
}

impl Tally {
    pub fn count(&mut self, outcome: &Outcome) {
        if !outcome.is_of_board() {
            self.unreadable += 1;
            return;
        }
        self.statuses[outcome.status as usize] += 1;
        if let Some(answer) = outcome.answer() {
            self.verdicts[answer.solution.verdict() as usize] += 1;
            let is_open = outcome.status == CheckStatus::Undecided;
            self.interrupted += u64::from(is_open && answer.is_interrupted());
            self.unverified += u64::from(!answer.is_verified);
            self.states = self.states.saturating_add(answer.solution.states);
        }
    }

    pub fn add(&mut self, other: &Self) {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.verdicts, &other.verdicts);
        add(&mut self.statuses, &other.statuses);
        self.interrupted += other.interrupted;
        self.unverified += other.unverified;
        self.states = self.states.saturating_add(other.states);
        self.unjudged += other.unjudged;
        self.unreadable += other.unreadable;
    }

    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    pub fn status(&self, status: CheckStatus) -> u64 {
        self.statuses[status as usize]
    }

    /// Returns the number of boards that were correctly expected to be unsolvable.
    pub fn unsolvable(&self) -> u64 {
        let others = self.verdicts.iter().sum::<u64>() + self.status(CheckStatus::Error);
        self.boards().saturating_sub(others)
    }

    pub fn boards(&self) -> u64 {
        self.statuses.iter().sum()
    }

    pub fn failures(&self) -> u64 {
        self.status(CheckStatus::Mismatched) + self.errors()
    }

    /// Returns the number of boards for which a limit left open the answer, or whether it is the expected one. Boards that are
    /// expected to be undecided do not count, nor do those with a refuted claim.
    pub fn undecided(&self) -> u64 {
        self.status(CheckStatus::Undecided)
    }

    pub fn errors(&self) -> u64 {
        self.status(CheckStatus::Error) + self.unreadable
    }

    pub fn solve_code(&self) -> ExitCode {
        let bad = self.of(Verdict::Caught) + self.of(Verdict::NoFood);
        self.worst(self.of(Verdict::Undecided), bad)
    }

    pub fn check_code(&self) -> ExitCode {
        let open = self.of(Verdict::Undecided).max(self.undecided());
        self.worst(open, self.status(CheckStatus::Mismatched))
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
