//! Bounds on the probabilities of what the graph left open.
//!
//! A sweep keeps order: from larger values come larger ones. So where a sweep lowers no value of a
//! set, neither will any later one, and since all sweeps tend to the true values, the set lies
//! below them; and the other way round. This makes bounds out of a mere estimate: moved down and up
//! by a little and swept a few times, it shows by itself that it lies below and above.

use super::core::Core;
use super::estimate::Estimate;
use super::graph::Graph;
use super::operator::Operator;
use super::settle::Settled;
use super::{WIDTH, within_reason};
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
        let is_sound = |values: &Pairs| within_reason(values[core.place(start)]).is_some();
        let (values, limit) = match estimated(&core, limits) {
            Ok(Some(values)) if is_sound(&values) => (values, None),
            Ok(_) => (core.values([0.0, 1.0]), None),
            Err((limit, lower)) => (lower, Some(limit)),
        };
        let mut bounds = Self { core, values };
        let limit = limit.or_else(|| bounds.meet(start, limits).err());
        (bounds, limit)
    }

    /// The bounds at this id of the graph.
    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        let bounds = within_reason(self.values[self.core.place(id)]);
        bounds.expect("an estimate was looked at, and sweeps from 0 and 1 stay between them")
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
            let both = bounds.iter_mut().zip(estimate.below());
            both.for_each(|([lower, _], [value])| *lower = lower.max(*value));
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    /// A single position: each turn the player wins once in a thousand times and loses as often.
    struct Slow {
        sweeps: AtomicUsize,
        /// After how many sweeps someone says stop.
        patience: usize,
        stop: AtomicBool,
    }

    impl Operator for Slow {
        fn values<const N: usize>(&self, open: [f64; N]) -> Vec<[f64; N]> {
            vec![open]
        }

        fn sweep<const N: usize, T: Default + Send>(
            &self,
            values: &mut [[f64; N]],
            _nth: usize,
            change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
        ) -> Vec<T> {
            let sweeps = self.sweeps.fetch_add(1, Ordering::Relaxed) + 1;
            self.stop.store(sweeps >= self.patience, Ordering::Relaxed);
            let mut note = T::default();
            let new = values[0].map(|value| 0.001 + 0.998 * value);
            values[0] = change(&mut note, values[0], new);
            vec![note]
        }
    }

    fn stopped_after(patience: usize) -> Result<Option<Pairs>, (Limit, Pairs)> {
        let slow = Slow {
            sweeps: AtomicUsize::new(0),
            patience,
            stop: AtomicBool::new(false),
        };
        let limits = Limits {
            stop: Some(&slow.stop),
            ..Limits::default()
        };
        estimated(&slow, &limits)
    }

    #[test]
    fn an_estimate_becomes_bounds() {
        let bounds = stopped_after(usize::MAX).unwrap().unwrap();
        let [lower, upper] = bounds[0];
        assert!(lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH);
    }

    #[test]
    fn a_limit_leaves_the_bounds_reached_even_after_an_extrapolation() {
        // What n sweeps from 0 lead to.
        let after = |sweeps: i32| 0.5 * (1.0 - 0.998_f64.powi(sweeps));
        // The first extrapolation comes after two rounds of four sweeps.
        for (patience, sweeps) in [(1, 1), (6, 6), (10, 8)] {
            let (limit, bounds) = stopped_after(patience).unwrap_err();
            let [lower, upper] = bounds[0];
            assert_eq!((limit, upper), (Limit::Interrupt, 1.0));
            assert!((lower - after(sweeps)).abs() < 1e-12, "{patience}: {lower}");
        }
    }
}
