//! The moves of the ghost and of the zombies that move before it.

use super::super::Step;
use super::super::combinations::{Region, for_each_run};
use super::{Turn, Workspace};
use crate::engine::mdp::{ValueDomain, means};
use crate::solvers::dungeon::one_player::abstraction::block::Target;
use crate::solvers::dungeon::one_player::abstraction::ghost_states::StateIndex;
use crate::solvers::dungeon::one_player::abstraction::surroundings::NO_TILE;

/// The rows that the ghost's moves lead to.
pub(super) struct After<'a, V> {
    pub(super) stages: &'a [V],
    pub(super) teleports: &'a [V],
    pub(super) lost: &'a [V],
}

/// A zombie next to the ghost: its number, its tile, and the ghost's way there.
type Neighbour = (usize, StateIndex, u8);

impl Turn<'_> {
    pub(super) fn draw<V: ValueDomain>(
        &self,
        after: &After<V>,
        ghost: StateIndex,
        result: &mut [V],
        workspace: &mut Workspace<V>,
    ) {
        let all = self.sets() - 1;
        let tile = self.block.waiting.get(ghost).tile;
        for before in 0..=all {
            let Some(region) = self.plan.region(self.block, ghost, before) else {
                continue;
            };
            if before == 0 {
                self.draw_ghost(after, (ghost, all), &region, result);
            } else {
                self.draw_after(after, (ghost, before), &region, workspace);
                for_each_run(self.block, (&region, self.block.slots.len()), &mut |run| {
                    result[run.clone()].copy_from_slice(&workspace.row[run]);
                });
            }
        }
        self.fill_met(tile, result, V::LOST);
        if let Some(player) = self.block.player_tile {
            self.fill_met(player, result, V::LOST);
        }
    }

    /// Computes the part of a row in which the zombies of a set move before the ghost.
    fn draw_after<V: ValueDomain>(
        &self,
        after: &After<V>,
        (ghost, before): (StateIndex, usize),
        region: &Region,
        workspace: &mut Workspace<V>,
    ) {
        let (width, all) = (self.block.width(), self.sets() - 1);
        let Workspace {
            row, next, steps, ..
        } = workspace;
        row.resize(width, V::NEUTRAL);
        next.resize(width, V::NEUTRAL);
        let tile = self.block.waiting.get(ghost).tile;
        let zombies = (0..self.block.slots.len()).filter(|nth| before >> nth & 1 == 1);
        let mut reach = *region;
        for nth in zombies.clone() {
            self.take_steps((nth, tile), steps);
            reach[nth] = reach_of(steps, region[nth]);
        }
        self.draw_ghost(after, (ghost, all & !before), &reach, row);
        for nth in zombies {
            reach[nth] = region[nth];
            self.take_steps((nth, tile), steps);
            self.walk((nth, &reach), steps, (row, after.lost), next);
            std::mem::swap(row, next);
        }
    }

    fn draw_ghost<V: ValueDomain>(
        &self,
        after: &After<V>,
        (ghost, set): (StateIndex, usize),
        region: &Region,
        row: &mut [V],
    ) {
        let (width, side) = (self.block.width(), self.side());
        let first = |nth: usize| nth * side + set * width;
        let source = |target| match target {
            Target::Caught => &after.lost[..width],
            Target::State(to) => &after.stages[first(to.into())..][..width],
            Target::Teleport(nth) => &after.teleports[first(nth.into())..][..width],
        };
        let near = self.near_zombies(self.block.waiting.get(ghost).tile);
        let mut draw = |region: &Region, blocked: u8| {
            let targets = self.block.draws(ghost, blocked)[0].targets();
            let target = |nth: usize| targets.get(nth).copied().unwrap_or(Target::Caught);
            let sources: [&[V]; 4] = std::array::from_fn(|nth| source(target(nth)));
            for_each_run(self.block, (region, self.block.slots.len()), &mut |run| {
                let sources = sources.map(|source| &source[run.clone()]);
                means(sources, targets.len() as u16, &mut row[run]);
            });
        };
        for_each_way(&near, region, (0, 0), &mut draw);
    }

    fn near_zombies(&self, tile: u32) -> Vec<Neighbour> {
        let mut near = Vec::new();
        for (nth, slot) in self.block.slots.iter().enumerate() {
            let ways = self.surroundings.in_room[slot.zombie][tile as usize].into_iter();
            let ways = ways.enumerate().filter(|&(_, local)| local != NO_TILE);
            near.extend(ways.map(|(dir, local)| (nth, local, 1 << dir)));
        }
        near
    }
}

/// The range of a zombie's tiles before or after a step from these tiles.
fn reach_of(steps: &[Step], (from, to): (usize, usize)) -> (usize, usize) {
    let tiles = steps[from..to].iter().flat_map(Step::tiles);
    tiles.fold((from, to), |(from, to), tile| {
        (from.min(tile), to.max(tile + 1))
    })
}

/// Calls `then` for a region, and again for each part where zombies from this number on block the ghost, along with the
/// blocked ways.
fn for_each_way(
    near: &[Neighbour],
    region: &Region,
    (from, blocked): (usize, u8),
    then: &mut dyn FnMut(&Region, u8),
) {
    then(region, blocked);
    // Goes backwards, so that if two zombies are near, the call with both in the way comes last.
    for &(nth, local, way) in near.iter().rev() {
        let local = usize::from(local);
        if nth >= from && (region[nth].0..region[nth].1).contains(&local) {
            let mut region = *region;
            region[nth] = (local, local + 1);
            for_each_way(near, &region, (nth + 1, blocked | way), then);
        }
    }
}
