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
    /// All blocks in groups. No block of a group follows from another block of the group, so that a group can be updated
    /// in parallel.
    groups: Vec<Range<usize>>,
    /// The groups in parts: what the blocks of a part follow from is in that part or in one before.
    parts: Vec<Range<usize>>,
}

impl<M: Tabular> Tables<M> {
    /// The tables of this model, to be worked on by so many threads; by one if this is 0.
    /// An estimate may take so many rounds of sweeps.
    pub(crate) fn new(model: M, threads: usize, patience: usize) -> Self {
        let ends = parts(&model);
        let groups = groups(&model, &ends);
        Self {
            parts: groups_by_part(&groups, &ends),
            groups,
            model,
            threads: threads.max(1),
            patience,
        }
    }

    /// The states of each part.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        (0..self.parts.len()).map(|part| self.part(part)).collect()
    }

    /// The states of a part.
    pub(super) fn part(&self, part: usize) -> Range<usize> {
        let (starts, groups) = (self.model.starts(), &self.groups[self.parts[part].clone()]);
        starts[groups[0].start]..starts[groups[groups.len() - 1].end]
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

    /// Updates each state of a part in turn. `change` gets the old value and the new one, and returns the one
    /// to keep; it may take notes, which are returned block by block.
    pub(super) fn sweep<V: ValueDomain, T: Default + Send>(
        &self,
        values: &mut [V],
        (part, nth): (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, V, V) -> V + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut scratch = self.scratch();
        let mut notes = Vec::new();
        let groups = self.parts[part].clone();
        for group in self.there_or_back(groups, nth) {
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
            for group in self.there_or_back(0..self.groups.len(), nth) {
                let is_stale = |block: usize| {
                    let updated = updated_at[block];
                    let mut sources = self.model.sources(block);
                    updated == 0 || sources.any(|source| changed_at[source] > updated)
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

    /// These groups in order, or the other way round every other time.
    pub(super) fn there_or_back(
        &self,
        groups: Range<usize>,
        nth: usize,
    ) -> impl Iterator<Item = &Range<usize>> {
        let (first, last) = (groups.start, groups.end - 1);
        let is_back = nth % 2 == 1;
        groups.map(move |at| {
            let at = if is_back { first + last - at } else { at };
            &self.groups[at]
        })
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
            let new = self.model.update(&view, scratch, budget)?;
            let mut note = T::default();
            for (old, &new) in own.iter_mut().zip(new) {
                *old = change(&mut note, *old, new);
            }
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

/// How many states the largest part of a model has.
pub(crate) fn largest_part<M: Tabular>(model: &M) -> usize {
    let (mut largest, mut first) = (0, 0);
    for end in parts(model) {
        largest = largest.max(model.starts()[end] - model.starts()[first]);
        first = end;
    }
    largest
}

/// The blocks after the last one of each part, of which there are as many as can be: no block follows from one of a
/// later part.
fn parts<M: Tabular>(model: &M) -> Vec<usize> {
    let (mut ends, mut farthest) = (Vec::new(), 0);
    for block in 0..model.starts().len() - 1 {
        farthest = model.sources(block).fold(farthest, usize::max);
        if farthest <= block {
            ends.push(block + 1);
        }
    }
    ends
}

/// Consecutive blocks that do not follow from one another, in groups of which none goes beyond the end of a part.
fn groups<M: Tabular>(model: &M, ends: &[usize]) -> Vec<Range<usize>> {
    let follows = |block: usize, from: usize| model.sources(block).any(|source| source == from);
    let mut groups: Vec<Range<usize>> = Vec::new();
    for block in 0..model.starts().len() - 1 {
        let is_first = ends.binary_search(&block).is_ok();
        let is_apart = |group: &Range<usize>| {
            let mut others = group.clone();
            others.all(|other| !follows(other, block) && !follows(block, other))
        };
        match groups.last_mut() {
            Some(group) if !is_first && is_apart(group) => group.end = block + 1,
            _ => groups.push(block..block + 1),
        }
    }
    groups
}

/// The numbers of the groups of each part.
fn groups_by_part(groups: &[Range<usize>], ends: &[usize]) -> Vec<Range<usize>> {
    let end = |&end: &usize| groups.partition_point(|group| group.start < end);
    let mut first = 0;
    let part = |end| std::mem::replace(&mut first, end)..end;
    ends.iter().map(end).map(part).collect()
}
