//! Gauss-Seidel sweeps over values that are divided into blocks.
//!
//! Each update uses the newest values of all other blocks. Only blocks that depend on a changed value are updated again, and
//! several threads update blocks that do not depend on each other.

use std::ops::Range;

use rayon::prelude::*;

use super::schedule;
use getaway_board::limits::Limit;

/// Blocks with fewer values are updated in less time than it takes to start a thread a few times.
const SMALL_BLOCK: usize = 1 << 13;

impl Sweeper {
    /// Updates the stale blocks among those in `order`, and marks the blocks that depend on a changed value as stale. `change`
    /// takes an old value and the new one, and returns the value to keep.
    pub fn sweep<V: Copy + PartialEq + Send + Sync, S: Default + Send>(
        &self,
        order: &[usize],
        threads: usize,
        values: &mut [V],
        Stale(stale): &mut Stale,
        update: impl for<'s> Fn(&SweepView<V>, &'s mut S) -> Result<&'s [V], Limit> + Sync,
        change: impl Fn(V, V) -> V + Sync,
    ) -> Result<SweepProgress, Limit> {
        let mut scratch: Vec<S> = Vec::new();
        let round_size = self.round_size(threads);
        scratch.resize_with(round_size, S::default);
        let mut progress = SweepProgress::default();
        schedule::run(order, round_size, &self.neighbours, &mut |round| {
            let mut blocks = round.to_vec();
            blocks.retain(|&block| std::mem::take(&mut stale[block]));
            let all = blocks.iter().zip(&mut scratch).collect();
            let new = map(all, |(&block, scratch)| {
                update(&SweepView::of(&self.starts, values, block), scratch)
            });
            let old = self
                .slices_mut(values, &blocks)
                .into_iter()
                .zip(new)
                .collect();
            let changes = map(old, |(old, new)| Ok(has_changed(old, new?, &change)));
            for (block, has_changed) in blocks.into_iter().zip(changes) {
                progress.values += self.range(block).len() as u64;
                if has_changed? {
                    progress.has_changed = true;
                    for &other in &self.dependents[block] {
                        stale[other] = true;
                    }
                }
            }
            Ok(())
        })?;
        Ok(progress)
    }

    /// Returns the maximum number of blocks that are updated at a time, each with a workspace of its own.
    pub fn round_size(&self, threads: usize) -> usize {
        match threads {
            0 | 1 => 1,
            // The threads wait for one another after each round, so rounds hold more blocks if these are small.
            _ if self.len() < SMALL_BLOCK * self.blocks() => 4 * threads,
            _ => threads,
        }
    }

    /// Returns the values of blocks that are sorted by number.
    fn slices_mut<'v, V>(&self, values: &'v mut [V], blocks: &[usize]) -> Vec<&'v mut [V]> {
        let (mut rest, mut start) = (values, 0);
        let slice = |&block: &usize| {
            let range = self.range(block);
            let (_, later) = std::mem::take(&mut rest).split_at_mut(range.start - start);
            let (own, later) = later.split_at_mut(range.len());
            (rest, start) = (later, range.end);
            own
        };
        blocks.iter().map(slice).collect()
    }

    /// Returns a sweeper for blocks that begin at `starts`, whose last entry is the number of values. A block depends on the
    /// blocks that `sources` lists for it.
    pub fn new<I>(starts: Vec<usize>, sources: impl Fn(usize) -> I) -> Self
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

    /// Returns the index of each block's first value, and then the number of values.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.starts[self.blocks()]
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.dependents.len()
    }

    /// Returns the indices of a block's values.
    pub fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Divides the blocks into as many parts as possible, none of which depends on a later one.
    pub fn parts(&self) -> Vec<Range<usize>> {
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

    /// Returns the number of values in the largest part.
    pub fn largest_part(&self) -> usize {
        let sizes = self
            .parts()
            .into_iter()
            .map(|part| self.value_range(&part).len());
        sizes.max().unwrap_or(0)
    }

    pub(super) fn value_range(&self, blocks: &Range<usize>) -> Range<usize> {
        self.starts[blocks.start]..self.starts[blocks.end]
    }

    /// Returns marks for the blocks, all of them stale.
    pub fn stale(&self) -> Stale {
        Stale(vec![true; self.blocks()])
    }
}

/// The division of values into blocks, and the dependencies between blocks.
#[derive(Debug)]
pub struct Sweeper {
    /// The start of each block, and the end of the last one.
    starts: Vec<usize>,
    dependents: Vec<Vec<usize>>,
    /// For each block, the other blocks that it depends on or that depend on it.
    neighbours: Vec<Vec<usize>>,
}

/// For each block, true if it must be updated: it never was, a value that it depends on has changed since its last update, or
/// [`Stale::mark_all`] was called.
#[derive(Debug)]
pub struct Stale(Vec<bool>);

impl Stale {
    /// Marks all blocks as stale.
    pub fn mark_all(&mut self) {
        self.0.fill(true);
    }
}

/// The work of a sweep.
#[derive(Clone, Copy, Debug, Default)]
pub struct SweepProgress {
    /// The number of values computed.
    pub values: u64,
    /// True if a value has changed.
    pub has_changed: bool,
}

/// The values as one block's update sees them.
pub struct SweepView<'t, V> {
    starts: &'t [usize],
    values: &'t [V],
    block: usize,
}

impl<'t, V> SweepView<'t, V> {
    /// Returns the view for the update of `block`.
    pub const fn of(starts: &'t [usize], values: &'t [V], block: usize) -> Self {
        Self {
            starts,
            values,
            block,
        }
    }

    /// Returns the block that is updated.
    pub const fn block(&self) -> usize {
        self.block
    }

    /// Returns the values of a block.
    #[inline]
    pub fn at(&self, block: usize) -> &[V] {
        &self.values[self.starts[block]..self.starts[block + 1]]
    }
}

fn has_changed<V: Copy + PartialEq>(old: &mut [V], new: &[V], change: impl Fn(V, V) -> V) -> bool {
    let mut has_changed = false;
    for (old, &new) in old.iter_mut().zip(new) {
        let new = change(*old, new);
        has_changed |= new != *old;
        *old = new;
    }
    has_changed
}

/// Applies `work` to all elements, on several threads if there are several elements.
fn map<A: Send, B: Send>(all: Vec<A>, work: impl Fn(A) -> B + Sync) -> Vec<B> {
    if all.len() < 2 {
        return all.into_iter().map(work).collect();
    }
    let mut results: Vec<Option<B>> = all.iter().map(|_| None).collect();
    let work = &work;
    let tasks = all.into_iter().zip(&mut results);
    let tasks =
        tasks.map(|(element, result)| -> Task { Box::new(move || *result = Some(work(element))) });
    run(tasks.collect());
    results.into_iter().flatten().collect()
}

/// A boxed function, because Rayon's code is large and would be compiled again for each type of value.
type Task<'t> = Box<dyn FnOnce() + Send + 't>;

fn run(tasks: Vec<Task>) {
    tasks
        .into_par_iter()
        .with_max_len(1)
        .for_each(|task| task());
}
