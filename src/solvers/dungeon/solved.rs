//! The one choice of how a level with one player is solved, and what is known of its positions then.
//!
//! - *Stretches* ([`Stretches`]), for two ghosts with long cooldowns on a level that is not small.
//! - *Tables*, for two ghosts, and for a ghost and zombies in rooms of their own on a level that is large.
//! - *Nodes*, one by one, for all others, and where tables have no room or would take too long.

use std::sync::Arc;

use super::one_player::abstraction::{Abstraction, GhostAndZombies, Stretches, TwoGhosts};
use super::one_player::{OnePlayerMdp, Phase};
use crate::engine::mdp::{
    self, Mdp, OptimalStrategy, Owner, PATIENCE, Successor, Tables, Tabular, Valuation, Wanted,
};
use crate::limits::{Budget, Clock, Limit};
use crate::rules::dungeon::{Move, State};

/// Levels with no more positions are small.
pub(super) const SMALL: usize = 1 << 18;

/// With more positions than these tables of a ghost and zombies are tried first, which take less time and room than nodes.
/// Below, nodes are soon listed, and better where plays last long: they have policy iteration.
const MANY: usize = 600_000;

/// For more there is no room anywhere. (Positions that can't be counted are more than these.)
const MOST: u64 = 1 << 32;

/// How many rounds of sweeps each part of these tables may take in any case: it soon shows whether plays last long. (The
/// slower one of `real-07` takes 51, and in each ten of them changes become much smaller.)
const ROUNDS: usize = 24;

/// A limit that ended a solution, and the bounds that were proven by then of the node that it began with.
pub(super) type Broken = (Limit, [f64; 2]);

/// A level with one player, solved.
#[derive(Debug)]
pub(super) struct Solved {
    mdp: Arc<OnePlayerMdp>,
    strategy: Box<dyn OptimalStrategy>,
}

impl Solved {
    /// Solves a level for this node and all that may come after it under best play; if all bounds are wanted, for all that
    /// may come after it.
    pub(super) fn new(
        mdp: &Arc<OnePlayerMdp>,
        node: u64,
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Self, Broken> {
        let unknown = |limit| (limit, [0.0, 1.0]);
        let solved = |strategy| Self {
            mdp: Arc::clone(mdp),
            strategy,
        };
        let size = Abstraction::positions(mdp, SMALL, budget).map_err(unknown)?;
        let taken = budget.taken();
        let model = by_stretches(mdp, size, budget).map_err(unknown)?;
        if let Some(model) = model.filter(Stretches::is_exact) {
            return Ok(solved(Box::new(model)));
        }
        budget.reset_to(taken);
        if let Some(valuation) = by_tables(mdp, size, budget).map_err(unknown)? {
            let known = if node == mdp.initial() {
                [valuation.lower, valuation.upper]
            } else {
                [0.0, 1.0]
            };
            let found = valuation.into_strategy(wanted, budget);
            let found = found.map_err(|limit| (limit, known))?.map(solved);
            let is_enough =
                |found: &Self| wanted == Wanted::Choices || found.bounds(node).is_some();
            if let Some(found) = found.filter(is_enough) {
                return Ok(found);
            }
            budget.reset_to(taken);
        }
        let valuation = mdp::solve_within(&From { mdp, node }, budget);
        let known = [valuation.lower, valuation.upper];
        let strategy = valuation.into_strategy(wanted, budget);
        let strategy = strategy.map_err(|limit| (limit, known))?;
        Ok(solved(strategy.expect("nodes find all bounds")))
    }

    /// Bounds on the probability of escape from this node; `None` if it is not known.
    pub(super) fn bounds(&self, node: u64) -> Option<[f64; 2]> {
        self.strategy.bounds(node)
    }

    /// Which successor of this node the player should choose; `None` if it is not known, or there is no escape.
    pub(super) fn choice(&self, node: u64) -> Option<usize> {
        self.strategy.choice(node)
    }

    /// The best move in this state; `None` if it is not known, or there is no escape.
    pub(super) fn best(&self, at: &State) -> Option<Move> {
        let node = self.mdp.number_anew(at, Phase::Player)?;
        self.mdp.moves(node).get(self.choice(node)?).copied()
    }
}

/// The result for the start of a level with so many positions, by tables or by nodes.
pub(super) fn solve(mdp: &Arc<OnePlayerMdp>, size: usize, budget: &Budget) -> Valuation {
    match by_tables(mdp, size, budget) {
        Ok(Some(valuation)) => valuation,
        Ok(None) => mdp::solve_within(&**mdp, budget),
        Err(limit) => Valuation::unknown(limit, 0),
    }
}

/// The result by stretches; `None` if this is no level for them.
pub(super) fn by_stretches(
    mdp: &Arc<OnePlayerMdp>,
    size: usize,
    budget: &Budget,
) -> Result<Option<Stretches>, Limit> {
    if size <= SMALL {
        return Ok(None);
    }
    Stretches::solve(mdp, budget)
}

/// The result by tables; `None` if there are none for such a level.
fn by_tables(
    mdp: &Arc<OnePlayerMdp>,
    size: usize,
    budget: &Budget,
) -> Result<Option<Valuation>, Limit> {
    if let Some(valuation) = tables(TwoGhosts::new, mdp, PATIENCE, budget)? {
        return Ok(Some(valuation));
    }
    // Else they would be made to no purpose, which takes a while.
    let most = budget.limits.max_states.unwrap_or(u64::MAX);
    let is_fit = size > MANY && (size as u64) < MOST && size as u64 <= most;
    if !is_fit || budget.check(mdp::table_bytes(size, 0)).is_err() {
        return Ok(None);
    }
    tables(GhostAndZombies::new, mdp, ROUNDS, budget)
}

/// The result by tables, which `make` makes, with so much patience; `None` if there are no such tables, or if they come
/// to nothing.
pub(super) fn tables<M: Tabular>(
    make: impl Fn(&Arc<OnePlayerMdp>, &Budget) -> Result<Option<M>, Limit>,
    mdp: &Arc<OnePlayerMdp>,
    patience: usize,
    budget: &Budget,
) -> Result<Option<Valuation>, Limit> {
    let (taken, threads) = (budget.taken(), budget.limits.threads);
    let valuation =
        make(mdp, budget)?.and_then(|model| Tables::new(model, threads, patience).solve(budget));
    if valuation.is_none() {
        budget.reset_to(taken);
    }
    Ok(valuation)
}

/// The same MDP, where the play begins at another node.
struct From<'m> {
    mdp: &'m OnePlayerMdp,
    node: u64,
}

