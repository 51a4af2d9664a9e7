//! Processes blocks on several threads, each after the blocks on which it depends.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::Scope;

use crate::limits::Limit;

/// The order in which blocks are processed: by number, or in reverse.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) blocks: Range<usize>,
    pub(crate) is_back: bool,
    pub(crate) threads: usize,
}

impl Sequence {
    fn iter(&self) -> impl Iterator<Item = usize> {
        let (blocks, is_back) = (self.blocks.clone(), self.is_back);
        let (first, end) = (blocks.start, blocks.end);
        blocks.map(move |block| {
            if is_back {
                first + end - 1 - block
            } else {
                block
            }
        })
    }

    const fn is_before(&self, a: usize, b: usize) -> bool {
        if self.is_back { a > b } else { a < b }
    }
}

/// Runs `work` on each block. Blocks that are neighbours take turns in the order of the sequence, so the result does not depend
/// on the number of threads. `neighbours` must be symmetric.
pub(super) fn run(
    sequence: &Sequence,
    neighbours: &[Vec<usize>],
    work: impl Fn(usize) -> Result<(), Limit> + Sync,
) -> Result<(), Limit> {
    if sequence.threads < 2 || sequence.blocks.len() < 2 {
        return sequence.iter().try_for_each(work);
    }
    let schedule = Schedule::new(sequence, neighbours, work);
    rayon::scope(|scope| {
        for block in schedule.ready() {
            let schedule = &schedule;
            scope.spawn(move |scope| schedule.go_on(block, scope));
        }
    });
    schedule.ended.into_inner().map_or(Ok(()), Err)
}

struct Schedule<'a, W> {
    sequence: &'a Sequence,
    neighbours: &'a [Vec<usize>],
    work: W,
    /// For each block, the number of neighbours that must finish first.
    waits: Vec<AtomicUsize>,
    ended: OnceLock<Limit>,
}

impl<'a, W: Fn(usize) -> Result<(), Limit> + Sync> Schedule<'a, W> {
    fn new(sequence: &'a Sequence, neighbours: &'a [Vec<usize>], work: W) -> Self {
        let mut schedule = Self {
            sequence,
            neighbours,
            work,
            waits: Vec::new(),
            ended: OnceLock::new(),
        };
        let waits = |block| {
            let before = schedule.around(block);
            before
                .filter(|&other| sequence.is_before(other, block))
                .count()
        };
        schedule.waits = sequence
            .blocks
            .clone()
            .map(waits)
            .map(AtomicUsize::new)
            .collect();
        schedule
    }

    fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        let neighbours = self.neighbours[block].iter().copied();
        neighbours.filter(|other| self.sequence.blocks.contains(other))
    }

    fn waits(&self, block: usize) -> &AtomicUsize {
        &self.waits[block - self.sequence.blocks.start]
    }

    fn ready(&self) -> Vec<usize> {
        let is_ready = |&block: &usize| self.waits(block).load(Ordering::Relaxed) == 0;
        self.sequence.iter().filter(is_ready).collect()
    }

    fn go_on<'s>(&'s self, block: usize, scope: &Scope<'s>) {
        let mut next = Some(block);
        while let Some(block) = next.take()
            && self.ended.get().is_none()
        {
            if let Err(limit) = (self.work)(block) {
                // Setting fails if another thread has already reported a limit.
                let _ = self.ended.set(limit);
                return;
            }
            let later = self
                .around(block)
                .filter(|&other| self.sequence.is_before(block, other));
            let freed =
                later.filter(|&other| self.waits(other).fetch_sub(1, Ordering::AcqRel) == 1);
            let mut freed: Vec<usize> = freed.collect();
            next = freed.pop();
            for block in freed {
                scope.spawn(move |scope| self.go_on(block, scope));
            }
        }
    }
}

#[cfg(test)]
mod tests;
