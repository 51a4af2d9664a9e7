//! Sweeps over all blocks, in parallel where they do not depend on each other.

use std::marker::PhantomData;

use rayon::prelude::*;

use super::block::Block;
use super::choice::{Lists, Turn, Zombies};
use super::ghost_states::{StateIndex, for_each_list, rank};
use super::rounding::{Kept, Lower, Side};
use super::update::{Accuracy, Scratch, Update};
use super::{Abstraction, View};
use crate::limits::{Budget, Limit};

/// Values that only ever rise, and which blocks are to be updated.
#[derive(Debug)]
pub(super) struct Rising {
    pub(super) values: Vec<Kept>,
    /// Whether some block that a block can go to has changed since its last update.
    is_stale: Vec<bool>,
}

impl Rising {
    /// All blocks are to be updated again.
    pub(super) fn start_over(&mut self) {
        self.is_stale.fill(true);
    }

    /// Adds so many times what the values have gained since they were these.
    pub(super) fn leap(&mut self, before: &[Kept], times: f64) {
        for (value, &before) in self.values.iter_mut().zip(before) {
            *value = value.extrapolated(before, times);
        }
        self.start_over();
    }
}

/// How a sweep goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) accuracy: Accuracy,
    /// Blocks are left out which are on no way from the start to the escape that is longer than a shortest one by at
    /// most so many moves: for lower bounds, which need not know of all.
    pub(super) detour: u32,
}

/// What a sweep has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// How many values it has worked out.
    pub(super) values: u64,
    /// Whether any has risen.
    pub(super) has_risen: bool,
}

impl Abstraction {
    /// Values of 0, below all bounds.
    pub(super) fn zeros(&self, budget: &Budget) -> Result<Rising, Limit> {
        Ok(Rising {
            values: budget.filled(Kept::ZERO, self.len())?,
            is_stale: vec![true; self.blocks.len()],
        })
    }

    /// The lower bounds of a coarser model.
    pub(super) fn refined(
        &self,
        (coarse, values): (&Abstraction, &[Kept]),
        budget: &Budget,
    ) -> Result<Rising, Limit> {
        let mut rising = self.zeros(budget)?;
        let mut clock = budget.clock();
        for (number, fine) in self.blocks.iter().enumerate() {
            clock.work((self.starts[number + 1] - self.starts[number]) as u64)?;
            let to = &mut rising.values[self.starts[number]..self.starts[number + 1]];
            let from = &values[coarse.starts[number]..coarse.starts[number + 1]];
            self.lift((fine, to), (&coarse.blocks[number], from));
        }
        Ok(rising)
    }

    fn lift(&self, (fine, to): (&Block, &mut [Kept]), (coarse, from): (&Block, &[Kept])) {
        let zombies = Lists::new(&self.mdp, (fine, coarse), Turn::Open).zombies();
        let state = |state| {
            coarse
                .waiting
                .find(state)
                .expect("a ghost can be there as well")
        };
        let states: Vec<StateIndex> = fine.waiting.all().map(state).collect();
        let mut rows = to.chunks_mut(fine.width());
        let lifted = for_each_list(fine.waiting.len(), self.mdp.ghosts, &mut |ghosts| {
            let row = rows.next().expect("there is a row for each");
            let ghosts: Vec<StateIndex> = ghosts
                .iter()
                .map(|&ghost| states[usize::from(ghost)])
                .collect();
            // Two ghosts on one tile never come up.
            if ghosts.is_sorted_by(|a, b| a < b) {
                let there = &from[rank(&ghosts) * coarse.width()..][..coarse.width()];
                for (at, value) in row.iter_mut().enumerate() {
                    *value = Kept::of(zombies.value::<Lower>(there, at, fine.zombies));
                }
            }
            Ok::<(), Limit>(())
        });
        debug_assert!(lifted.is_ok(), "nothing ends this");
    }

