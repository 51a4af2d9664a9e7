//! Bounds on values that prove themselves: fixed points of the slanted Bellman operator, with a slant that gets
//! smaller until the bounds meet.

use super::bellman::BellmanOperator;
use super::krylov::{self, Krylov};
use super::policy_iteration::{Found, PolicyIteration};
use crate::limits::{Budget, Limit, bytes};

/// How far apart the bounds may be at the initial node when they count as met.
pub const WIDTH: f64 = 4e-7;

/// The first slant; how much smaller the next one is at most, and at least.
const FIRST_SLANT: f64 = 1e-9;
const SMALLER: [f64; 2] = [1e-4, 0.1];
/// What part of the width the bounds should be apart.
const AIM: f64 = 0.4;
/// How many times the rounding a slant must be.
const CLEAR: f64 = 4.0;

/// By how much rounding may falsify a bound.
const NOISE: f64 = 1e-9;

/// These bounds on a probability, clear of rounding; `None` if they contradict themselves, which
/// would be a bug.
pub(crate) fn checked_bounds([lower, upper]: [f64; 2]) -> Option<[f64; 2]> {
    let is_sound = lower >= -NOISE && upper <= 1.0 + NOISE && lower <= upper + NOISE;
    let [lower, upper] = [lower, upper].map(|bound| bound.clamp(0.0, 1.0));
    is_sound.then(|| [lower.min(upper), upper.max(lower)])
}

/// A lower and an upper bound on the value of each state.
#[derive(Debug)]
pub(crate) struct Enclosure {
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
}

/// How much memory it takes to find bounds for so many states at most, in bytes, choices aside.
pub(crate) const fn max_bytes(len: usize) -> u64 {
    2 * bytes::<f64>(len) + krylov::max_bytes(len)
}

impl Enclosure {
    /// Bounds that meet at the initial node. `proven` is raised and lowered by all that is proven of that node on the
    /// way.
    ///
    /// # Errors
    ///
    /// The limit that was reached before they met.
    pub(super) fn find<O: BellmanOperator>(
        operator: &O,
        proven: &mut [f64; 2],
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut search = Search {
            operator,
            budget,
            choices: operator.choices(budget)?,
            krylov: Krylov::new(operator.len(), budget)?,
            proven,
        };
        let mut enclosure = Self {
            lower: operator.values(0.0, budget)?,
            upper: Vec::new(),
        };
        let has_met = search.narrow(&mut enclosure)?;
        if !has_met {
            search.sweep(&mut enclosure)?;
        }
        search.krylov.free(budget);
        Ok(enclosure)
    }
}

/// The search for bounds that meet.
struct Search<'a, O: BellmanOperator> {
    operator: &'a O,
    budget: &'a Budget<'a>,
    choices: O::Choices,
    krylov: Krylov,
    /// The proven bounds at the initial node.
    proven: &'a mut [f64; 2],
}

