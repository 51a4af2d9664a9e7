//! Updates a block: the values of all states at a player position, from those at the next positions.
//!
//! The update works backwards: it begins with the player's choice after all adversaries have moved, and continues with one
//! adversary's move after another. A *stage* is a number of ghosts and a set of tracked zombies that have moved. It has a row for
//! each combination of ghost states, with the values for all combinations of the parities of hidden zombies and the tiles of
//! tracked ones. Of the *waiting* adversaries, which have not moved yet, the first in reading order moves next. Zombies in
//! different rooms never meet, so their order does not matter as long as both come before the same ghosts. The order of a zombie
//! and a ghost does not matter either if the ghost neither comes near the zombie's room nor teleports; such a ghost moves first.

mod adversaries;
mod player;
mod teleport;

use super::block::{Block, TileRanges, TrackedZombie};
use super::choice::PlayerChoices;
use super::ghost_states::{StateIndex, binomial, for_each_list, rank};
use super::surroundings::NO_TILE;
use super::{Abstraction, DungeonMdp};
use getaway_board::limits::{Clock, Limit};
use getaway_chance::{SweepView, ValueDomain};

pub struct Scratch<V> {
    /// The values of each stage, indexed by the set of moved zombies and the number of moved ghosts.
    stages: Vec<Vec<V>>,
    /// Rows for a ghost that teleports, indexed by the combination of the other ghosts and by cooldown.
    teleports: Vec<V>,
    lost: Vec<V>,
}

impl<V> Default for Scratch<V> {
    fn default() -> Self {
        Self {
            stages: Vec::new(),
            teleports: Vec::new(),
            lost: Vec::new(),
        }
    }
}

pub(super) struct Update<'a, 'v, V> {
    model: &'a Abstraction,
    block: &'a Block,
    choice: &'a PlayerChoices,
    view: &'a SweepView<'v, V>,
}

/// The states of the ghosts that have moved and of those that wait, and the set of zombies that have moved.
#[derive(Clone, Copy)]
struct DrawStage<'a> {
    moved: &'a [StateIndex],
    waiting: &'a [StateIndex],
    zombies: usize,
}

impl<'a, 'v, V: ValueDomain> Update<'a, 'v, V> {
    pub(super) fn new(model: &'a Abstraction, view: &'a SweepView<'v, V>) -> Self {
        Self {
            model,
            block: &model.blocks[view.block()],
            choice: &model.choices[view.block()],
            view,
        }
    }

    pub(super) fn values<'s>(
        &self,
        scratch: &'s mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<&'s mut [V], Limit> {
        let everyone = (1 << self.block.slots.len()) - 1;
        let stages = (everyone + 1) * (self.ghosts() + 1);
        scratch.stages.resize_with(stages, Vec::new);
        scratch.lost.resize(self.block.width(), V::LOST);
        self.choose(scratch, clock)?;
        for moved in (0..=self.ghosts()).rev() {
            for zombies in (0..=everyone).rev() {
                if (moved, zombies) != (self.ghosts(), everyone) {
                    self.draw(moved, zombies, scratch, clock)?;
                }
            }
        }
        Ok(&mut scratch.stages[0])
    }

    fn mdp(&self) -> &DungeonMdp {
        &self.model.mdp
    }

    fn ghosts(&self) -> usize {
        self.mdp().ghosts
    }

    fn stage_number(&self, moved: usize, zombies: usize) -> usize {
        zombies * (self.ghosts() + 1) + moved
    }

    fn row_of(&self, moved: &[StateIndex], waiting: &[StateIndex]) -> usize {
        let states = self.block.waiting.len();
        (rank(moved) * binomial(states, waiting.len()) + rank(waiting)) * self.block.width()
    }

