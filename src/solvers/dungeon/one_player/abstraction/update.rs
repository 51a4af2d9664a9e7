//! The update of a block: the values of all that may come up at a position of the player, from those of the positions
//! that it can go to.
//!
//! It is worked out backwards: first the player's choice when all adversaries have moved, then one adversary's move
//! after the other. A *stage* is a number of ghosts and a set of tracked zombies that have moved, and has a row for each
//! combination of ghost states: the values of all combinations of the zombies' tiles. In reading order the adversary
//! to move is the waiting one with the least tile. Zombies of different rooms never meet, so of those it does not matter
//! who is first, as long as both come before the same ghosts.

use std::marker::PhantomData;

use super::super::player_positions::Goal;
use super::block::{Block, Draw, MOST_TILES, Slot, Target, Tiles};
use super::choice::{Choice, Zombies};
use super::ghost_states::{GhostState, StateIndex, for_each_list, rank, sets};
use super::rounding::{Grid, Side};
use super::surroundings::{NO_TILE, Surroundings};
use super::{OnePlayerMdp, View};
use crate::limits::{Clock, Limit};

/// What is worked out on the way.
#[derive(Default)]
pub(super) struct Scratch {
    /// By the set of zombies that have moved, and the number of ghosts that have.
    stages: Vec<Vec<f64>>,
    /// For each combination of all ghosts but one, and each cooldown, the row of a teleport.
    teleports: Vec<f64>,
    /// The row of a catch.
    zeros: Vec<f64>,
    arrival: Arrival,
}

/// Sums over the tiles of a room, and over rooms.
#[derive(Default)]
struct Arrival {
    sum: Vec<f64>,
    /// The values of tiles that are left out, as many as there are hidden zombies.
    left_out: Vec<f64>,
    total: Vec<f64>,
    rooms: Vec<u32>,
}

/// The update of a block.
pub(super) struct Update<'a, B> {
    pub(super) mdp: &'a OnePlayerMdp,
    pub(super) block: &'a Block,
    pub(super) choice: &'a Choice,
    pub(super) surroundings: &'a Surroundings,
    pub(super) view: View<'a>,
    pub(super) accuracy: Accuracy,
    pub(super) side: PhantomData<B>,
}

/// How values are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accuracy {
    /// The multiples that they are rounded to.
    pub(super) grid: Grid,
    /// What a win is worth if it comes a turn later, at most 1: below that, who plays by the values does not put off
    /// winning. A lower bound with a discount is one without.
    pub(super) discount: f64,
}

/// Which ghosts have moved and which have not, as lists of their states; and which zombies have.
#[derive(Clone, Copy)]
struct Stage<'a> {
    moved: &'a [StateIndex],
    waiting: &'a [StateIndex],
    zombies: usize,
}

