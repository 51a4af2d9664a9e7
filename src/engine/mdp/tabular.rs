//! MDPs whose values can be computed on tables, many states at a time, without lists of successors.

use std::ops::Range;

use super::model::Mdp;
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// An MDP in which a turn is a choice of the player and then some draws of chance, none of which
/// wins, and which knows a short cut through the draws.
///
/// A table has an entry for each *state*: a node from which the draws of a turn begin. The states
/// come in *blocks*. The value of a state follows from those of the states that the player can
/// choose when the draws are done; [`Tabular::update`] computes it for a whole block at once.
pub(crate) trait Tabular: Send + Sync {
    /// The same MDP node by node.
    type Nodes: Mdp;
    /// What is worked out for a block on the way, kept so that its memory is used again.
    type Scratch<V: ValueDomain>: Default + Send;

    /// The same MDP node by node.
    fn nodes(&self) -> &Self::Nodes;

    /// Where the states of each block begin, and where the last block ends. The nearest to the wins come first.
    fn starts(&self) -> &[usize];

    /// The blocks that the values of a block follow from.
    fn sources(&self, block: usize) -> impl Iterator<Item = usize>;

    /// The state that this node is; `None` if it is none.
    fn find(&self, node: u64) -> Option<usize>;

    /// The node that this state is.
    fn node(&self, state: usize) -> u64;

    /// The new values of a block, in the order of its states: what the player's choice at the end of the turn makes of
    /// the values in `view`, and what the draws before that choice make of it.
    ///
    /// # Errors
    ///
    /// The limit that was reached before it was done.
    fn update<'s, V: ValueDomain>(
        &self,
        view: &View<V>,
        scratch: &'s mut Self::Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit>;

    /// How many states there are.
    fn len(&self) -> usize {
        self.starts().last().copied().unwrap_or(0)
    }

    /// The states of a block.
    fn range(&self, block: usize) -> Range<usize> {
        self.starts()[block]..self.starts()[block + 1]
    }
}

/// The values that a block is computed from: those of all states but the other blocks of its group.
pub(crate) struct View<'t, V> {
    pub(super) starts: &'t [usize],
    /// Those of the blocks before the group.
    pub(super) before: &'t [V],
    /// The block that is computed.
    pub(super) block: usize,
    /// Its present values.
    pub(super) own: &'t [V],
    /// Those of the blocks after the group.
    pub(super) after: &'t [V],
}

#[cfg(test)]
impl<'t, V> View<'t, V> {
    /// The values of all states, of which those of a block are to be computed.
    pub(crate) fn of(starts: &'t [usize], values: &'t [V], block: usize) -> Self {
        Self {
            starts,
            before: &values[..starts[block]],
            block,
            own: &values[starts[block]..starts[block + 1]],
            after: &values[starts[block + 1]..],
        }
    }
}

impl<V> View<'_, V> {
    /// The block that is computed.
    pub(crate) const fn block(&self) -> usize {
        self.block
    }

    /// The values of the states of a block.
    #[inline]
    pub(crate) fn at(&self, block: usize) -> &[V] {
        let (start, end) = (self.starts[block], self.starts[block + 1]);
        if block == self.block {
            self.own
        } else if end <= self.before.len() {
            &self.before[start..end]
        } else {
            let skipped = self.starts[self.starts.len() - 1] - self.after.len();
            &self.after[start - skipped..end - skipped]
        }
    }
}
