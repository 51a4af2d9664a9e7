//! Guess and verify: bounds on values out of an estimate, as in optimistic value iteration.
//!
//! The Bellman operator is monotone: from larger values come larger ones. So where a sweep lowers
//! none of some values, no later sweep will, and since the sweeps converge to the true values,
//! these values are lower bounds; and the other way round. This makes bounds out of a mere
//! estimate: lowered and raised by a little and swept a few times, it proves itself to be a lower
//! and an upper bound.

use super::bellman::BellmanOperator;
use super::estimate::{self, Estimate};
use crate::limits::{Budget, Limit, bytes};

/// How far apart the bounds may be at the initial node when they count as met.
pub const WIDTH: f64 = 4e-7;

/// By how much rounding may falsify a bound.
const NOISE: f64 = 1e-9;

/// These bounds on a probability, clear of rounding; `None` if they contradict themselves, which
/// would be a bug.
pub(crate) fn checked_bounds([lower, upper]: [f64; 2]) -> Option<[f64; 2]> {
    let is_sound = lower >= -NOISE && upper <= 1.0 + NOISE && lower <= upper + NOISE;
    let [lower, upper] = [lower, upper].map(|bound| bound.clamp(0.0, 1.0));
    is_sound.then(|| [lower.min(upper), upper.max(lower)])
}

/// How small the changes of an estimate must be, at each attempt to verify it.
const TOLERANCES: [f64; 4] = [1e-8, 1e-9, 1e-10, 1e-12];
/// The most sweeps by which an estimate is verified.
const MAX_VERIFICATION_SWEEPS: usize = 50;
/// By how much a sweep may move a bound the wrong way by rounding.
const ROUNDING: f64 = 1e-15;

/// A lower and an upper value for each state.
pub(crate) type Intervals = Vec<[f64; 2]>;

/// How much memory [`guess_and_verify`] takes for so many states at most, in bytes.
pub(crate) const fn max_bytes(len: usize) -> u64 {
    estimate::max_bytes(len) + bytes::<[f64; 2]>(len)
}

/// Verified bounds around an estimate, nowhere farther apart than [`WIDTH`]; `None` if none could
/// be verified after at most `patience` rounds of sweeps. `proven` is raised and lowered by all that is proven of the initial node on the
/// way.
pub(crate) fn guess_and_verify<O: BellmanOperator>(
    operator: &O,
    patience: usize,
    proven: &mut [f64; 2],
    budget: &Budget,
) -> Result<Option<Intervals>, Limit> {
    let taken = budget.taken();
    let mut verification = Verification {
        operator,
        patience,
        budget,
        proven,
    };
    let bounds = verification.refine()?;
    budget.reset_to(
        taken
            + bounds
                .as_ref()
                .map_or(0, |bounds| bytes::<[f64; 2]>(bounds.len())),
    );
    Ok(bounds)
}

/// The attempts to verify an estimate.
struct Verification<'a, O> {
    operator: &'a O,
    /// The most rounds of sweeps for the estimate.
    patience: usize,
    budget: &'a Budget<'a>,
    /// The proven bounds at the initial node.
    proven: &'a mut [f64; 2],
}

