//! Computes teleports.
//!
//! A ghost blocks a zombie only in that zombie's room. So for a teleport to another room, the zombie's step is computed
//! once, from the mean over the tiles of that room, instead of once for each tile.

use std::ops::Range;

use super::super::combinations::whole;
use super::{Turn, Workspace};
use crate::engine::mdp::ValueDomain;
use crate::limits::{Budget, Limit};
use crate::solvers::dungeon::one_player::abstraction::block::Arrivals;
use crate::solvers::dungeon::one_player::abstraction::ghost_states::GhostState;

impl Turn<'_> {
    /// For each cooldown and set of zombies yet to move, computes the mean over rooms of the means over their free
    /// tiles.
    pub(super) fn teleport<V: ValueDomain>(
        &self,
        (stages, lost): (&[V], &[V]),
        (arrivals, teleports): (&mut Vec<V>, &mut Vec<V>),
        budget: &Budget,
    ) -> Result<(), Limit> {
        let (rooms, side) = (self.block.arrivals.len(), self.side());
        let cooldowns = self.block.teleports.len();
        arrivals.resize(cooldowns * rooms * side, V::NEUTRAL);
        self.for_each_row((arrivals, side), budget, |workspace, clock, nth, rows| {
            let (cooldown, room) = (nth / rooms, nth % rooms);
            clock.work((side * (4 + self.block.arrivals[room].tiles.len())) as u64)?;
            let cooldown = self.block.teleports[cooldown];
            self.arrive((room, cooldown), (stages, lost), rows, workspace);
            Ok(())
        })?;
        let (width, sets) = (self.block.width(), self.sets());
        teleports.resize(cooldowns * side, V::NEUTRAL);
        self.for_each_row((teleports, width), budget, |workspace, clock, nth, row| {
            clock.work((width * rooms) as u64)?;
            let (cooldown, set) = (nth / sets, nth % sets);
            let rows = arrivals[cooldown * rooms * side..].chunks_exact(side);
            let rows = rows.take(rooms).map(|rows| &rows[set * width..][..width]);
            self.mean_of_rooms(rows, row, workspace);
            Ok(())
        })
    }

    /// For each set of zombies yet to move, computes the row for a teleport to a room.
    fn arrive<V: ValueDomain>(
        &self,
        (room, cooldown): (usize, u8),
        (stages, lost): (&[V], &[V]),
        rows: &mut [V],
        workspace: &mut Workspace<V>,
    ) {
        let (width, whole) = (self.block.width(), whole(self.block));
        let inside = self
            .plan
            .inside(room)
            .map_or(0, |inside| 1 << inside.zombie);
        for set in 0..self.sets() {
            let (before, row) = rows.split_at_mut(set * width);
            let row = &mut row[..width];
            let outside = set & !inside;
            if outside == 0 {
                self.mean_of_tiles((room, cooldown, set), stages, row, workspace);
            } else {
                let nth = outside.trailing_zeros() as usize;
                let after = &before[(set ^ 1 << nth) * width..][..width];
                self.walk((nth, &whole), self.plan.steps(nth), (after, lost), row);
            }
        }
    }

    /// Computes the mean over a room's free tiles, with this set of zombies yet to move.
    fn mean_of_tiles<V: ValueDomain>(
        &self,
        (room, cooldown, set): (usize, u8, usize),
        stages: &[V],
        row: &mut [V],
        workspace: &mut Workspace<V>,
    ) {
        let width = row.len();
        let sums = &mut workspace.sums;
        sums.clear();
        sums.resize(width, V::EMPTY_SUM);
        for &tile in &self.block.arrivals[room].tiles {
            let ghost = self.block.moved.find(GhostState { tile, cooldown });
            let ghost = ghost.expect("a ghost can be on a free tile");
            // The values are neutral on a zombie's tile.
            let values = &stages[usize::from(ghost) * self.side() + set * width..][..width];
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum = V::add(*sum, value);
            }
        }
        self.for_each_free(room, |run, free| {
            for (value, &sum) in row[run.clone()].iter_mut().zip(&sums[run]) {
                *value = V::mean(sum, free);
            }
        });
    }

    fn mean_of_rooms<'r, V: ValueDomain + 'r>(
        &self,
        rows: impl Iterator<Item = &'r [V]>,
        row: &mut [V],
        workspace: &mut Workspace<V>,
    ) {
        let Workspace { sums, counts, .. } = workspace;
        sums.clear();
        sums.resize(row.len(), V::EMPTY_SUM);
        counts.clear();
        counts.resize(row.len(), 0);
        for (room, values) in rows.enumerate() {
            self.for_each_free(room, |run, _| {
                counts[run.clone()].iter_mut().for_each(|count| *count += 1);
                for (sum, &value) in sums[run.clone()].iter_mut().zip(&values[run]) {
                    *sum = V::add(*sum, value);
                }
            });
        }
        for ((value, &sum), &count) in row.iter_mut().zip(&*sums).zip(&*counts) {
            *value = V::mean(sum, count.max(1));
        }
    }

    /// Calls `then` with each run of combinations for which a room has free tiles, and with the number of those tiles.
    fn for_each_free(&self, room: usize, mut then: impl FnMut(Range<usize>, u16)) {
        let (width, Arrivals { tiles, .. }) = (self.block.width(), &self.block.arrivals[room]);
        let Some(inside) = self.plan.inside(room) else {
            return then(0..width, tiles.len() as u16);
        };
        let stride = self.block.slots[inside.zombie].stride;
        let starts = (0..width).step_by(stride);
        for (first, &free) in starts.zip(inside.free.iter().cycle()) {
            if free > 0 {
                then(first..first + stride, free);
            }
        }
    }
}
