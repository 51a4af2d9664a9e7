//! The player's choice when all adversaries have moved.

use super::Turn;
use crate::engine::mdp::{SweepView, ValueDomain};
use crate::solvers::dungeon::one_player::abstraction::choice::{Destination, Zombies};
use crate::solvers::dungeon::one_player::abstraction::ghost_states::StateIndex;
use crate::solvers::dungeon::one_player::player_positions::Goal;

impl Turn<'_> {
    pub(super) fn choose<V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        ghost: StateIndex,
        row: &mut [V],
    ) {
        self.choose_freely(view, ghost, row);
        self.choose_warily(view, ghost, row);
        self.fill_met(self.block.moved.get(ghost).tile, row, V::NEUTRAL);
    }

    /// Handles adversaries that block only their own tiles.
    fn choose_freely<V: ValueDomain>(&self, view: &SweepView<V>, ghost: StateIndex, row: &mut [V]) {
        if self.choice.is_out {
            return row.fill(V::WON.after_turn());
        }
        let rows = |destination| values_there(view, destination, ghost);
        let rows = self.choice.destinations.iter().filter_map(rows);
        let rows: Vec<&[V]> = rows.collect();
        row.fill(V::LOST);
        // Several rows at a time, so that the best value is read and written less often.
        for rows in rows.chunks(4) {
            match *rows {
                [a, b, c, d] => {
                    for ((((best, &a), &b), &c), &d) in row.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                        *best = best.better(a.better(b)).better(c.better(d));
                    }
                }
                _ => rows.iter().for_each(|there| {
                    for (best, &value) in row.iter_mut().zip(*there) {
                        *best = best.better(value);
                    }
                }),
            }
        }
        for best in row {
            *best = best.after_turn();
        }
    }

    /// Handles adversaries so near that they may block more than their own tiles.
    fn choose_warily<V: ValueDomain>(&self, view: &SweepView<V>, ghost: StateIndex, row: &mut [V]) {
        if !self.choice.is_any_near {
            return;
        }
        let is_near = |tile: u32| self.choice.is_near[tile as usize];
        let is_ghost_near = is_near(self.block.moved.get(ghost).tile);
        for (at, value) in row.iter_mut().enumerate() {
            let mut zombies = self.block.slots.iter().map(|slot| slot.tile_in(at));
            if is_ghost_near || zombies.any(is_near) {
                *value = self.best(view, ghost, at);
            }
        }
    }

    fn best<V: ValueDomain>(&self, view: &SweepView<V>, ghost: StateIndex, at: usize) -> V {
        let geometry = &self.mdp.geometry;
        let tile = self.block.moved.get(ghost).tile;
        let taken = |cell| {
            let zombies = self.block.slots.iter().map(|slot| slot.tile_in(at));
            std::iter::once(tile)
                .chain(zombies)
                .any(|tile| geometry.cell(tile) == cell)
        };
        let value = |goal| match goal {
            Goal::Out => V::WON,
            Goal::Position(to) => {
                let destination = self.choice.destination(to).expect("all goals are known");
                values_there(view, destination, ghost).map_or(V::LOST, |there| there[at])
            }
        };
        let paths = geometry.positions.paths_around(self.block.position, taken);
        let values = paths.iter().map(|path| value(path.goal));
        values.fold(V::LOST, V::better).after_turn()
    }
}

/// `None` if the ghost is in the way.
fn values_there<'v, V>(
    view: &'v SweepView<V>,
    destination: &Destination,
    ghost: StateIndex,
) -> Option<&'v [V]> {
    let Zombies::Runs(firsts) = &destination.zombies else {
        return None;
    };
    let first = destination.row(&[ghost])? + firsts[0];
    Some(&view.at(destination.position as usize)[first..])
}
