//! Policy iteration (Howard, *Dynamic programming and Markov processes*, 1960) with proven bounds.
//!
//! Values approach the truth from below. They are the values of fixed choices, found by solving linear equations
//! ([`super::chain`]); sweeps find better choices.
//!
//! # Why the bounds hold
//!
//! The Bellman operator T is monotone and, on a quotient without end components, has the true
//! values as its only fixed point. So values `l` with `l <= T l` are lower bounds, and values `u`
//! with `u >= T u` are upper bounds. Wherever chance draws, updates subtract (for lower bounds) or
//! add (for upper bounds) a *slack* of at least twice the largest rounding error.
//!
//! - *From below.* If a sweep lowers no value, each was updated from values no greater than those at
//!   the end of the sweep, so all are lower bounds.
//! - *From above.* If a sweep would raise no value, all are upper bounds.
//!
//! The values of a chain, computed with slack s and tolerance s/4, pass a sweep with slack s/2 by a
//! margin of s/4, unless it finds better choices.

use super::chain::Chain;
use super::graph::Graph;
use super::model::Mdp;
use super::optimistic::WIDTH;
use super::qualitative::{Class, Qualitative};
use super::quotient::Quotient;
use super::solve::graph;
use getaway_board::limits::{Bounds, Budget, Limit, Limits};

/// The approximate maximum work of policy iteration, in sweeps. The slowest known levels need about 800 sweeps.
const MAX_SWEEPS: u64 = 10_000;
const FIRST_SLACK: f64 = 1e-12;
const SLACK_FACTORS: [f64; 2] = [1e-4, 0.1];
/// The gap that a smaller slack aims for, as a share of [`WIDTH`].
const TARGET_GAP: f64 = 0.4;
const MIN_SLACK_FACTOR: f64 = 4.0;
/// The tolerance for the values of choices, as a share of a sweep's largest change.
const ACCURACY: f64 = 5e-5;
/// Choices are evaluated once no value rises by more than this in a sweep, or after [`FIRST_SWEEPS`] sweeps.
const EVALUATION_CHANGE: f64 = 1e-3;
const FIRST_SWEEPS: u64 = 100;
const SWEEPS: usize = 12;
/// Choices are good enough if no value rises by more than this multiple of the slack in a sweep.
const CONVERGED: f64 = 1e3;

type Values = Vec<f64>;

#[derive(Debug)]
pub(super) struct NodeBounds {
    quotient: Quotient,
    lower: Values,
    upper: Values,
}

impl NodeBounds {
    /// Computes bounds that are at most [`WIDTH`] apart at `start`. The bounds on that node tighten `proven`, even if a limit is
    /// reached.
    pub(super) fn of(
        graph: &Graph,
        qualitative: &Qualitative,
        start: u32,
        proven: &mut [f64; 2],
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let quotient = Quotient::new(graph, qualitative, start, budget)?;
        let (mut choices, [mut lower, mut upper]) =
            bounds_by_policies(&quotient, MAX_SWEEPS, proven, budget)?;
        // If policy iteration leaves a larger gap, sweeps without slack close it. Their bounds hold up to rounding errors.
        while proven[1] - proven[0] > WIDTH {
            let raise = |(): &mut (), old: f64, new: f64| old.max(new);
            quotient.improve(&mut lower, &mut choices, 0.0, budget, raise)?;
            let reduce = |(): &mut (), old: f64, new: f64| old.min(new);
            quotient.improve(&mut upper, &mut choices, 0.0, budget, reduce)?;
            let initial = [&lower, &upper].map(|values| quotient.initial_value(values));
            *proven = [proven[0].max(initial[0]), proven[1].min(initial[1])];
        }
        budget.free(choices);
        Ok(Self {
            quotient,
            lower,
            upper,
        })
    }

    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        let id = self.quotient.quotient_id(id);
        [self.lower[id], self.upper[id]]
    }
}

/// Computes choices, and lower and upper bounds, with the work of at most about `max_sweeps` sweeps. Bounds on the initial node
/// tighten `proven`.
pub(super) fn bounds_by_policies(
    quotient: &Quotient,
    max_sweeps: u64,
    proven: &mut [f64; 2],
    budget: &Budget,
) -> Result<(Vec<u32>, [Values; 2]), Limit> {
    let mut search = PolicyIteration {
        quotient,
        budget,
        choices: quotient.first_choices(budget)?,
        proven,
        slack: 0.0,
        updates: 0,
        max_updates: max_sweeps.saturating_mul(quotient.graph().len() as u64),
    };
    let bounds = search.run()?;
    Ok((search.choices, bounds))
}

struct PolicyIteration<'a> {
    quotient: &'a Quotient,
    budget: &'a Budget<'a>,
    choices: Vec<u32>,
    proven: &'a mut [f64; 2],
    slack: f64,
    updates: u64,
    max_updates: u64,
}

#[derive(Clone, Copy, Default)]
struct Changes {
    largest: f64,
    has_fallen: bool,
}

