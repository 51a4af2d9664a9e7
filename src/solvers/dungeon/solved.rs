//! Chooses how to solve a level with one player.
//!
//! - *Stretches* ([`Stretches`]): for two ghosts with long cooldowns, unless the level is small.
//! - *Tables*: for two ghosts, or for a ghost and zombies in separate rooms on a large level.
//! - *Nodes*: for all other levels, and if tables take too much memory or time.

use std::sync::Arc;

use super::best_play;
use super::one_player::abstraction::{Abstraction, GhostAndZombies, Stretches, TwoGhosts};
use super::one_player::{OnePlayerMdp, Phase};
use crate::engine::markov_chain::MarkovChain;
use crate::engine::mdp::{
    self, Mdp, OptimalStrategy, PATIENCE, Redirected, Tables, Tabular, Valuation, Wanted,
};
use crate::limits::{Budget, Limit, Limits};
use crate::rules::dungeon::{Move, State};

/// Levels with at most this many positions are small.
pub(super) const SMALL: usize = 1 << 18;

/// Levels with a ghost and zombies get tables above this many positions. Below it, listing the nodes is fast, and
/// better if games last long, since it allows policy iteration.
const MANY: usize = 600_000;

/// No method can handle more positions than this.
const MOST: u64 = 1 << 32;

/// The number of rounds always allowed for each part of the tables of a ghost and zombies: enough to show whether games
/// last long. (The slower part of `real-07` takes 51; changes shrink considerably every ten rounds.)
const ROUNDS: usize = 24;

/// A limit, and the bounds on the first node proved before it was reached.
pub(super) type Broken = (Limit, [f64; 2]);

#[derive(Debug)]
pub(super) struct Solved {
    mdp: Arc<OnePlayerMdp>,
    strategy: Box<dyn OptimalStrategy>,
}

impl Solved {
    /// Covers the nodes that best play may reach from `first`, or that any play may reach if all bounds are wanted.
    pub(super) fn new(
        mdp: &Arc<OnePlayerMdp>,
        first: u64,
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
            let known = if first == mdp.initial() {
                [valuation.lower, valuation.upper]
            } else {
                [0.0, 1.0]
            };
            let found = valuation.into_strategy(wanted, budget);
            let found = found.map_err(|limit| (limit, known))?.map(solved);
            let is_enough =
                |found: &Self| wanted == Wanted::Choices || found.bounds(first).is_some();
            if let Some(found) = found.filter(is_enough) {
                return Ok(found);
            }
            budget.reset_to(taken);
        }
        let from = Redirected {
            mdp: &**mdp,
            initial: first,
            redirect: std::convert::identity,
        };
        let valuation = mdp::solve_within(&from, budget);
        let known = [valuation.lower, valuation.upper];
        let strategy = valuation.into_strategy(wanted, budget);
        let strategy = strategy.map_err(|limit| (limit, known))?;
        Ok(solved(strategy.expect("nodes find all bounds")))
    }

    /// `None` if the bounds are unknown.
    pub(super) fn bounds(&self, node: u64) -> Option<[f64; 2]> {
        self.strategy.bounds(node)
    }

    /// The bounds at the beginning of a turn.
    pub(super) fn bounds_of(&self, at: &State) -> Option<[f64; 2]> {
        self.bounds(self.mdp.number(at, Phase::Player, &[])?)
    }

    /// `None` if the best move is unknown, or if there is no escape.
    pub(super) fn best(&self, at: &State) -> Option<Move> {
        let node = self.mdp.number(at, Phase::Player, &[])?;
        let choice = self.strategy.choice(node)?;
        self.mdp.moves(node).get(choice).copied()
    }

    /// Best play from the start of the game, whichever node was solved.
    pub(super) fn chain(&self, limits: &Limits) -> Result<MarkovChain, Limit> {
        let choice = |node| self.strategy.choice(node);
        best_play::chain(&*self.mdp, self.mdp.initial(), &choice, limits)
    }
}

pub(super) fn solve(mdp: &Arc<OnePlayerMdp>, size: usize, budget: &Budget) -> Valuation {
    match by_tables(mdp, size, budget) {
        Ok(Some(valuation)) => valuation,
        Ok(None) => mdp::solve_within(&**mdp, budget),
        Err(limit) => Valuation::unknown(limit, 0),
    }
}