impl<B: Side> Update<'_, B> {
    /// The new values of the block.
    pub(super) fn values(
        &self,
        scratch: &mut Scratch,
        clock: &mut Clock,
    ) -> Result<Vec<f32>, Limit> {
        let mut values = Vec::new();
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
        self.keep(&scratch.stages[0], &mut values, clock)?;
        Ok(values)
    }

    fn ghosts(&self) -> usize {
        self.mdp.ghosts
    }

    fn stage_number(&self, moved: usize, zombies: usize) -> usize {
        zombies * (self.ghosts() + 1) + moved
    }

    /// Where the row of a stage begins.
    fn row_of(&self, moved: &[StateIndex], waiting: &[StateIndex]) -> usize {
        let states = self.block.waiting.len();
        (rank(moved) * sets(states, waiting.len()) + rank(waiting)) * self.block.width()
    }

    /// Rounds the values of the first stage and keeps them.
    fn keep(&self, stage: &[f64], values: &mut Vec<f32>, clock: &mut Clock) -> Result<(), Limit> {
        for_each_list(self.block.waiting.len(), self.ghosts(), &mut |waiting| {
            clock.work(self.block.width() as u64)?;
            let row = &stage[self.row_of(&[], waiting)..][..self.block.width()];
            let first = values.len();
            let Accuracy { grid, discount } = self.accuracy;
            let kept = |&value: &f64| {
                let worth = B::round(value * discount, Grid::FINE);
                B::round(if discount < 1.0 { worth } else { value }, grid) as f32
            };
            values.extend(row.iter().map(kept));
            if B::NEUTRAL > 0.0 {
                for &ghost in waiting {
                    let tile = self.block.waiting.get(ghost).tile;
                    self.for_each_met(tile, |at| values[first + at] = B::NEUTRAL);
                }
            }
            Ok(())
        })
    }

    /// The player's choice when all adversaries have moved.
    fn choose(&self, scratch: &mut Scratch, clock: &mut Clock) -> Result<(), Limit> {
        let everyone = (1 << self.block.slots.len()) - 1;
        let number = self.stage_number(self.ghosts(), everyone);
        let mut stage = std::mem::take(&mut scratch.stages[number]);
        let width = self.block.width();
        stage.resize(sets(self.block.moved.len(), self.ghosts()) * width, 0.0);
        let done = for_each_list(self.block.moved.len(), self.ghosts(), &mut |moved| {
            clock.work(width as u64 * self.choice.destinations.len() as u64)?;
            let row = &mut stage[rank(moved) * width..][..width];
            row.fill(0.0);
            if !self.is_apart(Stage {
                moved,
                waiting: &[],
                zombies: everyone,
            }) {
                return Ok(());
            }
            self.choose_freely(moved, row);
            self.choose_warily(moved, row);
            self.clear_met(
                Stage {
                    moved,
                    waiting: &[],
                    zombies: everyone,
                },
                row,
            );
            Ok(())
        });
        scratch.stages[number] = stage;
        done
    }

    /// The best of all destinations, nobody being in the way but on them.
    fn choose_freely(&self, moved: &[StateIndex], row: &mut [f64]) {
        if self.choice.is_out {
            return row.fill(1.0);
        }
        for destination in &self.choice.destinations {
            let Some(first) = destination.row(moved) else {
                continue;
            };
            let there = &self.view.block(destination.position)[first..];
            match &destination.zombies {
                Zombies::Runs(firsts) => {
                    for (row, &first) in row.chunks_mut(self.block.zombies).zip(firsts) {
                        let there = &there[first..][..row.len()];
                        for (best, &value) in row.iter_mut().zip(there) {
                            *best = better(*best, value.into());
                        }
                    }
                }
                any @ Zombies::Any { .. } => {
                    for (at, best) in row.iter_mut().enumerate() {
                        *best = better(*best, any.value::<B>(there, at, self.block.zombies));
                    }
                }
            }
        }
    }

    /// The best choices where somebody is so near that some of them may be none.
    fn choose_warily(&self, moved: &[StateIndex], row: &mut [f64]) {
        if !self.choice.is_any_near {
            return;
        }
        let is_near = |tile: u32| self.choice.is_near[tile as usize];
        let tile = |ghost| self.block.moved.get(ghost).tile;
        let are_ghosts_near = moved.iter().any(|&ghost| is_near(tile(ghost)));
        for (at, value) in row.iter_mut().enumerate() {
            let mut zombies = self.block.slots.iter().map(|slot| zombie_tile(slot, at));
            if are_ghosts_near || zombies.any(is_near) {
                *value = self.best(moved, at);
            }
        }
    }

    fn best(&self, moved: &[StateIndex], at: usize) -> f64 {
        let geometry = &self.mdp.geometry;
        let taken = |cell| {
            let ghosts = moved.iter().map(|&ghost| self.block.moved.get(ghost).tile);
            let others = self.block.slots.iter().map(|slot| zombie_tile(slot, at));
            ghosts.chain(others).any(|tile| geometry.cell(tile) == cell)
        };
        let paths = geometry.positions.paths_around(self.block.position, taken);
        let worth = |goal| match goal {
            Goal::Out => 1.0,
            Goal::Position(to) => {
                let destination = self.choice.destination(to).expect("all goals are known");
                let there = self.view.block(to);
                destination.row(moved).map_or(0.0, |first| {
                    destination
                        .zombies
                        .value::<B>(&there[first..], at, self.block.zombies)
                })
            }
        };
        paths.iter().map(|path| worth(path.goal)).fold(0.0, better)
    }

    /// Whether no two ghosts are on one tile.
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

    /// Sets the values to 0 of what never comes up: two on one tile, or a zombie where the player is.
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
            for other in &self.block.slots[..nth] {
                if other.room == slot.room {
                    let is_met = |at: &usize| zombie_tile(slot, *at) == zombie_tile(other, *at);
                    (0..row.len()).filter(is_met).for_each(|at| row[at] = 0.0);
                }
            }
        }
    }

    /// Calls `then` with each combination in which a zombie is on this tile.
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

    /// Calls `then` with the runs of combinations with the zombies on these tiles: where each begins, and its length.
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

    /// The stage at which so many ghosts and these zombies have moved, from the stages after it.
    fn draw(
        &self,
        (moved, zombies): (usize, usize),
        scratch: &mut Scratch,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let waits = self.ghosts() - moved;
        if waits > 0 {
            self.teleport((moved, zombies), scratch, clock)?;
        }
        let number = self.stage_number(moved, zombies);
        let mut stage = std::mem::take(&mut scratch.stages[number]);
        let (states, width) = (self.block.waiting.len(), self.block.width());
        let rows = sets(self.block.moved.len(), moved) * sets(states, waits);
        stage.resize(rows * width, 0.0);
        let done = for_each_list(self.block.moved.len(), moved, &mut |moved| {
            for_each_list(states, waits, &mut |waiting| {
                clock.work(4 * width as u64)?;
                let at = Stage {
                    moved,
                    waiting,
                    zombies,
                };
                let row = &mut stage[self.row_of(moved, waiting)..][..width];
                row.fill(0.0);
                if self.is_apart(at) {
                    self.draw_row(at, scratch, row);
                    self.clear_met(at, row);
                }
                Ok(())
            })
        });
        scratch.stages[number] = stage;
        done
    }

    /// The moves of the next adversary, whoever that is.
    fn draw_row(&self, at: Stage, scratch: &Scratch, row: &mut [f64]) {
        let mut limit = u32::MAX;
        if let Some((&ghost, _)) = at.waiting.split_first() {
            limit = self.block.waiting.get(ghost).tile;
            self.draw_ghost(at, scratch, row);
        }
        let waits = |&nth: &usize| at.zombies >> nth & 1 == 0;
        let first = (0..self.block.slots.len()).find(waits);
        for nth in (0..self.block.slots.len()).rev().filter(waits) {
            let slot = &self.block.slots[nth];
            // Without ghosts it is enough to follow one room.
            let is_of_room = |first: usize| self.block.slots[first].room == slot.room;
            if limit < u32::MAX || first.is_some_and(is_of_room) {
                let end = slot.tiles.partition_point(|&tile| tile < limit);
                self.draw_zombie(at, (nth, end as StateIndex), scratch, row);
            }
        }
    }

    /// The move of the first waiting ghost.
    fn draw_ghost(&self, at: Stage, scratch: &Scratch, row: &mut [f64]) {
        let (ghost, rest) = (at.waiting[0], &at.waiting[1..]);
        let tile = self.block.waiting.get(ghost).tile;
        let after = &scratch.stages[self.stage_number(at.moved.len() + 1, at.zombies)];
        let width = row.len();
        let source = |target: Target| match target {
            Target::Caught => &scratch.zeros[..],
            Target::State(state) => {
                let mut moved = [0; 8];
                let moved = with(at.moved, state, &mut moved);
                &after[self.row_of(moved, rest)..][..width]
            }
            Target::Teleport(number) => {
                let others = self.row_of(at.moved, rest) * self.block.teleports.len();
                &scratch.teleports[others + usize::from(number) * width..][..width]
            }
        };
        let others = self.ghost_tiles(at).filter(|&other| other != tile);
        let blocked = others.fold(0, |blocked, other| blocked | self.way(tile, other));
        let draws = |blocked| self.block.draws(ghost, blocked);
        self.draw_around(
            &self.block.all_tiles,
            (0, tile, blocked),
            &mut |tiles, blocked| {
                let options = draws(blocked);
                self.for_each_run(tiles, &mut |first, len| {
                    let row = &mut row[first..first + len];
                    for (nth, draw) in options.iter().enumerate() {
                        mean::<B>(draw, nth > 0, row, |target| &source(target)[first..][..len]);
                    }
                });
            },
        );
    }

    /// Calls `then` for the tiles of zombies from number `from` on, and then again wherever some of them are next to a
    /// ghost's tile, with the ways that are blocked.
    fn draw_around(
        &self,
        tiles: &Tiles,
        (from, tile, blocked): (usize, u32, u8),
        then: &mut impl FnMut(&Tiles, u8),
    ) {
        then(tiles, blocked);
        for nth in from..self.block.slots.len() {
            for (way, local) in self.ways_to(tile, &self.block.slots[nth]) {
                let (first, end) = tiles[nth];
                if (first..end).contains(&local) {
                    let mut tiles = *tiles;
                    tiles[nth] = (local, local + 1);
                    self.draw_around(&tiles, (nth + 1, tile, blocked | way), then);
                }
            }
        }
    }

    /// The move of zombie number `nth`, wherever it stands before tile number `end` of its room, and before others of
    /// its room that wait.
    fn draw_zombie(
        &self,
        at: Stage,
        (nth, end): (usize, StateIndex),
        scratch: &Scratch,
        row: &mut [f64],
    ) {
        let slot = &self.block.slots[nth];
        let after = &scratch.stages[self.stage_number(at.moved.len(), at.zombies | 1 << nth)];
        let after = &after[self.row_of(at.moved, at.waiting)..][..row.len()];
        let mut blocked = [0; MOST_TILES];
        for ghost in self.ghost_tiles(at) {
            for (way, local) in self.ways_to(ghost, slot) {
                blocked[usize::from(local)] |= opposite(way);
            }
        }
        if self.block.is_alone(nth) {
            return draw_alone::<B>(
                slot,
                &blocked[..usize::from(end)],
                (after, &scratch.zeros),
                row,
            );
        }
        for local in 0..end {
            let mut tiles = self.block.all_tiles;
            tiles[nth] = (local, local + 1);
            for (other, tiles) in tiles.iter_mut().enumerate().take(self.block.slots.len()) {
                let waits = at.zombies >> other & 1 == 0;
                if other != nth && waits && self.block.slots[other].room == slot.room {
                    tiles.0 = local + 1;
                }
            }
            let (tile, blocked) = (slot.tiles[usize::from(local)], blocked[usize::from(local)]);
            self.draw_around_others(&tiles, (0, nth, tile, blocked), &mut |tiles, blocked| {
                let draw = slot.draw(local, blocked);
                self.for_each_run(tiles, &mut |first, len| {
                    let source = |target: Target| match target {
                        Target::State(to) => {
                            let first = first + usize::from(to) * slot.stride;
                            &after[first - usize::from(local) * slot.stride..][..len]
                        }
                        Target::Caught | Target::Teleport(_) => &scratch.zeros[..len],
                    };
                    mean::<B>(draw, false, &mut row[first..first + len], source);
                });
            });
        }
    }

    /// As [`Update::draw_around`], for a zombie, who is in the way of others of its room.
    fn draw_around_others(
        &self,
        tiles: &Tiles,
        (from, nth, tile, blocked): (usize, usize, u32, u8),
        then: &mut impl FnMut(&Tiles, u8),
    ) {
        then(tiles, blocked);
        let room = self.block.slots[nth].room;
        for other in (from..self.block.slots.len()).filter(|&other| other != nth) {
            let slot = &self.block.slots[other];
            if slot.room != room {
                continue;
            }
            for (way, local) in self.ways_to(tile, slot) {
                let (first, end) = tiles[other];
                if (first..end).contains(&local) {
                    let mut tiles = *tiles;
                    tiles[other] = (local, local + 1);
                    self.draw_around_others(&tiles, (other + 1, nth, tile, blocked | way), then);
                }
            }
        }
    }

    /// The way from a tile to the other one, if that is next to it.
    #[inline]
    fn way(&self, tile: u32, other: u32) -> u8 {
        let neighbours = &self.surroundings.neighbours[tile as usize];
        let ways = neighbours.iter().enumerate();
        ways.fold(0, |ways, (dir, &next)| {
            ways | u8::from(next == other) << dir
        })
    }

    /// The ways from a tile to tiles where this zombie can be, with the numbers of these.
    #[inline]
    fn ways_to(&self, tile: u32, slot: &Slot) -> impl Iterator<Item = (u8, StateIndex)> + use<B> {
        let near = self.surroundings.in_room[slot.zombie][tile as usize];
        let ways = near.into_iter().enumerate();
        ways.filter_map(|(dir, local)| (local != NO_TILE).then_some((1 << dir, local)))
    }

    /// The rows of teleports out of the stage at which so many ghosts and these zombies have moved.
    fn teleport(
        &self,
        (moved, zombies): (usize, usize),
        scratch: &mut Scratch,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let waits = self.ghosts() - moved - 1;
        let (states, width) = (self.block.waiting.len(), self.block.width());
        let others = sets(self.block.moved.len(), moved) * sets(states, waits);
        let Scratch {
            stages,
            teleports,
            arrival,
            ..
        } = scratch;
        let after = &stages[self.stage_number(moved + 1, zombies)];
        teleports.resize(others * self.block.teleports.len() * width, 0.0);
        for_each_list(self.block.moved.len(), moved, &mut |moved| {
            for_each_list(states, waits, &mut |waiting| {
                let at = Stage {
                    moved,
                    waiting,
                    zombies,
                };
                let first = self.row_of(moved, waiting) * self.block.teleports.len();
                for (nth, &cooldown) in self.block.teleports.iter().enumerate() {
                    let row = &mut teleports[first + nth * width..][..width];
                    self.arrive((at, cooldown), after, arrival, row);
                    clock.work((width * self.mdp.geometry.tile_count() as usize) as u64)?;
                }
                Ok(())
            })
        })
    }

    /// The row of a teleport: the mean over the rooms with a free tile of the means over these.
    fn arrive(
        &self,
        (at, cooldown): (Stage, u8),
        after: &[f64],
        arrival: &mut Arrival,
        row: &mut [f64],
    ) {
        let width = row.len();
        arrival.total.clear();
        arrival.total.resize(width, 0.0);
        arrival.rooms.clear();
        arrival.rooms.resize(width, 0);
        for room in &self.block.arrivals {
            let mut count = 0;
            arrival.sum.clear();
            arrival.sum.resize(width, 0.0);
            arrival.left_out.clear();
            arrival.left_out.resize(width * room.hidden, B::WORST);
            for &tile in &room.tiles {
                if self.ghost_tiles(at).any(|other| other == tile) {
                    continue;
                }
                count += 1;
                let state = GhostState { tile, cooldown };
                let state = self
                    .block
                    .moved
                    .find(state)
                    .expect("a ghost can be on a free tile");
                let mut moved = [0; 8];
                let moved = with(at.moved, state, &mut moved);
                let source = &after[self.row_of(moved, at.waiting)..][..width];
                arrival.add::<B>(source, room.hidden);
            }
            for zombies in 0..width {
                // Where a zombie is the values are 0.
                let taken = self.block.slots.iter().filter(|slot| {
                    let tile = zombie_tile(slot, zombies);
                    room.tiles.binary_search(&tile).is_ok()
                });
                let free = count - taken.count();
                if free > room.hidden {
                    let left = (free - room.hidden) as f64;
                    let sum = arrival.sum[zombies] - room.hidden as f64 * B::WORST;
                    let mean = B::round(sum / left, Grid::FINE);
                    arrival.total[zombies] += mean;
                    arrival.rooms[zombies] += 1;
                }
            }
        }
        for (zombies, value) in row.iter_mut().enumerate() {
            let rooms = f64::from(arrival.rooms[zombies].max(1));
            *value = B::round(arrival.total[zombies] / rooms, Grid::FINE);
        }
    }
}

