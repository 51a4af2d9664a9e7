use std::cell::Cell;

use super::Puzzle;
use crate::fault::{BoardError, FaultKind};
use crate::limits::{Clock, Limit, Limits};

/// The limits for reading a board, and how much of each has been used.
///
/// Every loop over a board announces its work here. Once a limit is reached, all further work is refused and reading ends with
/// that limit, so a loop that can't return an error may just end early.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowance<'a> {
    limits: Limits<'a>,
    left: Cell<u64>,
    taken: Cell<u64>,
    reached: Cell<Option<Limit>>,
}

impl<'a> Allowance<'a> {
    /// The work before the first check of the clock, so that small boards are read even after the deadline.
    const GRACE: u64 = 1 << 22;

    const STRIDE: usize = 1 << 16;

    pub(super) const fn of(limits: Limits<'a>) -> Self {
        Self {
            limits,
            left: Cell::new(Self::GRACE),
            taken: Cell::new(0),
            reached: Cell::new(None),
        }
    }

    pub(super) fn renew(&self) {
        self.left.set(Self::GRACE);
        self.taken.set(0);
        self.reached.set(None);
    }

    #[inline]
    pub(super) fn work(&self, amount: u64) -> Result<(), Limit> {
        let left = self.left.get();
        if amount < left {
            self.left.set(left - amount);
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&self) -> Result<(), Limit> {
        self.left.set(Clock::PACE);
        self.note(self.limits.check_time())
    }

    #[inline]
    pub(super) fn take(&self, bytes: u64) -> Result<(), Limit> {
        let taken = self.taken.get().saturating_add(bytes);
        self.taken.set(taken);
        self.note(self.limits.check_memory(taken))
    }

    #[inline]
    fn note(&self, result: Result<(), Limit>) -> Result<(), Limit> {
        if let Err(limit) = self.reached().map_or(result, Err) {
            self.left.set(0);
            self.reached.set(Some(limit));
            return Err(limit);
        }
        Ok(())
    }

    pub(super) const fn reached(&self) -> Option<Limit> {
        self.reached.get()
    }

    pub(super) fn pieces<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        text.chunks(Self::STRIDE)
            .take_while(|piece| self.work(piece.len() as u64).is_ok())
    }

    pub(super) fn rest(&self) -> Limits<'a> {
        let max_memory = self.limits.max_memory;
        Limits {
            max_memory: max_memory.map(|most| most.saturating_sub(self.taken.get())),
            ..self.limits
        }
    }
}

impl<'a> Puzzle<'a> {
    /// Sets the limits for reading boards from now on. If a board reaches one, reading fails with that limit
    /// ([`BoardError::limit`]). Memory for the text, its rows and the ruleset's data is counted before it is taken.
    pub fn set_limits(&mut self, limits: Limits<'a>) {
        self.allowance = Allowance::of(limits);
    }

    /// Returns the remaining limits for this board.
    pub fn limits_left(&self) -> Limits<'a> {
        self.allowance.rest()
    }

    /// Counts work against the limits, in the units of `Clock::work`.
    ///
    /// # Errors
    ///
    /// Returns the limit if the deadline has passed or a stop was requested.
    #[inline]
    pub fn work(&self, amount: u64) -> Result<(), BoardError> {
        self.allowance
            .work(amount)
            .map_err(|limit| self.cut_short(limit))
    }

    /// Counts memory that is about to be used against the limit.
    ///
    /// # Errors
    ///
    /// Returns the limit if this exceeds it.
    pub fn take(&self, bytes: u64) -> Result<(), BoardError> {
        self.allowance
            .take(bytes)
            .map_err(|limit| self.cut_short(limit))
    }

    #[cold]
    pub(super) fn cut_short(&self, limit: Limit) -> BoardError {
        self.fault(self.place(), FaultKind::Limit(limit)).into()
    }

    /// Checks that no limit has ended the reading.
    ///
    /// # Errors
    ///
    /// Returns the limit if one was reached.
    pub fn check_limits(&self) -> Result<(), BoardError> {
        match self.allowance.reached() {
            Some(limit) => Err(self.cut_short(limit)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
