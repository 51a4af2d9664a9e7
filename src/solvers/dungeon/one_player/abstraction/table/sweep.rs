//! The update of a block: all states of a ghost and its zombies at a position of the player.
//!
//! Backwards: the player's choice, then the zombies that move after the ghost, then the ghost, then those that moved
//! before it. In reading order that depends on who stands where, so a *stage* has the values for a set of zombies that
//! have yet to move after the ghost, and a row of the result is put together from one stage for each such set.

use std::ops::Range;

use rayon::prelude::*;

use super::super::super::player_positions::Goal;
use super::super::OnePlayerMdp;
use super::super::block::{Arrivals, Block, Slot, Target};
use super::super::choice::{Choice, Zombies};
use super::super::ghost_states::{GhostState, StateIndex};
use super::super::surroundings::{NO_TILE, Surroundings};
use crate::engine::mdp::{ValueDomain, View};
use crate::limits::{Budget, Clock, Limit};

/// The most zombies: a turn is worked out for each set of those that move before the ghost.
pub(super) const MOST_ZOMBIES: usize = 3;

/// What is worked out on the way.
pub(crate) struct Scratch<V> {
    /// For each state of the ghost, which has moved, and each set of zombies that move after it, a row with the value
    /// of each combination of zombies.
    stages: Vec<V>,
    /// For each cooldown of a teleport and each of these sets a row.
    teleports: Vec<V>,
    /// For each state of the ghost, which waits, a row.
    result: Vec<V>,
    fixed: Fixed<V>,
}

/// What is the same for all rows of a block.
struct Fixed<V> {
    /// A row of nothing, and one of catches.
    neutral: Vec<V>,
    lost: Vec<V>,
    /// For each zombie and each of its tiles what it can do with nobody in its way.
    free: Vec<Vec<Step>>,
}

/// What one thread works out on the way.
struct Workspace<V> {
    row: Vec<V>,
    next: Vec<V>,
    /// What a zombie can do now on each of its tiles.
    steps: Vec<Step>,
    /// A zombie's tiles, and then nothing and a catch.
    line: Vec<V>,
}

/// What a zombie can do on a tile: four numbers of tiles, of which the one after the last stands for nothing, and the
/// next one for a catch; and how many of them count.
type Step = ([usize; 4], u16);

/// For each zombie its tiles from one to before the other.
type Region = [(usize, usize); MOST_ZOMBIES];

/// A zombie next to the ghost: its number, that of its tile, and the ghost's way there.
type Neighbour = (usize, StateIndex, u8);

impl<V> Default for Scratch<V> {
    fn default() -> Self {
        let fixed = Fixed {
            neutral: Vec::new(),
            lost: Vec::new(),
            free: Vec::new(),
        };
        Self {
            stages: Vec::new(),
            teleports: Vec::new(),
            result: Vec::new(),
            fixed,
        }
    }
}

impl<V> Default for Workspace<V> {
    fn default() -> Self {
        Self {
            row: Vec::new(),
            next: Vec::new(),
            steps: Vec::new(),
            line: Vec::new(),
        }
    }
}

/// A turn at a position of the player.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) mdp: &'a OnePlayerMdp,
    pub(super) block: &'a Block,
    pub(super) choice: &'a Choice,
    pub(super) surroundings: &'a Surroundings,
    /// For each zombie and each tile of the ghost whether one may be in the other's way.
    pub(super) is_near: &'a [Vec<bool>],
    /// How many threads share the work.
    pub(super) threads: usize,
}

