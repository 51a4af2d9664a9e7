//! Chooses how to solve a level. Only adversaries that can move count here.
//!
//! - *Segments* ([`Segments`]): for two ghosts with long cooldowns, unless the level is small or the bounds stay too far apart.
//! - *Few nodes*: for a level with few reachable nodes: at most [`FEW`] and few compared with its positions, or, if it has no
//!   tables, at most [`MANY_NODES`] and no more than its positions.
//! - *Tables*: for two ghosts, or for a ghost and up to three zombies in separate rooms on a large level.
//! - *Nodes*: for several players, for all other levels, and if tables take too much memory or time.

use std::sync::Arc;

use getaway_board::limits::{Bounds, Budget, Limit, Limits};
use getaway_chance::{
    self, MAX_ROUNDS, MarkovChain, Mdp, OptimalStrategy, StrategyScope, Valuation,
};
use getaway_models::abstraction::{Abstraction, Adversaries, Segments, solve_by_tables};
use getaway_models::{DungeonMdp, Phase};
use getaway_rules::dungeon::{Move, State};

/// Levels with at most this many positions are small.
pub(super) const SMALL: usize = 1 << 18;

/// The number of positions above which levels with a ghost and zombies get tables. On smaller levels, listing the nodes
/// is fast, and it allows policy iteration, which is better if games last long.
const MAX_LISTED: usize = 600_000;

/// The maximum number of nodes to explore before trying tables.
const FEW: u64 = 1 << 16;

/// The minimum number of positions for each node explored before trying tables, so that the exploration takes a small part of the
/// time of tables.
const POSITIONS_PER_NODE: u64 = 128;

/// The maximum number of nodes to explore before refining the bounds of a level without tables. This takes a few seconds. On
/// levels with fewer positions than this, the number of positions is the maximum. Crowded levels may have far more positions than
/// reachable nodes, and sweeps spend a long time on each position.
const MANY_NODES: u64 = 1 << 23;

/// Levels with a ghost and zombies get no tables if they have at least this many positions.
const TOO_MANY: u64 = 1 << 32;

/// The number of rounds of sweeps after which the tables of a ghost and zombies are given up if one of their parts converges
/// slowly: enough to show whether games last long. (The slower part of `real-07` in `tests/cases/real.jsonl` takes 51 rounds, but
/// its changes shrink considerably every ten rounds.)
const ROUNDS: usize = 24;

/// The limit that was reached, and the bounds on the first node proved until then.
pub(super) type LimitReached = (Limit, Bounds);

#[derive(Debug)]
pub(super) struct Solved {
    mdp: Arc<DungeonMdp>,
    strategy: Box<dyn OptimalStrategy>,
}

impl Solved {
    /// Solves the nodes that best play may reach from `first`, or those that any play may reach if all bounds are
    /// requested.
    pub(super) fn new(
        mdp: &Arc<DungeonMdp>,
        first: u64,
        scope: StrategyScope,
        budget: &Budget,
    ) -> Result<Self, LimitReached> {
        Ok(Self {
            mdp: Arc::clone(mdp),
            strategy: strategy(mdp, first, scope, budget)?,
        })
    }

    pub(super) fn bounds(&self, node: u64) -> Option<Bounds> {
        self.strategy.bounds(node)
    }

    pub(super) fn bounds_of(&self, at: &State) -> Option<Bounds> {
        self.bounds(self.mdp.number(at, Phase::Player, &[])?)
    }

    pub(super) fn best(&self, at: &State) -> Option<Move> {
        let node = self.mdp.number(at, Phase::Player, &[])?;
        let choice = self.strategy.choice(node)?;
        self.mdp.moves(node).get(choice).copied()
    }

    /// Returns best play from the start of the game, whichever node was solved, as a Markov chain.
    pub(super) fn chain(&self, limits: &Limits) -> Result<MarkovChain, Limit> {
        let choice = |node| self.strategy.choice(node);
        MarkovChain::of(&*self.mdp, self.mdp.initial(), &choice, limits)
    }
}

