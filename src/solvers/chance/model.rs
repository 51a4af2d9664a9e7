//! The Markov decision process of a game of chance, and its solution.

use std::iter::repeat_n;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::super::dungeon::best_play;
use super::super::dungeon::certificate::table::{GameGraph, Node};
use super::Countable;
use crate::engine::mdp::{self, Mdp, OptimalStrategy, Owner, Successor, Wanted};
use crate::game::Uncertified;
use crate::limits::{Budget, Limit, Limits};

/// The maximum number of nodes in the chain under best play, unless `max_states` is set.
const MOST_NODES: u64 = 10_000_000;

/// The positions and draws of a board, numbered. Draws have lower node numbers than positions, and each position has a
/// lower one than those found before it.
pub(super) struct Model<S> {
    numbers: HashMap<S, usize, FixedState>,
    table: GameGraph,
}

impl<S: Clone + Eq + std::hash::Hash + Sync> Model<S> {
    /// The game must not end before the first move.
    ///
    /// # Panics
    ///
    /// If the probabilities of a draw are not fractions as
    /// [`Stochastic::chances`](crate::ruleset::Stochastic::chances) requires.
    pub(super) fn new<R: Countable<State = S>>(rules: &R, budget: &Budget) -> Result<Self, Limit> {
        let (positions, table) = GameGraph::of(rules, budget).map_err(|error| match error {
            Uncertified::Limit(limit) => limit,
            error => panic!("{} breaks the contract of `chances`: {error}", R::NAME),
        })?;
        Ok(Self {
            numbers: positions.into_iter().zip(0..).collect(),
            table,
        })
    }

    pub(super) const fn len(&self) -> usize {
        self.table.len()
    }

    fn draws(&self) -> usize {
        self.table.node_count() - self.table.len()
    }

    fn node(&self, position: usize) -> u64 {
        (self.table.node_count() - 1 - position) as u64
    }

    fn successor(&self, node: Node) -> Successor {
        match node {
            Node::Escaped => Successor::Won,
            Node::Caught => Successor::Lost,
            Node::Position(number) => Successor::Node(self.node(number)),
            Node::Draw(draw) => Successor::Node(draw as u64),
        }
    }
}

impl<S: Clone + Eq + std::hash::Hash + Sync> Mdp for Model<S> {
    fn bits(&self) -> u32 {
        (self.table.node_count() as u64).ilog2() + 1
    }

    fn initial(&self) -> u64 {
        self.node(0)
    }

    fn successors(&self, node: u64, out: &mut Vec<Successor>) -> Owner {
        let node = node as usize;
        if node < self.draws() {
            let outcomes = self.table.outcomes(node).iter();
            out.extend(
                outcomes.flat_map(|&(weight, end)| repeat_n(self.successor(end), weight as usize)),
            );
            return Owner::Chance;
        }
        let before = out.len();
        let moves = self.table.moves(self.table.node_count() - 1 - node);
        out.extend(moves.iter().map(|&end| self.successor(end)));
        if out.len() == before {
            out.push(Successor::Lost);
        }
        Owner::Player
    }
}

pub(super) struct Solved<S> {
    model: Model<S>,
    strategy: Box<dyn OptimalStrategy>,
}

impl<S: Clone + Eq + std::hash::Hash + Sync> Solved<S> {
    /// The game must not end before the first move.
    pub(super) fn new<R: Countable<State = S>>(rules: &R, limits: &Limits) -> Result<Self, Limit> {
        let budget = Budget::new(limits);
        let model = Model::new(rules, &budget)?;
        let valuation = mdp::solve_within(&model, &budget);
        let strategy = valuation.into_strategy(Wanted::AllBounds, &budget)?;
        Ok(Self {
            model,
            strategy: strategy.expect("nodes find all bounds"),
        })
    }

    /// `None` if the position can't come up.
    pub(super) fn bounds(&self, at: &S) -> Option<[f64; 2]> {
        self.strategy
            .bounds(self.model.node(*self.model.numbers.get(at)?))
    }

    /// An estimate; 0 if the value is unknown.
    pub(super) fn value(&self, at: &S) -> f64 {
        self.bounds(at)
            .map_or(0.0, |[lower, upper]| f64::midpoint(lower, upper))
    }

    /// Bounds for each legal move; `None` if the position can't come up.
    pub(super) fn moves(&self, at: &S) -> Option<Vec<[f64; 2]>> {
        let moves = self.model.table.moves(*self.model.numbers.get(at)?);
        let bounds = |&node: &Node| match self.model.successor(node) {
            Successor::Won => [1.0, 1.0],
            Successor::Lost => [0.0, 0.0],
            Successor::Node(node) => self.strategy.bounds(node).unwrap_or([0.0, 1.0]),
        };
        Some(moves.iter().map(bounds).collect())
    }

    /// The best move, or the first legal one if none is known to be better.
    pub(super) fn best<R: Countable<State = S>>(&self, rules: &R, at: &S) -> Option<R::Move> {
        let mut moves = Vec::new();
        rules.moves(at, &mut moves);
        let number = self.model.numbers.get(at);
        let choice = number.and_then(|&number| self.strategy.choice(self.model.node(number)));
        moves.get(choice.unwrap_or(0)).copied()
    }

    /// Bounds on the number of turns in games that end in escape under best play; `None` if the equations take too long
    /// to solve.
    pub(super) fn expected_turns(&self, limits: &Limits) -> Result<Option<[f64; 2]>, Limit> {
        let of_chain = Limits {
            max_states: Some(limits.max_states.unwrap_or(MOST_NODES)),
            ..*limits
        };
        let choice = |node| self.strategy.choice(node);
        let chain = best_play::chain(&self.model, self.model.initial(), &choice, &of_chain)?;
        Ok(chain.wins(limits)?.map(|wins| wins.turns))
    }
}