    /// Computes a row for each combination of ghost states in which `moved` ghosts have moved.
    fn for_each_row(
        &self,
        moved: usize,
        zombies: usize,
        scratch: &mut Scratch<V>,
        mut compute: impl FnMut(DrawStage, &Scratch<V>, &mut [V]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let number = self.stage_number(moved, zombies);
        let mut stage = std::mem::take(&mut scratch.stages[number]);
        let (width, waits) = (self.block.width(), self.ghosts() - moved);
        let [here, there] = [self.block.moved.len(), self.block.waiting.len()];
        stage.resize(
            binomial(here, moved) * binomial(there, waits) * width,
            V::NEUTRAL,
        );
        let done = for_each_list(here, moved, &mut |moved| {
            for_each_list(there, waits, &mut |waiting| {
                let at = DrawStage {
                    moved,
                    waiting,
                    zombies,
                };
                let row = &mut stage[self.row_of(moved, waiting)..][..width];
                if !self.is_apart(at) {
                    row.fill(V::NEUTRAL);
                } else if self.is_needed(at) {
                    compute(at, scratch, row)?;
                    self.clear_met(at, row);
                }
                Ok(())
            })
        });
        scratch.stages[number] = stage;
        done
    }

    fn is_apart(&self, stage: DrawStage) -> bool {
        let mut tiles = self.ghost_tiles(stage);
        let mut rest = tiles.clone();
        tiles.all(|tile| {
            rest.next();
            rest.clone().all(|other| other != tile)
        })
    }

    /// Returns whether the update may read this row: as long as no ghost has moved, a zombie moves only if its order with the
    /// first ghost matters.
    fn is_needed(&self, at: DrawStage) -> bool {
        match at.waiting.first() {
            Some(&first) if at.moved.is_empty() && at.zombies > 0 => {
                let mut moved =
                    (0..self.block.slots.len()).filter(|nth| at.zombies >> nth & 1 == 1);
                moved.all(|nth| self.may_meet(first, nth))
            }
            _ => true,
        }
    }

    /// Returns whether the order of a waiting ghost and a zombie matters.
    fn may_meet(&self, ghost: StateIndex, nth: usize) -> bool {
        let tile = self.block.waiting.tile(ghost);
        let zombie = self.block.slots[nth].zombie;
        let mut draws = (0..16).flat_map(|blocked| self.block.draws(ghost, blocked));
        self.model.surroundings.is_near[zombie][tile as usize]
            || draws.any(|draw| self.block.teleports(draw))
    }

    fn ghost_tiles<'s>(&'s self, stage: DrawStage<'s>) -> impl Iterator<Item = u32> + Clone + 's {
        let moved = stage
            .moved
            .iter()
            .map(|&ghost| self.block.moved.tile(ghost));
        let waiting = stage.waiting.iter();
        moved.chain(waiting.map(|&ghost| self.block.waiting.tile(ghost)))
    }

    /// Marks impossible states: two adversaries on one tile, or a zombie on the player's.
    fn clear_met(&self, stage: DrawStage, row: &mut [V]) {
        let is_result = stage.moved.is_empty() && stage.zombies == 0;
        let [on_ghost, other] = if is_result {
            [V::IMPOSSIBLE, V::LOST]
        } else {
            [V::NEUTRAL; 2]
        };
        for tile in self.ghost_tiles(stage) {
            self.fill_met(tile, row, on_ghost);
        }
        if let Some(tile) = self.block.player_tile {
            self.fill_met(tile, row, other);
        }
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let others = self.block.slots[..nth].iter().enumerate();
            for (other_nth, _) in others.filter(|(_, other)| other.room == slot.room) {
                for local in 0..slot.tiles.len() as StateIndex {
                    let mut tiles = self.block.all_tiles;
                    (tiles[nth], tiles[other_nth]) = ((local, local + 1), (local, local + 1));
                    self.for_each_run(&tiles, &mut |first, len| {
                        row[first..first + len].fill(other);
                    });
                }
            }
        }
    }

    /// Sets the value of each combination that has a zombie on this tile.
    fn fill_met(&self, tile: u32, row: &mut [V], value: V) {
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let local = self.model.surroundings.numbers[slot.zombie][tile as usize];
            if local != NO_TILE {
                let mut tiles = self.block.all_tiles;
                tiles[nth] = (local, local + 1);
                self.for_each_run(&tiles, &mut |first, len| {
                    row[first..first + len].fill(value);
                });
            }
        }
    }

    /// Calls `then` with the start and length of each run of combinations with zombies on these tiles.
    #[inline]
    fn for_each_run(&self, tiles: &TileRanges, then: &mut impl FnMut(usize, usize)) {
        if is_whole(&self.block.slots, tiles) {
            return then(0, self.block.width());
        }
        for parities in 0..self.block.width() / self.block.tile_combinations {
            runs_from(
                &self.block.slots,
                tiles,
                parities * self.block.tile_combinations,
                then,
            );
        }
    }
}

fn is_whole(slots: &[TrackedZombie], tiles: &[(StateIndex, StateIndex)]) -> bool {
    let mut all = slots.iter().zip(tiles);
    all.all(|(slot, &tiles)| tiles == (0, slot.tiles.len() as StateIndex))
}

fn runs_from(
    slots: &[TrackedZombie],
    tiles: &[(StateIndex, StateIndex)],
    first: usize,
    then: &mut impl FnMut(usize, usize),
) {
    let [slot, rest @ ..] = slots else { return };
    let (from, to) = tiles[0];
    let start = first + usize::from(from) * slot.stride;
    if is_whole(rest, &tiles[1..]) {
        if from < to {
            then(start, usize::from(to - from) * slot.stride);
        }
        return;
    }
    for local in from..to {
        let first = first + usize::from(local) * slot.stride;
        runs_from(rest, &tiles[1..], first, then);
    }
}

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
