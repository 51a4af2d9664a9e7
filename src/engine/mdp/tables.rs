//! Sweeps over the tables of a [`Tabular`] MDP.

use std::ops::Range;

use super::model::{Mdp, Successor};
use super::tabular::Tabular;
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// The maximum number of rounds of sweeps for an estimate, by which all extrapolations have been made.
pub(crate) const PATIENCE: usize = 250;

#[derive(Debug)]
pub(crate) struct Tables<M> {
    pub(super) model: M,
    pub(super) threads: usize,
    pub(super) patience: usize,
    parts: Vec<Range<usize>>,
}

impl<M: Tabular> Tables<M> {
    pub(crate) fn new(model: M, threads: usize, patience: usize) -> Self {
        Self {
            parts: model.sweeper().parts(),
            model,
            threads: threads.max(1),
            patience,
        }
    }

    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        (0..self.parts.len()).map(|part| self.part(part)).collect()
    }

    pub(super) fn part(&self, part: usize) -> Range<usize> {
        self.model.sweeper().places(&self.parts[part])
    }

    pub(crate) fn len(&self) -> usize {
        self.model.len()
    }

    pub(super) fn value<V: ValueDomain>(&self, values: &[V], node: u64) -> V {
        let ends = self.ends(node).into_iter();
        let best = ends.map(|end| value_of(values, end)).reduce(V::better);
        best.expect("each node has a successor").after_turn()
    }

    pub(super) fn ends(&self, node: u64) -> Vec<Successor> {
        let mut successors = Vec::new();
        self.model.nodes().successors(node, &mut successors);
        for successor in &mut successors {
            if let Successor::Node(node) = successor {
                let state = self.model.find(*node);
                *node = state.expect("the draws begin when the player has chosen") as u64;
            }
        }
        successors
    }

    /// Sweeps over the blocks of a part; `change` is as in [`BellmanOperator::sweep`](super::estimate::BellmanOperator::sweep).
    pub(super) fn sweep<V: ValueDomain, T: Default + Send>(
        &self,
        values: &mut [V],
        (part, nth): (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, V, V) -> V + Sync,
    ) -> Result<Vec<T>, Limit> {
        let blocks = self.parts[part].clone();
        let (first, mut notes) = (blocks.start, Vec::new());
        notes.resize_with(blocks.len(), T::default);
        self.model.sweeper().sweep(
            (&order(blocks, nth), self.threads),
            values,
            (
                |view, scratch| self.model.update(view, scratch, budget),
                |_| true,
            ),
            |old, new| {
                let mut note = T::default();
                for (old, &new) in old.iter_mut().zip(new) {
                    *old = change(&mut note, *old, new);
                }
                note
            },
            |block, note| notes[block - first] = note,
        )?;
        Ok(notes)
    }

    pub(crate) fn iterate<V: ValueDomain>(
        &self,
        values: &mut [V],
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<(), Limit> {
        let sweeper = self.model.sweeper();
        let mut stale = sweeper.stale();
        for nth in 0.. {
            let progress = sweeper.sweep_stale(
                (&order(0..sweeper.blocks(), nth), self.threads),
                (values, &mut stale),
                (
                    |view, scratch| self.model.update(view, scratch, budget),
                    |_| true,
                ),
                &change,
            )?;
            if !progress.has_changed {
                break;
            }
        }
        Ok(())
    }
}

pub(super) fn value_of<V: ValueDomain>(values: &[V], end: Successor) -> V {
    match end {
        Successor::Won => V::WON,
        Successor::Lost => V::LOST,
        Successor::Node(state) => values[state as usize],
    }
}

/// Every other sweep goes back.
fn order(blocks: Range<usize>, nth: usize) -> Vec<usize> {
    if nth.is_multiple_of(2) {
        blocks.collect()
    } else {
        blocks.rev().collect()
    }
}
