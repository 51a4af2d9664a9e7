//! Processes blocks on several threads, each after the blocks on which it depends.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::Scope;

use crate::limits::Limit;

/// Blocks in the order of their numbers or in reverse.
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

/// Runs `work` on each block. Neighbours take turns in the order of the sequence, so the result
/// does not depend on the number of threads. `neighbours` is symmetric. `work` takes the number of
/// a block and the number of threads that it may use.
pub(super) fn run(
    sequence: &Sequence,
    neighbours: &[Vec<usize>],
    work: impl Fn(usize, usize) -> Result<(), Limit> + Sync,
) -> Result<(), Limit> {
    if sequence.threads < 2 || sequence.blocks.len() < 2 {
        let mut blocks = sequence.iter();
        return blocks.try_for_each(|block| work(block, sequence.threads));
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
    /// The number of blocks that are being worked on or could be.
    open: AtomicUsize,
    ended: OnceLock<Limit>,
}

impl<'a, W: Fn(usize, usize) -> Result<(), Limit> + Sync> Schedule<'a, W> {
    fn new(sequence: &'a Sequence, neighbours: &'a [Vec<usize>], work: W) -> Self {
        let mut schedule = Self {
            sequence,
            neighbours,
            work,
            waits: Vec::new(),
            open: AtomicUsize::new(0),
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
        *schedule.open.get_mut() = schedule.ready().len();
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

    /// Works on a block, and then on those that were waiting for it.
    fn go_on<'s>(&'s self, block: usize, scope: &Scope<'s>) {
        let mut next = Some(block);
        while let Some(block) = next.take()
            && self.ended.get().is_none()
        {
            // If no other block is open now, none will be until this one is done.
            let is_alone = self.open.load(Ordering::Acquire) == 1;
            if let Err(limit) = (self.work)(block, if is_alone { self.sequence.threads } else { 1 })
            {
                // The first limit is kept.
                let _ = self.ended.set(limit);
                return;
            }
            let later = self
                .around(block)
                .filter(|&other| self.sequence.is_before(block, other));
            let freed =
                later.filter(|&other| self.waits(other).fetch_sub(1, Ordering::AcqRel) == 1);
            let mut freed: Vec<usize> = freed.collect();
            self.open.fetch_add(freed.len(), Ordering::AcqRel);
            self.open.fetch_sub(1, Ordering::AcqRel);
            next = freed.pop();
            for block in freed {
                scope.spawn(move |scope| self.go_on(block, scope));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Blocks are neighbours if their numbers differ by one of `steps`.
    fn lattice(blocks: usize, steps: [usize; 2]) -> Vec<Vec<usize>> {
        let is_next = |a: usize, b: usize| steps.contains(&a.abs_diff(b));
        let around = |block| (0..blocks).filter(|&other| is_next(block, other)).collect();
        (0..blocks).map(around).collect()
    }

    fn sequences(threads: usize) -> [Sequence; 3] {
        [(0..40, false), (0..40, true), (7..31, true)].map(|(blocks, is_back)| Sequence {
            blocks,
            is_back,
            threads,
        })
    }

    #[test]
    fn one_thread_goes_there_or_back() {
        for sequence in sequences(1) {
            let seen = Mutex::new(Vec::new());
            let done = run(&sequence, &lattice(40, [1, 6]), |block, threads| {
                assert_eq!(threads, 1);
                seen.lock().unwrap().push(block);
                Ok(())
            });
            let mut seen = seen.into_inner().unwrap();
            assert_eq!((done, seen.is_sorted()), (Ok(()), !sequence.is_back));
            seen.sort_unstable();
            assert!(seen.into_iter().eq(sequence.blocks));
        }
    }

    /// When each block starts, its earlier neighbours are done and the others have not begun.
    #[test]
    fn neighbours_are_worked_on_in_order_by_many_threads() {
        for (sequence, steps) in sequences(3).iter().zip([[1, 6], [6, 7], [1, 1]]) {
            let neighbours = lattice(40, steps);
            let begun: Vec<_> = (0..40).map(|_| AtomicUsize::new(0)).collect();
            let done: Vec<_> = (0..40).map(|_| AtomicUsize::new(0)).collect();
            let count = |of: &AtomicUsize| of.load(Ordering::SeqCst);
            let all = run(sequence, &neighbours, |block, _| {
                begun[block].fetch_add(1, Ordering::SeqCst);
                for &other in neighbours[block]
                    .iter()
                    .filter(|other| sequence.blocks.contains(other))
                {
                    let is_before = usize::from(sequence.is_before(other, block));
                    assert_eq!([count(&begun[other]), count(&done[other])], [is_before; 2]);
                }
                done[block].fetch_add(1, Ordering::SeqCst);
                Ok(())
            });
            assert_eq!(all, Ok(()));
            let wanted = (0..40).map(|block| usize::from(sequence.blocks.contains(&block)));
            assert!(done.iter().map(count).eq(wanted));
        }
    }

    #[test]
    fn all_threads_share_what_nothing_else_can_be_done_beside() {
        let sequence = &sequences(3)[0];
        let alone = run(sequence, &lattice(40, [1, 1]), |_, threads| {
            assert_eq!(threads, 3);
            Ok(())
        });
        let shared = AtomicUsize::new(0);
        let apart = run(sequence, &lattice(40, [50, 50]), |_, threads| {
            shared.fetch_add(usize::from(threads > 1), Ordering::SeqCst);
            Ok(())
        });
        assert_eq!([alone, apart], [Ok(()), Ok(())]);
        assert!(shared.into_inner() <= 1);
    }

    #[test]
    fn a_limit_ends_the_work() {
        for (nth, threads) in [1, 2, 3].into_iter().enumerate() {
            let sequence = &sequences(threads)[nth];
            let after = AtomicUsize::new(0);
            let ended = run(sequence, &lattice(40, [1, 6]), |block, _| {
                let is_late = if sequence.is_back {
                    block < 20
                } else {
                    block > 20
                };
                if block == 20 {
                    return Err(Limit::Time);
                }
                after.fetch_add(usize::from(is_late), Ordering::SeqCst);
                Ok(())
            });
            assert_eq!((ended, after.into_inner()), (Err(Limit::Time), 0));
        }
    }
}
