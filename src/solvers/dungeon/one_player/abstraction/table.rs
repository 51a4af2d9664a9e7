//! Solves levels with tables, without a list of successors.
//!
//! A table is an [`Abstraction`] with full detail. Tables for two ghosts have their own update.

mod two_ghosts;

use std::fmt;
use std::sync::Arc;

use super::super::OnePlayerMdp;
use super::super::code::{PackedAdversary, Phase};
use super::ghost_states::list_of_rank;
use super::tracking::Tracking;
use super::update::{Scratch, Update};
use super::{Abstraction, Detail};
use crate::engine::mdp::{SweepView, Sweeper, Tabular, ValueDomain, table_bytes};
use crate::limits::{Budget, Limit, bytes};

pub(in super::super::super) type GhostAndZombies = Table<Rows>;
pub(in super::super::super) type TwoGhosts = Table<two_ghosts::Plan>;
pub(in super::super::super) use two_ghosts::stretches::Stretches;

/// The maximum number of states, and of workspace values for a block.
const MOST: usize = 1 << 28;

/// The turns at a player position, and the data that all updates of its block share.
pub(in super::super::super) trait Turns:
    fmt::Debug + Send + Sync + Sized + 'static
{
    type Scratch<V: ValueDomain>: Default + Send;

    /// Returns whether the level's adversaries suit these turns.
    fn fit(mdp: &OnePlayerMdp) -> bool;

    fn new(model: &Abstraction, block: usize) -> Option<Self>;

    fn bytes(&self) -> u64;

    /// Returns the maximum number of values in the workspace for a block, including the results.
    fn values(&self, model: &Abstraction, block: usize) -> usize;

    fn update<'s, V: ValueDomain>(
        &self,
        model: &Abstraction,
        view: &SweepView<V>,
        scratch: &'s mut Self::Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit>;
}

/// The maximum number of zombies beside a ghost. Each additional zombie doubles the number of stages of a turn.
const MOST_ZOMBIES: usize = 3;

/// Turns of a ghost and zombies, row by row.
#[derive(Debug)]
pub(in super::super::super) struct Rows;

impl Turns for Rows {
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn fit(mdp: &OnePlayerMdp) -> bool {
        let zombies = mdp.mobile().saturating_sub(mdp.ghosts);
        let is_right = mdp.ghosts == 1 && (1..=MOST_ZOMBIES).contains(&zombies);
        is_right && Tracking::new(mdp, u32::MAX).are_apart()
    }

    fn new(_model: &Abstraction, _block: usize) -> Option<Self> {
        Some(Self)
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn values(&self, model: &Abstraction, block: usize) -> usize {
        model.blocks[block].scratch_values(model.mdp.ghosts)
    }

    fn update<'s, V: ValueDomain>(
        &self,
        model: &Abstraction,
        view: &SweepView<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let values = Update::new(model, view).values(scratch, &mut budget.clock())?;
        Ok(values)
    }
}

#[derive(Debug)]
pub(in super::super::super) struct Table<T> {
    model: Abstraction,
    turns: Vec<T>,
}

impl<T: Turns> Table<T> {
    pub(in super::super::super) fn fit(mdp: &OnePlayerMdp) -> bool {
        mdp.code.bits() <= u64::BITS && T::fit(mdp)
    }

    /// Builds the tables; `None` if the adversaries are not suitable, or there is too little memory.
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
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        let Some(len) = Abstraction::size(mdp, all, budget)? else {
            return Ok(None);
        };
        if len > MOST || len as u64 > most {
            return Ok(None);
        }
        // If the values do not fit in memory, building the rest is of no use.
        budget.check(table_bytes(len, 0))?;
        let Some(model) = Abstraction::new(mdp, all, budget)? else {
            return Ok(None);
        };
        let (mut turns, mut clock) = (Vec::new(), budget.clock());
        for block in 0..model.blocks.len() {
            clock.work(1 << 14)?;
            let Some(turn) = T::new(&model, block) else {
                return Ok(None);
            };
            if turn.values(&model, block) > MOST {
                return Ok(None);
            }
            budget.take(turn.bytes())?;
            budget.push(&mut turns, turn)?;
        }
        Ok(Some(Self { model, turns }))
    }

    fn max_bytes(&self, budget: &Budget) -> u64 {
        let turns = self.turns.iter().enumerate();
        let scratch = turns.map(|(block, turns)| turns.values(&self.model, block));
        let threads = budget.limits.threads.max(1) as u64;
        table_bytes(self.len(), self.sweeper().largest_part())
            + threads * bytes::<[f64; 2]>(scratch.max().unwrap_or(0))
    }
}

impl<T: Turns> Tabular for Table<T> {
    type Nodes = OnePlayerMdp;
    type Scratch<V: ValueDomain> = T::Scratch<V>;

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
        let ghosts = list_of_rank(at / block.width(), self.model.mdp.ghosts).into_iter();
        let ghosts = ghosts.map(|ghost| {
            let ghost = block.waiting.get(ghost);
            PackedAdversary::moved(ghost.tile, ghost.cooldown)
        });
        let zombies = block.slots.iter();
        let zombies =
            zombies.map(|slot| PackedAdversary::moved(slot.tile_in(at % block.width()), 0));
        let all = ghosts.chain(zombies).map(PackedAdversary::waiting);
        let code = &self.model.mdp.code;
        code.pack(&code.node(position as u32, Phase::Adversaries, all))
    }

    fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        scratch: &'s mut T::Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        self.turns[view.block()].update(&self.model, view, scratch, budget)
    }
}

#[cfg(test)]
mod tests;
