//! Updates a block: all states of a ghost and its zombies for one player position.
//!
//! Works backwards: the player's choice, the zombies that move after the ghost, the ghost, the zombies that move before
//! it. That order depends on the tiles, so a *stage* has the values for a set of zombies that have yet to move after
//! the ghost, and a row of the result combines one stage for each such set. Stages that are never used are left out
//! ([`Plan::is_needed`]).

mod choose;
mod draw;
mod teleport;
mod walk;

use rayon::prelude::*;

use super::combinations::{for_each_run, with_zombie_at};
use super::{Plan, Step};
use crate::engine::mdp::{SweepView, ValueDomain};
use crate::limits::{Budget, Clock, Limit};
use crate::solvers::dungeon::one_player::OnePlayerMdp;
use crate::solvers::dungeon::one_player::abstraction::block::Block;
use crate::solvers::dungeon::one_player::abstraction::choice::Choice;
use crate::solvers::dungeon::one_player::abstraction::ghost_states::StateIndex;
use crate::solvers::dungeon::one_player::abstraction::surroundings::{NO_TILE, Surroundings};

pub(crate) struct Scratch<V> {
    /// Rows for all zombie combinations, indexed by the state of the ghost, which has moved, and the set of zombies
    /// that move after it.
    stages: Vec<V>,
    /// Rows indexed by the cooldown after a teleport, the room, and that set of zombies.
    arrivals: Vec<V>,
    /// Rows indexed by the cooldown after a teleport and that set of zombies.
    teleports: Vec<V>,
    /// Rows indexed by the state of the ghost, which waits.
    result: Vec<V>,
    lost: Vec<V>,
}

/// The number of rows that each thread needs: the current row, the next row, sums, counts, and catches.
const OWN_ROWS: usize = 5;

struct Workspace<V: ValueDomain> {
    row: Vec<V>,
    next: Vec<V>,
    sums: Vec<V::Sum>,
    counts: Vec<u16>,
    /// A zombie's current moves, indexed by tile.
    steps: Vec<Step>,
}

impl<V> Default for Scratch<V> {
    fn default() -> Self {
        Self {
            stages: Vec::new(),
            arrivals: Vec::new(),
            teleports: Vec::new(),
            result: Vec::new(),
            lost: Vec::new(),
        }
    }
}

impl<V: ValueDomain> Default for Workspace<V> {
    fn default() -> Self {
        Self {
            row: Vec::new(),
            next: Vec::new(),
            sums: Vec::new(),
            counts: Vec::new(),
            steps: Vec::new(),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) mdp: &'a OnePlayerMdp,
    pub(super) block: &'a Block,
    pub(super) plan: &'a Plan,
    pub(super) choice: &'a Choice,
    pub(super) surroundings: &'a Surroundings,
    pub(super) threads: usize,
}

impl Turn<'_> {
    pub(super) fn values(block: &Block) -> usize {
        let teleports = block.teleports.len() * (1 + block.arrivals.len());
        let stages = (block.moved.len() + teleports) << block.slots.len();
        (stages + block.waiting.len() + OWN_ROWS) * block.width()
    }

    pub(super) fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let Scratch {
            stages,
            arrivals,
            teleports,
            result,
            lost,
        } = scratch;
        let (width, side) = (self.block.width(), self.side());
        lost.resize(width, V::LOST);
        stages.resize(self.block.moved.len() * side, V::NEUTRAL);
        self.for_each_row((stages, side), budget, |workspace, clock, ghost, rows| {
            clock.work((rows.len() * (4 + self.choice.destinations.len())) as u64)?;
            self.choose(view, ghost as StateIndex, &mut rows[..width]);
            self.move_after(ghost as StateIndex, rows, (lost, workspace));
            Ok(())
        })?;
        self.teleport((stages, lost), (arrivals, teleports), budget)?;
        result.resize(self.block.waiting.len() * width, V::NEUTRAL);
        let after = draw::After {
            stages,
            teleports,
            lost,
        };
        self.for_each_row((result, width), budget, |workspace, clock, ghost, row| {
            clock.work(8 * width as u64)?;
            self.draw(&after, ghost as StateIndex, row, workspace);
            Ok(())
        })?;
        Ok(result)
    }

    fn sets(&self) -> usize {
        1 << self.block.slots.len()
    }

    /// The number of values in the rows for all sets.
    fn side(&self) -> usize {
        self.block.width() << self.block.slots.len()
    }

    fn for_each_row<V: ValueDomain>(
        &self,
        (rows, len): (&mut [V], usize),
        budget: &Budget,
        work: impl Fn(&mut Workspace<V>, &mut Clock, usize, &mut [V]) -> Result<(), Limit> + Sync,
    ) -> Result<(), Limit> {
        if self.threads < 2 {
            let (mut workspace, mut clock) = (Workspace::default(), budget.clock());
            let mut rows = rows.chunks_mut(len).enumerate();
            return rows.try_for_each(|(nth, row)| work(&mut workspace, &mut clock, nth, row));
        }
        let begin = || (Workspace::default(), budget.clock());
        let rows = rows.par_chunks_mut(len).enumerate();
        rows.try_for_each_init(begin, |(workspace, clock), (nth, row)| {
            work(workspace, clock, nth, row)
        })
    }

    /// Sets the value of all combinations with a zombie on this tile.
    fn fill_met<V: ValueDomain>(&self, tile: u32, row: &mut [V], value: V) {
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let local = self.surroundings.numbers[slot.zombie][tile as usize];
            if local != NO_TILE {
                let there = with_zombie_at(self.block, nth, local);
                let all = self.block.slots.len();
                for_each_run(self.block, (&there, all), &mut |run| {
                    row[run].fill(value);
                });
            }
        }
    }
}
