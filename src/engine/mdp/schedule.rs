//! Divides blocks into rounds for several threads. Each block comes after the blocks on which it depends.

use std::ops::Range;

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

/// Runs `work` on rounds of at most one block for each thread, sorted by number. Blocks that are neighbours take turns in the order
/// of the sequence, so the result does not depend on the number of threads. `neighbours` must be symmetric.
pub(super) fn run(
    sequence: &Sequence,
    neighbours: &[Vec<usize>],
    mut work: impl FnMut(&[usize]) -> Result<(), Limit>,
) -> Result<(), Limit> {
    if sequence.threads < 2 {
        return sequence.iter().try_for_each(|block| work(&[block]));
    }
    let later = |block: usize| {
        let all = neighbours[block].iter().copied();
        all.filter(move |&other| {
            sequence.blocks.contains(&other) && sequence.is_before(block, other)
        })
    };
    let mut ready: Vec<usize> = sequence.iter().collect();
    // The number of neighbours that must finish first, and the length of the longest path of blocks that wait for each other.
    let mut waits = vec![0; sequence.blocks.end];
    let mut lengths = vec![0; sequence.blocks.end];
    for &block in ready.iter().rev() {
        for other in later(block) {
            waits[other] += 1;
            lengths[block] = lengths[block].max(1 + lengths[other]);
        }
    }
    ready.retain(|&block| waits[block] == 0);
    while !ready.is_empty() {
        ready.sort_by_key(|&block| lengths[block]);
        let mut round = ready.split_off(ready.len().saturating_sub(sequence.threads));
        round.sort_unstable();
        work(&round)?;
        for other in round.into_iter().flat_map(later) {
            waits[other] -= 1;
            if waits[other] == 0 {
                ready.push(other);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
