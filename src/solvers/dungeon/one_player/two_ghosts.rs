//! Two ghosts by tables.
//!
//! Most nodes of an MDP with two ghosts say the same again and again: what a ghost can do depends
//! on the other one only if that is next to it, or on a tile that the ghost may be teleported to.
//! So it is enough to know, for each position of the player, what each ghost can do alone, and what
//! if the other is next to it ([`transition_table`]). The values of the states in which the player
//! has moved and both ghosts wait then follow from one another without lists of successors
//! ([`sweep`]): for each position of the player first the best choice when both ghosts have moved,
//! then the draw of the later ghost, then the draw of the earlier one.
//!
//! The questions, and the sweeps that answer them, are those of [`crate::engine::mdp`]: a *block*
//! is a position of the player.

pub(in super::super) mod stretches;
mod sweep;
mod transition_table;

use std::sync::Arc;

use super::OnePlayerMdp;
use super::code::{Node, Phase};
use crate::engine::mdp::{Sweeper, Tabular, ValueDomain, View, table_bytes};
use crate::limits::{Budget, Limit, bytes};
use sweep::Scratch;
use transition_table::{GhostStates, StateIndex, TransitionTable};

/// The most states that tables are made for, and the most values that are worked out for one
/// position.
const MAX_STATES: usize = 1 << 28;

/// The number, among the states of a position, of that of two ghosts in these ghost states.
fn at(later: StateIndex, earlier: StateIndex) -> usize {
    let later = usize::from(later);
    later * later.saturating_sub(1) / 2 + usize::from(earlier)
}

/// The ghost states of both ghosts in this state of a position.
fn pair_at(state: usize) -> [StateIndex; 2] {
    let mut later = ((2.0 * state as f64).sqrt()) as StateIndex;
    while at(later, 0) > state {
        later -= 1;
    }
    while at(later + 1, 0) <= state {
        later += 1;
    }
    [(state - at(later, 0)) as StateIndex, later]
}

/// An MDP with two ghosts, as tables.
#[derive(Debug)]
pub(in super::super) struct TwoGhosts {
    mdp: Arc<OnePlayerMdp>,
    /// For each position the ghost states of a ghost that waits.
    waiting: Vec<GhostStates>,
    tables: Vec<TransitionTable>,
    /// The states of each position.
    sweeper: Sweeper,
}

impl TwoGhosts {
    /// Whether there are two ghosts in this MDP, and nothing else that needs a place in its nodes.
    pub(in super::super) fn fit(mdp: &OnePlayerMdp) -> bool {
        // The search for end components needs one bit more.
        mdp.ghosts == 2 && mdp.code.len() == 2 && mdp.code.bits() < u64::BITS
    }

    /// The tables of this MDP; `None` if it has anything but two ghosts, or hardly a tile to
    /// teleport to, or if there is no room for the tables.
    pub(in super::super) fn new(
        mdp: &Arc<OnePlayerMdp>,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        if !Self::fit(mdp) {
            return Ok(None);
        }
        let taken = budget.taken();
        match Self::build(mdp, budget) {
            Ok(Some(ghosts))
                if budget
                    .check(ghosts.max_bytes(budget.limits.threads))
                    .is_ok() =>
            {
                Ok(Some(ghosts))
            }
            Ok(_) | Err(Limit::Memory) => {
                budget.reset_to(taken);
                Ok(None)
            }
            Err(limit) => Err(limit),
        }
    }

    fn build(mdp: &Arc<OnePlayerMdp>, budget: &Budget) -> Result<Option<Self>, Limit> {
        let mut clock = budget.clock();
        let positions = mdp.geometry.positions.len();
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        let (mut waiting, mut starts) = (Vec::new(), vec![0]);
        for position in 0..positions {
            clock.work(mdp.geometry.tile_count().into())?;
            // Where there are two tiles, one of them is free whatever the other ghost does.
            if mdp.geometry.free(&mdp.dungeon, position) < 2 {
                return Ok(None);
            }
            budget.take(GhostStates::max_bytes(mdp))?;
            let Some(states) = GhostStates::new(mdp, position, true) else {
                return Ok(None);
            };
            let end = starts[waiting.len()] + at(states.all().end, 0);
            if end > MAX_STATES || end as u64 > most {
                return Ok(None);
            }
            starts.push(end);
            waiting.push(states);
        }
        // It would be a waste to go on without room for the tables.
        budget.check(table_bytes(starts[waiting.len()], 0))?;
        let mut tables = Vec::new();
        for position in 0..positions {
            let Some(table) = TransitionTable::new(mdp, position, &waiting, budget)? else {
                return Ok(None);
            };
            if table.targets() * table.moved.len() > MAX_STATES {
                return Ok(None);
            }
            tables.push(table);
        }
        let sources = |block: usize| {
            let destinations = tables[block].destinations.iter();
            destinations.map(|destination| destination.position as usize)
        };
        Ok(Some(Self {
            mdp: Arc::clone(mdp),
            waiting,
            sweeper: Sweeper::new(starts, sources),
            tables,
        }))
    }

    /// How much memory it takes at most to solve this with so many threads, in bytes.
    fn max_bytes(&self, threads: usize) -> u64 {
        let scratch = |(block, table): (usize, &TransitionTable)| {
            table.targets() * (table.moved.len() + 2) + self.range(block).len()
        };
        let scratch = self.tables.iter().enumerate().map(scratch).max();
        let scratch = scratch.unwrap_or(0);
        table_bytes(self.len(), self.sweeper.largest_part())
            + threads.max(1) as u64 * bytes::<[f64; 2]>(scratch)
    }

    /// The state that a node is; `None` unless both ghosts wait for their moves.
    fn find_node(&self, node: &Node) -> Option<usize> {
        let [earlier, later] = node.adversaries() else {
            return None;
        };
        if node.phase == Phase::Player || !earlier.waits() || !later.waits() {
            return None;
        }
        let states = &self.waiting[node.position as usize];
        let [earlier, later] =
            [earlier, later].map(|adversary| states.find(adversary.tile(), adversary.cooldown()));
        Some(self.range(node.position as usize).start + at(later?, earlier?))
    }
}

impl Tabular for TwoGhosts {
    type Nodes = OnePlayerMdp;
    type Scratch<V: ValueDomain> = Scratch<V>;

    fn nodes(&self) -> &OnePlayerMdp {
        &self.mdp
    }

    fn sweeper(&self) -> &Sweeper {
        &self.sweeper
    }

    fn find(&self, node: u64) -> Option<usize> {
        self.find_node(&self.mdp.unpack(node))
    }

    fn node(&self, state: usize) -> u64 {
        let starts = self.sweeper.starts();
        let position = starts.partition_point(|&start| start <= state) - 1;
        let [earlier, later] = pair_at(state - starts[position]);
        let ghosts = [earlier, later].map(|at| self.waiting[position].adversary(at).waiting());
        let code = &self.mdp.code;
        code.pack(&code.node(position as u32, Phase::Adversaries, ghosts.into_iter()))
    }

    fn update<'s, V: ValueDomain>(
        &self,
        view: &View<V>,
        scratch: &'s mut Scratch<V>,
        budget: &Budget,
    ) -> Result<&'s [V], Limit> {
        let (block, mut clock) = (view.block(), budget.clock());
        self.tables[block].choose(view, scratch, &mut clock)?;
        self.tables[block].draw(&self.waiting[block], scratch, &mut clock)
    }
}

#[cfg(test)]
mod tests;
