//! A fast estimate of all values, without any guarantee.
//!
//! Sweeps from 0 upwards soon find the best choices. From then on, values change almost linearly from sweep to sweep, so their
//! limit can be extrapolated from the last few changes (Anderson acceleration: Walker and Ni,
//! *Anderson acceleration for fixed-point iterations*, 2011). A bad extrapolation only costs time.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::linear::{dot, eliminate};
use getaway_board::limits::{Budget, Limit, bytes};

const ROUND: usize = 4;
const HISTORY: usize = 4;
/// Extrapolation begins when no value changes by more than this in a sweep.
const MAX_CHANGE_TO_EXTRAPOLATE: f64 = 1e-2;
const MAX_EXTRAPOLATIONS: usize = 200;
/// If the changes grow by more than this factor, earlier rounds are dropped.
const MAX_GROWTH: f64 = 1.5;
const SAMPLE: usize = 7;
const LARGEST_SAMPLE: usize = 1 << 17;

const fn stride(len: usize) -> usize {
    let stride = len / LARGEST_SAMPLE;
    if stride > SAMPLE { stride } else { SAMPLE }
}

/// The Bellman operator, which sweeps apply to the values of states. It has a single fixed point: each end component either is a
/// single state, or all its states get the value of the best exit in each sweep.
pub(crate) trait BellmanOperator: Sync {
    fn parts(&self) -> Vec<Range<usize>>;

    fn known(&self, state: usize) -> Option<f64>;

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// Updates each state of a part in the sweep with number `nth`. `change` takes the old value and the new one, and returns the
    /// value to keep. If a limit ends a sweep midway, bounds remain valid.
    fn sweep<const N: usize>(
        &self,
        values: &mut [[f64; N]],
        part: usize,
        nth: usize,
        budget: &Budget,
        change: impl Fn([f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<(), Limit>;

    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit> {
        let parts = self.parts();
        let mut values = budget.with_capacity(parts.iter().map(Range::len).sum())?;
        let value = |state| self.known(state).map_or(open, |value| [value; N]);
        values.extend(parts.into_iter().flatten().map(value));
        Ok(values)
    }
}

pub(super) struct Estimate<'a, O> {
    operator: &'a O,
    budget: &'a Budget<'a>,
    part: usize,
    states: Range<usize>,
    pub(super) values: &'a mut [[f64; 1]],
    last: Option<Round>,
    /// The differences between `last` and earlier rounds, the latest first.
    differences: VecDeque<Difference>,
    extrapolations: usize,
}

/// Returns the maximum memory of an estimate, excluding the values.
pub(super) const fn max_bytes(len: usize) -> u64 {
    rounds_bytes(len) + sample_bytes(len)
}

const fn rounds_bytes(len: usize) -> u64 {
    let differences = HISTORY as u64 * (bytes::<f32>(len) + sample_bytes(len));
    bytes::<f64>(len) + sample_bytes(len) + differences
}

const fn sample_bytes(len: usize) -> u64 {
    2 * bytes::<f64>(len / stride(len) + 1)
}

struct Round {
    values: Vec<[f64; 1]>,
    changes: Vec<f64>,
}

struct Difference {
    values: Vec<f32>,
    changes: Vec<f64>,
}

pub(super) struct Changes {
    pub(super) largest: f64,
    sample: Vec<f64>,
}

impl<'a, O: BellmanOperator> Estimate<'a, O> {
    pub(super) fn new(
        operator: &'a O,
        (part, states): (usize, Range<usize>),
        values: &'a mut [[f64; 1]],
        budget: &'a Budget<'a>,
    ) -> Result<Self, Limit> {
        budget.take(sample_bytes(states.len()))?;
        Ok(Self {
            operator,
            budget,
            part,
            states,
            values,
            last: None,
            differences: VecDeque::new(),
            extrapolations: 0,
        })
    }

    /// Returns whether the values are lower bounds, as they are until the first extrapolation.
    pub(super) const fn is_lower_bound(&self) -> bool {
        self.extrapolations == 0
    }

    pub(super) fn round(&mut self) -> Result<Changes, Limit> {
        for nth in 0..ROUND - 1 {
            self.sweep(nth, |_, new| new)?;
        }
        let before = self.sample();
        // Positive numbers have the same order as their bit patterns.
        let largest = AtomicU64::new(0);
        self.sweep(ROUND - 1, |[old], [new]| {
            let change = (new - old).abs().to_bits();
            if change > largest.load(Ordering::Relaxed) {
                largest.fetch_max(change, Ordering::Relaxed);
            }
            [new]
        })?;
        let sample = self.sample().into_iter().zip(before);
        Ok(Changes {
            largest: f64::from_bits(largest.into_inner()),
            sample: sample.map(|(new, old)| new - old).collect(),
        })
    }

    fn sweep(
        &mut self,
        nth: usize,
        change: impl Fn([f64; 1], [f64; 1]) -> [f64; 1] + Sync,
    ) -> Result<(), Limit> {
        self.operator
            .sweep(self.values, self.part, nth, self.budget, change)
    }

    fn sample(&self) -> Vec<f64> {
        let values = self.values[self.states.clone()].iter();
        let sample = values.step_by(stride(self.states.len()));
        sample.map(|[value]| *value).collect()
    }

    pub(super) fn may_extrapolate(&self, changes: &Changes) -> bool {
        changes.largest <= MAX_CHANGE_TO_EXTRAPOLATE && self.extrapolations < MAX_EXTRAPOLATIONS
    }

    /// Replaces the values with the combination of the last rounds that a sweep would change least if it were linear.
    pub(super) fn extrapolate(&mut self, changes: Changes) -> Result<(), Limit> {
        let values = &mut self.values[self.states.clone()];
        let changes = changes.sample;
        let Some(last) = &mut self.last else {
            self.budget.take(rounds_bytes(values.len()))?;
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
        self.extrapolations += 1;
        let shares = least_squares(&self.differences, &last.changes);
        for (difference, share) in self.differences.iter().zip(shares) {
            for ([value], change) in values.iter_mut().zip(&difference.values) {
                *value -= share * f64::from(*change);
            }
        }
        for [value] in values {
            *value = value.clamp(0.0, 1.0);
        }
        Ok(())
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
#[path = "estimate_tests.rs"]
mod tests;
