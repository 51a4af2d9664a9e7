//! The values of a table, and sweeps over them.

use std::ops::Range;

use super::JointTable;
use super::update::{TurnUpdate, Workspace};
use getaway_board::limits::{Budget, Limit};
use getaway_chance::{Mdp, Stale, SweepView, ValueDomain};

/// The values of a table, and which blocks need an update.
pub(super) struct Values<V> {
    pub(super) all: Vec<V>,
    pub(super) stale: Stale,
}

pub(super) type Probabilities = Values<[f64; 1]>;

impl JointTable {
    pub(super) fn filled<V: ValueDomain>(
        &self,
        value: V,
        budget: &Budget,
    ) -> Result<Values<V>, Limit> {
        Ok(Values {
            all: budget.filled(value, self.len())?,
            stale: self.sweeper.stale(),
        })
    }

    pub(super) fn initial<V: ValueDomain>(&self, values: &[V]) -> V {
        let initial = self.mdp.unpack(self.mdp.initial());
        let view = SweepView::of(self.sweeper.starts(), values, 0);
        let turn = TurnUpdate {
            table: self,
            view: &view,
        };
        let adversaries = [0, 1].map(|at| initial.adversaries[at]);
        turn.value(&self.blocks[self.first], adversaries)
    }

    /// Sweeps over the values of a part until none changes.
    pub(super) fn sweep_until_stable<V: ValueDomain>(
        &self,
        part: Range<usize>,
        values: &mut Values<V>,
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<(), Limit> {
        values.stale.mark_all();
        let mut nth = 0;
        while self.sweep(part.clone(), nth, values, budget, &change)? {
            nth += 1;
        }
        Ok(())
    }

    /// Updates the stale blocks, backwards in every other sweep; returns whether a value has changed.
    pub(super) fn sweep<V: ValueDomain>(
        &self,
        blocks: Range<usize>,
        nth: usize,
        Values { all, stale }: &mut Values<V>,
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<bool, Limit> {
        let mut blocks: Vec<usize> = blocks.collect();
        if nth % 2 == 1 {
            blocks.reverse();
        }
        let progress = self.sweeper.sweep(
            &blocks,
            budget.limits.threads,
            all,
            stale,
            |view, workspace: &mut Workspace<V>| {
                TurnUpdate { table: self, view }.values(workspace, &mut budget.clock())
            },
            change,
        )?;
        Ok(progress.has_changed)
    }
}
