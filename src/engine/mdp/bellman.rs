//! The Bellman operator.

use std::ops::Range;

use rayon::prelude::*;

use crate::limits::{Budget, Limit};

const MIN_SHARE: usize = 1 << 14;

/// An operator with a single fixed point. Each end component either is a single state, or all its states get the value of the
/// best exit in each sweep.
pub(crate) trait BellmanOperator: Sync {
    fn len(&self) -> usize;

    /// Returns the parts, none of which depends on a later one.
    fn parts(&self) -> Vec<Range<usize>>;

    fn threads(&self) -> usize;

    fn known(&self, state: usize) -> Option<f64>;

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// Updates each state of a part. `which` holds the numbers of the part and of the sweep, since every other sweep may reverse
    /// the order. `change` takes the old value and the new one, and returns the value to keep along with a note. Returns the
    /// notes, combined for each piece of the part.
    ///
    /// If a limit ends a sweep midway, bounds remain valid.
    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        which: (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit>;

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
