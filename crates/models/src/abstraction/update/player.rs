use super::super::super::player_positions::PathEnd;
use super::super::choice::ZombieOffsets;
use super::super::ghost_states::StateIndex;
use super::{Scratch, Update};
use getaway_board::limits::{Clock, Limit};
use getaway_chance::ValueDomain;

impl<V: ValueDomain> Update<'_, '_, V> {
    pub(super) fn choose(&self, scratch: &mut Scratch<V>, clock: &mut Clock) -> Result<(), Limit> {
        let everyone = (1 << self.block.slots.len()) - 1;
        self.for_each_row(self.ghosts(), everyone, scratch, |at, _, row| {
            clock.work(row.len() as u64 * self.choice.destinations.len() as u64)?;
            self.choose_freely(at.moved, row);
            self.choose_warily(at.moved, row);
            Ok(())
        })
    }

    /// Computes a row as if no adversary blocked the escape, or more than its own tile.
    fn choose_freely(&self, moved: &[StateIndex], row: &mut [V]) {
        if self.choice.is_out {
            return row.fill(V::WON.after_turn());
        }
        row.fill(V::LOST);
        for destination in &self.choice.destinations {
            let Some(first) = destination.row(moved) else {
                continue;
            };
            let there = &self.view.at(destination.position as usize)[first..];
            match &destination.zombies {
                ZombieOffsets::Runs(firsts) => {
                    for (row, &first) in row.chunks_mut(self.block.tile_combinations).zip(firsts) {
                        let there = &there[first..][..row.len()];
                        for (best, &value) in row.iter_mut().zip(there) {
                            *best = best.better(value);
                        }
                    }
                }
                any @ ZombieOffsets::Any { .. } => {
                    for (at, best) in row.iter_mut().enumerate() {
                        *best = best.better(any.value(there, at, self.block.tile_combinations));
                    }
                }
            }
        }
        for best in row {
            *best = best.after_turn();
        }
    }

    /// Corrects the values of a row for states in which an adversary is so near that it may block the escape or more than its own
    /// tile.
    fn choose_warily(&self, moved: &[StateIndex], row: &mut [V]) {
        if !self.choice.is_any_near {
            return;
        }
        let is_near = |tile: u32| self.choice.is_near[tile as usize];
        let mut ghosts = moved.iter().map(|&ghost| self.block.moved.tile(ghost));
        let are_ghosts_near = ghosts.any(is_near);
        for (at, value) in row.iter_mut().enumerate() {
            let mut zombies = self.block.slots.iter().map(|slot| slot.tile_in(at));
            if are_ghosts_near || zombies.any(is_near) {
                *value = self.best(moved, at);
            }
        }
    }

    fn best(&self, moved: &[StateIndex], at: usize) -> V {
        let geometry = &self.mdp().geometry;
        let taken = |cell| {
            let ghosts = moved.iter().map(|&ghost| self.block.moved.tile(ghost));
            let others = self.block.slots.iter().map(|slot| slot.tile_in(at));
            ghosts.chain(others).any(|tile| geometry.cell(tile) == cell)
        };
        let paths = geometry.positions.paths_around(self.block.position, taken);
        let value_of = |goal| match goal {
            PathEnd::Out => V::WON,
            PathEnd::Position(to) => {
                let destination = self
                    .choice
                    .destination(to)
                    .expect("every goal is a destination");
                let there = self.view.at(to as usize);
                let row = destination.row(moved).map(|first| &there[first..]);
                let zombies = &destination.zombies;
                row.map_or(V::LOST, |row| {
                    zombies.value(row, at, self.block.tile_combinations)
                })
            }
        };
        let path_values = paths.iter().map(|path| value_of(path.goal));
        path_values.fold(V::LOST, V::better).after_turn()
    }
}
