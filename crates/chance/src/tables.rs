//! Tables with a value for each state of an MDP, and sweeps over them.

use std::fmt;
use std::ops::Range;

use super::model::{Mdp, Successor};
use super::sweeper::{Stale, SweepProgress, SweepView, Sweeper};
use super::value_domain::ValueDomain;
use getaway_board::limits::{Budget, Limit};

/// The number of rounds of sweeps after which an estimate continues only while it converges quickly.
pub const MAX_ROUNDS: usize = 250;

/// A table of values that is updated block by block.
///
/// A table has an entry for each *state*: a point of the game at which the draws of a turn begin. The states are divided into
/// *blocks*. No draw wins the game, and the value of a state follows from the values that the player can choose after the draws.
pub trait Tabular: fmt::Debug + Send + Sync + 'static {
    /// Memory that one update after another reuses.
    type Scratch<V: ValueDomain>: Default + Send;

    /// Returns the sweeper of the table, in which the blocks nearest to the wins come first.
    fn sweeper(&self) -> &Sweeper;

    /// Computes the new values of a block, in the order of its states.
    fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &'s mut Self::Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit>;

    /// Returns the number of states.
    fn len(&self) -> usize {
        self.sweeper().len()
    }

    /// Returns the states of a block.
    fn range(&self, block: usize) -> Range<usize> {
        self.sweeper().range(block)
    }
}

/// A table whose states are nodes of an MDP, in which each turn is the player's choice followed by random draws.
pub trait TabularMdp: Tabular {
    /// The MDP, whose nodes include the table's states.
    type Mdp: Mdp;

    /// Returns the MDP to which the table belongs.
    fn mdp(&self) -> &Self::Mdp;

    /// Returns the state that begins at a node; `None` if no state of the table does.
    fn find(&self, node: u64) -> Option<usize>;

    /// Returns the node at which a state begins.
    fn node(&self, state: usize) -> u64;
}

/// A model that is solved by sweeps over tables of values.
#[derive(Debug)]
pub struct Tables<M> {
    pub(super) model: M,
    pub(super) threads: usize,
    pub(super) max_rounds: usize,
    pub(super) parts: Vec<Range<usize>>,
}

impl<M: Tabular> Tables<M> {
    /// Prepares to solve `model` on `threads` threads. If a part has not converged after `max_rounds` rounds of sweeps,
    /// [`Tables::enclose`] gives up, and [`Tables::solve`] gives up unless the part converges quickly.
    pub fn new(model: M, threads: usize, max_rounds: usize) -> Self {
        Self {
            parts: model.sweeper().parts(),
            model,
            threads: threads.max(1),
            max_rounds,
        }
    }

    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        (0..self.parts.len()).map(|part| self.part(part)).collect()
    }

    pub(super) fn part(&self, part: usize) -> Range<usize> {
        self.model.sweeper().value_range(&self.parts[part])
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.model.len()
    }

    /// Sweeps over `values` until none changes. `change` takes an old value and the new one, and returns the value to keep.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn iterate<V: ValueDomain>(
        &self,
        values: &mut [V],
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<(), Limit> {
        self.iterate_within(0..self.model.sweeper().blocks(), values, budget, change)
    }

    /// Sweeps over the values of `blocks` until none changes.
    pub(super) fn iterate_within<V: ValueDomain>(
        &self,
        blocks: Range<usize>,
        values: &mut [V],
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<(), Limit> {
        let (mut stale, mut nth) = (self.model.sweeper().stale(), 0);
        while self
            .sweep_stale(blocks.clone(), nth, values, &mut stale, budget, &change)?
            .has_changed
        {
            nth += 1;
        }
        Ok(())
    }

    /// Updates the stale blocks among `blocks`, backwards if `nth`, the number of the sweep, is odd.
    pub(super) fn sweep_stale<V: ValueDomain>(
        &self,
        blocks: Range<usize>,
        nth: usize,
        values: &mut [V],
        stale: &mut Stale,
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<SweepProgress, Limit> {
        let order: Vec<usize> = if nth.is_multiple_of(2) {
            blocks.collect()
        } else {
            blocks.rev().collect()
        };
        self.model.sweeper().sweep(
            &order,
            self.threads,
            values,
            stale,
            |view, scratch| self.model.update(view, scratch, budget),
            change,
        )
    }
}

impl<M: TabularMdp> Tables<M> {
    pub(super) fn value<V: ValueDomain>(&self, values: &[V], node: u64) -> V {
        let ends = self.state_successors(node).into_iter();
        let best = ends.map(|end| value_of(values, end)).reduce(V::better);
        best.expect("each node has a successor").after_turn()
    }

    pub(super) fn state_successors(&self, node: u64) -> Vec<Successor> {
        let mut successors = Vec::new();
        self.model.mdp().successors(node, &mut successors);
        for successor in &mut successors {
            if let Successor::Node(node) = successor {
                let state = self.model.find(*node);
                *node = state.expect("the draws begin when the player has chosen") as u64;
            }
        }
        successors
    }
}

pub(super) fn value_of<V: ValueDomain>(values: &[V], end: Successor) -> V {
    match end {
        Successor::Won => V::WON,
        Successor::Lost => V::LOST,
        Successor::Node(state) => values[state as usize],
    }
}
