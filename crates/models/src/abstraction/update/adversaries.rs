use super::super::block::{Draw, MAX_TILES, Target, TileRanges, TrackedZombie};
use super::super::ghost_states::StateIndex;
use super::super::surroundings::{NO_TILE, opposite};
use super::{DrawStage, Scratch, Update, with};
use getaway_board::limits::{Clock, Limit};
use getaway_chance::{ValueDomain, means};

impl<V: ValueDomain> Update<'_, '_, V> {
    /// Computes the stage in which `moved` ghosts and these zombies have moved, from later stages.
    pub(super) fn draw(
        &self,
        moved: usize,
        zombies: usize,
        scratch: &mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        if moved < self.ghosts() {
            self.teleport(moved, zombies, scratch, clock)?;
        }
        self.for_each_row(moved, zombies, scratch, |at, scratch, row| {
            clock.work(4 * row.len() as u64)?;
            self.draw_row(at, scratch, row);
            Ok(())
        })
    }

    fn draw_row(&self, at: DrawStage, scratch: &Scratch<V>, row: &mut [V]) {
        let ghost = at.waiting.first().copied();
        if let Some(ghost) = ghost {
            self.draw_ghost(at, ghost, scratch, row);
        }
        let waits = |&nth: &usize| at.zombies >> nth & 1 == 0;
        let first = (0..self.block.slots.len()).find(waits);
        for nth in (0..self.block.slots.len()).rev().filter(waits) {
            let slot = &self.block.slots[nth];
            let end = match ghost {
                Some(ghost) if self.may_meet(ghost, nth) => {
                    let limit = self.block.waiting.tile(ghost);
                    slot.tiles.partition_point(|&tile| tile < limit)
                }
                // If no ghost waits, any order of the rooms will do, so only zombies in the first waiting zombie's room move
                // next.
                None if first.is_some_and(|first| self.block.slots[first].room == slot.room) => {
                    slot.tiles.len()
                }
                _ => continue,
            };
            self.draw_zombie(at, nth, end as StateIndex, scratch, row);
        }
    }

    fn draw_ghost(&self, at: DrawStage, ghost: StateIndex, scratch: &Scratch<V>, row: &mut [V]) {
        let (rest, tile) = (&at.waiting[1..], self.block.waiting.tile(ghost));
        let after = &scratch.stages[self.stage_number(at.moved.len() + 1, at.zombies)];
        let width = row.len();
        let first_teleport = self.block.first_teleport();
        let source = |target: Target| match usize::from(target) {
            state if state < self.block.moved.len() => {
                let mut moved = [0; 8];
                let moved = with(at.moved, target, &mut moved);
                &after[self.row_of(moved, rest)..][..width]
            }
            number if number >= first_teleport => {
                let others = self.row_of(at.moved, rest) * self.block.teleports.len();
                &scratch.teleports[others + (number - first_teleport) * width..][..width]
            }
            _ => &scratch.lost[..width],
        };
        let others = self.ghost_tiles(at).filter(|&other| other != tile);
        let blocked = others.fold(0, |blocked, other| blocked | self.way(tile, other));
        self.draw_around(
            &self.block.all_tiles,
            0,
            tile,
            blocked,
            &|_| true,
            &mut |tiles, blocked| {
                for (nth, draw) in self.block.draws(ghost, blocked).iter().enumerate() {
                    let target_rows = draw.targets.map(source);
                    self.for_each_run(tiles, &mut |first, len| {
                        let target_rows = target_rows.map(|source| &source[first..][..len]);
                        let row = &mut row[first..first + len];
                        if nth == 0 {
                            means(target_rows, draw.count, row, |_, new| new);
                        } else {
                            means(target_rows, draw.count, row, V::nature);
                        }
                    });
                }
            },
        );
    }

    /// Calls `then` for these tiles of zombies, and again for each part of them in which zombies with numbers from `from` on are
    /// next to `tile`; passes the ways in `blocked` and those that these zombies block. Considers only zombies for which
    /// `is_in_reach` holds.
    fn draw_around(
        &self,
        tiles: &TileRanges,
        from: usize,
        tile: u32,
        blocked: u8,
        is_in_reach: &impl Fn(usize) -> bool,
        then: &mut impl FnMut(&TileRanges, u8),
    ) {
        then(tiles, blocked);
        // The loop goes backwards, so that if two zombies are near, the call with both in the way comes last.
        let zombies = (from..self.block.slots.len()).rev();
        for nth in zombies.filter(|&nth| is_in_reach(nth)) {
            for (way, local) in self.ways_to(tile, &self.block.slots[nth]) {
                let (first, end) = tiles[nth];
                if (first..end).contains(&local) {
                    let mut tiles = *tiles;
                    tiles[nth] = (local, local + 1);
                    self.draw_around(&tiles, nth + 1, tile, blocked | way, is_in_reach, then);
                }
            }
        }
    }

