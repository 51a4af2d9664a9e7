//! Bounds on the probabilities of what the graph left open.
//!
//! A sweep keeps order: from larger values come larger ones. So where a sweep lowers no value of a
//! set, neither will any later one, and since all sweeps tend to the true values, the set lies
//! below them; and the other way round. This makes bounds out of a mere estimate: moved down and up
//! by a little and swept a few times, it shows by itself that it lies below and above.

use super::core::Core;
use super::estimate::{self, Estimate};
use super::graph::Graph;
use super::operator::Operator;
use super::settle::Settled;
use super::{WIDTH, within_reason};
use crate::limits::{Budget, Limit, bytes};

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
    /// Bounds that meet at `start`, and wherever they are needed for that; or the limit that was
    /// reached before, and the bounds at `start` that were proven by then.
    pub(super) fn of(
        graph: &Graph,
        settled: &Settled,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, (Limit, [f64; 2])> {
        let mut known = [0.0, 1.0];
        let bounds = Core::new(graph, settled, start, budget)
            .and_then(|core| Self::find(core, &mut known, budget));
        bounds.map_err(|limit| (limit, known))
    }

    fn find(core: Core, known: &mut [f64; 2], budget: &Budget) -> Result<Self, Limit> {
        let is_sound = |values: &Pairs| within_reason(core.first(values)).is_some();
        let values = match estimated(&core, known, budget)? {
            Some(values) if is_sound(&values) => values,
            Some(values) => {
                *known = [0.0, 1.0];
                budget.drop_list(values);
                core.values([0.0, 1.0], budget)?
            }
            None => core.values([0.0, 1.0], budget)?,
        };
        let mut bounds = Self { core, values };
        bounds.meet(known, budget)?;
        Ok(bounds)
    }

    /// The bounds at this id of the graph.
    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        self.values[self.core.place(id)]
    }

    /// Moves the bounds towards each other until they meet at the first position.
    fn meet(&mut self, known: &mut [f64; 2], budget: &Budget) -> Result<(), Limit> {
        loop {
            let [lower, upper] = self.core.first(&self.values);
            *known = [known[0].max(lower), known[1].min(upper)];
            if upper - lower <= WIDTH {
                return Ok(());
            }
            let narrow = |(): &mut (), [lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
                [lower.max(low), upper.min(high)]
            };
            self.core.sweep(&mut self.values, 0, budget, narrow)?;
        }
    }
}

/// How much memory [`estimated`] takes for so many positions at most, in bytes.
pub(crate) const fn most_bytes(len: usize) -> u64 {
    estimate::most_bytes(len) + bytes::<[f64; 2]>(len)
}

/// Bounds that an estimate has led to, nowhere farther apart than [`WIDTH`]; `None` if it led to
/// none. Whatever is proven of the first position on the way, `known` tells.
pub(crate) fn estimated<O: Operator>(
    operator: &O,
    known: &mut [f64; 2],
    budget: &Budget,
) -> Result<Option<Pairs>, Limit> {
    let taken = budget.taken();
    let mut trial = Trial {
        operator,
        budget,
        known,
    };
    let bounds = trial.refine()?;
    budget.back_to(
        taken
            + bounds
                .as_ref()
                .map_or(0, |bounds| bytes::<[f64; 2]>(bounds.len())),
    );
    Ok(bounds)
}

/// An estimate put to the test.
struct Trial<'a, O> {
    operator: &'a O,
    budget: &'a Budget<'a>,
    /// The bounds at the first position that are proven.
    known: &'a mut [f64; 2],
}

