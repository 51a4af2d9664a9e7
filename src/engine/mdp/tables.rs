//! Sweeps over the tables of a [`Tabular`] MDP.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::model::{Mdp, Successor};
use super::schedule::Sequence;
use super::sweeper::lock;
use super::tabular::Tabular;
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// The maximum number of rounds of sweeps for an estimate. By then, all extrapolations have been made. If the player can wait at
/// almost no risk, plain sweeps converge slowly, and policy iteration is the better method.
pub(crate) const PATIENCE: usize = 250;

#[derive(Debug)]
pub(crate) struct Tables<M> {
    pub(super) model: M,
    pub(super) threads: usize,
    pub(super) patience: usize,
    /// The parts of the blocks, none of which depends on a later one.
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

    /// Sweeps over the blocks of a part; `change` is as in [`BellmanOperator::sweep`](super::bellman::BellmanOperator::sweep).
    pub(super) fn sweep<V: ValueDomain, T: Default + Send>(
        &self,
        values: &mut [V],
        (part, nth): (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, V, V) -> V + Sync,
    ) -> Result<Vec<T>, Limit> {
        let blocks = self.parts[part].clone();
        let notes: Vec<Mutex<T>> = blocks.clone().map(|_| Mutex::default()).collect();
        let first = blocks.start;
        self.model.sweeper().sweep(
            &self.sequence(blocks, nth),
            values,
            (
                |view, scratch| self.model.update(view, scratch, budget),
                |_| true,
            ),
            |block, old, new| {
                let mut note = lock(&notes[block - first]);
                for (old, &new) in old.iter_mut().zip(new) {
                    *old = change(&mut note, *old, new);
                }
            },
        )?;
        let notes = notes.into_iter().map(Mutex::into_inner);
        Ok(notes
            .map(|note| note.unwrap_or_else(PoisonError::into_inner))
            .collect())
    }

    /// Sweeps until no value changes.
    pub(crate) fn iterate<V: ValueDomain>(
        &self,
        values: &mut [V],
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<(), Limit> {
        let sweeper = self.model.sweeper();
        let stale = sweeper.stale();
        for nth in 0.. {
            let sequence = self.sequence(0..sweeper.blocks(), nth);
            let progress = sweeper.sweep_stale(
                &sequence,
                (values, &stale),
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

    const fn sequence(&self, blocks: Range<usize>, nth: usize) -> Sequence {
        Sequence {
            blocks,
            is_back: nth % 2 == 1,
            threads: self.threads,
        }
    }
}

pub(super) fn value_of<V: ValueDomain>(values: &[V], end: Successor) -> V {
    match end {
        Successor::Won => V::WON,
        Successor::Lost => V::LOST,
        Successor::Node(state) => values[state as usize],
    }
}
