//! Teleports: a mean over rooms of the means over their free tiles.

use super::super::block::RoomArrivals;
use super::super::ghost_states::{binomial, for_each_list};
use super::{DrawStage, Scratch, Update, with};
use getaway_board::limits::{Clock, Limit};
use getaway_chance::ValueDomain;

impl<V: ValueDomain> Update<'_, '_, V> {
    pub(super) fn teleport(
        &self,
        moved: usize,
        zombies: usize,
        scratch: &mut Scratch<V>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let waits = self.ghosts() - moved - 1;
        let (states, width) = (self.block.waiting.len(), self.block.width());
        let others = binomial(self.block.moved.len(), moved) * binomial(states, waits);
        let Scratch {
            stages, teleports, ..
        } = scratch;
        let after = &stages[self.stage_number(moved + 1, zombies)];
        teleports.resize(others * self.block.teleports.len() * width, V::NEUTRAL);
        for_each_list(self.block.moved.len(), moved, &mut |moved| {
            for_each_list(states, waits, &mut |waiting| {
                let at = DrawStage {
                    moved,
                    waiting,
                    zombies,
                };
                let first = self.row_of(moved, waiting) * self.block.teleports.len();
                for nth in 0..self.block.teleports.len() {
                    let row = &mut teleports[first + nth * width..][..width];
                    self.arrive(at, nth, after, row);
                    clock.work((width * self.mdp().geometry.tile_count() as usize) as u64)?;
                }
                Ok(())
            })
        })
    }

    /// Computes a row of values before a ghost arrives; `number` is the index of its cooldown in `Block::teleports`.
    fn arrive(&self, at: DrawStage, number: usize, after: &[V], row: &mut [V]) {
        let width = row.len();
        let (mut total, mut rooms) = (vec![V::EMPTY_SUM; width], vec![0_u16; width]);
        for room in &self.block.arrivals {
            let (sums, count) = self.sums(at, number, room, after);
            let count = usize::saturating_sub(count, room.hidden);
            for (nth, &sum) in sums.iter().enumerate() {
                // The subtraction saturates only in states that no game reaches, such as those with a zombie on a ghost's tile.
                let taken = room.taken.get(nth).map_or(0, |&taken| taken.into());
                let free = count.saturating_sub(taken) as u16;
                if free > 0 {
                    total[nth] = V::add(total[nth], V::mean(sum, free));
                    rooms[nth] += 1;
                }
            }
        }
        for (value, (sum, rooms)) in row.iter_mut().zip(total.into_iter().zip(rooms)) {
            // In a state that a game can reach, some room has a free tile.
            *value = V::mean(sum, rooms.max(1));
        }
    }

    /// Returns the sums of the values over a room's tiles without ghosts, and the number of these tiles. For each hidden zombie,
    /// nature leaves one tile out of the sums, but the number includes it.
    fn sums(
        &self,
        at: DrawStage,
        number: usize,
        room: &RoomArrivals,
        after: &[V],
    ) -> (Vec<V::Sum>, usize) {
        let (width, mut count) = (self.block.width(), 0);
        let mut sums = vec![V::EMPTY_SUM; width];
        let mut left_out = vec![V::NATURE_BEST; width * room.hidden];
        for (&tile, &state) in room.tiles.iter().zip(&room.states[number]) {
            if self.ghost_tiles(at).any(|other| other == tile) {
                continue;
            }
            count += 1;
            let mut moved = [0; 8];
            let moved = with(at.moved, state, &mut moved);
            // The values are neutral on a zombie's tile.
            let source = &after[self.row_of(moved, at.waiting)..][..width];
            if room.hidden == 0 {
                for (sum, &value) in sums.iter_mut().zip(source) {
                    *sum = V::add(*sum, value);
                }
                continue;
            }
            for (nth, (sum, &value)) in sums.iter_mut().zip(source).enumerate() {
                let mut value = value;
                for left_out in left_out[nth..].iter_mut().step_by(width) {
                    if value.nature(*left_out) != value {
                        std::mem::swap(&mut value, left_out);
                    }
                }
                // The first `hidden` tiles only push out the initial values of `left_out`.
                if count > room.hidden {
                    *sum = V::add(*sum, value);
                }
            }
        }
        (sums, count)
    }
}
