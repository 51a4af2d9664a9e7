//! Leaps of rising values towards their limits.
//!
//! If the player can wait for a long time, upper bounds rise slowly: the gain of each round of sweeps is a constant share of the
//! previous gain, so later gains form a geometric series. A leap adds their whole sum at once (as Aitken's delta-squared process
//! does), and more. The leap proves nothing; the proof is a later sweep that raises no value.

use std::ops::RangeInclusive;

/// The ratios between successive gains that allow a leap: below them the limit is near, above them too uncertain.
const SHARES: RangeInclusive<f64> = 0.3..=0.99;

/// The maximum difference between two successive ratios for a leap.
const STEADY: f64 = 0.1;

/// Estimates the sum of all later gains as a multiple of the last one. `history` holds the sums of all values at the start or
/// after the last leap, and then after each round. Returns `None` if there are fewer than four sums, or if the ratios of the
/// gains don't allow a leap.
pub(super) fn rest(history: &[f64]) -> Option<f64> {
    let [.., first, second, third, last] = *history else {
        return None;
    };
    let before = (third - second) / (second - first);
    let share = (last - third) / (third - second);
    let is_steady = SHARES.contains(&share) && (share - before).abs() <= STEADY;
    is_steady.then(|| share / (1.0 - share))
}

#[cfg(test)]
#[path = "leap_tests.rs"]
mod tests;
