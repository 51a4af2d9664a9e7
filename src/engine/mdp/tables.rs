//! Sweeps over the tables of a [`Tabular`] MDP, in both directions and in parallel.

use std::ops::Range;

use rayon::prelude::*;

use super::model::{Mdp, Successor};
use super::tabular::{Tabular, View};
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// How many rounds of sweeps an estimate may take: by then all extrapolations have been tried, and plain sweeps would
/// creep wherever the player can wait at next to no risk. From there it is the nodes' turn, with policy iteration.
pub(crate) const PATIENCE: usize = 250;

/// A tabular MDP, and how many threads work on it.
#[derive(Debug)]
pub(crate) struct Tables<M> {
    pub(super) model: M,
    pub(super) threads: usize,
    /// How many rounds of sweeps an estimate may take.
    pub(super) patience: usize,
}

impl<M: Tabular> Tables<M> {
    /// The tables of this model, to be worked on by so many threads; by one if this is 0.
    /// An estimate may take so many rounds of sweeps.
    pub(crate) fn new(model: M, threads: usize, patience: usize) -> Self {
        Self {
            model,
            threads: threads.max(1),
            patience,
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.model.len()
    }

    /// The value of a node of the player, given those of the states.
    pub(super) fn value<V: ValueDomain>(&self, values: &[V], node: u64) -> V {
        let best = self.choices(values, node).into_iter().reduce(V::better);
        best.expect("each node has a successor").after_turn()
    }

    /// The value of each successor of a node of the player, given those of the states.
    pub(super) fn choices<V: ValueDomain>(&self, values: &[V], node: u64) -> Vec<V> {
        let mut successors = Vec::new();
        self.model.nodes().successors(node, &mut successors);
        let value = |successor| match successor {
            Successor::Won => V::WON,
            Successor::Lost => V::LOST,
            Successor::Node(node) => {
                let state = self.model.find(node);
                values[state.expect("the draws begin when the player has chosen")]
            }
        };
        successors.into_iter().map(value).collect()
    }

    /// Updates each state in turn. `change` gets the old value and the new one, and returns the one
    /// to keep; it may take notes, which are returned block by block.
    pub(super) fn sweep<V: ValueDomain, T: Default + Send>(
        &self,
        values: &mut [V],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, V, V) -> V + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut scratch = self.scratch();
        let mut notes = Vec::new();
        for group in self.there_or_back(nth) {
            let done = self.update(group, |_| true, values, (&mut scratch, budget), &change)?;
            notes.extend(done.into_iter().map(|(_, note)| note));
        }
        Ok(notes)
    }

    /// Sweeps until nothing changes any more, or `is_enough` holds after a sweep. A block is
    /// skipped as long as nothing has changed in the blocks that it follows from.
    pub(crate) fn settle<V: ValueDomain>(
        &self,
        values: &mut [V],
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
        is_enough: impl Fn(&[V]) -> bool,
    ) -> Result<(), Limit> {
        let change = |is_changed: &mut bool, old, new| {
            let new = change(old, new);
            *is_changed |= new != old;
            new
        };
        let mut scratch = self.scratch();
        let blocks = self.model.starts().len() - 1;
        let mut time = 1;
        let mut changed_at = vec![time; blocks];
        let mut updated_at = vec![0; blocks];
        for nth in 0.. {
            let before = time;
            for group in self.there_or_back(nth) {
                let is_stale = |block: usize| {
                    let sources = self.model.sources(block);
                    let latest = sources.map(|source| changed_at[source]).max();
                    latest > Some(updated_at[block])
                };
                for (block, is_changed) in
                    self.update(group, is_stale, values, (&mut scratch, budget), &change)?
                {
                    updated_at[block] = time;
                    if is_changed {
                        time += 1;
                        changed_at[block] = time;
                    }
                }
            }
            if time == before || is_enough(values) {
                break;
            }
        }
        Ok(())
    }

    /// The groups in order, or the other way round every other time.
    fn there_or_back(&self, nth: usize) -> impl Iterator<Item = &Range<usize>> {
        let groups = self.model.groups();
        let last = groups.len() - 1;
        let is_back = nth % 2 == 1;
        (0..=last).map(move |at| &groups[if is_back { last - at } else { at }])
    }

    /// Room to work in for each thread.
    fn scratch<V: ValueDomain>(&self) -> Vec<M::Scratch<V>> {
        (0..self.threads).map(|_| Default::default()).collect()
    }

    /// Updates the blocks of a group that are `wanted`; returns their numbers and notes.
    fn update<V: ValueDomain, T: Default + Send>(
        &self,
        group: &Range<usize>,
        wanted: impl Fn(usize) -> bool,
        values: &mut [V],
        (scratch, budget): (&mut [M::Scratch<V>], &Budget),
        change: &(impl Fn(&mut T, V, V) -> V + Sync),
    ) -> Result<Vec<(usize, T)>, Limit> {
        let starts = self.model.starts();
        let (before, rest) = values.split_at_mut(starts[group.start]);
        let (mut left, after) = rest.split_at_mut(starts[group.end] - before.len());
        let (before, after) = (&*before, &*after);
        let mut tasks = Vec::new();
        for block in group.clone() {
            let own;
            (own, left) = left.split_at_mut(self.model.range(block).len());
            if wanted(block) {
                tasks.push((block, own));
            }
        }
        let work = |scratch: &mut M::Scratch<V>, (block, own): (usize, &mut [V])| {
            let view = View {
                starts,
                before,
                block,
                own: &*own,
                after,
            };
            let mut clock = budget.clock();
            self.model.choose(&view, scratch, &mut clock)?;
            let mut note = T::default();
            let put = |first: usize, new: &[V]| {
                for (old, &new) in own[first..].iter_mut().zip(new) {
                    *old = change(&mut note, *old, new);
                }
            };
            self.model.draw(block, scratch, &mut clock, put)?;
            Ok((block, note))
        };
        let threads = scratch.len().min(tasks.len()).max(1);
        if threads == 1 {
            return tasks
                .into_iter()
                .map(|task| work(&mut scratch[0], task))
                .collect();
        }
        // The threads are dealt the tasks in turn, so that each gets some of all kinds.
        let mut shares: Vec<Vec<_>> = scratch.iter().map(|_| Vec::new()).collect();
        for (nth, task) in tasks.into_iter().enumerate() {
            shares[nth % threads].push(task);
        }
        let shares: Vec<_> = scratch.iter_mut().zip(shares).collect();
        let done: Result<Vec<Vec<_>>, Limit> = shares
            .into_par_iter()
            .map(|(scratch, tasks)| tasks.into_iter().map(|task| work(scratch, task)).collect())
            .collect();
        let mut done: Vec<_> = done?.into_iter().flatten().collect();
        done.sort_unstable_by_key(|&(block, _)| block);
        Ok(done)
    }
}