impl Turn<'_> {
    /// The value of each state in which all wait.
    pub(super) fn update<'s, V: ValueDomain>(
        &self,
        view: &View<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let Scratch {
            stages,
            teleports,
            result,
            fixed,
        } = scratch;
        fixed.prepare(self.block);
        let (width, side) = (self.block.width(), self.side());
        stages.resize(self.block.moved.len() * side, V::NEUTRAL);
        self.for_each_row((stages, side), budget, |workspace, clock, ghost, rows| {
            clock.work((rows.len() * (4 + self.choice.destinations.len())) as u64)?;
            self.choose(view, ghost as StateIndex, &mut rows[..width]);
            self.move_after(ghost as StateIndex, rows, (fixed, workspace));
            Ok(())
        })?;
        teleports.resize(self.block.teleports.len() * side, V::NEUTRAL);
        self.for_each_row((teleports, side), budget, |_, clock, nth, rows| {
            clock.work((rows.len() * self.block.moved.len()) as u64)?;
            for (set, row) in rows.chunks_mut(width).enumerate() {
                self.teleport((self.block.teleports[nth], set), stages, row);
            }
            Ok(())
        })?;
        result.resize(self.block.waiting.len() * width, V::NEUTRAL);
        let draws = Draws {
            turn: *self,
            stages,
            teleports,
            fixed,
        };
        self.for_each_row((result, width), budget, |workspace, clock, ghost, row| {
            clock.work(8 * width as u64)?;
            draws.draw(ghost as StateIndex, row, workspace);
            Ok(())
        })?;
        Ok(result)
    }

    /// How many sets of zombies there are.
    fn sets(&self) -> usize {
        1 << self.block.slots.len()
    }

    /// How many values the rows for all these sets have.
    fn side(&self) -> usize {
        self.block.width() << self.block.slots.len()
    }

    /// Works out rows of so many values, each by its number.
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

    /// The value of the player's best choice when all have moved.
    fn choose<V: ValueDomain>(&self, view: &View<V>, ghost: StateIndex, row: &mut [V]) {
        self.choose_freely(view, ghost, row);
        self.choose_warily(view, ghost, row);
        self.fill_met(self.block.moved.get(ghost).tile, row, V::NEUTRAL);
    }

    /// The best of all destinations, nobody being in the way but on them.
    fn choose_freely<V: ValueDomain>(&self, view: &View<V>, ghost: StateIndex, row: &mut [V]) {
        if self.choice.is_out {
            return row.fill(V::WON.after_turn());
        }
        row.fill(V::LOST);
        for destination in &self.choice.destinations {
            let (Some(first), Zombies::Runs(firsts)) =
                (destination.row(&[ghost]), &destination.zombies)
            else {
                continue;
            };
            let there = &view.at(destination.position as usize)[first + firsts[0]..];
            for (best, &value) in row.iter_mut().zip(there) {
                *best = best.better(value);
            }
        }
        for best in row {
            *best = best.after_turn();
        }
    }

    /// The best choices where somebody is so near that some of them may be none.
    fn choose_warily<V: ValueDomain>(&self, view: &View<V>, ghost: StateIndex, row: &mut [V]) {
        if !self.choice.is_any_near {
            return;
        }
        let is_near = |tile: u32| self.choice.is_near[tile as usize];
        let is_ghost_near = is_near(self.block.moved.get(ghost).tile);
        for (at, value) in row.iter_mut().enumerate() {
            let mut zombies = self.block.slots.iter().map(|slot| tile_of(slot, at));
            if is_ghost_near || zombies.any(is_near) {
                *value = self.best(view, ghost, at);
            }
        }
    }

    fn best<V: ValueDomain>(&self, view: &View<V>, ghost: StateIndex, at: usize) -> V {
        let geometry = &self.mdp.geometry;
        let tile = self.block.moved.get(ghost).tile;
        let taken = |cell| {
            let zombies = self.block.slots.iter().map(|slot| tile_of(slot, at));
            std::iter::once(tile)
                .chain(zombies)
                .any(|tile| geometry.cell(tile) == cell)
        };
        let value = |goal| match goal {
            Goal::Out => V::WON,
            Goal::Position(to) => {
                let destination = self.choice.destination(to).expect("all goals are known");
                match (destination.row(&[ghost]), &destination.zombies) {
                    (Some(first), Zombies::Runs(firsts)) => {
                        view.at(to as usize)[first + firsts[0] + at]
                    }
                    _ => V::LOST,
                }
            }
        };
        let paths = geometry.positions.paths_around(self.block.position, taken);
        let values = paths.iter().map(|path| value(path.goal));
        values.fold(V::LOST, V::better).after_turn()
    }

    /// The rows at which zombies, of whom there are some, have yet to move, out of the one at which all have.
    fn move_after<V: ValueDomain>(
        &self,
        ghost: StateIndex,
        rows: &mut [V],
        (fixed, workspace): (&Fixed<V>, &mut Workspace<V>),
    ) {
        let (width, tile) = (self.block.width(), self.block.moved.get(ghost).tile);
        for set in 1..self.sets() {
            let nth = set.trailing_zeros() as usize;
            let (before, row) = rows.split_at_mut(set * width);
            let after = &before[(set & (set - 1)) * width..][..width];
            let row = &mut row[..width];
            self.walk((nth, tile), after, row, (fixed, workspace));
            self.fill_met(tile, row, V::NEUTRAL);
        }
    }

    /// A zombie's move, with the ghost on this tile.
    fn walk<V: ValueDomain>(
        &self,
        (nth, ghost): (usize, u32),
        after: &[V],
        row: &mut [V],
        (fixed, workspace): (&Fixed<V>, &mut Workspace<V>),
    ) {
        let slot = &self.block.slots[nth];
        let near = self.surroundings.in_room[slot.zombie][ghost as usize];
        let Workspace { steps, line, .. } = workspace;
        fixed.take_steps(slot, near, steps);
        let side = slot.tiles.len() * slot.stride;
        for (row, after) in row.chunks_mut(side).zip(after.chunks(side)) {
            if slot.stride == 1 {
                walk_line(steps, after, row, line);
            } else {
                fixed.walk_rows(steps, after, row, slot.stride);
            }
        }
    }

    /// The row of teleports with this cooldown into the stage at which this set of zombies has yet to move.
    fn teleport<V: ValueDomain>(&self, (cooldown, set): (u8, usize), stages: &[V], row: &mut [V]) {
        let mut total = vec![(V::EMPTY_SUM, 0); row.len()];
        for room in &self.block.arrivals {
            self.arrive((room, cooldown, set), stages, &mut total);
        }
        for (value, (sum, rooms)) in row.iter_mut().zip(total) {
            *value = V::mean(sum, rooms.max(1));
        }
    }

    /// Adds the mean over the free tiles of a room, where there is one.
    fn arrive<V: ValueDomain>(
        &self,
        (room, cooldown, set): (&Arrivals, u8, usize),
        stages: &[V],
        total: &mut [(V::Sum, u16)],
    ) {
        let width = total.len();
        let mut sums = vec![V::EMPTY_SUM; width];
        for &tile in &room.tiles {
            let ghost = self.block.moved.find(GhostState { tile, cooldown });
            let ghost = ghost.expect("a ghost can be on a free tile");
            // Where a zombie is the values are neutral.
            let values = &stages[usize::from(ghost) * self.side() + set * width..][..width];
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum = V::add(*sum, value);
            }
        }
        let mut inside = self.block.slots.iter();
        let inside = inside.find(|slot| room.tiles.iter().any(|tile| slot.local(*tile).is_some()));
        for (at, ((total, rooms), sum)) in total.iter_mut().zip(sums).enumerate() {
            let is_in = |slot: &Slot| room.tiles.binary_search(&tile_of(slot, at)).is_ok();
            let free = room.tiles.len() - usize::from(inside.is_some_and(is_in));
            if free > 0 {
                *total = V::add(*total, V::mean(sum, free as u16));
                *rooms += 1;
            }
        }
    }

    /// For each zombie the number of its first tile from which it moves after the ghost; 0 if it doesn't matter who is
    /// first: they are never in each other's way, nor is the zombie where the ghost is teleported to.
    fn firsts(&self, ghost: StateIndex) -> Vec<usize> {
        let tile = self.block.waiting.get(ghost).tile;
        let mut draws = (0..16).flat_map(|blocked| self.block.draws(ghost, blocked));
        let is_teleport = |target: &Target| matches!(target, Target::Teleport(_));
        let teleports = draws.any(|draw| draw.targets().iter().any(is_teleport));
        let slots = self.block.slots.iter();
        let first = |slot: &Slot| {
            if teleports || self.is_near[slot.zombie][tile as usize] {
                slot.tiles.partition_point(|&other| other < tile)
            } else {
                0
            }
        };
        slots.map(first).collect()
    }

    /// Where those of a set, and no others, move before the ghost.
    fn region(&self, before: usize, firsts: &[usize]) -> Region {
        let mut region = self.whole();
        for (nth, &first) in firsts.iter().enumerate() {
            if before >> nth & 1 == 1 {
                region[nth].1 = first;
            } else {
                region[nth].0 = first;
            }
        }
        region
    }

    /// Everywhere.
    fn whole(&self) -> Region {
        let mut region = [(0, 1); MOST_ZOMBIES];
        for (tiles, slot) in region.iter_mut().zip(&self.block.slots) {
            tiles.1 = slot.tiles.len();
        }
        region
    }

    /// Calls `then` with the runs of combinations of a region: where each begins, and its length.
    fn for_each_run(
        &self,
        region: &Region,
        (nth, first): (usize, usize),
        then: &mut impl FnMut(usize, usize),
    ) {
        let (slot, (from, to)) = (&self.block.slots[nth], region[nth]);
        if nth + 1 == self.block.slots.len() {
            return then(first + from * slot.stride, (to - from) * slot.stride);
        }
        for local in from..to {
            self.for_each_run(region, (nth + 1, first + local * slot.stride), then);
        }
    }

    /// The zombies next to a ghost on this tile, wherever they are.
    fn near_zombies(&self, tile: u32) -> Vec<Neighbour> {
        let mut near = Vec::new();
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let ways = self.surroundings.in_room[slot.zombie][tile as usize].into_iter();
            let ways = ways.enumerate().filter(|&(_, local)| local != NO_TILE);
            near.extend(ways.map(|(dir, local)| (nth, local, 1 << dir)));
        }
        near
    }

    /// Gives this value to all combinations with a zombie on this tile.
    fn fill_met<V: ValueDomain>(&self, tile: u32, row: &mut [V], value: V) {
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let local = self.surroundings.numbers[slot.zombie][tile as usize];
            if local != NO_TILE {
                let mut region = self.whole();
                region[nth] = (local.into(), usize::from(local) + 1);
                self.for_each_run(&region, (0, 0), &mut |first, len| {
                    row[first..first + len].fill(value);
                });
            }
        }
    }
}

