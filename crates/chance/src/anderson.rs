//! Anderson acceleration (Walker and Ni, *Anderson acceleration for fixed-point iterations*, 2011).
//!
//! Once sweeps have found the best choices, values change almost linearly from sweep to sweep. So their limit can be extrapolated
//! from a few rounds of sweeps. Nothing guarantees that it is right.

use std::collections::VecDeque;

use super::linear::{dot, eliminate};
use getaway_board::limits::{Budget, Limit, bytes};

const HISTORY: usize = 4;
/// If the changes grow by more than this factor, earlier rounds are dropped.
const MAX_GROWTH: f64 = 1.5;
const SAMPLE: usize = 7;
const LARGEST_SAMPLE: usize = 1 << 17;

/// The last rounds of an iteration, each with the values at its end and, for a sample of states, the changes in its last sweep.
#[derive(Debug)]
pub struct Anderson<'a> {
    budget: &'a Budget<'a>,
    last: Option<Round>,
    /// The differences between successive rounds, the latest first.
    differences: VecDeque<Difference>,
}

#[derive(Debug)]
struct Round {
    values: Vec<[f64; 1]>,
    changes: Vec<f64>,
}

#[derive(Debug)]
struct Difference {
    values: Vec<f32>,
    changes: Vec<f64>,
}

impl<'a> Anderson<'a> {
    /// Returns an empty history.
    pub const fn new(budget: &'a Budget<'a>) -> Self {
        Self {
            budget,
            last: None,
            differences: VecDeque::new(),
        }
    }

    /// Returns the values of a sample of the states. The changes for [`Self::note`] are the differences between two such samples.
    pub fn sample(values: &[[f64; 1]]) -> Vec<f64> {
        let sample = values.iter().step_by(stride(values.len()));
        sample.map(|[value]| *value).collect()
    }

    /// Records a round: the values at its end, and the changes of the sample in its last sweep. Drops earlier rounds if the
    /// changes have grown by more than [`MAX_GROWTH`].
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn note(&mut self, values: &[[f64; 1]], changes: Vec<f64>) -> Result<(), Limit> {
        let Some(last) = &mut self.last else {
            self.budget.take(max_bytes(values.len()))?;
            let values = values.to_vec();
            self.last = Some(Round { values, changes });
            return Ok(());
        };
        if norm(&changes) > MAX_GROWTH * norm(&last.changes) {
            self.differences.clear();
            last.values.copy_from_slice(values);
            last.changes = changes;
            return Ok(());
        }
        self.differences.truncate(HISTORY - 1);
        self.differences.push_front(last.replace(values, changes));
        Ok(())
    }

    /// Replaces the values with the combination of the rounds that a sweep would change least if it were linear. Its distance
    /// from the values grows by the share `bias` where it is above them, and shrinks by it where it is below. Returns false, and
    /// keeps the values, if there are too few rounds.
    pub fn extrapolate(&self, values: &mut [[f64; 1]], bias: f64) -> bool {
        let Some(last) = self.last.as_ref().filter(|_| !self.differences.is_empty()) else {
            return false;
        };
        let shares = least_squares(&self.differences, &last.changes);
        for (at, [value]) in values.iter_mut().enumerate() {
            let terms = self.differences.iter().zip(&shares);
            let change: f64 = terms
                .map(|(difference, share)| -share * f64::from(difference.values[at]))
                .sum();
            *value += change + bias * change.abs();
        }
        true
    }

    /// Forgets all rounds.
    pub fn clear(&mut self) {
        self.differences.clear();
        if let Some(last) = self.last.take() {
            self.budget.give_back(max_bytes(last.values.len()));
        }
    }
}

impl Round {
    fn replace(&mut self, values: &[[f64; 1]], changes: Vec<f64>) -> Difference {
        let new = values.iter().zip(&self.values);
        let by_state = new.map(|([new], [old])| (new - old) as f32).collect();
        let sample = changes
            .iter()
            .zip(&self.changes)
            .map(|(new, old)| new - old)
            .collect();
        self.values.copy_from_slice(values);
        self.changes = changes;
        Difference {
            values: by_state,
            changes: sample,
        }
    }
}

const fn stride(len: usize) -> usize {
    let stride = len / LARGEST_SAMPLE;
    if stride > SAMPLE { stride } else { SAMPLE }
}

/// Returns the maximum memory of a history.
pub(super) const fn max_bytes(len: usize) -> u64 {
    let differences = HISTORY as u64 * (bytes::<f32>(len) + sample_bytes(len));
    bytes::<f64>(len) + sample_bytes(len) + differences
}

pub(super) const fn sample_bytes(len: usize) -> u64 {
    2 * bytes::<f64>(len / stride(len) + 1)
}

fn norm(changes: &[f64]) -> f64 {
    dot(changes, changes).sqrt()
}

/// Returns the weights with which the differences' changes add up to `target` as closely as possible.
fn least_squares(differences: &VecDeque<Difference>, target: &[f64]) -> Vec<f64> {
    // This term keeps the equations solvable if the differences are nearly linearly dependent.
    const RIDGE: f64 = 1e-10;
    let row = |a: &Difference| {
        let mut row: Vec<f64> = differences
            .iter()
            .map(|b| dot(&a.changes, &b.changes))
            .collect();
        row.push(dot(&a.changes, target));
        row
    };
    let mut rows: Vec<Vec<f64>> = differences.iter().map(row).collect();
    for (at, row) in rows.iter_mut().enumerate() {
        row[at] *= 1.0 + RIDGE;
    }
    eliminate(rows)
}

#[cfg(test)]
#[path = "anderson_tests.rs"]
mod tests;
