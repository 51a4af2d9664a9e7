//! Optimistic value iteration (Hartmanns and Kaminski, CAV 2020): guesses values, and verifies bounds around them.
//!
//! For each part of the states in turn, [`Iteration::solve`] estimates the values by sweeps, widens them to a lower and an upper
//! bound for each state, and sweeps over these. The Bellman operator is monotone. So if a sweep lowers none of the lower bounds,
//! no later sweep does; since the sweeps converge to the true values, none of the lower bounds is too high. The reverse holds for
//! upper bounds. Both require the operator to have a single fixed point, as in interval iteration (Haddad and Monmege, *Interval
//! iteration algorithm for MDPs and IMDPs*, 2018).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::estimate::{self, BellmanOperator, Estimate};
use getaway_board::limits::{Bounds, Budget, Limit, bytes};

/// Computes bounds at most [`WIDTH`] apart. Returns `None` if the values of a part converge too slowly after `max_rounds` rounds,
/// or no bounds around them can be verified. Bounds on the initial node tighten `proven`.
pub(crate) fn guess_and_verify<O: BellmanOperator>(
    operator: &O,
    max_rounds: usize,
    proven: &mut [f64; 2],
    budget: &Budget,
) -> Result<Option<Intervals>, Limit> {
    let taken = budget.taken();
    let mut values = operator.values([0.0], budget)?;
    let mut iteration = Iteration {
        operator,
        max_rounds,
        budget,
        proven,
        bounds: operator.values([0.0, 1.0], budget)?,
    };
    let mut is_done = true;
    for part in Part::all(operator) {
        is_done = is_done && iteration.solve(&part, &mut values)?;
    }
    let bounds = is_done.then_some(iteration.bounds);
    let kept = bounds.as_ref().map_or(0, Vec::len);
    budget.reset_to(taken + bytes::<[f64; 2]>(kept));
    Ok(bounds)
}

