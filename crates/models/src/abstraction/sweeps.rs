use super::Abstraction;
use super::block::Block;
use super::choice::{OffsetLists, ZombieOffsets, ZombieTurn};
use super::ghost_states::{StateIndex, for_each_list, rank};
use super::rounding::{Accuracy, Bound, Lower, Upper};
use super::update::{Scratch, Update};
use getaway_board::limits::{Budget, Limit};
use getaway_chance::{Stale, SweepProgress, ValueDomain};

#[derive(Debug)]
pub(super) struct RisingBounds<B> {
    pub(super) values: Vec<B>,
    stale: Stale,
}

impl<B> RisingBounds<B> {
    pub(super) fn start_over(&mut self) {
        self.stale.mark_all();
    }
}

impl RisingBounds<Upper> {
    pub(super) fn total(&self) -> f64 {
        self.values.iter().map(|value| value.value()).sum()
    }

    pub(super) fn leap(&mut self, before: &[Upper], times: f64) {
        for (value, &before) in self.values.iter_mut().zip(before) {
            *value = value.extrapolated(before, times);
        }
        self.start_over();
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SweepOptions {
    pub(super) accuracy: Accuracy,
    /// The maximum detour in moves. Blocks on longer ways are left out, since lower bounds don't need them.
    pub(super) detour: u32,
}

impl Abstraction {
    pub(super) fn zeros<B: ValueDomain>(&self, budget: &Budget) -> Result<RisingBounds<B>, Limit> {
        Ok(RisingBounds {
            values: budget.filled(B::LOST, self.len())?,
            stale: self.sweeper.stale(),
        })
    }

    pub(super) fn refined(
        &self,
        coarse: &Abstraction,
        values: &[Lower],
        budget: &Budget,
    ) -> Result<RisingBounds<Lower>, Limit> {
        let mut rising = self.zeros(budget)?;
        let mut clock = budget.clock();
        for (number, fine) in self.blocks.iter().enumerate() {
            let to = &mut rising.values[self.sweeper.range(number)];
            let from = &values[coarse.sweeper.range(number)];
            clock.work(to.len() as u64)?;
            self.lift(fine, to, &coarse.blocks[number], from);
        }
        Ok(rising)
    }

    fn lift(&self, fine: &Block, to: &mut [Lower], coarse: &Block, from: &[Lower]) {
        let lists = OffsetLists {
            mdp: &self.mdp,
            here: fine,
            there: coarse,
            turn: ZombieTurn::Open,
        };
        let zombies = lists.zombies();
        let state = |state| {
            coarse
                .waiting
                .find(state)
                .expect("the coarse block has each state of the fine one")
        };
        let states: Vec<StateIndex> = fine.waiting.all().map(state).collect();
        let mut rows = to.chunks_mut(fine.width());
        let lifted = for_each_list(fine.waiting.len(), self.mdp.ghosts, &mut |ghosts| {
            let row = rows.next().expect("each list of ghosts has a row");
            let ghosts: Vec<StateIndex> = ghosts
                .iter()
                .map(|&ghost| states[usize::from(ghost)])
                .collect();
            // Two ghosts are never on the same tile.
            if ghosts.is_sorted_by(|a, b| a < b) {
                let there = &from[rank(&ghosts) * coarse.width()..][..coarse.width()];
                for (at, value) in row.iter_mut().enumerate() {
                    *value = zombies.value(there, at, fine.tile_combinations);
                }
            }
            Ok::<(), Limit>(())
        });
        debug_assert!(lifted.is_ok(), "the visitor never fails");
    }

    pub(super) fn risen_from(
        &self,
        lower: &RisingBounds<Lower>,
        budget: &Budget,
    ) -> Result<RisingBounds<Upper>, Limit> {
        let mut rising = self.zeros(budget)?;
        for (value, &lower) in rising.values.iter_mut().zip(&lower.values) {
            *value = Upper::above(lower);
        }
        Ok(rising)
    }

    /// Raises the values of stale blocks to those that an update computes from the blocks to which the next moves lead. If none
    /// rises, every value is at least the one that an update computes, except in blocks left out.
    pub(super) fn sweep<const UP: bool>(
        &self,
        RisingBounds { values, stale }: &mut RisingBounds<Bound<UP>>,
        options: SweepOptions,
        budget: &Budget,
    ) -> Result<SweepProgress, Limit> {
        let is_near = |&block: &usize| self.detours[block] <= options.detour;
        let order: Vec<usize> = (0..self.blocks.len()).filter(is_near).collect();
        self.sweeper.sweep(
            &order,
            budget.limits.threads,
            values,
            stale,
            |view, scratch: &mut Scratch<Bound<UP>>| {
                let values = Update::new(self, view).values(scratch, &mut budget.clock())?;
                for value in &mut *values {
                    *value = value.rounded(options.accuracy);
                }
                Ok(values)
            },
            Bound::max,
        )
    }
}

impl ZombieOffsets {
    /// Returns the value of the combination `at` in the row `there`; if it stands for several there, nature chooses.
    /// `combinations` is the number of combinations for each set of parities.
    pub(super) fn value<V: ValueDomain>(&self, there: &[V], at: usize, combinations: usize) -> V {
        match self {
            Self::Runs(firsts) => there[firsts[at / combinations] + at % combinations],
            Self::Any { starts, offsets } => {
                let offsets = &offsets[starts[at] as usize..starts[at + 1] as usize];
                let values = offsets.iter().map(|&offset| there[offset as usize]);
                values.fold(V::IMPOSSIBLE, V::nature)
            }
        }
    }
}
