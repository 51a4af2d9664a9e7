//! Updates a block: the values of all states at a player position, from those at the next positions.
//!
//! Works backwards: first the player's choice after all adversaries have moved, then one adversary's move after
//! another. A *stage* is a number of ghosts and a set of tracked zombies that have moved. It has a row for each
//! combination of ghost states, with the values for all combinations of the zombies' tiles. The first waiting adversary
//! in reading order moves next. Zombies in different rooms never meet, so their order does not matter as long as both
//! come before the same ghosts.

mod adversaries;
mod player;
mod teleport;

use std::marker::PhantomData;

use super::OnePlayerMdp;
use super::block::{Block, Slot, Tiles};
use super::choice::Choice;
use super::ghost_states::{StateIndex, for_each_list, rank, sets};
use super::rounding::{Grid, Kept, Side};
use super::surroundings::{NO_TILE, Surroundings};
use crate::engine::mdp::SweepView;
use crate::limits::{Clock, Limit};
use teleport::Arrival;

#[derive(Default)]
pub(super) struct Scratch {
    /// Indexed by the set of moved zombies and the number of moved ghosts.
    stages: Vec<Vec<f64>>,
    /// Rows for teleports, indexed by the combination of all ghosts but one, and by cooldown.
    teleports: Vec<f64>,
    zeros: Vec<f64>,
    arrival: Arrival,
    values: Vec<Kept>,
}

pub(super) struct Update<'a, 'v, B> {
    pub(super) mdp: &'a OnePlayerMdp,
    pub(super) block: &'a Block,
    pub(super) choice: &'a Choice,
    pub(super) surroundings: &'a Surroundings,
    pub(super) view: &'a SweepView<'v, 'v, Kept>,
    pub(super) accuracy: Accuracy,
    pub(super) side: PhantomData<B>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Accuracy {
    pub(super) grid: Grid,
    /// The factor by which each turn reduces the value of a win, at most 1. If it is below 1, a policy that follows the
    /// values does not put off winning. A lower bound with a discount is also valid without it.
    pub(super) discount: f64,
}

/// The states of the ghosts that have moved and of those that wait, and the set of zombies that have moved.
#[derive(Clone, Copy)]
struct Stage<'a> {
    moved: &'a [StateIndex],
    waiting: &'a [StateIndex],
    zombies: usize,
}

