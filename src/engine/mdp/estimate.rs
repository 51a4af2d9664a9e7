//! A quick estimate of all values: good, but without any guarantee.
//!
//! Sweeps from 0 upwards soon find the best choices. From then on the values change almost
//! linearly, and their limit can be extrapolated from the last few changes (Anderson acceleration).
//! An extrapolation that makes things worse costs nothing but time.

use std::collections::VecDeque;

use super::bellman::BellmanOperator;
use crate::limits::{Budget, Limit, bytes};

/// How many sweeps are made between two extrapolations.
const ROUND: usize = 4;
/// How many earlier rounds an extrapolation looks back to.
const DEPTH: usize = 4;
/// Extrapolation begins when no value changes by more than this in a sweep.
const CALM: f64 = 1e-2;
/// The most extrapolations: plain sweeps converge in any case.
const MAX_EXTRAPOLATIONS: usize = 200;
/// If the changes have grown by this factor, earlier rounds are dropped.
const WORSE: f64 = 1.5;
/// Once there are extrapolations, the lower bounds are swept once in so many rounds.
const PROOF: usize = 8;
/// The changes of one state of so many are a sample of all.
const SAMPLE: usize = 7;
/// The largest sample that is needed.
const LARGEST_SAMPLE: usize = 1 << 20;

/// Of how many states, if there are `len`, one belongs to the sample.
const fn stride(len: usize) -> usize {
    let stride = len / LARGEST_SAMPLE;
    if stride > SAMPLE { stride } else { SAMPLE }
}

/// An estimate of all values.
pub(super) struct Estimate<'a, O> {
    operator: &'a O,
    budget: &'a Budget<'a>,
    pub(super) values: Vec<[f64; 1]>,
    /// The last round, once there is one to extrapolate from.
    last: Option<Round>,
    /// The differences between it and the rounds before, the latest first.
    differences: VecDeque<Difference>,
    /// How many extrapolations there were.
    extrapolations: usize,
    /// The lower bounds: the values before the first extrapolation, and swept a few times since.
    below: Option<Vec<[f64; 1]>>,
    /// How many rounds there were.
    rounds: usize,
}

/// How much memory an estimate takes for so many states at most, extrapolations included.
pub(super) const fn max_bytes(len: usize) -> u64 {
    // The values, the lower bounds and a sample; a growing list may have twice the room it needs.
    2 * bytes::<f64>(len) + rounds_bytes(len) + sample_bytes(len)
}

/// How much the rounds that an extrapolation looks back to take.
const fn rounds_bytes(len: usize) -> u64 {
    let differences = DEPTH as u64 * (bytes::<f32>(len) + sample_bytes(len));
    bytes::<f64>(len) + sample_bytes(len) + differences
}

/// How much a sample of changes takes.
const fn sample_bytes(len: usize) -> u64 {
    2 * bytes::<f64>(len / stride(len) + 1)
}

/// All values after a round, and how its last sweep has changed a sample of them.
struct Round {
    values: Vec<[f64; 1]>,
    changes: Vec<f64>,
}

/// The difference between two rounds.
struct Difference {
    values: Vec<f32>,
    changes: Vec<f64>,
}

/// What is noted of a sweep's changes.
#[derive(Default)]
struct Changes {
    largest: f64,
    count: usize,
    sample: Vec<f64>,
}

impl Changes {
    fn note(&mut self, stride: usize, [old]: [f64; 1], [new]: [f64; 1]) -> [f64; 1] {
        let change = new - old;
        self.largest = self.largest.max(change.abs());
        if self.count.is_multiple_of(stride) {
            self.sample.push(change);
        }
        self.count += 1;
        [new]
    }
}

impl<'a, O: BellmanOperator> Estimate<'a, O> {
    pub(super) fn new(operator: &'a O, budget: &'a Budget<'a>) -> Result<Self, Limit> {
        budget.take(sample_bytes(operator.len()))?;
        Ok(Self {
            operator,
            budget,
            values: operator.values([0.0], budget)?,
            last: None,
            differences: VecDeque::new(),
            extrapolations: 0,
            below: None,
            rounds: 0,
        })
    }

    /// The best lower bounds so far: an extrapolation may overshoot.
    pub(super) fn below(&self) -> &[[f64; 1]] {
        self.below.as_ref().unwrap_or(&self.values)
    }

    /// Sweeps and extrapolates until no value changes by more than `tolerance` in a sweep, and says whether it has
    /// come to that within so many rounds in all.
    pub(super) fn refine(&mut self, tolerance: f64, most_rounds: usize) -> Result<bool, Limit> {
        while self.rounds < most_rounds {
            for nth in 0..ROUND - 1 {
                let keep = |(): &mut (), _, new| new;
                self.operator
                    .sweep(&mut self.values, nth, self.budget, keep)?;
            }
            let (largest, changes) = self.last_sweep()?;
            if largest <= tolerance {
                return Ok(true);
            }
            if largest <= CALM && self.extrapolations < MAX_EXTRAPOLATIONS {
                self.extrapolate(changes)?;
            }
            self.rounds += 1;
            if self.rounds.is_multiple_of(PROOF) {
                self.raise()?;
            }
        }
        Ok(false)
    }

