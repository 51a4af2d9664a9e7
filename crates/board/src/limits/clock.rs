use super::{Limit, Limits};

/// Counts work to decide when to check the time: often enough to stop promptly, at almost no cost.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'l> {
    limits: Limits<'l>,
    left: u64,
}

impl<'l> Clock<'l> {
    /// The units of work between two checks of the time.
    pub(crate) const PACE: u64 = 1 << 14;

    /// Creates a clock, which first checks the time as soon as work is counted.
    pub const fn new(limits: &Limits<'l>) -> Self {
        Self {
            limits: *limits,
            left: 0,
        }
    }

    /// Returns the limits.
    pub const fn limits(&self) -> &Limits<'l> {
        &self.limits
    }

    /// Counts `amount` units of work. A unit is a visit to a cell or an actor, a few nanoseconds.
    #[inline]
    pub fn work(&mut self, amount: u64) -> Result<(), Limit> {
        if amount < self.left {
            self.left -= amount;
            return Ok(());
        }
        self.left = Self::PACE;
        self.limits.check_time()
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