    /// Computes the values of the states in which zombie `nth` moves next: it is on a tile before `end`, and the other waiting
    /// zombies of its room are on later tiles.
    fn draw_zombie(
        &self,
        at: DrawStage,
        nth: usize,
        end: StateIndex,
        scratch: &Scratch<V>,
        row: &mut [V],
    ) {
        let slot = &self.block.slots[nth];
        let stage = &scratch.stages[self.stage_number(at.moved.len(), at.zombies | 1 << nth)];
        let after = &stage[self.row_of(at.moved, at.waiting)..][..row.len()];
        let mut blocked = [0; MAX_TILES];
        for ghost in self.ghost_tiles(at) {
            for (way, local) in self.ways_to(ghost, slot) {
                blocked[usize::from(local)] |= opposite(way);
            }
        }
        if self.block.is_alone(nth) {
            let blocked = &blocked[..usize::from(end)];
            return draw_alone(slot, blocked, after, &scratch.lost, row);
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
                0,
                tile,
                blocked,
                &is_other,
                &mut |tiles, blocked| {
                    let draw = slot.draw(local, blocked);
                    self.for_each_run(tiles, &mut |first, len| {
                        let target_rows =
                            draw.targets
                                .map(|to| match slot.tiles.get(usize::from(to)) {
                                    Some(_) => {
                                        let first = first + usize::from(to) * slot.stride;
                                        &after[first - usize::from(local) * slot.stride..][..len]
                                    }
                                    None => &scratch.lost[..len],
                                });
                        let row = &mut row[first..first + len];
                        means(target_rows, draw.count, row, |_, new| new);
                    });
                },
            );
        }
    }

    #[inline]
    fn way(&self, tile: u32, other: u32) -> u8 {
        let neighbours = self.mdp().geometry.neighbours(tile).iter();
        neighbours.enumerate().fold(0, |ways, (dir, &next)| {
            ways | u8::from(next == Some(other)) << dir
        })
    }

    #[inline]
    fn ways_to(&self, tile: u32, slot: &TrackedZombie) -> impl Iterator<Item = (u8, StateIndex)> {
        let numbers = &self.model.surroundings.numbers[slot.zombie];
        let near = self.mdp().geometry.neighbours(tile).iter();
        near.enumerate().filter_map(|(dir, &next)| {
            let local = numbers[next? as usize];
            (local != NO_TILE).then_some((1 << dir, local))
        })
    }
}

/// Computes the values of the states in which a zombie alone in its room moves next, from one of its first tiles. `blocked` holds
/// the blocked ways of these tiles.
fn draw_alone<V: ValueDomain>(
    slot: &TrackedZombie,
    blocked: &[u8],
    after: &[V],
    lost: &[V],
    row: &mut [V],
) {
    let side = slot.tiles.len() * slot.stride;
    for (local, &blocked) in blocked.iter().enumerate() {
        let draw = slot.draw(local as StateIndex, blocked);
        let lines = row.chunks_exact_mut(side).zip(after.chunks_exact(side));
        if slot.stride == 1 {
            match draw.count {
                1 => column::<V, 1>(slot, draw, local, lines),
                2 => column::<V, 2>(slot, draw, local, lines),
                3 => column::<V, 3>(slot, draw, local, lines),
                _ => column::<V, 4>(slot, draw, local, lines),
            }
            continue;
        }
        for (row, after) in lines {
            let target_rows = draw
                .targets
                .map(|to| match slot.tiles.get(usize::from(to)) {
                    Some(_) => &after[usize::from(to) * slot.stride..][..slot.stride],
                    None => &lost[..slot.stride],
                });
            let row = &mut row[local * slot.stride..][..slot.stride];
            means(target_rows, draw.count, row, |_, new| new);
        }
    }
}

/// Like [`draw_alone`], but only for the tile `local`, and for a zombie whose stride is 1: the values for its tiles are next to
/// each other in a row.
#[inline]
fn column<'r, V: ValueDomain + 'r, const N: usize>(
    slot: &TrackedZombie,
    draw: &Draw,
    local: usize,
    lines: impl Iterator<Item = (&'r mut [V], &'r [V])>,
) {
    let tile = |nth| Some(usize::from(draw.targets[nth])).filter(|&to| to < slot.tiles.len());
    let tiles: [Option<usize>; N] = std::array::from_fn(tile);
    for (row, after) in lines {
        let value = |tile: Option<usize>| tile.map_or(V::LOST, |tile| after[tile]);
        let mut sum = V::sum_of(value(tiles[0]));
        for &tile in &tiles[1..] {
            sum = V::add(sum, value(tile));
        }
        row[local] = V::mean_of_few(sum, N as u16);
    }
}