    /// Sweeps the lower bounds once.
    fn raise(&mut self) -> Result<(), Limit> {
        let Some(below) = &mut self.below else {
            return Ok(());
        };
        let keep = |(): &mut (), _, new| new;
        let nth = self.rounds / PROOF;
        self.operator.sweep(below, nth, self.budget, keep)?;
        Ok(())
    }

    /// Sweeps once; returns the largest change and a sample of all.
    fn last_sweep(&mut self) -> Result<(f64, Vec<f64>), Limit> {
        let stride = stride(self.values.len());
        let note = |changes: &mut Changes, old, new| changes.note(stride, old, new);
        let values = &mut self.values;
        let changes = self.operator.sweep(values, ROUND - 1, self.budget, note)?;
        let largest = changes.iter().map(|changes| changes.largest);
        let largest = largest.fold(0.0, f64::max);
        let samples = changes.into_iter().flat_map(|changes| changes.sample);
        Ok((largest, samples.collect()))
    }

    /// Replaces the values by the combination of the last rounds from which a sweep would change
    /// the sample least, if it were linear.
    fn extrapolate(&mut self, changes: Vec<f64>) -> Result<(), Limit> {
        let Some(last) = &mut self.last else {
            self.budget.take(rounds_bytes(self.values.len()))?;
            let values = self.values.clone();
            self.last = Some(Round { values, changes });
            return Ok(());
        };
        if norm(&changes) > WORSE * norm(&last.changes) {
            self.differences.clear();
            last.values.copy_from_slice(&self.values);
            last.changes = changes;
            return Ok(());
        }
        self.differences.truncate(DEPTH - 1);
        let difference = last.replace(&self.values, changes);
        self.differences.push_front(difference);
        let shares = least_squares(&self.differences, &last.changes);
        self.shift(&shares)
    }

    /// Subtracts these shares of the differences.
    fn shift(&mut self, shares: &[f64]) -> Result<(), Limit> {
        self.extrapolations += 1;
        if self.below.is_none() {
            self.budget.take(bytes::<f64>(self.values.len()))?;
            self.below = Some(self.values.clone());
        }
        for (difference, share) in self.differences.iter().zip(shares) {
            for ([value], change) in self.values.iter_mut().zip(&difference.values) {
                *value -= share * f64::from(*change);
            }
        }
        for [value] in &mut self.values {
            *value = value.clamp(0.0, 1.0);
        }
        Ok(())
    }
}

impl Round {
    /// Becomes the next round; returns the difference.
    fn replace(&mut self, values: &[[f64; 1]], changes: Vec<f64>) -> Difference {
        let differences = self.values.iter_mut().zip(values).map(|(old, new)| {
            let difference = (new[0] - old[0]) as f32;
            *old = *new;
            difference
        });
        let values = differences.collect();
        let differences = changes
            .iter()
            .zip(&self.changes)
            .map(|(new, old)| new - old);
        let differences = differences.collect();
        self.changes = changes;
        Difference {
            values,
            changes: differences,
        }
    }
}

fn norm(changes: &[f64]) -> f64 {
    dot(changes, changes).sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Eight sums side by side are quicker than one.
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

/// The shares of the differences' changes that add up to `target` as nearly as possible.
fn least_squares(differences: &VecDeque<Difference>, target: &[f64]) -> Vec<f64> {
    // Keeps the equations solvable if the differences are nearly linearly dependent.
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
    solve(rows)
}

/// Solves linear equations, each a row of coefficients with the right side last. The matrix is
/// positive semidefinite, so no pivoting is needed; an unknown with a zero pivot is 0.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    for at in 0..rows.len() {
        let pivot = rows[at].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            if other != at && pivot[at] > 0.0 {
                let factor = row[at] / pivot[at];
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(to, from)| *to -= factor * from);
            }
        }
    }
    let value = |(at, row): (usize, &Vec<f64>)| {
        if row[at] > 0.0 {
            row[rows.len()] / row[at]
        } else {
            0.0
        }
    };
    rows.iter().enumerate().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_and_what_nothing_depends_on_is_0() {
        let near = |rows: &[[f64; 3]], wanted: [f64; 2]| {
            let found = solve(rows.iter().map(|row| row.to_vec()).collect());
            assert_eq!(found.len(), 2);
            let errors = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
            assert!(errors.fold(0.0, f64::max) < 1e-12, "{found:?}");
        };
        // 2x + y = 3 and x + 3y = 5.
        near(&[[2.0, 1.0, 3.0], [1.0, 3.0, 5.0]], [0.8, 1.4]);
        near(&[[0.0, 0.0, 0.0], [0.0, 4.0, 2.0]], [0.0, 0.5]);
    }

    #[test]
    fn a_sample_has_one_state_in_seven_and_does_not_grow_too_large() {
        assert_eq!([0, 1000, 7 << 20, 20 << 20].map(stride), [7, 7, 7, 20]);
    }
}
