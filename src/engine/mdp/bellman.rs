//! The Bellman operator: how the values of states follow from those of their successors.

use std::ops::Range;

use rayon::prelude::*;

use crate::limits::{Budget, Limit};

/// Fewer states are not worth a thread of their own.
const MIN_SHARE: usize = 1 << 14;

/// The states of an MDP in a certain order, and how their values follow from one another. It must
/// have a single fixed point: an end component has to be one state, or be levelled by each sweep.
pub(crate) trait BellmanOperator: Sync {
    /// The number of states.
    fn len(&self) -> usize;

    /// The states in parts. A state depends on states of its own part and of earlier ones.
    fn parts(&self) -> Vec<Range<usize>> {
        std::iter::once(0..self.len()).collect()
    }

    /// The number of threads that may share the work.
    fn threads(&self) -> usize {
        1
    }

    /// The value of a state, 0 or 1, where that is known without sweeps.
    fn known(&self, state: usize) -> Option<f64>;

    /// The value of the initial node, given those of the states.
    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// Updates each state of a part in turn by the values of its successors: the best of them, or their mean.
    /// `which` is the number of the part and that of the sweep: every other one may go through the states the other way
    /// round, since values spread both ways. `change` takes the old value and the new one, and returns the one to keep.
    /// It may take notes, which are returned piece by piece.
    ///
    /// If a limit ends it midway, bounds are still bounds.
    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        which: (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit>;

    /// A value for each state: what is known, and `open` elsewhere.
    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit> {
        let mut values = budget.with_capacity(self.len())?;
        let value = |state| self.known(state).map_or(open, |value| [value; N]);
        if self.threads() < 2 {
            values.extend((0..self.len()).map(value));
        } else {
            let all = (0..self.len()).into_par_iter().with_min_len(MIN_SHARE);
            all.map(value).collect_into_vec(&mut values);
        }
        Ok(values)
    }
}