impl Arrival {
    /// Adds the values of a tile, but for those that nature leaves out so far.
    fn add<B: Side>(&mut self, source: &[f64], hidden: usize) {
        let width = source.len();
        if hidden == 0 {
            for (sum, value) in self.sum.iter_mut().zip(source) {
                *sum += value;
            }
            return;
        }
        for (at, &value) in source.iter().enumerate() {
            let mut value = value;
            for left_out in self.left_out[at..].iter_mut().step_by(width) {
                let other = *left_out;
                *left_out = B::rest(value, other);
                value = B::nature(value, other);
            }
            self.sum[at] += value;
        }
    }
}

/// The move of a zombie that is alone in its room, on the first tiles, of which the ways that are `blocked` are given.
fn draw_alone<B: Side>(
    slot: &Slot,
    blocked: &[u8],
    (after, zeros): (&[f64], &[f64]),
    row: &mut [f64],
) {
    let side = slot.tiles.len() * slot.stride;
    for (row, after) in row.chunks_mut(side).zip(after.chunks(side)) {
        for (local, (&blocked, row)) in blocked.iter().zip(row.chunks_mut(slot.stride)).enumerate()
        {
            let draw = slot.draw(local as StateIndex, blocked);
            if let [value] = row {
                *value = single_mean::<B>(draw, after);
                continue;
            }
            let source = |target: Target| match target {
                Target::State(to) => &after[usize::from(to) * slot.stride..][..slot.stride],
                Target::Caught | Target::Teleport(_) => &zeros[..slot.stride],
            };
            mean::<B>(draw, false, row, source);
        }
    }
}

