//! Sweeps over all blocks of a model.

use std::marker::PhantomData;

use super::Abstraction;
use super::block::Block;
use super::choice::{Lists, Turn, Zombies};
use super::ghost_states::{StateIndex, for_each_list, rank};
use super::rounding::{Kept, Lower, Side};
use super::update::{Accuracy, Scratch, Update};
use crate::engine::mdp::{Progress, Sequence, Stale};
use crate::limits::{Budget, Limit};

/// Values that only rise, and the blocks to update next.
#[derive(Debug)]
pub(super) struct Rising {
    pub(super) values: Vec<Kept>,
    stale: Stale,
}

impl Rising {
    pub(super) fn start_over(&mut self) {
        self.stale.mark_all();
    }

    pub(super) fn leap(&mut self, before: &[Kept], times: f64) {
        for (value, &before) in self.values.iter_mut().zip(before) {
            *value = value.extrapolated(before, times);
        }
        self.start_over();
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) accuracy: Accuracy,
    /// The maximum detour in moves: blocks on longer ways are left out, since lower bounds don't need them.
    pub(super) detour: u32,
}

impl Abstraction {
    pub(super) fn zeros(&self, budget: &Budget) -> Result<Rising, Limit> {
        Ok(Rising {
            values: budget.filled(Kept::ZERO, self.len())?,
            stale: self.sweeper.stale(),
        })
    }

    pub(super) fn refined(
        &self,
        (coarse, values): (&Abstraction, &[Kept]),
        budget: &Budget,
    ) -> Result<Rising, Limit> {
        let mut rising = self.zeros(budget)?;
        let mut clock = budget.clock();
        for (number, fine) in self.blocks.iter().enumerate() {
            let to = &mut rising.values[self.sweeper.range(number)];
            let from = &values[coarse.sweeper.range(number)];
            clock.work(to.len() as u64)?;
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
            // Two ghosts are never on the same tile.
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

    pub(super) fn risen_from(&self, lower: &Rising, budget: &Budget) -> Result<Rising, Limit> {
        let mut rising = self.zeros(budget)?;
        for (value, &lower) in rising.values.iter_mut().zip(&lower.values) {
            if lower <= Kept::ONE {
                *value = lower;
            }
        }
        Ok(rising)
    }

    /// Raises the values of stale blocks to those that follow from neighbouring blocks. If none rises, no value is
    /// below the one that follows from its neighbours, except in blocks left out.
    pub(super) fn sweep<B: Side>(
        &self,
        Rising { values, stale }: &mut Rising,
        manner: Manner,
        budget: &Budget,
    ) -> Result<Progress, Limit> {
        let sequence = Sequence {
            blocks: 0..self.blocks.len(),
            is_back: false,
            threads: budget.limits.threads,
        };
        self.sweeper.sweep_stale(
            &sequence,
            (values, stale),
            (
                |view, scratch: &mut Scratch| {
                    let update = Update::<B> {
                        mdp: &self.mdp,
                        block: &self.blocks[view.block()],
                        choice: &self.choices[view.block()],
                        surroundings: &self.surroundings,
                        view,
                        accuracy: manner.accuracy,
                        side: PhantomData,
                    };
                    update.values(scratch, &mut budget.clock())
                },
                |block| self.detours[block] <= manner.detour,
            ),
            Kept::max,
        )
    }
}

impl Zombies {
    /// The value of a combination in the row `there`; if there are several, nature chooses. `combinations` is the
    /// number of combinations for each set of parities.
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