    /// Lower bounds as what to begin with from below.
    pub(super) fn risen_from(&self, lower: &Rising, budget: &Budget) -> Result<Rising, Limit> {
        let mut rising = self.zeros(budget)?;
        for (value, &lower) in rising.values.iter_mut().zip(&lower.values) {
            if lower <= Kept::ONE {
                *value = lower;
            }
        }
        Ok(rising)
    }

    /// Raises the values of all blocks that are stale to what those around them make of them.
    ///
    /// Where nothing has risen, each value is at least what those around it make of it, but for blocks left out.
    pub(super) fn sweep<B: Side>(
        &self,
        rising: &mut Rising,
        manner: Manner,
        (scratch, budget): (&mut [Scratch], &Budget),
    ) -> Result<Progress, Limit> {
        let mut progress = Progress::default();
        for group in &self.groups {
            let is_wanted =
                |&block: &usize| rising.is_stale[block] && self.detours[block] <= manner.detour;
            let blocks: Vec<usize> = group.clone().filter(is_wanted).collect();
            let new = self.update::<B>(
                (&blocks, &rising.values),
                manner.accuracy,
                (scratch, budget),
            )?;
            for (block, new) in new {
                progress.values += new.len() as u64;
                let old = &mut rising.values[self.starts[block]..self.starts[block + 1]];
                let mut has_risen = false;
                for (old, new) in old.iter_mut().zip(new) {
                    if new > *old {
                        *old = new;
                        has_risen = true;
                    }
                }
                rising.is_stale[block] = false;
                if has_risen {
                    progress.has_risen = true;
                    self.mark_stale(block, &mut rising.is_stale);
                }
            }
        }
        Ok(progress)
    }

    /// Marks the blocks from which the player can get to this one.
    fn mark_stale(&self, block: usize, is_stale: &mut [bool]) {
        for &from in &self.sources[block] {
            is_stale[from as usize] = true;
        }
    }

    /// The new values of these blocks, none of which depends on another of them.
    fn update<B: Side>(
        &self,
        (blocks, values): (&[usize], &[Kept]),
        accuracy: Accuracy,
        (scratch, budget): (&mut [Scratch], &Budget),
    ) -> Result<Vec<(usize, Vec<Kept>)>, Limit> {
        let view = View {
            starts: &self.starts,
            values,
        };
        let work = |scratch: &mut Scratch, block: usize| {
            let update = Update::<B> {
                mdp: &self.mdp,
                block: &self.blocks[block],
                choice: &self.choices[block],
                surroundings: &self.surroundings,
                view,
                accuracy,
                side: PhantomData,
            };
            Ok((block, update.values(scratch, &mut budget.clock())?))
        };
        let threads = scratch.len().min(blocks.len()).max(1);
        if threads == 1 {
            let scratch = &mut scratch[0];
            return blocks.iter().map(|&block| work(scratch, block)).collect();
        }
        // The threads are dealt the blocks in turn, so that each gets some of all kinds.
        let shares = scratch[..threads]
            .par_iter_mut()
            .enumerate()
            .map(|(nth, scratch)| {
                let share = blocks.iter().skip(nth).step_by(threads);
                share.map(|&block| work(scratch, block)).collect()
            });
        let done: Result<Vec<Vec<_>>, Limit> = shares.collect();
        Ok(done?.into_iter().flatten().collect())
    }

    /// Room to work in for each thread.
    pub(super) fn scratch(budget: &Budget) -> Vec<Scratch> {
        let threads = budget.limits.threads.max(1);
        (0..threads).map(|_| Scratch::default()).collect()
    }
}

impl Zombies {
    /// The value of a combination here, of which `there` has the values of the same ghosts; nature chooses among
    /// several. There are so many combinations for each set of parities.
    pub(super) fn value<B: Side>(&self, there: &[Kept], at: usize, combinations: usize) -> f64 {
        match self {
            Self::Runs(firsts) => there[firsts[at / combinations] + at % combinations].value(),
            Self::Any { starts, offsets } => {
                let offsets = &offsets[starts[at] as usize..starts[at + 1] as usize];
                let values = offsets.iter().map(|&offset| there[offset as usize].value());
                values.fold(B::NEUTRAL.value(), B::nature)
            }
        }
    }
}
