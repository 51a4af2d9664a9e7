//! Waves: blocks that can be swept at the same time.

use std::ops::Range;

use crate::engine::mdp::graph::Lists;
use crate::engine::mdp::nodes::FIRST_ID;
use crate::limits::{Budget, Limit};

/// The values of a block, those before its wave, and those after it.
pub(super) struct Window<'a> {
    before: &'a [f64],
    own: &'a mut [f64],
    after: &'a [f64],
    /// The first id of the block, and the first after the wave.
    first: usize,
    first_after: usize,
}

impl<'a> Window<'a> {
    pub(super) const fn of_all(values: &'a mut [f64]) -> Self {
        Self {
            before: &[],
            own: values,
            after: &[],
            first: 0,
            first_after: usize::MAX,
        }
    }

    #[inline]
    pub(super) fn value(&self, id: u32) -> f64 {
        let at = id as usize;
        if let Some(&value) = self.before.get(at) {
            value
        } else if at < self.first_after {
            self.own[at - self.first]
        } else {
            self.after[at - self.first_after]
        }
    }

    #[inline]
    pub(super) fn change(&mut self, at: usize, change: impl FnOnce(f64) -> f64) {
        let value = &mut self.own[at - self.first];
        *value = change(*value);
    }
}

pub(super) fn windows<'a>(values: &'a mut [f64], blocks: &[Range<usize>]) -> Vec<Window<'a>> {
    let [first, first_after] = [blocks[0].start, blocks[blocks.len() - 1].end];
    let (before, rest) = values.split_at_mut(first);
    let (mut rest, after) = rest.split_at_mut(first_after - first);
    let (before, after) = (&*before, &*after);
    let window = |block: &Range<usize>| Window {
        before,
        own: rest
            .split_off_mut(..block.len())
            .expect("they are of this wave"),
        after,
        first: block.start,
        first_after,
    };
    blocks.iter().map(window).collect()
}

pub(super) fn waves(
    blocks: &[Range<usize>],
    lists: &Lists,
    budget: &Budget,
) -> Result<Vec<Range<usize>>, Limit> {
    let mut waves = Vec::new();
    let mut first = 0;
    // For each block, the last one before it that leads to it, plus one.
    let mut led_to_by = budget.filled(0, blocks.len())?;
    for (number, block) in blocks.iter().enumerate() {
        let mut is_apart = led_to_by[number] <= first;
        for id in block.clone() {
            let is_other = |next: &&u32| **next >= FIRST_ID && !block.contains(&(**next as usize));
            for &next in lists.get(id as u32).iter().filter(is_other) {
                let other = blocks.partition_point(|block| block.end <= next as usize);
                if other > number {
                    led_to_by[other] = number + 1;
                } else {
                    is_apart &= other < first;
                }
            }
        }
        if !is_apart {
            budget.push(&mut waves, first..number)?;
            first = number;
        }
    }
    if first < blocks.len() {
        budget.push(&mut waves, first..blocks.len())?;
    }
    budget.free(led_to_by);
    Ok(waves)
}

#[cfg(test)]
mod tests;
