//! MDPs whose values can be computed on tables, many states at a time, without lists of successors.

use std::fmt;
use std::ops::Range;
use std::sync::RwLockReadGuard;

use super::model::Mdp;
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// An MDP in which a turn is a choice of the player and then some draws of chance, none of which
/// wins, and which knows a short cut through the draws.
///
/// A table has an entry for each *state*: a node from which the draws of a turn begin. The states
/// come in *blocks*. The value of a state follows from those of the states that the player can
/// choose when the draws are done; [`Tabular::update`] computes it for a whole block at once.
pub(crate) trait Tabular: fmt::Debug + Send + Sync + 'static {
    /// The same MDP node by node.
    type Nodes: Mdp;
    /// What is worked out for a block on the way, kept so that its memory is used again.
    type Scratch<V: ValueDomain>: Default + Send;

    /// The same MDP node by node.
    fn nodes(&self) -> &Self::Nodes;

    /// Where the states of each block begin, and where the last block ends. The nearest to the wins come first.
    fn starts(&self) -> &[usize];

    /// The blocks that the values of a block follow from, each of them once.
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

/// The values that a block is computed from.
pub(crate) struct View<'t, 'v, V> {
    pub(super) starts: &'t [usize],
    /// Those of the first blocks, which nobody works on.
    pub(super) before: &'t [V],
    /// The block that is computed.
    pub(super) block: usize,
    /// On how many threads it may be.
    pub(super) threads: usize,
    /// Those of the other blocks that it follows from, by their numbers.
    pub(super) around: Vec<(usize, RwLockReadGuard<'t, &'v mut [V]>)>,
}

impl<'t, V> View<'t, '_, V> {
    /// The values of all states, of which those of a block are to be computed.
    pub(crate) const fn of(starts: &'t [usize], values: &'t [V], block: usize) -> Self {
        Self {
            starts,
            before: values,
            block,
            threads: 1,
            around: Vec::new(),
        }
    }
}

impl<V> View<'_, '_, V> {
    /// The block that is computed.
    pub(crate) const fn block(&self) -> usize {
        self.block
    }

    /// How many threads may share the work.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// The values of the states of a block that this one follows from.
    #[inline]
    pub(crate) fn at(&self, block: usize) -> &[V] {
        let (start, end) = (self.starts[block], self.starts[block + 1]);
        if end <= self.before.len() {
            return &self.before[start..end];
        }
        let found = self.around.iter().find(|&&(other, _)| other == block);
        &found.expect("it is one of the sources of the block").1
    }
}
