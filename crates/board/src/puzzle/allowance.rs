use std::cell::Cell;

use super::Puzzle;
use crate::fault::{BoardError, FaultKind};
use crate::limits::{Clock, Limit, Limits};

/// The limits for reading a board, and what its readers have used.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowance<'a> {
    limits: Limits<'a>,
    left: Cell<u64>,
    taken: Cell<u64>,
    reached: Cell<Option<Limit>>,
}

/// The work before the first check of the clock, so that small boards are read even after the deadline.
const GRACE: u64 = 1 << 22;

const STRIDE: usize = 1 << 16;

impl<'a> Allowance<'a> {
    pub(super) const fn of(limits: Limits<'a>) -> Self {
        Self {
            limits,
            left: Cell::new(GRACE),
            taken: Cell::new(0),
            reached: Cell::new(None),
        }
    }

    pub(super) const fn renew(&mut self) {
        *self = Self::of(self.limits);
    }
}

/// Every loop over a board reports its work to [`Puzzle::work`]. Once a limit is reached, all further work is refused and reading
/// ends with that limit, so a loop that can't return an error may just end early.
impl<'a> Puzzle<'a> {
    /// Sets the limits for reading boards from now on. If a board reaches a limit, reading fails with that limit
    /// ([`BoardError::limit`]). The text, its rows and the ruleset's data count against the memory limit.
    pub fn set_limits(&mut self, limits: Limits<'a>) {
        self.allowance = Allowance::of(limits);
    }

    /// Returns the limits, with the memory that is left for this board.
    pub fn limits_left(&self) -> Limits<'a> {
        let Allowance { limits, taken, .. } = &self.allowance;
        let left = |max: u64| max.saturating_sub(taken.get());
        Limits {
            max_memory: limits.max_memory.map(left),
            ..*limits
        }
    }

    /// Counts work against the limits, in the units of `Clock::work`.
    ///
    /// # Errors
    ///
    /// Returns the limit if the deadline has passed, a stop was requested, or a limit was reached before.
    #[inline]
    pub fn work(&self, amount: u64) -> Result<(), BoardError> {
        let left = self.allowance.left.get();
        if amount < left {
            self.allowance.left.set(left - amount);
            return Ok(());
        }
        self.check_clock()
    }

    #[cold]
    fn check_clock(&self) -> Result<(), BoardError> {
        self.allowance.left.set(Clock::PACE);
        self.note(self.allowance.limits.check_time())
    }

    /// Counts `bytes` bytes, which are about to be used, against the memory limit.
    ///
    /// # Errors
    ///
    /// Returns the memory limit if the total exceeds it, or the limit that was reached before.
    pub fn take(&self, bytes: u64) -> Result<(), BoardError> {
        let Allowance { limits, taken, .. } = &self.allowance;
        taken.set(taken.get().saturating_add(bytes));
        self.note(limits.check_memory(taken.get()))
    }

    #[inline]
    fn note(&self, result: Result<(), Limit>) -> Result<(), BoardError> {
        let Allowance { reached, left, .. } = &self.allowance;
        if let Err(limit) = result {
            reached.set(reached.get().or(Some(limit)));
        }
        if reached.get().is_some() {
            // The next call of `work` then reports the limit again.
            left.set(0);
        }
        self.check_limits()
    }

    /// Checks that no limit has ended the reading.
    ///
    /// # Errors
    ///
    /// Returns the limit if one was reached.
    #[inline]
    pub fn check_limits(&self) -> Result<(), BoardError> {
        let limit = self.allowance.reached.get();
        limit.map_or(Ok(()), |limit| Err(self.reached(limit)))
    }

    #[cold]
    fn reached(&self, limit: Limit) -> BoardError {
        self.fault(self.place(), FaultKind::Limit(limit)).into()
    }

    /// Returns the pieces of a text, and counts each as work; ends early at a limit.
    pub(super) fn pieces<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        text.chunks(STRIDE)
            .take_while(|piece| self.work(piece.len() as u64).is_ok())
    }
}

#[cfg(test)]
#[path = "allowance_tests.rs"]
mod tests;
