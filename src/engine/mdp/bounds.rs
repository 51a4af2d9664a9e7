//! Bounds on the values of the open nodes.

use super::bellman::BellmanOperator;
use super::graph::Graph;
use super::optimistic::{Intervals, WIDTH, checked_bounds, guess_and_verify};
use super::policy_iteration::bounds_by_policies;
use super::qualitative::Qualitative;
use super::quotient::Quotient;
use crate::limits::{Budget, Limit};

/// The maximum number of rounds of sweeps for an estimate. Short plays need far fewer. In long
/// plays the estimate may overshoot, which sweeps correct very slowly.
const PATIENCE: usize = 40;

/// The maximum work of policy iteration, in sweeps. The slowest known levels take about 800.
const MOST_SWEEPS: u64 = 10_000;

/// A lower and an upper bound for each node of the quotient.
#[derive(Debug)]
pub(super) struct Bounds {
    quotient: Quotient,
    values: Intervals,
}

impl Bounds {
    /// Computes bounds that meet at `start`, and wherever else this requires; or returns the limit
    /// and the bounds proven at `start`.
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
        let is_sound =
            |values: &Intervals| checked_bounds(quotient.initial_value(values)).is_some();
        let values = match guess_and_verify(&quotient, PATIENCE, proven, budget)? {
            Some(values) if is_sound(&values) => values,
            guessed => {
                if let Some(contradiction) = guessed {
                    *proven = [0.0, 1.0];
                    budget.free(contradiction);
                }
                bounds_by_policies(&quotient, MOST_SWEEPS, proven, budget)?
            }
        };
        let mut bounds = Self { quotient, values };
        bounds.meet(proven, budget)?;
        Ok(bounds)
    }

    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        self.values[self.quotient.quotient_id(id)]
    }

    fn meet(&mut self, proven: &mut [f64; 2], budget: &Budget) -> Result<(), Limit> {
        loop {
            let [lower, upper] = self.quotient.initial_value(&self.values);
            *proven = [proven[0].max(lower), proven[1].min(upper)];
            if upper - lower <= WIDTH {
                return Ok(());
            }
            let narrow = |(): &mut (), [lower, upper]: [f64; 2], [low, high]: [f64; 2]| {
                [lower.max(low), upper.min(high)]
            };
            self.quotient
                .sweep(&mut self.values, (0, 0), budget, narrow)?;
        }
    }
}
