//! Sweeps over values that are divided into blocks, in both directions and on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::schedule::{self, Sequence};
use crate::limits::Limit;

#[derive(Debug)]
pub(crate) struct Sweeper {
    /// The start of each block, and the end of the last one.
    starts: Vec<usize>,
    dependents: Vec<Vec<usize>>,
    /// For each block, the other blocks that it depends on or that depend on it.
    neighbours: Vec<Vec<usize>>,
}

/// A flag for each block that depends on a changed value.
#[derive(Debug)]
pub(crate) struct Stale(Vec<AtomicBool>);

impl Stale {
    pub(crate) fn mark_all(&mut self) {
        self.0.fill_with(|| AtomicBool::new(true));
    }

    fn mark(&self, block: usize) {
        self.0[block].store(true, Ordering::Relaxed);
    }

    fn take(&self, block: usize) -> bool {
        self.0[block].swap(false, Ordering::Relaxed)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub(crate) values: u64,
    pub(crate) has_changed: bool,
}

pub(crate) struct SweepView<'t, V> {
    starts: &'t [usize],
    values: &'t [V],
    block: usize,
}

impl<'t, V> SweepView<'t, V> {
    pub(crate) const fn of(starts: &'t [usize], values: &'t [V], block: usize) -> Self {
        Self {
            starts,
            values,
            block,
        }
    }

    pub(crate) const fn block(&self) -> usize {
        self.block
    }

    #[inline]
    pub(crate) fn at(&self, block: usize) -> &[V] {
        &self.values[self.starts[block]..self.starts[block + 1]]
    }
}

impl Sweeper {
    /// Creates a sweeper; `sources` lists the blocks on which a block depends, each once.
    pub(crate) fn new<I>(starts: Vec<usize>, sources: impl Fn(usize) -> I) -> Self
    where
        I: Iterator<Item = usize>,
    {
        let count = starts.len() - 1;
        let (mut dependents, mut neighbours) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for block in 0..count {
            for source in sources(block) {
                dependents[source].push(block);
                if source != block {
                    neighbours[source].push(block);
                    neighbours[block].push(source);
                }
            }
        }
        for blocks in &mut neighbours {
            blocks.sort_unstable();
            blocks.dedup();
        }
        Self {
            starts,
            dependents,
            neighbours,
        }
    }

    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }

    pub(crate) fn len(&self) -> usize {
        self.starts[self.blocks()]
    }

    pub(crate) fn blocks(&self) -> usize {
        self.dependents.len()
    }

    pub(crate) fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Divides the blocks into as many parts as possible, none of which depends on a later one.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        let mut farthest: Vec<usize> = (0..self.blocks()).collect();
        for (source, dependents) in self.dependents.iter().enumerate() {
            for &block in dependents {
                farthest[block] = farthest[block].max(source);
            }
        }
        let (mut parts, mut first, mut end) = (Vec::new(), 0, 0);
        for (block, farthest) in farthest.into_iter().enumerate() {
            end = end.max(farthest);
            if end <= block {
                parts.push(first..block + 1);
                first = block + 1;
            }
        }
        parts
    }

    pub(crate) fn largest_part(&self) -> usize {
        let sizes = self
            .parts()
            .into_iter()
            .map(|part| self.places(&part).len());
        sizes.max().unwrap_or(0)
    }

    pub(super) fn places(&self, blocks: &Range<usize>) -> Range<usize> {
        self.starts[blocks.start]..self.starts[blocks.end]
    }

    pub(crate) fn stale(&self) -> Stale {
        let mut stale = Stale(Vec::new());
        stale.0.resize_with(self.blocks(), AtomicBool::default);
        stale.mark_all();
        stale
    }

    /// Updates the stale blocks that `is_wanted` accepts, and marks those that depend on a changed
    /// value. `change` is as in [`BellmanOperator::sweep`](super::bellman::BellmanOperator::sweep).
    pub(crate) fn sweep_stale<V: Copy + PartialEq + Send + Sync, S: Default + Send>(
        &self,
        sequence: &Sequence,
        (values, stale): (&mut [V], &Stale),
        (update, is_wanted): (
            impl for<'s> Fn(&SweepView<V>, &'s mut S) -> Result<&'s [V], Limit> + Sync,
            impl Fn(usize) -> bool + Sync,
        ),
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<Progress, Limit> {
        let (computed, has_changed) = (AtomicU64::new(0), AtomicBool::new(false));
        let is_wanted = |block: usize| is_wanted(block) && stale.take(block);
        let keep = |block: usize, old: &mut [V], new: &[V]| {
            computed.fetch_add(new.len() as u64, Ordering::Relaxed);
            let mut is_changed = false;
            for (old, &new) in old.iter_mut().zip(new) {
                let new = change(*old, new);
                is_changed |= new != *old;
                *old = new;
            }
            if is_changed {
                has_changed.store(true, Ordering::Relaxed);
                self.dependents[block]
                    .iter()
                    .for_each(|&other| stale.mark(other));
            }
        };
        self.sweep(sequence, values, (update, is_wanted), keep)?;
        Ok(Progress {
            values: computed.into_inner(),
            has_changed: has_changed.into_inner(),
        })
    }

    /// Updates the blocks that `is_wanted` accepts. `keep` takes the number of a block, its old values, and the new ones.
    pub(super) fn sweep<V: Send + Sync, S: Default + Send>(
        &self,
        sequence: &Sequence,
        values: &mut [V],
        (update, is_wanted): (
            impl for<'s> Fn(&SweepView<V>, &'s mut S) -> Result<&'s [V], Limit> + Sync,
            impl Fn(usize) -> bool + Sync,
        ),
        keep: impl Fn(usize, &mut [V], &[V]) + Sync,
    ) -> Result<(), Limit> {
        let mut scratch: Vec<S> = Vec::new();
        scratch.resize_with(sequence.threads.max(1), S::default);
        schedule::run(sequence, &self.neighbours, |round| {
            let blocks: Vec<usize> = round.iter().copied().filter(|&b| is_wanted(b)).collect();
            let update = |(&block, scratch)| {
                let view = SweepView::of(&self.starts, &*values, block);
                update(&view, scratch)
            };
            let all = blocks.iter().zip(&mut scratch);
            let new: Vec<&[V]> = if blocks.len() < 2 {
                all.map(update).collect::<Result<_, _>>()?
            } else {
                let all: Vec<_> = all.collect();
                all.into_par_iter().map(update).collect::<Result<_, _>>()?
            };
            let (mut rest, mut start) = (&mut *values, 0);
            let own = blocks.iter().map(|&block| {
                let Range { start: first, end } = self.range(block);
                let own = rest.split_off_mut(..end - start);
                let own = own.expect("the blocks of a round are sorted");
                let own = &mut own[first - start..];
                start = end;
                (block, own)
            });
            let old: Vec<_> = own.zip(new).collect();
            let keep = |((block, old), new): ((usize, &mut [V]), &[V])| keep(block, old, new);
            if blocks.len() < 2 {
                old.into_iter().for_each(keep);
            } else {
                old.into_par_iter().for_each(keep);
            }
            Ok(())
        })
    }
}

/// Locks a mutex even if it is poisoned: a panic in another thread ends the program anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
