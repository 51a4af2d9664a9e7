use std::fmt;
use std::ops::Range;

use super::model::Mdp;
use super::sweeper::{SweepView, Sweeper};
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// An MDP in which a turn is a choice by the player followed by some draws by chance, none of which
/// wins.
///
/// A table has an entry for each *state*: a node at which the draws of a turn begin. The states are divided into *blocks*. The
/// value of a state follows from those that the player can choose after the draws.
pub(crate) trait Tabular: fmt::Debug + Send + Sync + 'static {
    type Nodes: Mdp;
    type Scratch<V: ValueDomain>: Default + Send;

    fn nodes(&self) -> &Self::Nodes;

    /// Returns the sweeper of the table, in which the blocks nearest to the wins come first.
    fn sweeper(&self) -> &Sweeper;

    fn find(&self, node: u64) -> Option<usize>;

    fn node(&self, state: usize) -> u64;

    /// Computes the new values of a block, in the order of its states.
    fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &'s mut Self::Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit>;

    fn len(&self) -> usize {
        self.sweeper().len()
    }

    fn range(&self, block: usize) -> Range<usize> {
        self.sweeper().range(block)
    }
}