/// The mean of a draw of a zombie of which `after` has the values by its tiles.
#[inline]
fn single_mean<B: Side>(draw: &Draw, after: &[f64]) -> f64 {
    let value = |target: Target| match target {
        Target::State(to) => after[usize::from(to)],
        Target::Caught | Target::Teleport(_) => 0.0,
    };
    let value = |nth: usize| value(draw.targets()[nth]);
    match draw.targets().len() {
        1 => value(0),
        2 => B::round(f64::midpoint(value(0), value(1)), Grid::FINE),
        3 => B::round((value(0) + value(1) + value(2)) / 3.0, Grid::FINE),
        _ => B::round(
            (value(0) + value(1) + value(2) + value(3)) / 4.0,
            Grid::FINE,
        ),
    }
}

/// The same way from the other side: up and down are the first two of [`Dir::ALL`](crate::grid::Dir::ALL).
const fn opposite(way: u8) -> u8 {
    (way & 0b0101) << 1 | (way & 0b1010) >> 1
}

/// What the player chooses.
#[inline]
fn better(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// A list of states with one more, in order.
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

/// The tile of a zombie in this combination.
fn zombie_tile(slot: &Slot, zombies: usize) -> u32 {
    slot.tiles[zombies / slot.stride % slot.tiles.len()]
}

/// Takes the mean of a draw for each value of a row; or what nature prefers to what is there, if that `is_option`.
#[inline]
fn mean<'s, B: Side>(
    draw: &Draw,
    is_option: bool,
    row: &mut [f64],
    source: impl Fn(Target) -> &'s [f64],
) {
    let put = |old: &mut f64, new: f64| *old = if is_option { B::nature(*old, new) } else { new };
    match *draw.targets() {
        [a] => {
            for (old, a) in row.iter_mut().zip(source(a)) {
                put(old, *a);
            }
        }
        [a, b] => {
            for ((old, a), b) in row.iter_mut().zip(source(a)).zip(source(b)) {
                put(old, B::round(f64::midpoint(*a, *b), Grid::FINE));
            }
        }
        [a, b, c] => {
            let sources = source(a).iter().zip(source(b)).zip(source(c));
            for (old, ((a, b), c)) in row.iter_mut().zip(sources) {
                put(old, B::round((a + b + c) / 3.0, Grid::FINE));
            }
        }
        [a, b, c, d] => {
            let sources = source(a)
                .iter()
                .zip(source(b))
                .zip(source(c))
                .zip(source(d));
            for (old, (((a, b), c), d)) in row.iter_mut().zip(sources) {
                put(old, B::round((a + b + c + d) / 4.0, Grid::FINE));
            }
        }
        _ => unreachable!("a draw has one to four targets"),
    }
}
