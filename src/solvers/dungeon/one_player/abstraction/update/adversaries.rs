//! The adversaries' moves.

use super::super::block::{Draw, MOST_TILES, Slot, Target, Tiles};
use super::super::ghost_states::{StateIndex, for_each_list, sets};
use super::super::rounding::{Grid, Side};
use super::super::surroundings::{NO_TILE, opposite};
use super::{Scratch, Stage, Update, with};
use crate::limits::{Clock, Limit};

impl<B: Side> Update<'_, '_, B> {
    /// Computes the stage in which `moved` ghosts and these zombies have moved, from later stages.
    pub(super) fn draw(
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
            // If no ghost waits, it is enough to follow one room.
            let is_of_room = |first: usize| self.block.slots[first].room == slot.room;
            if limit < u32::MAX || first.is_some_and(is_of_room) {
                let end = slot.tiles.partition_point(|&tile| tile < limit);
                self.draw_zombie(at, (nth, end as StateIndex), scratch, row);
            }
        }
    }

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
            &|_| true,
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

    /// Calls `then` for these tiles of zombies, and again for each part where some zombies from number `from` on are
    /// next to `tile`, along with the ways they block. Only zombies for which `is_in_reach` holds can be in the way.
    fn draw_around(
        &self,
        tiles: &Tiles,
        (from, tile, blocked): (usize, u32, u8),
        is_in_reach: &impl Fn(usize) -> bool,
        then: &mut impl FnMut(&Tiles, u8),
    ) {
        then(tiles, blocked);
        // Goes backwards, so that if two zombies are near, the call with both in the way comes last.
        let zombies = (from..self.block.slots.len()).rev();
        for nth in zombies.filter(|&nth| is_in_reach(nth)) {
            for (way, local) in self.ways_to(tile, &self.block.slots[nth]) {
                let (first, end) = tiles[nth];
                if (first..end).contains(&local) {
                    let mut tiles = *tiles;
                    tiles[nth] = (local, local + 1);
                    let next = (nth + 1, tile, blocked | way);
                    self.draw_around(&tiles, next, is_in_reach, then);
                }
            }
        }
    }

    /// Moves zombie `nth` wherever it comes before tile `end` of its room, and before other waiting zombies there.
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
            let is_other = |other: usize| other != nth && self.block.slots[other].room == slot.room;
            self.draw_around(
                &tiles,
                (0, tile, blocked),
                &is_other,
                &mut |tiles, blocked| {
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
                },
            );
        }
    }

    #[inline]
    fn way(&self, tile: u32, other: u32) -> u8 {
        let neighbours = &self.surroundings.neighbours[tile as usize];
        let ways = neighbours.iter().enumerate();
        ways.fold(0, |ways, (dir, &next)| {
            ways | u8::from(next == other) << dir
        })
    }

    #[inline]
    fn ways_to(&self, tile: u32, slot: &Slot) -> impl Iterator<Item = (u8, StateIndex)> + use<B> {
        let near = self.surroundings.in_room[slot.zombie][tile as usize];
        let ways = near.into_iter().enumerate();
        ways.filter_map(|(dir, local)| (local != NO_TILE).then_some((1 << dir, local)))
    }
}

/// Moves a zombie that is alone in its room from each of its first tiles; `blocked` has the blocked ways of these
/// tiles.
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

/// `after` is indexed by the zombie's tile.
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

/// Takes the mean of a draw for each value in a row; if it `is_option`, only where nature prefers it.
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
