//! The probabilities of a draw as whole-number weights, and weighted means.

use getaway_ruleset::distribution::Distribution;

/// The error for a draw whose probabilities can't be written as fractions that have small denominators, have a common denominator
/// below 2^64, and sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the probabilities of a draw have no common denominator below 2^64")]
pub struct InexactError;

pub(super) fn weights<T>(outcomes: &Distribution<T>) -> Result<(Vec<u64>, u64), InexactError> {
    let mut fractions: Vec<(u64, u64)> = Vec::new();
    let (mut total, mut last) = (1_u64, f64::NAN);
    for &(_, share) in outcomes.iter() {
        let same = fractions
            .last()
            .filter(|_| share.to_bits() == last.to_bits());
        let next = same
            .copied()
            .or_else(|| fraction(share))
            .ok_or(InexactError)?;
        if same.is_none() {
            let more = next.1 / common_divisor(total, next.1);
            total = total.checked_mul(more).ok_or(InexactError)?;
        }
        fractions.push(next);
        last = share;
    }
    let weights: Vec<u64> = fractions
        .iter()
        .map(|(above, below)| above * (total / below))
        .collect();
    let sum: u128 = weights.iter().copied().map(u128::from).sum();
    if sum == u128::from(total) {
        Ok((weights, total))
    } else {
        Err(InexactError)
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// Returns the fraction that was rounded to this probability, the first convergent of its continued fraction within 2^-50; `None`
/// if its denominator would exceed 2^24. Two different fractions with denominators up to 2^24 are at least 2^-48 apart, so no
/// other one is as close.
fn fraction(share: f64) -> Option<(u64, u64)> {
    const NEAR: f64 = 1.0 / (1_u64 << 50) as f64;
    const MAX: u64 = 1 << 24;
    let (mut before, mut last) = ((0, 1), (1, 0));
    let mut rest = share;
    loop {
        let whole = rest.floor() as u64;
        let next = (whole * last.0 + before.0, whole * last.1 + before.1);
        if next.1 > MAX {
            return None;
        }
        if (next.0 as f64 / next.1 as f64 - share).abs() < NEAR {
            return Some(next);
        }
        (before, last) = (last, next);
        rest = 1.0 / (rest - rest.floor());
        if rest > MAX as f64 {
            return None;
        }
    }
}

/// Returns the mean of values, each with its weight, rounded down. `total` is the sum of the weights.
pub fn mean_below(draw: impl Iterator<Item = (u64, u64)>, total: u64) -> u64 {
    (sum(draw) / u128::from(total)) as u64
}

/// Returns the same mean as [`mean_below`], rounded up.
pub fn mean_above(draw: impl Iterator<Item = (u64, u64)>, total: u64) -> u64 {
    sum(draw).div_ceil(u128::from(total)) as u64
}

fn sum(draw: impl Iterator<Item = (u64, u64)>) -> u128 {
    // Weights sum to less than 2^64 and values are at most `ONE`, so this does not overflow.
    draw.map(|(weight, value)| u128::from(weight) * u128::from(value))
        .sum()
}

#[cfg(test)]
#[path = "weights_tests.rs"]
mod tests;
