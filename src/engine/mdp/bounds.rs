//! Bounds on the probabilities of what the graph left open.
//!
//! A sweep keeps order: from larger values come larger ones. So where a sweep lowers no value of a
//! set, neither will any later one, and since all sweeps tend to the true values, the set lies
//! below them; and the other way round. This makes bounds out of a mere estimate: moved down and up
//! by a little and swept a few times, it shows by itself that it lies below and above.

use super::WIDTH;
use super::core::Core;
use super::estimate::Estimate;
use super::graph::Graph;
use super::operator::Operator;
use super::settle::Settled;
use crate::engine::{Limit, Limits};

/// How small the changes of an estimate must be, at the first attempt and at the others.
const TOLERANCES: [f64; 4] = [1e-8, 1e-9, 1e-10, 1e-12];
/// How many sweeps an estimate has to show that it makes bounds.
const TRIALS: usize = 50;
/// By how much a sweep may move a bound the wrong way: what its sums are rounded by.
const ROUNDING: f64 = 1e-15;

/// A lower and an upper value for each position.
pub(crate) type Pairs = Vec<[f64; 2]>;

/// Bounds from below and above on the probability to win.
#[derive(Debug)]
pub(super) struct Bounds {
    core: Core,
    values: Pairs,
}

impl Bounds {
    /// The bounds at `start` and wherever they are needed for them; with the limit that was reached
    /// before they met at `start`, if one was.
    pub(super) fn of(
        graph: &Graph,
        settled: &Settled,
        start: u32,
        limits: &Limits,
    ) -> (Self, Option<Limit>) {
        let core = Core::new(graph, settled);
        let (values, limit) = match estimated(&core, limits) {
            Ok(Some(values)) => (values, None),
            Ok(None) => (core.values([0.0, 1.0]), None),
            Err((limit, lower)) => (lower, Some(limit)),
        };
        let mut bounds = Self { core, values };
        let limit = limit.or_else(|| bounds.meet(start, limits).err());
        (bounds, limit)
    }

    /// The bounds at this id of the graph.
    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        self.values[self.core.place(id)]
    }

    /// Moves the bounds towards each other until they meet at `start`.
    fn meet(&mut self, start: u32, limits: &Limits) -> Result<(), Limit> {
        loop {
            let [lower, upper] = self.at(start);
            if upper - lower <= WIDTH {
                return Ok(());
            }
            limits.time_is_up().map_or(Ok(()), Err)?;
            let narrow = |(): &mut (), [lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
                [lower.max(low), upper.min(high)]
            };
            self.core.sweep(&mut self.values, 0, narrow);
        }
    }
}

/// Bounds that an estimate has led to, nowhere farther apart than [`WIDTH`]; `None` if it led to
/// none. With a limit, the bounds reached by then.
pub(crate) fn estimated<O: Operator>(
    operator: &O,
    limits: &Limits,
) -> Result<Option<Pairs>, (Limit, Pairs)> {
    let mut estimate = Estimate::new(operator);
    for tolerance in TOLERANCES {
        if let Err(limit) = estimate.refine(tolerance, limits) {
            let mut bounds = operator.values([0.0, 1.0]);
            if estimate.is_below() {
                let both = bounds.iter_mut().zip(&estimate.values);
                both.for_each(|([lower, _], [value])| *lower = *value);
            }
            return Err((limit, bounds));
        }
        let mut bounds = around(operator, &estimate.values);
        if proves_itself(operator, &mut bounds) {
            return Ok(Some(bounds));
        }
    }
    Ok(None)
}

/// These values moved down and up, but for those that are known.
fn around(operator: &impl Operator, values: &[[f64; 1]]) -> Pairs {
    let mut bounds = operator.values([0.0, 1.0]);
    for ([lower, upper], [value]) in bounds.iter_mut().zip(values) {
        *lower = lower.max(value - WIDTH / 2.0);
        *upper = upper.min(value + WIDTH / 2.0);
    }
    bounds
}

/// Whether these values turn out to be bounds, after a few sweeps.
fn proves_itself(operator: &impl Operator, bounds: &mut [[f64; 2]]) -> bool {
    let watch = |fails: &mut bool, [lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
        *fails |= low < lower - ROUNDING || high > upper + ROUNDING;
        [low, high]
    };
    (0..TRIALS).any(|nth| !operator.sweep(bounds, nth, watch).contains(&true))
}
