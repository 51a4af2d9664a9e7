//! The nodes of a quotient in blocks that several threads can sweep over side by side.
//!
//! Blocks next to one another make a *wave* if none of them leads to another one: then it makes no difference whether
//! they are swept one after the other or at the same time. So a sweep goes wave by wave, and comes to the same on any
//! number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::Run;
use crate::engine::mdp::nodes::FIRST_ID;
use crate::limits::{Budget, Limit};

/// Waves of fewer nodes are not worth more than one thread.
const FEW: usize = if cfg!(test) { 1 } else { 1 << 15 };

/// Consecutive nodes.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Their ids.
    pub(super) ids: Range<usize>,
    /// Which runs they make.
    pub(super) runs: Range<usize>,
}

/// All blocks, and the waves that they make.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) all: Vec<Block>,
    waves: Vec<Range<usize>>,
    /// How many threads may work on them.
    pub(super) threads: usize,
}

/// The values that a block is swept with: its own, and those before and after its wave.
pub(super) struct Window<'a, const N: usize> {
    before: &'a [[f64; N]],
    own: &'a mut [[f64; N]],
    after: &'a [[f64; N]],
    /// The id of the first of its own, and of the first after the wave.
    first: usize,
    first_after: usize,
}

impl<'a, const N: usize> Window<'a, N> {
    /// All values, for a block that none is swept beside.
    const fn of_all(values: &'a mut [[f64; N]]) -> Self {
        Self {
            before: &[],
            own: values,
            after: &[],
            first: 0,
            first_after: usize::MAX,
        }
    }

    /// The value of a node of the block.
    #[inline]
    pub(super) fn own(&self, id: u32) -> [f64; N] {
        self.own[(id as usize).wrapping_sub(self.first)]
    }

    /// The value of a node that the block may lead to.
    #[inline]
    pub(super) fn any(&self, id: u32) -> [f64; N] {
        let at = id as usize;
        if let Some(&value) = self.before.get(at) {
            value
        } else if at < self.first_after {
            self.own(id)
        } else {
            self.after[at - self.first_after]
        }
    }

    /// Replaces the value of a node of the block by what `change` makes of it.
    #[inline]
    pub(super) fn change(&mut self, at: usize, change: impl FnOnce([f64; N]) -> [f64; N]) {
        let value = &mut self.own[at - self.first];
        *value = change(*value);
    }
}