impl<B: Side> Update<'_, '_, B> {
    pub(super) fn values<'s>(
        &self,
        scratch: &'s mut Scratch,
        clock: &mut Clock,
    ) -> Result<&'s [Kept], Limit> {
        let everyone = (1 << self.block.slots.len()) - 1;
        scratch
            .stages
            .resize_with((everyone + 1) * (self.ghosts() + 1), Vec::new);
        scratch.zeros.clear();
        scratch.zeros.resize(self.block.width(), 0.0);
        self.choose(scratch, clock)?;
        for moved in (0..=self.ghosts()).rev() {
            for zombies in (0..=everyone).rev() {
                if (moved, zombies) != (self.ghosts(), everyone) {
                    self.draw((moved, zombies), scratch, clock)?;
                }
            }
        }
        scratch.values.clear();
        self.keep(&scratch.stages[0], &mut scratch.values, clock)?;
        Ok(&scratch.values)
    }

    fn ghosts(&self) -> usize {
        self.mdp.ghosts
    }

    fn stage_number(&self, moved: usize, zombies: usize) -> usize {
        zombies * (self.ghosts() + 1) + moved
    }

    fn row_of(&self, moved: &[StateIndex], waiting: &[StateIndex]) -> usize {
        let states = self.block.waiting.len();
        (rank(moved) * sets(states, waiting.len()) + rank(waiting)) * self.block.width()
    }

    fn keep(&self, stage: &[f64], values: &mut Vec<Kept>, clock: &mut Clock) -> Result<(), Limit> {
        for_each_list(self.block.waiting.len(), self.ghosts(), &mut |waiting| {
            clock.work(self.block.width() as u64)?;
            let row = &stage[self.row_of(&[], waiting)..][..self.block.width()];
            let first = values.len();
            let Accuracy { grid, discount } = self.accuracy;
            let kept = |&value: &f64| {
                let worth = B::round(value * discount, Grid::FINE);
                Kept::of(B::round(if discount < 1.0 { worth } else { value }, grid))
            };
            values.extend(row.iter().map(kept));
            if B::NEUTRAL > Kept::ZERO {
                for &ghost in waiting {
                    let tile = self.block.waiting.get(ghost).tile;
                    self.for_each_met(tile, |at| values[first + at] = B::NEUTRAL);
                }
            }
            Ok(())
        })
    }

    fn is_apart(&self, stage: Stage) -> bool {
        let mut tiles = self.ghost_tiles(stage);
        let mut rest = tiles.clone();
        tiles.all(|tile| {
            rest.next();
            rest.clone().all(|other| other != tile)
        })
    }

    fn ghost_tiles<'s>(&'s self, stage: Stage<'s>) -> impl Iterator<Item = u32> + Clone + 's {
        let moved = stage
            .moved
            .iter()
            .map(|&ghost| self.block.moved.get(ghost).tile);
        let waiting = stage
            .waiting
            .iter()
            .map(|&ghost| self.block.waiting.get(ghost).tile);
        moved.chain(waiting)
    }

    /// Zeroes impossible states: two adversaries on one tile, or a zombie on the player's.
    fn clear_met(&self, stage: Stage, row: &mut [f64]) {
        if self.block.slots.is_empty() {
            return;
        }
        for tile in self.ghost_tiles(stage) {
            self.for_each_met(tile, |at| row[at] = 0.0);
        }
        if let Some(tile) = self.block.player_tile {
            self.for_each_met(tile, |at| row[at] = 0.0);
        }
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let others = self.block.slots[..nth].iter().enumerate();
            for (other, _) in others.filter(|(_, other)| other.room == slot.room) {
                for local in 0..slot.tiles.len() as StateIndex {
                    let mut tiles = self.block.all_tiles;
                    (tiles[nth], tiles[other]) = ((local, local + 1), (local, local + 1));
                    self.for_each_run(&tiles, &mut |first, len| row[first..first + len].fill(0.0));
                }
            }
        }
    }

    /// Calls `then` with each combination that has a zombie on this tile.
    fn for_each_met(&self, tile: u32, mut then: impl FnMut(usize)) {
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let local = self.surroundings.numbers[slot.zombie][tile as usize];
            if local != NO_TILE {
                let mut tiles = self.block.all_tiles;
                tiles[nth] = (local, local + 1);
                self.for_each_run(&tiles, &mut |first, len| {
                    (first..first + len).for_each(&mut then);
                });
            }
        }
    }

    /// Calls `then` with the start and length of each run of combinations with zombies on these tiles.
    #[inline]
    fn for_each_run(&self, tiles: &Tiles, then: &mut impl FnMut(usize, usize)) {
        if tiles[..self.block.slots.len()] == self.block.all_tiles[..self.block.slots.len()] {
            return then(0, self.block.width());
        }
        for parities in 0..self.block.width() / self.block.zombies {
            self.runs_from(tiles, 0, parities * self.block.zombies, then);
        }
    }

    fn runs_from(
        &self,
        tiles: &Tiles,
        nth: usize,
        first: usize,
        then: &mut impl FnMut(usize, usize),
    ) {
        let Some(slot) = self.block.slots.get(nth) else {
            return then(first, 1);
        };
        let (from, to) = tiles[nth];
        let is_whole = |(slot, tiles): (&Slot, &(StateIndex, StateIndex))| {
            *tiles == (0, slot.tiles.len() as StateIndex)
        };
        if self.block.slots[nth + 1..]
            .iter()
            .zip(&tiles[nth + 1..])
            .all(is_whole)
        {
            if from < to {
                then(
                    first + usize::from(from) * slot.stride,
                    usize::from(to - from) * slot.stride,
                );
            }
            return;
        }
        for local in from..to {
            self.runs_from(
                tiles,
                nth + 1,
                first + usize::from(local) * slot.stride,
                then,
            );
        }
    }
}

/// Inserts a state into a sorted list.
fn with<'m>(
    list: &[StateIndex],
    state: StateIndex,
    to: &'m mut [StateIndex; 8],
) -> &'m [StateIndex] {
    let at = list.partition_point(|&other| other < state);
    to[..at].copy_from_slice(&list[..at]);
    to[at] = state;
    to[at + 1..=list.len()].copy_from_slice(&list[at..]);
    &to[..=list.len()]
}
