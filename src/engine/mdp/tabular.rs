//! MDPs whose values can be computed on tables, many states at a time, without lists of successors.

use std::ops::Range;

use super::model::Mdp;
use super::value_domain::ValueDomain;
use crate::limits::{Clock, Limit};

/// An MDP in which a turn is a choice of the player and then some draws of chance, none of which
/// wins, and which knows a short cut through the draws.
///
/// A table has an entry for each *state*: a node from which the draws of a turn begin. The states
/// come in *blocks*. The value of a state follows from those of the states that the player can
/// choose when the draws are done; [`Tabular::choose`] and
/// [`Tabular::draw`] compute it for a whole block at once.
pub(crate) trait Tabular: Send + Sync {
    /// The same MDP node by node.
    type Nodes: Mdp;
    /// What is worked out for a block on the way, kept so that its memory is used again.
    type Scratch<V: ValueDomain>: Default + Send;

    /// The same MDP node by node.
    fn nodes(&self) -> &Self::Nodes;

    /// Where the states of each block begin, and where the last block ends.
    fn starts(&self) -> &[usize];

    /// All blocks in order, the nearest to the wins first, in groups. No block of a group follows
    /// from another block of the group, so that a group can be updated in parallel.
    fn groups(&self) -> &[Range<usize>];

    /// The blocks that the values of a block follow from.
    fn sources(&self, block: usize) -> impl Iterator<Item = usize>;

    /// The state that this node is; `None` if it is none.
    fn find(&self, node: u64) -> Option<usize>;

    /// The node that this state is.
    fn node(&self, state: usize) -> u64;

    /// The first half of an update: works out what follows from the player's choice at the end of
    /// the turn, from the values in `view`.
    ///
    /// # Errors
    ///
    /// The limit that was reached before it was done.
    fn choose<V: ValueDomain>(
        &self,
        view: &View<V>,
        scratch: &mut Self::Scratch<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit>;

    /// The second half: works out what the draws before that choice make of it. `put` gets the new
    /// values piece by piece, each with the number of its first state, counted from the beginning
    /// of the block.
    ///
    /// # Errors
    ///
    /// The limit that was reached before it was done.
    fn draw<V: ValueDomain>(
        &self,
        block: usize,
        scratch: &mut Self::Scratch<V>,
        clock: &mut Clock,
        put: impl FnMut(usize, &[V]),
    ) -> Result<(), Limit>;

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