impl Mdp for From<'_> {
    fn bits(&self) -> u32 {
        self.mdp.bits()
    }

    fn initial(&self) -> u64 {
        self.node
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        self.mdp.successors(node, out)
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        self.mdp.successors_within(node, out, clock)
    }

    fn block_bits(&self) -> u32 {
        self.mdp.block_bits()
    }

    fn has_fixed_numbers(&self) -> bool {
        self.mdp.has_fixed_numbers()
    }

    fn bytes(&self) -> u64 {
        self.mdp.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::one_player::abstraction::tests::mdp;
    use super::*;
    use crate::limits::Limits;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;
    use crate::rules::dungeon::Dungeon;
    use crate::ruleset::Ruleset;

    /// Two ghosts, a ghost and zombies, and others.
    const LEVELS: [&str; 4] = [
        "; radius: 2\n-------\n|P....|\n|.G.G.|\n|....E|\n-------\n",
        "; radius: 2\n----------\n|P..D...Z|\n|.Z.|..GE|\n|...|....|\n----------\n",
        "; strategy: cooldown\n; radius: 1\n; cooldown: 2\n--------\n|P.D..G|\n|..|.Z.|\n|.E|...|\n--------\n",
        "; radius: 2\n-------\n|P....|\n|.Z.Z.|\n|....E|\n-------\n",
    ];

    #[test]
    fn the_answer_the_bounds_and_the_best_moves_are_of_one_solution() {
        let limits = Limits::default();
        for text in LEVELS {
            let mdp = mdp(text).unwrap();
            let budget = Budget::new(&limits);
            let size = Abstraction::positions(&mdp, SMALL, &budget).unwrap();
            let answer = solve(&mdp, size, &budget);
            let first = mdp.initial();
            let solved = |wanted| Solved::new(&mdp, first, wanted, &Budget::new(&limits)).unwrap();
            let [choices, all] = [Wanted::Choices, Wanted::AllBounds].map(solved);
            assert_eq!(
                all.bounds(first),
                Some([answer.lower, answer.upper]),
                "{text}"
            );
            assert_eq!(all.choice(first), choices.choice(first), "{text}");
            assert!(
                answer.lower > 0.0 && choices.best(&start(text)).is_some(),
                "{text}"
            );
        }
    }

    fn start(text: &str) -> State {
        let mut puzzle = Puzzle::empty();
        assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
        Dungeon::read(&puzzle).unwrap().start()
    }
}
