//! The Bellman operator: how the values of states follow from those of their successors.

use crate::limits::{Budget, Limit};

/// The states of an MDP in a certain order, and how their values follow from one another. It must
/// have a single fixed point: an end component has to be one state, or be levelled by each sweep.
pub(crate) trait BellmanOperator {
    /// How many states there are.
    fn len(&self) -> usize;

    /// The value of the initial node, given those of the states.
    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// A value for each state: 0 or 1 where it is known, `open` elsewhere.
    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit>;

    /// Updates each state in turn by the values of its successors: the best of them, or their mean.
    /// `change` gets the old value and the new one, and returns the one to keep; it may take notes,
    /// which are returned for each part of the states in order. Every other sweep, by its number
    /// `nth`, may go through the states the other way round, since values spread both ways.
    ///
    /// If a limit ends it midway, bounds are still bounds.
    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit>;
}
