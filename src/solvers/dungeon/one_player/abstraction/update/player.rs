//! The player's choice when all adversaries have moved.

use super::super::super::player_positions::Goal;
use super::super::choice::Zombies;
use super::super::ghost_states::{StateIndex, for_each_list, rank, sets};
use super::super::rounding::Side;
use super::{Scratch, Stage, Update};
use crate::limits::{Clock, Limit};

impl<B: Side> Update<'_, '_, B> {
    pub(super) fn choose(&self, scratch: &mut Scratch, clock: &mut Clock) -> Result<(), Limit> {
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

    /// Handles adversaries that block only their own tiles.
    fn choose_freely(&self, moved: &[StateIndex], row: &mut [f64]) {
        if self.choice.is_out {
            return row.fill(1.0);
        }
        for destination in &self.choice.destinations {
            let Some(first) = destination.row(moved) else {
                continue;
            };
            let there = &self.view.at(destination.position as usize)[first..];
            match &destination.zombies {
                Zombies::Runs(firsts) => {
                    for (row, &first) in row.chunks_mut(self.block.zombies).zip(firsts) {
                        let there = &there[first..][..row.len()];
                        for (best, &value) in row.iter_mut().zip(there) {
                            *best = better(*best, value.value());
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

    /// Handles adversaries so near that they may block more than their own tiles.
    fn choose_warily(&self, moved: &[StateIndex], row: &mut [f64]) {
        if !self.choice.is_any_near {
            return;
        }
        let is_near = |tile: u32| self.choice.is_near[tile as usize];
        let tile = |ghost| self.block.moved.get(ghost).tile;
        let are_ghosts_near = moved.iter().any(|&ghost| is_near(tile(ghost)));
        for (at, value) in row.iter_mut().enumerate() {
            let mut zombies = self.block.slots.iter().map(|slot| slot.tile_in(at));
            if are_ghosts_near || zombies.any(is_near) {
                *value = self.best(moved, at);
            }
        }
    }

    fn best(&self, moved: &[StateIndex], at: usize) -> f64 {
        let geometry = &self.mdp.geometry;
        let taken = |cell| {
            let ghosts = moved.iter().map(|&ghost| self.block.moved.get(ghost).tile);
            let others = self.block.slots.iter().map(|slot| slot.tile_in(at));
            ghosts.chain(others).any(|tile| geometry.cell(tile) == cell)
        };
        let paths = geometry.positions.paths_around(self.block.position, taken);
        let worth = |goal| match goal {
            Goal::Out => 1.0,
            Goal::Position(to) => {
                let destination = self.choice.destination(to).expect("all goals are known");
                let there = self.view.at(to as usize);
                destination.row(moved).map_or(0.0, |first| {
                    destination
                        .zombies
                        .value::<B>(&there[first..], at, self.block.zombies)
                })
            }
        };
        paths.iter().map(|path| worth(path.goal)).fold(0.0, better)
    }
}

#[inline]
fn better(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