impl PolicyIteration<'_> {
    fn run(&mut self) -> Result<[Values; 2], Limit> {
        let min = MIN_SLACK_FACTOR * rounding(self.quotient.max_draws());
        self.slack = FIRST_SLACK.max(min);
        let mut lower = self.quotient.values(0.0, self.budget)?;
        let mut upper = self.quotient.values(1.0, self.budget)?;
        loop {
            let has_converged =
                self.raise(&mut lower)? && self.find_upper_bounds(&lower, &mut upper)?;
            let width = self.proven[1] - self.proven[0];
            if width <= WIDTH || !has_converged || self.slack <= min {
                break;
            }
            let [min_factor, max_factor] = SLACK_FACTORS;
            let smaller = (TARGET_GAP * WIDTH / width).clamp(min_factor, max_factor);
            self.slack = (self.slack * smaller).max(min);
        }
        Ok([lower, upper])
    }

    fn raise(&mut self, lower: &mut Values) -> Result<bool, Limit> {
        while self.updates < self.max_updates {
            let mut largest = 0.0;
            for _ in 0..SWEEPS {
                largest = self.sweep_lower(lower)?.largest;
            }
            if largest <= EVALUATION_CHANGE || self.updates > FIRST_SWEEPS * lower.len() as u64 {
                self.raise_to_policy_values(lower, ACCURACY * largest)?;
            }
            self.budget.limits.note_bounds((*self.proven).into());
            if largest <= CONVERGED * self.slack {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Raises lower bounds to the values of the choices if a sweep proves them.
    fn raise_to_policy_values(&mut self, lower: &mut Values, accuracy: f64) -> Result<(), Limit> {
        let tolerance = accuracy.max(self.slack / 4.0);
        let mut higher = self.budget.with_capacity(lower.len())?;
        higher.extend_from_slice(lower);
        self.evaluate(&mut higher, -4.0 * tolerance, tolerance)?;
        for (higher, lower) in higher.iter_mut().zip(lower.iter()) {
            *higher = higher.max(*lower);
        }
        if self.sweep_lower(&mut higher)?.has_fallen {
            self.budget.free(higher);
        } else {
            self.budget.free(std::mem::replace(lower, higher));
        }
        Ok(())
    }

    fn sweep_lower(&mut self, lower: &mut Values) -> Result<Changes, Limit> {
        let note = |changes: &mut Changes, old: f64, new: f64| {
            changes.largest = changes.largest.max(new - old);
            changes.has_fallen |= new < old;
            new
        };
        let slack = -self.slack / 2.0;
        self.updates += lower.len() as u64;
        let changes = self
            .quotient
            .improve(lower, &mut self.choices, slack, self.budget, note)?;
        if !changes.has_fallen {
            let initial = self.quotient.initial_value(lower);
            self.proven[0] = self.proven[0].max(initial);
        }
        Ok(changes)
    }

    /// Raises a copy of `lower`, with a slack for each draw, to candidate upper bounds, and stores them in `upper` if a sweep
    /// proves them. Returns whether it does.
    fn find_upper_bounds(&mut self, lower: &Values, upper: &mut Values) -> Result<bool, Limit> {
        let mut higher = self.budget.with_capacity(lower.len())?;
        higher.extend_from_slice(lower);
        while self.updates < self.max_updates {
            self.evaluate(&mut higher, self.slack, self.slack / 4.0)?;
            for _ in 0..SWEEPS {
                if self.sweep_upper(&mut higher)? {
                    let initial = self.quotient.initial_value(&higher);
                    self.proven[1] = self.proven[1].min(initial);
                    self.budget.free(std::mem::replace(upper, higher));
                    return Ok(true);
                }
            }
        }
        self.budget.free(higher);
        Ok(false)
    }

    fn sweep_upper(&mut self, values: &mut Values) -> Result<bool, Limit> {
        let raise = |has_risen: &mut bool, old: f64, new: f64| {
            *has_risen |= new > old;
            old.max(new)
        };
        let slack = self.slack / 2.0;
        self.updates += values.len() as u64;
        let has_risen =
            self.quotient
                .improve(values, &mut self.choices, slack, self.budget, raise)?;
        Ok(!has_risen)
    }

    fn evaluate(&mut self, values: &mut Values, slack: f64, tolerance: f64) -> Result<(), Limit> {
        let taken = self.budget.taken();
        let chain = Chain::new(self.quotient, &self.choices, self.budget)?;
        self.updates += chain.evaluate(values, slack, tolerance, self.budget)?;
        self.budget.reset_to(taken);
        Ok(())
    }
}

/// Returns an upper bound on the rounding error in a mean of n (`draws`) probabilities. In units of half of [`f64::EPSILON`],
/// each of the n - 1 additions is off by at most n; the division by n and the slack add at most 1 each.
fn rounding(draws: usize) -> f64 {
    (draws + 1) as f64 * f64::EPSILON
}

/// Returns the bounds that policy iteration alone finds for each node in `of`; `None` for nodes that are unreachable or not open.
/// Tests of slow models call it.
#[doc(hidden)]
pub fn by_policies<M: Mdp>(
    mdp: &M,
    max_sweeps: u64,
    of: &[u64],
) -> Result<Vec<Option<Bounds>>, Limit> {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let (nodes, graph) = graph(mdp, &[mdp.initial()], &budget)?;
    let first = nodes.id(mdp.initial());
    let qualitative = Qualitative::of(&graph, first, &budget)?;
    let quotient = Quotient::new(&graph, &qualitative, first, &budget)?;
    let mut proven = [0.0, 1.0];
    let (_, [lower, upper]) = bounds_by_policies(&quotient, max_sweeps, &mut proven, &budget)?;
    // The bounds proven during the search are at least as tight as the final ones.
    let [low, high] = [&lower, &upper].map(|values| quotient.initial_value(values));
    assert!(proven[0] >= low && high >= proven[1], "{proven:?}");
    let known = of.iter().map(|&node| {
        let id = nodes.find(node)?;
        let at = quotient.quotient_id(id);
        (qualitative.class(id) == Class::Open).then(|| [lower[at], upper[at]].into())
    });
    Ok(known.collect())
}

#[cfg(test)]
#[path = "policy_iteration_tests.rs"]
mod tests;
