//! Sweeps over the tables of a [`Tabular`] MDP, in both directions and in parallel.

use std::ops::Range;

use rayon::prelude::*;

use super::model::{Mdp, Successor};
use super::tabular::{Mode, Tabular, View};
use super::value_domain::ValueDomain;
use crate::limits::{Budget, Limit};

/// A tabular MDP, and how many threads work on it.
#[derive(Debug)]
pub(crate) struct Tables<M> {
    pub(super) model: M,
    pub(super) threads: usize,
}

/// How the player chooses, block by block.
pub(super) enum Modes<'a> {
    /// The best, which is noted.
    Note(&'a mut [Vec<u8>]),
    /// As was noted.
    Follow(&'a [Vec<u8>]),
}

impl Modes<'_> {
    /// Those of the blocks of a group, one after the other.
    fn of(&mut self, group: &Range<usize>) -> Vec<Mode<'_>> {
        match self {
            Self::Note(all) => {
                let all = all[group.clone()].iter_mut();
                all.map(|choices| Mode::Note(choices)).collect()
            }
            Self::Follow(all) => {
                let all = all[group.clone()].iter();
                all.map(|choices| Mode::Follow(choices)).collect()
            }
        }
    }
}

/// What becomes of the values of a block: it gets the number of its first state, its values and the new ones, and
/// changes the values.
type Apply<'a, V> = dyn FnMut(usize, &mut [V], &[V]) + 'a;

/// The new values of a block.
type Updated<V> = (usize, Vec<V>);

impl<M: Tabular> Tables<M> {
    /// The tables of this model, to be worked on by so many threads; by one if this is 0.
    pub(crate) fn new(model: M, threads: usize) -> Self {
        let threads = threads.max(1);
        Self { model, threads }
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

    /// Updates each block in turn, or the other way round.
    pub(super) fn sweep<V: ValueDomain>(
        &self,
        values: &mut [V],
        is_back: bool,
        mut modes: Modes,
        budget: &Budget,
        apply: &mut Apply<V>,
    ) -> Result<(), Limit> {
        let mut scratch = self.scratch();
        for group in self.there_or_back(is_back) {
            let tasks = group.clone().zip(modes.of(group)).collect();
            for (block, new) in self.update(tasks, values, &mut scratch, budget)? {
                let range = self.model.range(block);
                apply(range.start, &mut values[range], &new);
            }
        }
        Ok(())
    }

    /// Sweeps until nothing changes any more, or `is_enough` holds after a sweep; `change` says what becomes of an
    /// old value and the new one. A block is skipped as long as nothing has changed in the blocks that it follows
    /// from.
    pub(crate) fn settle<V: ValueDomain>(
        &self,
        values: &mut [V],
        budget: &Budget,
        change: fn(V, V) -> V,
        is_enough: fn(&[V]) -> bool,
    ) -> Result<(), Limit> {
        let mut scratch = self.scratch();
        let blocks = self.model.starts().len() - 1;
        let mut time = 1;
        let mut changed_at = vec![time; blocks];
        let mut updated_at = vec![0; blocks];
        for nth in 0.. {
            let before = time;
            for group in self.there_or_back(nth % 2 == 1) {
                let is_stale = |block: &usize| {
                    let sources = self.model.sources(*block);
                    let latest = sources.map(|source| changed_at[source]).max();
                    latest > Some(updated_at[*block])
                };
                let stale = group.clone().filter(is_stale);
                let tasks = stale.map(|block| (block, Mode::Best)).collect();
                for (block, new) in self.update(tasks, values, &mut scratch, budget)? {
                    updated_at[block] = time;
                    if change_all(&mut values[self.model.range(block)], &new, change) {
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

    /// The groups in order, or the other way round.
    fn there_or_back(&self, is_back: bool) -> impl Iterator<Item = &Range<usize>> {
        let groups = self.model.groups();
        let last = groups.len() - 1;
        (0..=last).map(move |at| &groups[if is_back { last - at } else { at }])
    }

    /// Room to work in for each thread.
    fn scratch<V: ValueDomain>(&self) -> Vec<M::Scratch<V>> {
        (0..self.threads).map(|_| Default::default()).collect()
    }

    /// The new values of blocks of a group.
    fn update<V: ValueDomain>(
        &self,
        tasks: Vec<(usize, Mode)>,
        values: &[V],
        scratch: &mut [M::Scratch<V>],
        budget: &Budget,
    ) -> Result<Vec<Updated<V>>, Limit> {
        let work = |scratch: &mut M::Scratch<V>, (block, mode)| {
            let starts = self.model.starts();
            let view = View {
                block,
                starts,
                values,
            };
            let mut out = vec![V::LOST; self.model.range(block).len()];
            let mut clock = budget.clock();
            self.model
                .update(&view, mode, scratch, &mut out, &mut clock)?;
            Ok((block, out))
        };
        let threads = scratch.len().min(tasks.len()).max(1);
        if threads == 1 {
            let done = tasks.into_iter().map(|task| work(&mut scratch[0], task));
            return done.collect();
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
        Ok(done?.into_iter().flatten().collect())
    }
}

/// Changes values by the new ones; says whether that made a difference.
fn change_all<V: ValueDomain>(values: &mut [V], new: &[V], change: fn(V, V) -> V) -> bool {
    let mut is_changed = false;
    for (value, new) in values.iter_mut().zip(new) {
        let new = change(*value, *new);
        is_changed |= new != *value;
        *value = new;
    }
    is_changed
}