/// The draws of a turn, given what all of them lead to from where the ghost has moved.
struct Draws<'a, V> {
    turn: Turn<'a>,
    stages: &'a [V],
    teleports: &'a [V],
    fixed: &'a Fixed<V>,
}

impl<V: ValueDomain> Draws<'_, V> {
    /// The values with the ghost in this state, all waiting.
    fn draw(&self, ghost: StateIndex, result: &mut [V], workspace: &mut Workspace<V>) {
        let Turn { block, .. } = self.turn;
        let (width, all) = (block.width(), self.turn.sets() - 1);
        let tile = block.waiting.get(ghost).tile;
        let firsts = self.turn.firsts(ghost);
        for before in 0..=all {
            let region = self.turn.region(before, &firsts);
            if region.iter().any(|(from, to)| from >= to) {
                continue;
            }
            self.draw_ghost(ghost, all & !before, &mut workspace.row);
            for nth in (0..block.slots.len()).filter(|nth| before >> nth & 1 == 1) {
                let (row, mut next) = (
                    std::mem::take(&mut workspace.row),
                    std::mem::take(&mut workspace.next),
                );
                next.resize(width, V::NEUTRAL);
                self.turn
                    .walk((nth, tile), &row, &mut next, (self.fixed, workspace));
                (workspace.row, workspace.next) = (next, row);
            }
            self.turn.for_each_run(&region, (0, 0), &mut |first, len| {
                result[first..first + len].copy_from_slice(&workspace.row[first..first + len]);
            });
        }
        self.turn.fill_met(tile, result, V::LOST);
        if let Some(player) = block.player_tile {
            self.turn.fill_met(player, result, V::LOST);
        }
    }

    /// The row of the ghost's move, with these zombies to move after it.
    fn draw_ghost(&self, ghost: StateIndex, set: usize, row: &mut Vec<V>) {
        let Turn { block, .. } = self.turn;
        let (width, side) = (block.width(), self.turn.side());
        let first = |nth: usize| nth * side + set * width;
        let source = |target| match target {
            None => &self.fixed.neutral[..width],
            Some(Target::Caught) => &self.fixed.lost[..width],
            Some(Target::State(to)) => &self.stages[first(to.into())..][..width],
            Some(Target::Teleport(nth)) => &self.teleports[first(nth.into())..][..width],
        };
        row.resize(width, V::NEUTRAL);
        let near = self.turn.near_zombies(block.waiting.get(ghost).tile);
        let mut draw = |region: &Region, blocked: u8| {
            let targets = block.draws(ghost, blocked)[0].targets();
            let sources = std::array::from_fn(|nth| source(targets.get(nth).copied()));
            self.turn.for_each_run(region, (0, 0), &mut |first, len| {
                let run = first..first + len;
                let sources = of_run(&sources, &run);
                means(sources, targets.len() as u16, &mut row[run]);
            });
        };
        for_each_way(&near, &self.turn.whole(), (0, 0), &mut draw);
    }
}