impl<O: BellmanOperator> Iteration<'_, O> {
    /// Finds bounds for the states of a part, from those of earlier parts; returns whether it does.
    fn solve(&mut self, part: &Part, values: &mut [[f64; 1]]) -> Result<bool, Limit> {
        let (operator, budget) = (self.operator, self.budget);
        let taken = budget.taken();
        let states = (part.number, part.states.clone());
        let mut estimate = Estimate::new(operator, states, values, budget)?;
        let mut convergence = Convergence::default();
        for tolerance in TOLERANCES {
            if !self.improve(&mut estimate, part, tolerance, &mut convergence)? {
                break;
            }
            self.widen(part, estimate.values, part.margin);
            if self.tighten_until_inductive(part, MAX_VERIFICATION_SWEEPS)? {
                budget.reset_to(taken);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sweeps over the bounds of a part until no lower bound falls and no upper bound rises in a sweep, which proves them;
    /// returns whether this succeeds. If not, resets these bounds.
    fn tighten_until_inductive(&mut self, part: &Part, max_sweeps: usize) -> Result<bool, Limit> {
        for nth in 0..max_sweeps {
            let [below, above] = [AtomicBool::new(true), AtomicBool::new(true)];
            let tighten = |[lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
                if low < lower - ROUNDING {
                    below.store(false, Ordering::Relaxed);
                }
                if high > upper + ROUNDING {
                    above.store(false, Ordering::Relaxed);
                }
                // Any value between a bound and a closer one is also a bound.
                if nth < DAMPED_FROM {
                    [low, high]
                } else {
                    [lower.midpoint(low), upper.midpoint(high)]
                }
            };
            self.operator
                .sweep(&mut self.bounds, part.number, nth, self.budget, tighten)?;
            let [below, above] = [below, above].map(AtomicBool::into_inner);
            let [lower, upper] = self.operator.initial_value(&self.bounds);
            if below {
                self.proven[0] = self.proven[0].max(lower);
            }
            if above {
                self.proven[1] = self.proven[1].min(upper);
            }
            if below && above {
                return Ok(true);
            }
        }
        for state in part.states.clone() {
            let known = self.operator.known(state);
            self.bounds[state] = known.map_or([0.0, 1.0], |value| [value; 2]);
        }
        Ok(false)
    }

    /// Improves the estimate until a sweep changes its values by at most `tolerance`; returns false if the rounds allowed run out
    /// first.
    fn improve(
        &mut self,
        estimate: &mut Estimate<O>,
        part: &Part,
        tolerance: f64,
        convergence: &mut Convergence,
    ) -> Result<bool, Limit> {
        while convergence.rounds < self.max_rounds || convergence.is_converging {
            let changes = estimate.round();
            if estimate.is_lower_bound() {
                let [lower] = self.operator.initial_value(estimate.values);
                self.proven[0] = self.proven[0].max(lower - part.margin_before);
            }
            let changes = changes?;
            self.budget.limits.note_bounds((*self.proven).into());
            let largest = changes.largest;
            if largest <= tolerance {
                return Ok(true);
            }
            if estimate.may_extrapolate(&changes) {
                estimate.extrapolate(changes)?;
            }
            convergence.note(largest);
            if self.is_trial_due(part, convergence.rounds) {
                self.attempt(part, estimate.values, TRIAL_MARGIN * largest)?;
            }
        }
        Ok(false)
    }

    fn is_trial_due(&self, part: &Part, rounds: usize) -> bool {
        let is_due = rounds.is_power_of_two() && rounds.trailing_zeros().is_multiple_of(2);
        is_due && rounds >= FIRST_TRIAL && part.is_last && self.bounds.len() >= LARGE
    }

    /// Tries bounds at distance `margin` from the values if that is more than the part's own margin, and they might halve the gap
    /// between the proven ones.
    fn attempt(&mut self, part: &Part, values: &[[f64; 1]], margin: f64) -> Result<(), Limit> {
        if margin > part.margin && 4.0 * margin <= self.proven[1] - self.proven[0] {
            self.widen(part, values, margin);
            self.tighten_until_inductive(part, TRIAL_SWEEPS)?;
        }
        Ok(())
    }

    /// Sets the part's bounds to the values plus or minus `margin`, unless they are closer already.
    fn widen(&mut self, part: &Part, values: &[[f64; 1]], margin: f64) {
        let states = part.states.clone();
        for (bounds, [value]) in self.bounds[states.clone()].iter_mut().zip(&values[states]) {
            *bounds = [bounds[0].max(value - margin), bounds[1].min(value + margin)];
        }
    }
}

struct Iteration<'a, O> {
    operator: &'a O,
    max_rounds: usize,
    budget: &'a Budget<'a>,
    proven: &'a mut [f64; 2],
    /// The lower and upper bounds. During an attempt, those of the part that is being solved are unproven.
    bounds: Intervals,
}

pub(crate) type Intervals = Vec<[f64; 2]>;

/// A part of the states, none of which depends on a later part.
struct Part {
    number: usize,
    states: Range<usize>,
    is_last: bool,
    margin: f64,
    margin_before: f64,
}

impl Part {
    fn all<O: BellmanOperator>(operator: &O) -> Vec<Self> {
        let parts = operator.parts();
        let count = parts.len();
        // Each part's values depend on the bounds of earlier parts, so the margin grows from part to part.
        let margin = |parts: usize| WIDTH / 2.0 * parts as f64 / count as f64;
        let part = |(number, states)| Self {
            number,
            states,
            is_last: number + 1 == count,
            margin: margin(number + 1),
            margin_before: margin(number),
        };
        parts.into_iter().enumerate().map(part).collect()
    }
}

/// The rate at which an estimate converges.
#[derive(Default)]
struct Convergence {
    rounds: usize,
    largest: f64,
    is_converging: bool,
}

impl Convergence {
    fn note(&mut self, largest: f64) {
        self.rounds += 1;
        if self.rounds.is_multiple_of(PROGRESS_INTERVAL) {
            self.is_converging = largest <= self.largest / PROGRESS_FACTOR;
            self.largest = largest;
        }
    }
}

/// The maximum gap between the bounds at the initial node.
pub const WIDTH: f64 = 4e-7;

/// The tolerances that [`Iteration::solve`] tries in turn: an estimate is good enough if no value changes by more in a sweep.
const TOLERANCES: [f64; 3] = [1e-9, 1e-10, 1e-12];
const MAX_VERIFICATION_SWEEPS: usize = 50;
/// The number of sweeps after which bounds move only halfway to their new values, since they may oscillate.
const DAMPED_FROM: usize = 25;
/// The largest step of a bound in the wrong direction that rounding can cause.
const ROUNDING: f64 = 1e-15;

/// Beyond the round limit, an estimate continues while every [`PROGRESS_INTERVAL`] rounds reduce its changes by at least the
/// factor [`PROGRESS_FACTOR`].
const PROGRESS_INTERVAL: usize = 10;
const PROGRESS_FACTOR: f64 = 5.0;

/// From this many states on, [`Iteration::attempt`] tries bounds around an unfinished estimate, [`TRIAL_MARGIN`] times the
/// largest change of the last sweep away from it.
const LARGE: usize = if cfg!(test) { 1 } else { 1 << 20 };
const FIRST_TRIAL: usize = 16;
const TRIAL_MARGIN: f64 = 300.0;
const TRIAL_SWEEPS: usize = 32;

pub(crate) const fn max_bytes(len: usize, largest_part: usize) -> u64 {
    bytes::<f64>(len) + bytes::<[f64; 2]>(len) + estimate::max_bytes(largest_part)
}

/// Clamps bounds that rounding has moved out of [0, 1]; returns `None` if they are farther out or contradict each other, which
/// would be a bug.
pub(crate) fn checked_bounds([lower, upper]: [f64; 2]) -> Option<Bounds> {
    const TOLERANCE: f64 = 1e-9;
    let is_sound = lower >= -TOLERANCE && upper <= 1.0 + TOLERANCE && lower <= upper + TOLERANCE;
    let [lower, upper] = [lower, upper].map(|bound| bound.clamp(0.0, 1.0));
    is_sound.then(|| Bounds {
        lower: lower.min(upper),
        upper: upper.max(lower),
    })
}

#[cfg(test)]
#[path = "optimistic_tests.rs"]
mod tests;
