//! A quick guess at all probabilities: good, but without any guarantee.
//!
//! Sweeps from 0 upwards find out soon which choices are best. From then on the values follow
//! nearly linear laws, and what many more sweeps would lead to can be guessed from the changes in
//! the last few (Anderson's acceleration). A guess that makes things worse does no harm but to
//! time.

use std::collections::VecDeque;

use super::core::Core;
use crate::engine::{Limit, Limits};

/// How many sweeps are made between two extrapolations.
const ROUND: usize = 4;
/// How many earlier rounds an extrapolation looks back to.
const DEPTH: usize = 3;
/// Extrapolation begins when no value changes by more than this in a sweep.
const CALM: f32 = 1e-3;
/// If the changes have grown by this factor, earlier rounds are no guide any more.
const WORSE: f64 = 1.5;

/// A guess at all probabilities.
pub(super) struct Estimate<'a> {
    core: &'a Core,
    pub(super) values: Vec<[f64; 1]>,
    /// The round before, if it is a guide.
    last: Option<Round>,
    /// How the rounds before that differed, each from the one before.
    differences: VecDeque<Difference>,
    is_extrapolated: bool,
}

/// The values of all choices after a round, and how its last sweep has changed them. (What luck
/// decides follows from these.)
struct Round {
    values: Vec<f64>,
    changes: Vec<f32>,
}

/// How one round differed from the one before.
struct Difference {
    values: Vec<f32>,
    changes: Vec<f32>,
}

impl<'a> Estimate<'a> {
    pub(super) fn new(core: &'a Core) -> Self {
        Self {
            core,
            values: core.values([0.0]),
            last: None,
            differences: VecDeque::new(),
            is_extrapolated: false,
        }
    }

    /// Whether the values are still bounds from below.
    pub(super) const fn is_below(&self) -> bool {
        !self.is_extrapolated
    }

    /// Goes on until no choice changes by more than `tolerance` in a sweep.
    pub(super) fn refine(&mut self, tolerance: f32, limits: &Limits) -> Result<(), Limit> {
        loop {
            for _ in 1..ROUND {
                limits.time_is_up().map_or(Ok(()), Err)?;
                self.core.sweep(&mut self.values, |_, new| new);
            }
            let round = self.last_sweep();
            let largest = round
                .changes
                .iter()
                .fold(0.0, |largest: f32, change| largest.max(change.abs()));
            if largest <= tolerance {
                return Ok(());
            }
            if largest <= CALM {
                self.extrapolate(round);
            }
        }
    }

    fn last_sweep(&mut self) -> Round {
        let before = self.choices();
        self.core.sweep(&mut self.values, |_, new| new);
        let values = self.choices();
        let changes = values
            .iter()
            .zip(&before)
            .map(|(new, old)| (new - old) as f32)
            .collect();
        Round { values, changes }
    }

    fn choices(&self) -> Vec<f64> {
        self.core
            .choices()
            .flat_map(|ids| &self.values[ids])
            .map(|&[value]| value)
            .collect()
    }

    /// Replaces the values by those from which, if differences between rounds were a guide, the
    /// next sweep would change as little as possible.
    fn extrapolate(&mut self, round: Round) {
        if let Some(last) = self.last.take() {
            if norm(&round.changes) > WORSE * norm(&last.changes) {
                self.differences.clear();
            } else {
                self.differences.truncate(DEPTH - 1);
                self.differences.push_front(Difference::of(&round, &last));
                let shares = least_squares(&self.differences, &round.changes);
                self.shift(&shares);
            }
        }
        self.last = Some(round);
    }

    /// Takes these shares of the differences away.
    fn shift(&mut self, shares: &[f64]) {
        self.is_extrapolated = true;
        let mut first = 0;
        for ids in self.core.choices() {
            let choices = first..first + ids.len();
            first = choices.end;
            let values = &mut self.values[ids];
            for (difference, share) in self.differences.iter().zip(shares) {
                for ([value], change) in values.iter_mut().zip(&difference.values[choices.clone()])
                {
                    *value -= share * f64::from(*change);
                }
            }
            for [value] in values {
                *value = value.clamp(0.0, 1.0);
            }
        }
        self.core.sweep_luck(&mut self.values);
    }
}

impl Difference {
    fn of(round: &Round, last: &Round) -> Self {
        let values = round.values.iter().zip(&last.values);
        let changes = round.changes.iter().zip(&last.changes);
        Self {
            values: values.map(|(new, old)| (new - old) as f32).collect(),
            changes: changes.map(|(new, old)| new - old).collect(),
        }
    }
}

fn norm(changes: &[f32]) -> f64 {
    dot(changes, changes).sqrt()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    // Eight sums side by side are quicker than one.
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += f64::from(*a) * f64::from(*b);
        }
    }
    sums.iter().sum()
}

/// The shares of the differences' changes that add up to `target` as nearly as possible.
fn least_squares(differences: &VecDeque<Difference>, target: &[f32]) -> Vec<f64> {
    // What keeps the equations solvable if the differences are nearly alike.
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
/// positive, so no row need be exchanged; an unknown that nothing depends on is 0.
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