/// Calls `then` for a region, and then again wherever zombies from this number on are in the ghost's way there, with
/// the ways that are blocked.
fn for_each_way(
    near: &[Neighbour],
    region: &Region,
    (from, blocked): (usize, u8),
    then: &mut dyn FnMut(&Region, u8),
) {
    then(region, blocked);
    // From the last one, so that of two who are near the first one has the last word, with both in the way.
    for &(nth, local, way) in near.iter().rev() {
        if nth >= from {
            let mut region = *region;
            region[nth] = (local.into(), usize::from(local) + 1);
            for_each_way(near, &region, (nth + 1, blocked | way), then);
        }
    }
}

impl<V: ValueDomain> Fixed<V> {
    fn prepare(&mut self, block: &Block) {
        self.neutral.resize(block.width(), V::NEUTRAL);
        self.lost.resize(block.width(), V::LOST);
        self.free.resize_with(block.slots.len(), Vec::new);
        for (free, slot) in self.free.iter_mut().zip(&block.slots) {
            free.clear();
            let locals = 0..slot.tiles.len() as StateIndex;
            free.extend(locals.map(|local| step(slot, local, 0)));
        }
    }

    /// The steps of a zombie with the ghost next to these of its tiles, by the ghost's ways.
    fn take_steps(&self, slot: &Slot, near: [StateIndex; 4], steps: &mut Vec<Step>) {
        steps.clear();
        steps.extend_from_slice(&self.free[slot.zombie]);
        for (dir, local) in near.into_iter().enumerate() {
            if local != NO_TILE {
                steps[usize::from(local)] = step(slot, local, opposite(1 << dir));
            }
        }
    }

