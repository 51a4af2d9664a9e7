//! Leaps of rising values towards their limits.
//!
//! If the player can wait for a long time, upper bounds rise slowly: the gain of each round of sweeps is a constant
//! share of the previous gain, so later gains form a geometric series. A leap adds their whole sum at once, and more.
//! The leap proves nothing; the proof is a later sweep that raises no value.

use super::rounding::Kept;
use super::sweeps::Rising;
use crate::limits::{Budget, Limit};

/// The range of ratios between successive gains that allows a leap: below it the limit is near, above it too uncertain.
const SHARES: [f64; 2] = [0.3, 0.99];

/// The maximum difference between two successive ratios.
const STEADY: f64 = 0.1;

#[derive(Debug)]
pub(super) struct Leaps {
    /// The sum of all later gains is multiplied by this.
    far: f64,
    before: Vec<Kept>,
    series: Series,
}

impl Leaps {
    /// `worth` is the value of the start.
    pub(super) fn new(
        far: f64,
        (rising, worth): (&Rising, f64),
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

    /// Records a round and returns whether the values have leapt.
    pub(super) fn round(&mut self, rising: &mut Rising, worth: f64) -> bool {
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
    /// The latest value, its last gain, and the ratio of that gain to the one before.
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
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_geometric_series_is_known_when_its_share_is() {
        // The gains are 1/2, 1/4 and 1/8: the rest equals the last gain.
        let mut series = Series::new(0.0);
        let rests = [0.5, 0.75, 0.875].map(|worth| series.rest(worth));
        assert_eq!(rests, [None, None, Some(1.0)]);
    }

    #[test]
    fn where_gains_grow_or_end_nothing_is_said_of_the_rest() {
        for values in [[0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.4, 0.8], [0.5; 4]] {
            let mut series = Series::new(0.0);
            let rests = values.map(|worth| series.rest(worth));
            assert_eq!(rests, [None; 4], "{values:?}");
        }
    }
}