impl<O: BellmanOperator> Search<'_, O> {
    /// Finds fixed points with smaller and smaller slants; says whether the bounds have met.
    fn narrow(&mut self, enclosure: &mut Enclosure) -> Result<bool, Limit> {
        let least = CLEAR * self.operator.rounding();
        let mut slant = FIRST_SLANT.max(least);
        loop {
            let has_lower = self.settle(&mut enclosure.lower, -slant)?;
            if enclosure.upper.is_empty() {
                enclosure.upper = self.budget.with_capacity(enclosure.lower.len())?;
                enclosure.upper.extend_from_slice(&enclosure.lower);
            }
            let has_upper = self.settle(&mut enclosure.upper, slant)?;
            let width = self.proven[1] - self.proven[0];
            if width <= WIDTH && has_lower && has_upper {
                return Ok(true);
            }
            if slant <= least || !has_lower || !has_upper {
                return Ok(false);
            }
            let [most, fewest] = SMALLER;
            slant = (slant * (AIM * WIDTH / width).clamp(most, fewest)).max(least);
        }
    }

    /// Moves the values to the fixed point with this slant, and notes what that proves; says whether it did.
    fn settle(&mut self, values: &mut [f64], slant: f64) -> Result<bool, Limit> {
        let proven = &mut *self.proven;
        let mut iteration = PolicyIteration {
            operator: self.operator,
            budget: self.budget,
            choices: &mut self.choices,
            krylov: &mut self.krylov,
            slant,
        };
        let mut note = |lower: f64| proven[0] = proven[0].max(lower);
        let found = iteration.run(values, &mut note)?;
        let initial = self.operator.initial_value(values);
        match found {
            Found::Bounds if slant < 0.0 => self.proven[0] = self.proven[0].max(initial),
            Found::Bounds => self.proven[1] = self.proven[1].min(initial),
            Found::Nothing => return Ok(false),
        }
        Ok(true)
    }

    /// The way of last resort: sweeps from 0 up and from 1 down, until the bounds meet.
    fn sweep(&mut self, enclosure: &mut Enclosure) -> Result<(), Limit> {
        let budget = self.budget;
        for (values, open) in [(&mut enclosure.lower, 0.0), (&mut enclosure.upper, 1.0)] {
            budget.free(std::mem::replace(
                values,
                self.operator.values(open, budget)?,
            ));
        }
        let slant = self.operator.rounding();
        for nth in 0.. {
            for (values, slant) in [
                (&mut enclosure.lower, -slant),
                (&mut enclosure.upper, slant),
            ] {
                self.operator
                    .improve(values, nth, slant, &mut self.choices, budget)?;
            }
            let [lower, upper] = [&enclosure.lower, &enclosure.upper]
                .map(|values| self.operator.initial_value(values));
            *self.proven = [self.proven[0].max(lower), self.proven[1].min(upper)];
            if self.proven[1] - self.proven[0] <= WIDTH {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::limits::Limits;

    /// A random walk along a line, lost at one end and won at the other; each turn it stays where it is with
    /// probability `idle`.
    struct Line {
        len: usize,
        idle: f64,
        sweeps: AtomicUsize,
        /// After how many sweeps someone says stop.
        patience: usize,
        stop: AtomicBool,
    }

    impl Line {
        fn new(len: usize, idle: f64, patience: usize) -> Self {
            Self {
                len,
                idle,
                sweeps: AtomicUsize::new(0),
                patience,
                stop: AtomicBool::new(false),
            }
        }

        /// The value that follows from the values around, if it is `won` at one end.
        fn next<T: Copy + Into<f64>>(&self, values: &[T], at: usize, won: f64) -> f64 {
            let left = at.checked_sub(1).map_or(0.0, |left| values[left].into());
            let right = values.get(at + 1).map_or(won, |&right| right.into());
            self.idle * values[at].into() + (1.0 - self.idle) * (left + right) / 2.0
        }

        fn there_and_back(&self) -> impl Iterator<Item = usize> + use<> {
            (0..self.len).chain((0..self.len).rev())
        }

        fn count(&self, budget: &Budget) -> Result<(), Limit> {
            budget.limits.check_time()?;
            if self.sweeps.fetch_add(1, Ordering::Relaxed) + 1 >= self.patience {
                self.stop.store(true, Ordering::Relaxed);
            }
            Ok(())
        }

        /// What is found, and what is proven then of the middle of the line.
        fn solved(&self) -> (Result<Enclosure, Limit>, [f64; 2]) {
            let limits = Limits {
                stop: Some(&self.stop),
                ..Limits::default()
            };
            let mut proven = [0.0, 1.0];
            let found = Enclosure::find(self, &mut proven, &Budget::new(&limits));
            (found, proven)
        }
    }

    impl BellmanOperator for Line {
        type Choices = ();

        fn len(&self) -> usize {
            self.len
        }

        fn initial_value(&self, values: &[f64]) -> f64 {
            values[self.len / 2]
        }

        fn values(&self, open: f64, budget: &Budget) -> Result<Vec<f64>, Limit> {
            budget.filled(open, self.len)
        }

        fn choices(&self, _budget: &Budget) -> Result<(), Limit> {
            Ok(())
        }

        fn rounding(&self) -> f64 {
            1e-15
        }

        fn improve(
            &self,
            values: &mut [f64],
            _nth: usize,
            slant: f64,
            (): &mut (),
            budget: &Budget,
        ) -> Result<f64, Limit> {
            self.count(budget)?;
            let mut largest = 0.0_f64;
            for at in 0..self.len {
                let new = (self.next(values, at, 1.0) + slant).clamp(0.0, 1.0);
                largest = largest.max((new - values[at]).abs());
                values[at] = new;
            }
            Ok(largest)
        }

        fn evaluate(
            &self,
            values: &mut [f64],
            slant: f64,
            (): &(),
            changes: &mut [f32],
            budget: &Budget,
        ) -> Result<f64, Limit> {
            self.count(budget)?;
            changes.fill(0.0);
            let mut largest = 0.0_f64;
            for at in self.there_and_back() {
                let change = self.next(values, at, 1.0) + slant - values[at];
                largest = largest.max(change.abs());
                changes[at] += change as f32;
                values[at] += change;
            }
            Ok(largest)
        }

        fn propagate(&self, vector: &mut [f32], (): &(), budget: &Budget) -> Result<(), Limit> {
            self.count(budget)?;
            for at in self.there_and_back() {
                vector[at] = self.next(vector, at, 0.0) as f32;
            }
            Ok(())
        }
    }

    #[test]
    fn what_lasts_long_is_bounded_soon() {
        // Sweeps alone would need millions of turns.
        for (len, idle) in [(1, 0.998), (101, 0.9), (301, 0.5)] {
            let line = Line::new(len, idle, usize::MAX);
            let (found, [lower, upper]) = line.solved();
            let found = found.unwrap();
            assert!(lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH);
            for at in 0..len {
                let value = (at + 1) as f64 / (len + 1) as f64;
                assert!(
                    found.lower[at] <= value && value <= found.upper[at],
                    "{at} of {len}"
                );
            }
            let sweeps = line.sweeps.load(Ordering::Relaxed);
            assert!(sweeps < 20_000, "{len}: {sweeps}");
        }
    }

    #[test]
    fn a_limit_leaves_bounds_that_hold_and_never_get_worse() {
        let solved = |patience| Line::new(301, 0.5, patience).solved();
        let mut last = 0.0;
        for patience in [1, 6, 20, 40] {
            let (found, [lower, upper]) = solved(patience);
            assert_eq!(found.err(), Some(Limit::Interrupt), "{patience}");
            assert!(
                last <= lower && lower <= 0.5 && 0.5 <= upper,
                "{lower} {upper}"
            );
            last = lower;
        }
    }
}