    /// The moves of a zombie for each of whose tiles there are so many values.
    fn walk_rows(&self, steps: &[Step], after: &[V], row: &mut [V], stride: usize) {
        let tiles = steps.len();
        let source = |number: usize| match number {
            _ if number < tiles => &after[number * stride..][..stride],
            _ if number == tiles => &self.neutral[..stride],
            _ => &self.lost[..stride],
        };
        for (row, &([a, b, c, d], count)) in row.chunks_mut(stride).zip(steps) {
            means([source(a), source(b), source(c), source(d)], count, row);
        }
    }
}

/// The moves of a zombie whose tiles are next to each other in a row.
fn walk_line<V: ValueDomain>(steps: &[Step], after: &[V], row: &mut [V], line: &mut Vec<V>) {
    line.clear();
    line.extend_from_slice(after);
    line.extend([V::NEUTRAL, V::LOST]);
    for (value, &([a, b, c, d], count)) in row.iter_mut().zip(steps) {
        *value = mean_of_four([line[a], line[b], line[c], line[d]], count);
    }
}

/// What a zombie can do on one of its tiles, these ways being blocked.
fn step(slot: &Slot, local: StateIndex, blocked: u8) -> Step {
    let (targets, tiles) = (slot.draw(local, blocked).targets(), slot.tiles.len());
    let numbers = std::array::from_fn(|nth| match targets.get(nth) {
        None => tiles,
        Some(&Target::State(to)) => to.into(),
        Some(Target::Caught | Target::Teleport(_)) => tiles + 1,
    });
    (numbers, targets.len() as u16)
}

/// The same part of four rows.
fn of_run<'r, V>([a, b, c, d]: &[&'r [V]; 4], run: &Range<usize>) -> [&'r [V]; 4] {
    let part = |row: &'r [V]| &row[run.clone()];
    [part(a), part(b), part(c), part(d)]
}

/// The value of each draw among the first `count` of four.
#[inline]
fn means<V: ValueDomain>([a, b, c, d]: [&[V]; 4], count: u16, row: &mut [V]) {
    // A number known at compile time makes most divisions multiplications.
    let two = |a, b| V::add(V::add(V::EMPTY_SUM, a), b);
    match count {
        1 => row.copy_from_slice(a),
        2 => {
            for ((value, &a), &b) in row.iter_mut().zip(a).zip(b) {
                *value = V::mean_of_few(two(a, b), 2);
            }
        }
        3 => {
            for (((value, &a), &b), &c) in row.iter_mut().zip(a).zip(b).zip(c) {
                *value = V::mean_of_few(V::add(two(a, b), c), 3);
            }
        }
        _ => {
            for ((((value, &a), &b), &c), &d) in row.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *value = V::mean_of_few(V::add(V::add(two(a, b), c), d), 4);
            }
        }
    }
}

/// The value of a draw among four, of which those after the first `count` are neutral.
#[inline]
fn mean_of_four<V: ValueDomain>([a, b, c, d]: [V; 4], count: u16) -> V {
    let sum = V::add(V::add(V::EMPTY_SUM, a), b);
    V::mean_of_few(V::add(V::add(sum, c), d), count)
}

/// The same way from the other side: up and down are the first two of [`Dir::ALL`](crate::grid::Dir::ALL).
const fn opposite(way: u8) -> u8 {
    (way & 0b0101) << 1 | (way & 0b1010) >> 1
}

/// The tile of a zombie in this combination.
fn tile_of(slot: &Slot, at: usize) -> u32 {
    slot.tiles[at / slot.stride % slot.tiles.len()]
}
