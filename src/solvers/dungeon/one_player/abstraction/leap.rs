//! Leaps of rising values towards their limits.
//!
//! If the player can wait for a long time, upper bounds rise slowly: the gain of each round of sweeps is a constant
//! share of the previous gain, so later gains form a geometric series. A leap adds their whole sum at once, and more.
//! The leap proves nothing; the proof is a later sweep that raises no value.

use super::rounding::Upper;
use super::sweeps::Rising;
use crate::limits::{Budget, Limit};

/// The range of ratios between successive gains that allows a leap: below it the limit is near, above it too uncertain.
const SHARES: [f64; 2] = [0.3, 0.99];

/// The maximum difference between two successive ratios for a leap.
const STEADY: f64 = 0.1;

#[derive(Debug)]
pub(super) struct Leaps {
    /// The factor by which the sum of all later gains is multiplied.
    far: f64,
    before: Vec<Upper>,
    series: Series,
}

impl Leaps {
    /// Prepares leaps; `worth` is the value at the start.
    pub(super) fn new(
        far: f64,
        (rising, worth): (&Rising<Upper>, f64),
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut before = budget.with_capacity(rising.values.len())?;
        before.extend_from_slice(&rising.values);
        Ok(Self {
            far,
            before,
            series: Series::new(worth),
        })
    }

    pub(super) fn round(&mut self, rising: &mut Rising<Upper>, worth: f64) -> bool {
        let rest = self.series.rest(worth);
        if let Some(times) = rest {
            rising.leap(&self.before, self.far * times);
        }
        self.before.copy_from_slice(&rising.values);
        rest.is_some()
    }

    pub(super) fn begin(&mut self, worth: f64) {
        self.series = Series::new(worth);
    }

    pub(super) fn free(self, budget: &Budget) {
        budget.free(self.before);
    }
}

#[derive(Debug)]
struct Series {
    worth: f64,
    gain: Option<f64>,
    share: Option<f64>,
}

impl Series {
    const fn new(worth: f64) -> Self {
        Self {
            worth,
            gain: None,
            share: None,
        }
    }

    /// Estimates the sum of all later gains as a multiple of the last one.
    fn rest(&mut self, worth: f64) -> Option<f64> {
        let gain = worth - self.worth;
        let share = self.gain.map(|last| gain / last);
        let is_steady = |share: &f64| {
            let [least, most] = SHARES;
            let differs = |last: f64| (share - last).abs() > STEADY;
            (least..=most).contains(share) && !self.share.is_none_or(differs)
        };
        let steady = share.filter(is_steady);
        (self.worth, self.gain, self.share) = (worth, Some(gain), share);
        steady.map(|share| share / (1.0 - share))
    }
}

#[cfg(test)]
mod tests;
