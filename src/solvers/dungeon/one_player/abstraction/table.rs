//! A ghost and zombies, each in a room of its own, by tables without a list of what follows what.
//!
//! What a zombie does depends on the ghost only where that is next to it, and never on other zombies. So a turn is
//! worked out one adversary at a time, each for whole rows of values at once ([`sweep`]), instead of outcome by outcome.
//! The questions, and the sweeps that answer them, are those of [`crate::engine::mdp`]; a *block* is a position of the
//! player, as in the model with all detail, which this is.

mod combinations;
mod plan;
mod sweep;

use std::sync::Arc;

use super::super::OnePlayerMdp;
use super::super::code::{PackedAdversary, Phase};
use super::block::Slot;
use super::tracking::Tracking;
use super::{Abstraction, Detail};
use crate::engine::mdp::{Sweeper, Tabular, ValueDomain, View, table_bytes};
use crate::limits::{Budget, Limit, bytes};
use combinations::MOST_ZOMBIES;
use plan::Plan;
use sweep::{Scratch, Turn};

/// An MDP with a ghost and zombies, as tables.
#[derive(Debug)]
pub(in super::super::super) struct GhostAndZombies {
    model: Abstraction,
    /// For each block what is worked out of it once.
    plans: Vec<Plan>,
}

impl GhostAndZombies {
    /// Whether there are a ghost and zombies, each in a room of its own, in this MDP.
    pub(in super::super::super) fn fit(mdp: &OnePlayerMdp) -> bool {
        let zombies = mdp.mobile().saturating_sub(mdp.ghosts);
        let has_room = mdp.ghosts == 1 && (1..=MOST_ZOMBIES).contains(&zombies);
        // The search for end components needs one bit more.
        has_room && mdp.code.bits() < u64::BITS && Tracking::new(mdp, u32::MAX).are_apart()
    }

    /// The tables of this MDP; `None` if it has other adversaries, or if there is no room for the tables.
    pub(in super::super::super) fn new(
        mdp: &Arc<OnePlayerMdp>,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        if !Self::fit(mdp) {
            return Ok(None);
        }
        let taken = budget.taken();
        match Self::build(mdp, budget) {
            Ok(Some(table)) if budget.check(table.max_bytes(budget)).is_ok() => Ok(Some(table)),
            Ok(_) | Err(Limit::Memory) => {
                budget.reset_to(taken);
                Ok(None)
            }
            Err(limit) => Err(limit),
        }
    }

    fn build(mdp: &Arc<OnePlayerMdp>, budget: &Budget) -> Result<Option<Self>, Limit> {
        let all = Detail {
            steps: u32::MAX,
            cooldown: mdp.most_cooldown(),
        };
        let Some(model) = Abstraction::new(mdp, all, budget)? else {
            return Ok(None);
        };
        let slots = &model.blocks[0].slots;
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        if model.len() as u64 > most {
            return Ok(None);
        }
        let is_near: Vec<_> = slots.iter().map(|slot| near(mdp, slot)).collect();
        let (mut plans, mut clock) = (Vec::new(), budget.clock());
        for block in &model.blocks {
            clock.work(1 << 14)?;
            let plan = Plan::new(mdp, block, &is_near);
            budget.take(plan.bytes())?;
            budget.push(&mut plans, plan)?;
        }
        Ok(Some(Self { model, plans }))
    }

    /// How much memory it takes at most to solve this, in bytes.
    fn max_bytes(&self, budget: &Budget) -> u64 {
        let scratch = self.model.blocks.iter().map(Turn::values);
        let threads = budget.limits.threads.max(1) as u64;
        table_bytes(self.len(), self.sweeper().largest_part())
            + threads * bytes::<[f64; 2]>(scratch.max().unwrap_or(0))
    }

    fn turn<V>(&self, view: &View<V>) -> Turn<'_> {
        let block = view.block();
        Turn {
            mdp: &self.model.mdp,
            block: &self.model.blocks[block],
            plan: &self.plans[block],
            choice: &self.model.choices[block],
            surroundings: &self.model.surroundings,
            threads: view.threads(),
        }
    }
}

/// For each tile whether a ghost there and this zombie may be in each other's way in one turn: both make a step.
fn near(mdp: &OnePlayerMdp, slot: &Slot) -> Vec<bool> {
    let (grid, geometry) = (mdp.dungeon.level.grid, &mdp.geometry);
    let distance = |a, b| grid.distance(geometry.cell(a), geometry.cell(b));
    let is_near = |tile| slot.tiles.iter().any(|&other| distance(tile, other) <= 2);
    (0..geometry.tile_count()).map(is_near).collect()
}

impl Tabular for GhostAndZombies {
    type Nodes = OnePlayerMdp;
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn nodes(&self) -> &OnePlayerMdp {
        &self.model.mdp
    }

    fn sweeper(&self) -> &Sweeper {
        &self.model.sweeper
    }

    fn find(&self, node: u64) -> Option<usize> {
        self.model.find(&self.model.mdp.unpack(node))
    }

    fn node(&self, state: usize) -> u64 {
        let starts = self.sweeper().starts();
        let position = starts.partition_point(|&start| start <= state) - 1;
        let block = &self.model.blocks[position];
        let at = state - starts[position];
        let ghost = block.waiting.get((at / block.width()) as u16);
        let ghost = PackedAdversary::moved(ghost.tile, ghost.cooldown);
        let zombies = block.slots.iter().map(|slot| {
            let local = at % block.width() / slot.stride % slot.tiles.len();
            PackedAdversary::moved(slot.tiles[local], 0)
        });
        let all = std::iter::once(ghost).chain(zombies);
        let code = &self.model.mdp.code;
        let all = all.map(PackedAdversary::waiting);
        code.pack(&code.node(position as u32, Phase::Adversaries, all))
    }

    fn update<'s, V: ValueDomain>(
        &self,
        view: &View<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        self.turn(view).update(view, scratch, budget)
    }
}

#[cfg(test)]
mod tests;
