//! Sweeps over the tables of a [`Tabular`] MDP, in both directions and in parallel.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use super::model::{Mdp, Successor};
use super::schedule::{self, Sequence};
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
    /// For each block those that follow from it, and those and the ones that it follows from, itself left out.
    dependents: Vec<Vec<usize>>,
    neighbours: Vec<Vec<usize>>,
    /// The blocks of each part: what they follow from is in that part or in one before.
    parts: Vec<Range<usize>>,
}

impl<M: Tabular> Tables<M> {
    /// The tables of this model, to be worked on by so many threads; by one if this is 0.
    /// An estimate may take so many rounds of sweeps.
    pub(crate) fn new(model: M, threads: usize, patience: usize) -> Self {
        let dependents = dependents(&model);
        Self {
            neighbours: neighbours(&model, &dependents),
            dependents,
            parts: parts(&model),
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
        let (starts, blocks) = (self.model.starts(), &self.parts[part]);
        starts[blocks.start]..starts[blocks.end]
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
        let ends = self.ends(node).into_iter();
        ends.map(|end| value_of(values, end)).collect()
    }

    /// The successors of a node of the player, each node as the number of its state.
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

    /// Updates each state of a part in turn. `change` gets the old value and the new one, and returns the one
    /// to keep; it may take notes, which are returned block by block.
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
        self.update(
            (blocks, nth),
            |_| true,
            values,
            budget,
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

    /// Sweeps until nothing changes any more, or `is_enough` holds after a sweep. A block is
    /// skipped as long as nothing has changed in the blocks that it follows from.
    pub(crate) fn settle<V: ValueDomain>(
        &self,
        values: &mut [V],
        budget: &Budget,
        change: impl Fn(V, V) -> V + Sync,
        is_enough: impl Fn(&[V]) -> bool,
    ) -> Result<(), Limit> {
        let blocks = 0..self.dependents.len();
        let is_stale: Vec<AtomicBool> = blocks.clone().map(|_| AtomicBool::new(true)).collect();
        for nth in 0.. {
            let has_changed = AtomicBool::new(false);
            let is_wanted = |block: usize| is_stale[block].swap(false, Ordering::Relaxed);
            let sequence = (blocks.clone(), nth);
            self.update(sequence, is_wanted, values, budget, |block, old, new| {
                let mut is_changed = false;
                for (old, &new) in old.iter_mut().zip(new) {
                    let new = change(*old, new);
                    is_changed |= new != *old;
                    *old = new;
                }
                if is_changed {
                    has_changed.store(true, Ordering::Relaxed);
                    for &other in &self.dependents[block] {
                        is_stale[other].store(true, Ordering::Relaxed);
                    }
                }
            })?;
            if !has_changed.into_inner() || is_enough(values) {
                break;
            }
        }
        Ok(())
    }

    /// Updates those of these blocks that are wanted, in order, or the other way round every other time. `keep` gets
    /// the number of a block, its values, and the new ones.
    fn update<V: ValueDomain>(
        &self,
        (blocks, nth): (Range<usize>, usize),
        is_wanted: impl Fn(usize) -> bool + Sync,
        values: &mut [V],
        budget: &Budget,
        keep: impl Fn(usize, &mut [V], &[V]) + Sync,
    ) -> Result<(), Limit> {
        let starts = self.model.starts();
        let (before, mut rest) = values.split_at_mut(starts[blocks.start]);
        let before = &*before;
        let mut locks = Vec::with_capacity(blocks.len());
        for block in blocks.clone() {
            let own;
            (own, rest) = rest.split_at_mut(self.model.range(block).len());
            locks.push(RwLock::new(own));
        }
        let lock_of = |block: usize| &locks[block - blocks.start];
        // Room to work in for each thread.
        let room: Mutex<Vec<M::Scratch<V>>> = Mutex::new(Vec::new());
        let sequence = Sequence {
            blocks: blocks.clone(),
            is_back: nth % 2 == 1,
        };
        schedule::run(
            &sequence,
            &self.neighbours,
            self.threads,
            |block, threads| {
                if !is_wanted(block) {
                    return Ok(());
                }
                let mut scratch = lock(&room).pop().unwrap_or_default();
                let sources = self.model.sources(block);
                let sources = sources.filter(|source| blocks.contains(source));
                // Of neighbours no two are worked on at the same time: so nobody ever waits for a lock.
                let guard = |source| {
                    let values = lock_of(source).read();
                    (source, values.unwrap_or_else(PoisonError::into_inner))
                };
                let view = View {
                    starts,
                    before,
                    block,
                    threads,
                    around: sources.map(guard).collect(),
                };
                let new = self.model.update(&view, &mut scratch, budget)?;
                drop(view);
                let own = lock_of(block).write();
                keep(block, &mut own.unwrap_or_else(PoisonError::into_inner), new);
                lock(&room).push(scratch);
                Ok(())
            },
        )
    }
}

/// The value of what a choice leads to: a state, or the end.
pub(super) fn value_of<V: ValueDomain>(values: &[V], end: Successor) -> V {
    match end {
        Successor::Won => V::WON,
        Successor::Lost => V::LOST,
        Successor::Node(state) => values[state as usize],
    }
}

/// What a lock guards. (Where somebody has panicked, everything ends in any case.)
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many states the largest part of a model has.
pub(crate) fn largest_part<M: Tabular>(model: &M) -> usize {
    let starts = model.starts();
    let parts = parts(model).into_iter();
    let largest = parts
        .map(|part| starts[part.end] - starts[part.start])
        .max();
    largest.unwrap_or(0)
}

/// The blocks of each part, of which there are as many as can be: no block follows from one of a later part.
fn parts<M: Tabular>(model: &M) -> Vec<Range<usize>> {
    let (mut parts, mut first, mut farthest) = (Vec::new(), 0, 0);
    for block in 0..model.starts().len() - 1 {
        farthest = model.sources(block).fold(farthest, usize::max);
        if farthest <= block {
            parts.push(first..block + 1);
            first = block + 1;
        }
    }
    parts
}

/// For each block those that follow from it.
fn dependents<M: Tabular>(model: &M) -> Vec<Vec<usize>> {
    let mut dependents = vec![Vec::new(); model.starts().len() - 1];
    for block in 0..dependents.len() {
        for source in model.sources(block) {
            dependents[source].push(block);
        }
    }
    dependents
}

/// For each block those that follow from it or that it follows from, itself left out.
fn neighbours<M: Tabular>(model: &M, dependents: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let around = |(block, dependents): (usize, &Vec<usize>)| {
        let all = model.sources(block).chain(dependents.iter().copied());
        let mut all: Vec<usize> = all.filter(|&other| other != block).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    dependents.iter().enumerate().map(around).collect()
}