fn strategy(
    mdp: &Arc<DungeonMdp>,
    first: u64,
    scope: StrategyScope,
    budget: &Budget,
) -> Result<Box<dyn OptimalStrategy>, LimitReached> {
    let by_nodes = |valuation: Valuation| {
        let known = valuation.bounds;
        let found = valuation.into_strategy(scope, budget);
        let found = found.map_err(|limit| (limit, known))?;
        Ok(found.expect("the solver finds all bounds"))
    };
    if mdp.is_joint() {
        return by_nodes(getaway_chance::solve_within(&**mdp, first, budget));
    }
    let unknown = |limit| (limit, Bounds::UNKNOWN);
    let size = Abstraction::positions(mdp, SMALL, budget).map_err(unknown)?;
    let taken = budget.taken();
    let model = by_segments(mdp, size, budget).map_err(unknown)?;
    if let Some(model) = model.filter(Segments::is_exact) {
        return Ok(Box::new(model));
    }
    budget.reset_to(taken);
    // Without tables, all nodes are explored in any case.
    if Adversaries::of(mdp).is_some()
        && let Some(valuation) = by_few_nodes(mdp, first, size, budget)
    {
        return by_nodes(valuation);
    }
    if let Some(valuation) = by_tables(mdp, size, budget).map_err(unknown)? {
        let known = if first == mdp.initial() {
            valuation.bounds
        } else {
            Bounds::UNKNOWN
        };
        let found = valuation.into_strategy(scope, budget);
        let found = found.map_err(|limit| (limit, known))?;
        if let Some(found) = found
            && (scope == StrategyScope::Choices || found.bounds(first).is_some())
        {
            return Ok(found);
        }
        budget.reset_to(taken);
    }
    by_nodes(getaway_chance::solve_within(&**mdp, first, budget))
}

pub(super) fn solve(mdp: &Arc<DungeonMdp>, size: usize, budget: &Budget) -> Valuation {
    match by_tables(mdp, size, budget) {
        Ok(Some(valuation)) => valuation,
        Ok(None) => getaway_chance::solve_within(&**mdp, mdp.initial(), budget),
        Err(limit) => Valuation::unknown(limit, 0),
    }
}

/// Solves the nodes reachable from `first` if they are few; returns `None` if they are not, or a limit on memory or states is
/// reached.
pub(super) fn by_few_nodes(
    mdp: &DungeonMdp,
    first: u64,
    size: usize,
    budget: &Budget,
) -> Option<Valuation> {
    let taken = budget.taken();
    let max = match Adversaries::of(mdp) {
        Some(_) => FEW.min(size as u64 / POSITIONS_PER_NODE),
        None => MANY_NODES.min(size as u64),
    };
    let few = getaway_chance::solve_small(mdp, first, max, budget);
    // Other methods may still find bounds within these limits.
    let valuation = few.filter(|few| !matches!(few.limit, Some(Limit::Memory | Limit::States)));
    if valuation.is_none() {
        budget.reset_to(taken);
    }
    valuation
}

pub(super) fn by_segments(
    mdp: &Arc<DungeonMdp>,
    size: usize,
    budget: &Budget,
) -> Result<Option<Segments>, Limit> {
    if size <= SMALL {
        return Ok(None);
    }
    Segments::solve(mdp, budget)
}

fn by_tables(
    mdp: &Arc<DungeonMdp>,
    size: usize,
    budget: &Budget,
) -> Result<Option<Valuation>, Limit> {
    let max_rounds = match Adversaries::of(mdp) {
        _ if mdp.is_joint() => return Ok(None),
        None => return Ok(None),
        Some(Adversaries::TwoGhosts) => MAX_ROUNDS,
        Some(Adversaries::GhostAndZombies) => {
            // Building tables that will not fit would take a while.
            let max = budget.limits.max_states.unwrap_or(u64::MAX);
            let is_fit = size > MAX_LISTED && (size as u64) < TOO_MANY && size as u64 <= max;
            if !is_fit || budget.check(getaway_chance::table_bytes(size, 0)).is_err() {
                return Ok(None);
            }
            ROUNDS
        }
    };
    solve_by_tables(mdp, max_rounds, budget)
}

#[cfg(test)]
#[path = "solved_tests.rs"]
mod tests;