impl Blocks {
    /// Finds the waves of these blocks.
    pub(super) fn new(
        all: Vec<Block>,
        runs: &[Run],
        items: &[u32],
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut clock = budget.clock();
        let mut waves = Vec::new();
        // The first block of a wave.
        let mut first = 0;
        // For each block the last one before it that leads to it, plus one.
        let mut led_to_by = budget.filled(0, all.len())?;
        for (number, block) in all.iter().enumerate() {
            let mut is_apart = led_to_by[number] <= first;
            let runs = &runs[block.runs.clone()];
            for run in runs.iter().filter(|run| !run.shape.is_local) {
                let items = &items[run.items()];
                clock.work(items.len() as u64)?;
                let is_own = |&next: &u32| block.ids.contains(&(next as usize));
                let others = items
                    .iter()
                    .filter(|&next| *next >= FIRST_ID && !is_own(next));
                for &next in others {
                    let other = all.partition_point(|block| block.ids.end <= next as usize);
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
        if first < all.len() {
            budget.push(&mut waves, first..all.len())?;
        }
        budget.free(led_to_by);
        Ok(Self {
            all,
            waves,
            threads: budget.limits.threads.max(1),
        })
    }

    /// Does some work on each block, with `own`, of which there is one for each block.
    pub(super) fn for_each<const N: usize, T: Send>(
        &self,
        values: &mut [[f64; N]],
        own: &mut [T],
        work: impl Fn(&Block, Window<N>, &mut T) -> Result<(), Limit> + Sync,
    ) -> Result<(), Limit> {
        for wave in &self.waves {
            let blocks = &self.all[wave.clone()];
            let own = &mut own[wave.clone()];
            if self.threads > 1 && blocks.len() > 1 && len(blocks) >= FEW {
                let windows = windows(values, blocks);
                let all = windows.into_par_iter().zip(blocks).zip(own);
                all.with_max_len(1)
                    .try_for_each(|((window, block), own)| work(block, window, own))?;
            } else {
                let mut all = blocks.iter().zip(own);
                all.try_for_each(|(block, own)| work(block, Window::of_all(values), own))?;
            }
        }
        Ok(())
    }
}

/// How many nodes these blocks have.
fn len(blocks: &[Block]) -> usize {
    let [first, .., last] = blocks else {
        return blocks.iter().map(|block| block.ids.len()).sum();
    };
    last.ids.end - first.ids.start
}

/// The values that the blocks of a wave are swept with side by side.
fn windows<'a, const N: usize>(values: &'a mut [[f64; N]], blocks: &[Block]) -> Vec<Window<'a, N>> {
    let [first, first_after] = [blocks[0].ids.start, blocks[blocks.len() - 1].ids.end];
    let (before, rest) = values.split_at_mut(first);
    let (mut rest, after) = rest.split_at_mut(first_after - first);
    let (before, after) = (&*before, &*after);
    let window = |block: &Block| Window {
        before,
        own: rest
            .split_off_mut(..block.ids.len())
            .expect("they are of this wave"),
        after,
        first: block.ids.start,
        first_after,
    };
    blocks.iter().map(window).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mdp::model::Successor::{Lost, Node, Won};
    use crate::engine::mdp::model::{Owner, Successor};
    use crate::engine::mdp::tests::{Toy, quotient};
    use crate::limits::Limits;

    /// The waves of the blocks of nodes that are far apart.
    fn waves(nodes: Vec<(Owner, Vec<Successor>)>) -> Vec<Range<usize>> {
        let limits = Limits::default();
        let quotient = quotient(&Toy::new(nodes).spread(), &Budget::new(&limits));
        quotient.blocks.waves
    }

    #[test]
    fn no_block_of_a_wave_leads_to_another_one() {
        let nodes = |last| {
            vec![
                (Owner::Player, vec![Node(1), Node(2), Node(3)]),
                (Owner::Chance, vec![Node(0), Won, Lost]),
                (Owner::Chance, vec![Node(1), Lost]),
                (Owner::Chance, last),
            ]
        };
        assert_eq!(waves(nodes(vec![Node(1), Lost])), [0..1, 1..2, 2..4]);
        assert_eq!(waves(nodes(vec![Node(2), Lost])), [0..1, 1..2, 2..3, 3..4]);
        let mut later = nodes(vec![Node(1), Lost]);
        later[2].1 = vec![Node(3), Lost];
        assert_eq!(waves(later), [0..1, 1..3, 3..4]);
    }

    #[test]
    fn a_window_has_all_values_but_those_of_its_neighbours_in_the_wave() {
        let block = |ids| Block { ids, runs: 0..0 };
        let mut values: Vec<[f64; 1]> = (0..10).map(|at| [f64::from(at)]).collect();
        let blocks = [block(2..5), block(5..7)];
        assert_eq!([len(&blocks), len(&blocks[..1]), len(&[])], [5, 3, 0]);
        let mut windows = windows(&mut values, &blocks);
        for (window, seen) in windows.iter_mut().zip([[0, 2, 7], [1, 6, 9]]) {
            let read = seen.map(|id| window.any(id)[0] as u32);
            assert_eq!(read, seen);
            assert_eq!(window.own(seen[1])[0] as u32, seen[1]);
            window.change(seen[1] as usize, |[old]| [10.0 * old]);
        }
        drop(windows);
        let changed = (0..10).filter(|&at| values[at][0] > 10.0);
        assert!(changed.eq([2, 6]));
        let window = Window::of_all(&mut values);
        let bits = |[value]: [f64; 1]| value.to_bits();
        assert!((0..10).all(|id| bits(window.any(id)) == bits(window.own(id))));
    }
}
