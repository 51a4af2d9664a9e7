//! Bounds on the values of what the graph left open.

use super::enclosure::Enclosure;
use super::graph::Graph;
use super::qualitative::Qualitative;
use super::quotient::Quotient;
use crate::limits::{Budget, Limit};

/// A lower and an upper bound on the probability to win, for each node of the quotient.
#[derive(Debug)]
pub(super) struct Bounds {
    quotient: Quotient,
    values: Enclosure,
}

impl Bounds {
    /// Bounds that meet at `start`, and wherever they are needed for that; or the limit that was
    /// reached before, and the bounds at `start` that were proven by then.
    pub(super) fn of(
        graph: &Graph,
        qualitative: &Qualitative,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, (Limit, [f64; 2])> {
        let mut proven = [0.0, 1.0];
        let bounds = Quotient::new(graph, qualitative, start, budget).and_then(|quotient| {
            let values = Enclosure::find(&quotient, &mut proven, budget)?;
            Ok(Self { quotient, values })
        });
        bounds.map_err(|limit| (limit, proven))
    }

    /// The bounds at this id of the graph.
    pub(super) fn at(&self, id: u32) -> [f64; 2] {
        let id = self.quotient.quotient_id(id);
        [self.values.lower[id], self.values.upper[id]]
    }
}