impl<O: Operator> Trial<'_, O> {
    /// Makes the estimate better until it proves itself.
    fn refine(&mut self) -> Result<Option<Pairs>, Limit> {
        let mut estimate = Estimate::new(self.operator, self.budget)?;
        for tolerance in TOLERANCES {
            self.go_on(&mut estimate, tolerance)?;
            let bounds = self.around(&estimate.values)?;
            if let Some(bounds) = self.test(bounds)? {
                return Ok(Some(bounds));
            }
        }
        Ok(None)
    }

    fn go_on(&mut self, estimate: &mut Estimate<O>, tolerance: f64) -> Result<(), Limit> {
        let result = estimate.refine(tolerance);
        let [lower] = self.operator.first(estimate.below());
        self.known[0] = self.known[0].max(lower);
        result
    }

    /// These values moved down and up, but for those that are known.
    fn around(&self, values: &[[f64; 1]]) -> Result<Pairs, Limit> {
        let mut bounds = self.operator.values([0.0, 1.0], self.budget)?;
        for ([lower, upper], [value]) in bounds.iter_mut().zip(values) {
            *lower = lower.max(value - WIDTH / 2.0);
            *upper = upper.min(value + WIDTH / 2.0);
        }
        Ok(bounds)
    }

    /// These values, if after a few sweeps they turn out to be bounds. What turns out to be bounds
    /// on one side alone is noted.
    fn test(&mut self, mut bounds: Pairs) -> Result<Option<Pairs>, Limit> {
        let watch = |fails: &mut [bool; 2], [lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
            fails[0] |= low < lower - ROUNDING;
            fails[1] |= high > upper + ROUNDING;
            [low, high]
        };
        for nth in 0..TRIALS {
            let notes = self.operator.sweep(&mut bounds, nth, self.budget, watch)?;
            let [below, above] = [0, 1].map(|side| !notes.iter().any(|fails| fails[side]));
            let [lower, upper] = self.operator.first(&bounds);
            if below {
                self.known[0] = self.known[0].max(lower);
            }
            if above {
                self.known[1] = self.known[1].min(upper);
            }
            if below && above {
                return Ok(Some(bounds));
            }
        }
        self.budget.drop_list(bounds);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::limits::Limits;

    /// A walk of luck along a line, lost at one end and won at the other; each turn it stays where
    /// it is with this probability.
    struct Line {
        len: usize,
        idle: f64,
        sweeps: AtomicUsize,
        /// After how many sweeps someone says stop.
        patience: usize,
        stop: AtomicBool,
    }

    impl Operator for Line {
        fn len(&self) -> usize {
            self.len
        }

        fn first<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
            values[self.len / 2]
        }

        fn values<const N: usize>(
            &self,
            open: [f64; N],
            budget: &Budget,
        ) -> Result<Vec<[f64; N]>, Limit> {
            budget.filled(open, self.len)
        }

        fn sweep<const N: usize, T: Default + Send>(
            &self,
            values: &mut [[f64; N]],
            _nth: usize,
            budget: &Budget,
            change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
        ) -> Result<Vec<T>, Limit> {
            budget.limits.check_time()?;
            if self.sweeps.fetch_add(1, Ordering::Relaxed) + 1 >= self.patience {
                self.stop.store(true, Ordering::Relaxed);
            }
            let mut note = T::default();
            for at in 0..self.len {
                let left = at.checked_sub(1).map_or([0.0; N], |left| values[left]);
                let right = values.get(at + 1).copied().unwrap_or([1.0; N]);
                let old = values[at];
                let new = std::array::from_fn(|side| {
                    self.idle * old[side] + (1.0 - self.idle) * (left[side] + right[side]) / 2.0
                });
                values[at] = change(&mut note, old, new);
            }
            Ok(vec![note])
        }
    }

    /// What is found within so many sweeps, and what is known then.
    fn stopped_after(
        (len, idle): (usize, f64),
        patience: usize,
    ) -> (Result<Option<Pairs>, Limit>, [f64; 2]) {
        let line = Line {
            len,
            idle,
            sweeps: AtomicUsize::new(0),
            patience,
            stop: AtomicBool::new(false),
        };
        let limits = Limits {
            stop: Some(&line.stop),
            ..Limits::default()
        };
        let mut known = [0.0, 1.0];
        let found = estimated(&line, &mut known, &Budget::new(&limits));
        (found, known)
    }

    /// One position, at which something happens twice in a thousand turns.
    const SLOW: (usize, f64) = (1, 0.998);

    #[test]
    fn an_estimate_becomes_bounds() {
        let (found, known) = stopped_after(SLOW, usize::MAX);
        let [lower, upper] = found.unwrap().unwrap()[0];
        assert!(lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH);
        assert_eq!(known.map(f64::to_bits), [lower, upper].map(f64::to_bits));
    }

    #[test]
    fn a_limit_leaves_the_bounds_reached_even_after_an_extrapolation() {
        // What n sweeps from 0 lead to.
        let after = |sweeps: i32| 0.5 * (1.0 - 0.998_f64.powi(sweeps));
        // The first extrapolation comes after two rounds of four sweeps.
        for (patience, sweeps) in [(1, 1), (6, 6), (10, 8)] {
            let (found, [lower, upper]) = stopped_after(SLOW, patience);
            assert_eq!((found, upper), (Err(Limit::Interrupt), 1.0));
            assert!((lower - after(sweeps)).abs() < 1e-12, "{patience}: {lower}");
        }
    }

    #[test]
    fn bounds_from_below_rise_even_while_there_are_extrapolations() {
        let lower = |patience| {
            let (found, [lower, upper]) = stopped_after((301, 0.9), patience);
            assert_eq!(found, Err(Limit::Interrupt));
            assert!(lower <= 0.5 && 0.5 <= upper, "{lower} {upper}");
            lower
        };
        let lowers = [8000, 16_000, 32_000].map(lower);
        assert!(lowers.is_sorted_by(|a, b| a < b), "{lowers:?}");
    }
}
