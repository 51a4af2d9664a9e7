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
/// choose when the draws are done; [`Tabular::update`] computes it for a whole block at once.
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

    /// How many choices the player has to make for the values of this block.
    fn choices(&self, block: usize) -> usize;

    /// Works out the values of a block from those in `view`: first what the player can choose at the end of the
    /// turn, by `mode`, then what the draws before make of it. `out` gets the new values.
    ///
    /// # Errors
    ///
    /// The limit that was reached before it was done.
    fn update<V: ValueDomain>(
        &self,
        view: &View<V>,
        mode: Mode,
        scratch: &mut Self::Scratch<V>,
        out: &mut [V],
        clock: &mut Clock,
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

/// How the player chooses in a block.
pub(crate) enum Mode<'a> {
    /// The best.
    Best,
    /// The best, which is noted; of equals, what had been noted before.
    Note(&'a mut [u8]),
    /// As was noted.
    Follow(&'a [u8]),
}

/// The values that a block is computed from.
pub(crate) struct View<'t, V> {
    /// The block that is computed.
    pub(crate) block: usize,
    pub(super) starts: &'t [usize],
    /// Those of all states.
    pub(super) values: &'t [V],
}

impl<'t, V> View<'t, V> {
    /// The values of the states of a block.
    #[inline]
    pub(crate) fn at(&self, block: usize) -> &'t [V] {
        &self.values[self.starts[block]..self.starts[block + 1]]
    }
}
