//! Solves levels with tables, without a list of successors.
//!
//! A table is an [`Abstraction`] with full detail. Tables for two ghosts have their own update.

mod two_ghosts;

use std::sync::Arc;

use super::super::DungeonMdp;
use super::super::code::{PackedAdversary, Phase};
use super::ghost_states::unrank;
use super::tracking::Tracking;
use super::update::{self, Update};
use super::{Abstraction, Detail};
use getaway_board::limits::{Budget, Limit, bytes};
use getaway_chance::{
    SweepView, Sweeper, Tables, Tabular, TabularMdp, Valuation, ValueDomain, table_bytes,
};
use two_ghosts::{ChoicePlan, TwoGhostTurn};

pub(crate) use two_ghosts::mean;
pub use two_ghosts::segments::Segments;

/// The maximum number of states, and of workspace values for a block.
const MAX: usize = 1 << 28;

/// The maximum number of zombies beside a ghost. Each additional zombie doubles the number of stages of a turn.
const MAX_ZOMBIES: usize = 3;

/// The combinations of adversaries for which there are tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversaries {
    /// Two ghosts, and no zombies that can move.
    TwoGhosts,
    /// A ghost, and one to three zombies that can move, each in a room of its own.
    GhostAndZombies,
}

impl Adversaries {
    /// Returns the kind of adversaries; `None` if it is none of these, or nodes don't fit into 64 bits.
    pub fn of(mdp: &DungeonMdp) -> Option<Self> {
        if mdp.code.bits() > u64::BITS {
            return None;
        }
        match (mdp.ghosts, mdp.mobile_count() - mdp.ghosts) {
            (2, 0) => Some(Self::TwoGhosts),
            (1, 1..=MAX_ZOMBIES) if Tracking::new(mdp, u32::MAX).are_apart() => {
                Some(Self::GhostAndZombies)
            }
            _ => None,
        }
    }
}

#[derive(Debug)]
pub struct Table {
    model: Abstraction,
    /// The plans for two ghosts at each player position; empty for other adversaries.
    plans: Vec<ChoicePlan>,
}

/// The workspaces of the update for any adversaries, and of the one for two ghosts.
pub type Scratch<V> = (update::Scratch<V>, two_ghosts::Scratch<V>);

impl Table {
    /// Builds the tables; `None` if the adversaries are not suitable, there are too many states, or there is too little memory.
    pub fn new(mdp: &Arc<DungeonMdp>, budget: &Budget) -> Result<Option<Self>, Limit> {
        let Some(adversaries) = Adversaries::of(mdp) else {
            return Ok(None);
        };
        let taken = budget.taken();
        match Self::build(mdp, adversaries, budget) {
            Ok(Some(table)) if budget.check(table.max_bytes(budget)).is_ok() => Ok(Some(table)),
            Ok(_) | Err(Limit::Memory) => {
                budget.reset_to(taken);
                Ok(None)
            }
            Err(limit) => Err(limit),
        }
    }

    fn build(
        mdp: &Arc<DungeonMdp>,
        adversaries: Adversaries,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        let all = Detail {
            steps: u32::MAX,
            cooldown: mdp.max_cooldown(),
        };
        let max = budget.limits.max_states.unwrap_or(u64::MAX);
        let Some(len) = Abstraction::size(mdp, all, budget)? else {
            return Ok(None);
        };
        if len > MAX || len as u64 > max {
            return Ok(None);
        }
        // If the values do not fit in memory, building the rest is of no use.
        budget.check(table_bytes(len, 0))?;
        let Some(model) = Abstraction::new(mdp, all, budget)? else {
            return Ok(None);
        };
        let mut table = Self {
            model,
            plans: Vec::new(),
        };
        let mut clock = budget.clock();
        for block in 0..table.model.blocks.len() {
            clock.work(1 << 14)?;
            if adversaries == Adversaries::TwoGhosts {
                let Some(plan) = ChoicePlan::new(&table.model, block) else {
                    return Ok(None);
                };
                budget.take(plan.bytes())?;
                budget.push(&mut table.plans, plan)?;
            }
            if table.scratch_values(block) > MAX {
                return Ok(None);
            }
        }
        Ok(Some(table))
    }

    /// Returns the maximum number of values in the workspace for a block, including the results.
    fn scratch_values(&self, number: usize) -> usize {
        let block = &self.model.blocks[number];
        match block.outcomes() {
            _ if self.plans.is_empty() => block.scratch_values(self.model.mdp.ghosts),
            Some(count) => count * (block.moved.len() + 2) + self.range(number).len(),
            None => usize::MAX,
        }
    }

    fn max_bytes(&self, budget: &Budget) -> u64 {
        let blocks = 0..self.model.blocks.len();
        let scratch = blocks.map(|block| self.scratch_values(block)).max();
        let at_a_time = self.sweeper().round_size(budget.limits.threads) as u64;
        table_bytes(self.len(), self.sweeper().largest_part())
            + at_a_time * bytes::<[f64; 2]>(scratch.unwrap_or(0))
    }
}

impl Tabular for Table {
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn sweeper(&self) -> &Sweeper {
        &self.model.sweeper
    }

    fn update<'s, V: ValueDomain>(
        &self,
        view: &SweepView<V>,
        (rows, ghosts): &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let mut clock = budget.clock();
        match self.plans.get(view.block()) {
            None => {
                let update = Update::new(&self.model, view);
                Ok(update.values(rows, &mut clock)?)
            }
            Some(plan) => {
                let turn = TwoGhostTurn {
                    model: &self.model,
                    plan,
                    block: &self.model.blocks[view.block()],
                };
                turn.values(view, ghosts, &mut clock)
            }
        }
    }
}

impl TabularMdp for Table {
    type Mdp = DungeonMdp;

    fn mdp(&self) -> &DungeonMdp {
        &self.model.mdp
    }

    fn find(&self, node: u64) -> Option<usize> {
        self.model.find(&self.model.mdp.unpack(node))
    }

    fn node(&self, state: usize) -> u64 {
        let starts = self.sweeper().starts();
        let position = starts.partition_point(|&start| start <= state) - 1;
        let block = &self.model.blocks[position];
        let at = state - starts[position];
        let ghosts = unrank(at / block.width(), self.model.mdp.ghosts)
            .into_iter()
            .map(|ghost| block.waiting.get(ghost));
        let zombies = block.slots.iter();
        let zombies =
            zombies.map(|slot| PackedAdversary::moved(slot.tile_in(at % block.width()), 0));
        let all = ghosts.chain(zombies).map(PackedAdversary::waiting);
        let code = &self.model.mdp.code;
        code.pack(&code.node(position as u32, Phase::Adversaries, all))
    }
}

/// Solves the level with tables. Returns `None` if it has none, if their values converge too slowly after `max_rounds` rounds or
/// can't be bounded, or if some number of turns is too large to count.
pub fn solve_by_tables(
    mdp: &Arc<DungeonMdp>,
    max_rounds: usize,
    budget: &Budget,
) -> Result<Option<Valuation>, Limit> {
    let (taken, threads) = (budget.taken(), budget.limits.threads);
    let valuation = Table::new(mdp, budget)?
        .and_then(|model| Tables::new(model, threads, max_rounds).solve(budget));
    if valuation.is_none() {
        budget.reset_to(taken);
    }
    Ok(valuation)
}

#[cfg(test)]
mod tests;