impl<O: BellmanOperator> Verification<'_, O> {
    /// Improves the estimate until bounds around it are verified.
    fn refine(&mut self) -> Result<Option<Intervals>, Limit> {
        let mut estimate = Estimate::new(self.operator, self.budget)?;
        for tolerance in TOLERANCES {
            if !self.improve(&mut estimate, tolerance)? {
                break;
            }
            let bounds = self.widened(&estimate.values)?;
            if let Some(bounds) = self.verify(bounds)? {
                return Ok(Some(bounds));
            }
        }
        Ok(None)
    }

    /// Says whether the estimate has come to rest.
    fn improve(&mut self, estimate: &mut Estimate<O>, tolerance: f64) -> Result<bool, Limit> {
        let result = estimate.refine(tolerance, self.patience);
        let [lower] = self.operator.initial_value(estimate.below());
        self.proven[0] = self.proven[0].max(lower);
        result
    }

    /// These values lowered and raised, except where they are known.
    fn widened(&self, values: &[[f64; 1]]) -> Result<Intervals, Limit> {
        let mut bounds = self.operator.values([0.0, 1.0], self.budget)?;
        for ([lower, upper], [value]) in bounds.iter_mut().zip(values) {
            *lower = lower.max(value - WIDTH / 2.0);
            *upper = upper.min(value + WIDTH / 2.0);
        }
        Ok(bounds)
    }

    /// These values, swept until a sweep proves that they are bounds; `None` if none does. Bounds
    /// proven on one side alone are noted.
    fn verify(&mut self, mut bounds: Intervals) -> Result<Option<Intervals>, Limit> {
        let watch = |fails: &mut [bool; 2], [lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
            fails[0] |= low < lower - ROUNDING;
            fails[1] |= high > upper + ROUNDING;
            [low, high]
        };
        for nth in 0..MAX_VERIFICATION_SWEEPS {
            let notes = self.operator.sweep(&mut bounds, nth, self.budget, watch)?;
            let [below, above] = [0, 1].map(|side| !notes.iter().any(|fails| fails[side]));
            let [lower, upper] = self.operator.initial_value(&bounds);
            if below {
                self.proven[0] = self.proven[0].max(lower);
            }
            if above {
                self.proven[1] = self.proven[1].min(upper);
            }
            if below && above {
                return Ok(Some(bounds));
            }
        }
        self.budget.free(bounds);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::limits::Limits;
    use crate::sized;

    /// A random walk along a line, lost at one end and won at the other; each turn it stays where
    /// it is with probability `idle`.
    struct Line {
        len: usize,
        idle: f64,
        sweeps: AtomicUsize,
        /// After how many sweeps someone says stop.
        patience: usize,
        stop: AtomicBool,
    }

    impl BellmanOperator for Line {
        fn len(&self) -> usize {
            self.len
        }

        fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
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

    /// What is found within so many sweeps, and what is proven then.
    fn stopped_after(
        (len, idle): (usize, f64),
        patience: usize,
    ) -> (Result<Option<Intervals>, Limit>, [f64; 2]) {
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
        let mut proven = [0.0, 1.0];
        let found = guess_and_verify(&line, usize::MAX, &mut proven, &Budget::new(&limits));
        (found, proven)
    }

    /// One state, at which something happens twice in a thousand turns.
    const SLOW: (usize, f64) = (1, 0.998);

    #[test]
    fn an_estimate_becomes_bounds() {
        let (found, proven) = stopped_after(SLOW, usize::MAX);
        let [lower, upper] = found.unwrap().unwrap()[0];
        assert!(lower <= 0.5 && 0.5 <= upper && upper - lower <= WIDTH);
        assert_eq!(proven.map(f64::to_bits), [lower, upper].map(f64::to_bits));
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
        let lowers = [1, 2, 4].map(|times| lower(times * sized(2000, 8000)));
        assert!(lowers.is_sorted_by(|a, b| a < b), "{lowers:?}");
    }

    /// What comes of these bounds at a single state of value 0.5, and what is proven then.
    fn verified(bounds: [f64; 2]) -> (Option<Intervals>, [f64; 2]) {
        let (len, idle) = SLOW;
        let line = Line {
            len,
            idle,
            sweeps: AtomicUsize::new(0),
            patience: usize::MAX,
            stop: AtomicBool::new(false),
        };
        let limits = Limits::default();
        let mut proven = [0.0, 1.0];
        let mut verification = Verification {
            operator: &line,
            patience: 1,
            budget: &Budget::new(&limits),
            proven: &mut proven,
        };
        (verification.verify(vec![bounds]).unwrap(), proven)
    }

    #[test]
    fn what_is_no_bound_is_not_taken_for_one() {
        // Both too low: one sweep raises them, and the lower one is right.
        let (found, [lower, upper]) = verified([0.4, 0.400_000_1]);
        assert_eq!((found, upper), (None, 1.0));
        assert!((0.4..0.5).contains(&lower), "{lower}");
        let (found, [lower, upper]) = verified([0.6, 0.600_000_1]);
        assert_eq!((found, lower), (None, 0.0));
        assert!(0.5 < upper && upper <= 0.600_000_1, "{upper}");
        let (found, proven) = verified([0.4, 0.6]);
        let [lower, upper] = found.unwrap()[0];
        assert!((0.4..0.5).contains(&lower) && 0.5 < upper && upper <= 0.6);
        assert_eq!(proven.map(f64::to_bits), [lower, upper].map(f64::to_bits));
    }

    #[test]
    fn the_value_itself_is_a_bound_on_either_side() {
        let (found, _) = verified([0.5, 0.5]);
        assert!(found.is_some());
    }
}
