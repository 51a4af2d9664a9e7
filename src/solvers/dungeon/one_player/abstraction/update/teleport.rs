//! Teleports: a mean over rooms of the means over their free tiles.

use super::super::ghost_states::{GhostState, for_each_list, sets};
use super::super::rounding::{Grid, Side};
use super::{Scratch, Stage, Update, with};
use crate::limits::{Clock, Limit};

#[derive(Default)]
pub(super) struct Arrival {
    sum: Vec<f64>,
    /// The values left out, one for each hidden zombie.
    left_out: Vec<f64>,
    total: Vec<f64>,
    rooms: Vec<u32>,
}

impl<B: Side> Update<'_, '_, B> {
    pub(super) fn teleport(
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
                // The values are 0 on a zombie's tile.
                let taken = self.block.slots.iter().filter(|slot| {
                    let tile = slot.tile_in(zombies);
                    room.tiles.binary_search(&tile).is_ok()
                });
                // Rows also cover zombies on a ghost's tile, although this never happens in a game.
                let free = usize::saturating_sub(count, taken.count());
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
    /// Adds the values for a tile, except those that nature leaves out.
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
