//! Bounds on the values of the open nodes.

use super::graph::Graph;
use super::optimistic::WIDTH;
use super::policy_iteration::{Policies, bounds_by_policies};
use super::qualitative::Qualitative;
use super::quotient::Quotient;
use crate::limits::{Budget, Limit};

/// The maximum work of policy iteration, in sweeps. The slowest known levels need about 800 sweeps.
const MOST_SWEEPS: u64 = 10_000;

#[derive(Debug)]
pub(super) struct Bounds {
    quotient: Quotient,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Bounds {
    /// Computes bounds that are within [`WIDTH`] at `start`. If a limit is reached first, returns the limit and the bounds proved
    /// at `start` so far.
    pub(super) fn of(
        graph: &Graph,
        qualitative: &Qualitative,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, (Limit, [f64; 2])> {
        let mut proven = [0.0, 1.0];
        let bounds = Quotient::new(graph, qualitative, start, budget)
            .and_then(|quotient| Self::find(quotient, &mut proven, budget));
        bounds.map_err(|limit| (limit, proven))
    }

    fn find(quotient: Quotient, proven: &mut [f64; 2], budget: &Budget) -> Result<Self, Limit> {
        let mut found = bounds_by_policies(&quotient, MOST_SWEEPS, proven, budget)?;
        while proven[1] - proven[0] > WIDTH {
            let Policies {
                choices,
                lower,
                upper,
            } = &mut found;
            let raise = |(): &mut (), old: f64, new: f64| old.max(new);
            quotient.improve(lower, choices, 0.0, budget, raise)?;
            let reduce = |(): &mut (), old: f64, new: f64| old.min(new);
            quotient.improve(upper, choices, 0.0, budget, reduce)?;
            let initial = [quotient.initial_value(lower), quotient.initial_value(upper)];
            *proven = [proven[0].max(initial[0]), proven[1].min(initial[1])];
        }
        budget.free(found.choices);
        Ok(Self {
            quotient,
            lower: found.lower,
            upper: found.upper,
        })
    }

    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        let id = self.quotient.quotient_id(id);
        [self.lower[id], self.upper[id]]
    }
}
