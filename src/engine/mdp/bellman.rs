//! The Bellman operator.

use std::ops::Range;

use rayon::prelude::*;

use crate::limits::{Budget, Limit};

/// Fewer states are not worth another thread.
const MIN_SHARE: usize = 1 << 14;

/// An operator with a single fixed point: each end component is one state, or each sweep levels it.
pub(crate) trait BellmanOperator: Sync {
    fn len(&self) -> usize;

    /// No part depends on a later one.
    fn parts(&self) -> Vec<Range<usize>> {
        std::iter::once(0..self.len()).collect()
    }

    fn threads(&self) -> usize {
        1
    }

    /// 0 or 1, if known without sweeps.
    fn known(&self, state: usize) -> Option<f64>;

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// Updates each state of a part. `which` is the number of the part and that of the sweep: every
    /// other sweep may reverse the order. `change` takes the old value and the new one, and returns
    /// the one to keep. Its notes are returned piece by piece.
    ///
    /// If a limit ends a sweep midway, bounds are still bounds.
    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        which: (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit>;

    /// The known values, and `open` elsewhere.
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