/// `None` if the level is not suited to stretches.
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

/// `None` if the level is not suited to tables.
fn by_tables(
    mdp: &Arc<OnePlayerMdp>,
    size: usize,
    budget: &Budget,
) -> Result<Option<Valuation>, Limit> {
    if let Some(valuation) = tables(TwoGhosts::new, mdp, PATIENCE, budget)? {
        return Ok(Some(valuation));
    }
    // Tables that will not fit would take a while to build.
    let most = budget.limits.max_states.unwrap_or(u64::MAX);
    let is_fit = size > MANY && (size as u64) < MOST && size as u64 <= most;
    if !is_fit || budget.check(mdp::table_bytes(size, 0)).is_err() {
        return Ok(None);
    }
    tables(GhostAndZombies::new, mdp, ROUNDS, budget)
}

/// `None` if `make` returns no tables, or they don't converge in time.
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

#[cfg(test)]
mod tests {
    use super::super::one_player::abstraction::tests::mdp;
    use super::*;
    use crate::engine::mdp::Successor;
    use crate::limits::Limits;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;
    use crate::rules::dungeon::Dungeon;
    use crate::ruleset::Ruleset;

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
            assert_eq!(all.best(&start(text)), choices.best(&start(text)), "{text}");
            assert!(
                answer.lower > 0.0 && choices.best(&start(text)).is_some(),
                "{text}"
            );
        }
    }

    #[test]
    fn the_chain_of_best_play_begins_at_the_start_whichever_node_was_solved() {
        let limits = Limits::default();
        let mdp = mdp(LEVELS[0]).unwrap();
        let first = mdp.initial();
        let mut others = Vec::new();
        mdp.successors(first, &mut others);
        let turns = |solved: &Solved| {
            let wins = solved.chain(&limits).unwrap().wins(&limits).unwrap();
            wins.unwrap().turns
        };
        let solved = |first| {
            let budget = Budget::new(&limits);
            Solved::new(&mdp, first, Wanted::AllBounds, &budget).unwrap()
        };
        let [lower, upper] = turns(&solved(first));
        let others = others.into_iter().filter_map(|other| match other {
            Successor::Node(other) => Some(solved(other)),
            _ => None,
        });
        let mut others = others.filter(|other| other.bounds(first).is_some());
        let [low, high] = turns(&others.next().expect("there is a way back to the start"));
        assert!(low <= upper + 1e-6 && high >= lower - 1e-6, "{low} {lower}");
    }

    /// The level's own tables give 0.488200788.
    #[test]
    fn long_cooldowns_are_solved_by_stretches_from_any_node() {
        let text = "; strategy: cooldown\n; radius: 1\n; cooldown: 255\n-------\n|P.D.E|\n|G.|.G|\n-------\n";
        let mdp = mdp(text).unwrap();
        let limits = Limits::default();
        let mut nodes = vec![Successor::Node(mdp.initial())];
        mdp.successors(mdp.initial(), &mut nodes);
        for node in nodes {
            let Successor::Node(node) = node else {
                continue;
            };
            let solved = Solved::new(&mdp, node, Wanted::Choices, &Budget::new(&limits)).unwrap();
            assert!(format!("{:?}", solved.strategy).starts_with("Stretches"));
            let [lower, upper] = solved.bounds(mdp.initial()).unwrap();
            assert!(lower <= 0.488_200_82 && upper >= 0.488_200_75);
            assert!(solved.best(&start(text)).is_some());
        }
    }

    #[test]
    fn tables_of_a_ghost_and_zombies_and_nodes_agree() {
        let limits = Limits::default();
        for text in &LEVELS[1..3] {
            let mdp = mdp(text).unwrap();
            let budget = Budget::new(&limits);
            assert!(by_tables(&mdp, MANY, &budget).unwrap().is_none(), "{text}");
            let tables = by_tables(&mdp, MANY + 1, &budget).unwrap();
            let tables = tables.expect("the level is suited to tables");
            let nodes = mdp::solve_within(&*mdp, &budget);
            assert!(
                tables.lower <= nodes.upper + 1e-9 && tables.upper >= nodes.lower - 1e-9,
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
