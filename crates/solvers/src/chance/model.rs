//! The Markov decision process of a game of chance, and its solution.

use std::iter::repeat_n;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::graph::{Countable, Explored, GameGraph, GraphNode};
use crate::errors::CertifyError;
use getaway_board::limits::{Bounds, Budget, Clock, Limit, Limits, bytes};
use getaway_chance::{
    self, MarkovChain, Mdp, OptimalStrategy, Owner, StrategyScope, Successor, Valuation,
};
use getaway_ruleset::legal;

/// The maximum sum of a draw's weights. In the MDP's lists of successors, an outcome occurs as often as its weight.
const MAX_WEIGHT: u64 = 1 << 16;

/// Builds the graph of all positions of a game.
///
/// # Panics
///
/// Panics if the probabilities of a draw are not fractions as
/// [`Stochastic::outcomes`](getaway_ruleset::Stochastic::outcomes) requires.
pub(super) fn explore<R: Countable>(rules: &R, budget: &Budget) -> Explored<R::State, Limit> {
    GameGraph::of(rules, usize::MAX, budget).map_err(|(error, positions)| match error {
        CertifyError::Limit(limit) => (limit, positions),
        error => panic!("{} breaks the contract of `outcomes`: {error}", R::NAME),
    })
}

pub(super) fn solve<T>(
    graph: &GameGraph,
    budget: &Budget,
    then: impl FnOnce(Valuation, &Budget) -> T,
) -> Result<T, Limit> {
    // The positions of a finished graph count as states already; its draws never do.
    let limits = Limits {
        max_states: None,
        ..budget.limits.without(budget.taken())?
    };
    let budget = Budget::new(&limits);
    if graph.max_weight() > MAX_WEIGHT {
        return Err(Limit::Memory);
    }
    budget.check(bytes::<Successor>(graph.max_weight() as usize))?;
    let mdp = GraphMdp::weighted(graph);
    Ok(then(
        getaway_chance::solve_within(&mdp, mdp.initial(), &budget),
        &budget,
    ))
}

fn strategy(graph: &GameGraph, budget: &Budget) -> Result<Box<dyn OptimalStrategy>, Limit> {
    let strategy = solve(graph, budget, |valuation, budget| {
        valuation.into_strategy(StrategyScope::AllBounds, budget)
    })??;
    Ok(strategy.expect("the solver finds all bounds"))
}

pub(super) fn values(graph: &GameGraph, budget: &Budget) -> Result<Vec<f64>, Limit> {
    let mut values = budget.filled(0.0, graph.len())?;
    let strategy = match strategy(graph, budget) {
        // The sweeps of a certificate can also start from 0.
        Err(Limit::Memory) => return Ok(values),
        strategy => strategy?,
    };
    for (position, value) in values.iter_mut().enumerate() {
        let bounds = strategy.bounds(GraphMdp::weighted(graph).node(position));
        *value = bounds.map_or(0.0, Bounds::middle);
    }
    Ok(values)
}

/// A graph as an MDP. Draws have lower node numbers than positions, and each position has a lower number than
/// those found before it.
pub(super) struct GraphMdp<'g> {
    graph: &'g GameGraph,
    /// True if an outcome of weight `w` is listed `w` times; false if each outcome is listed once.
    is_weighted: bool,
}

impl<'g> GraphMdp<'g> {
    const fn weighted(graph: &'g GameGraph) -> Self {
        let is_weighted = true;
        Self { graph, is_weighted }
    }

    pub(super) const fn unweighted(graph: &'g GameGraph) -> Self {
        let is_weighted = false;
        Self { graph, is_weighted }
    }

    const fn draws(&self) -> usize {
        self.graph.node_count() - self.graph.len()
    }

    const fn node(&self, position: usize) -> u64 {
        (self.graph.node_count() - 1 - position) as u64
    }

    /// Returns the position with this node number; `None` if the node is a draw.
    pub(super) fn position(&self, node: u64) -> Option<usize> {
        let node = node as usize;
        (node >= self.draws()).then(|| self.graph.node_count() - 1 - node)
    }

    const fn successor(&self, node: GraphNode) -> Successor {
        match node {
            GraphNode::Escaped => Successor::Won,
            GraphNode::Caught => Successor::Lost,
            GraphNode::Position(number) => Successor::Node(self.node(number)),
            GraphNode::Draw(draw) => Successor::Node(draw as u64),
        }
    }
}

impl Mdp for GraphMdp<'_> {
    fn initial(&self) -> u64 {
        self.node(0)
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let Some(position) = self.position(node) else {
            let outcomes = self.graph.outcomes(node as usize).iter();
            out.extend(outcomes.flat_map(|&(weight, end)| {
                let times = if self.is_weighted { weight as usize } else { 1 };
                repeat_n(self.successor(end), times)
            }));
            clock.work(out.len() as u64)?;
            return Ok(Owner::Chance);
        };
        let before = out.len();
        let moves = self.graph.moves(position);
        out.extend(moves.iter().map(|&end| self.successor(end)));
        if out.len() == before {
            out.push(Successor::Lost);
        }
        Ok(Owner::Player)
    }
}

pub(super) struct Solved<S> {
    numbers: HashMap<S, usize, FixedState>,
    graph: GameGraph,
    strategy: Box<dyn OptimalStrategy>,
}

impl<S: Clone + Eq + std::hash::Hash + Sync> Solved<S> {
    /// Solves the game; `None` if it ends before the first move.
    pub(super) fn new<R: Countable<State = S>>(
        rules: &R,
        limits: &Limits,
    ) -> Result<Option<Self>, Limit> {
        let budget = Budget::new(limits);
        let (positions, graph) = explore(rules, &budget).map_err(|(limit, _)| limit)?;
        if positions.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            numbers: positions.into_iter().zip(0..).collect(),
            strategy: strategy(&graph, &budget)?,
            graph,
        }))
    }

    fn node(&self, at: &S) -> Option<u64> {
        Some(GraphMdp::weighted(&self.graph).node(*self.numbers.get(at)?))
    }

    pub(super) fn bounds(&self, at: &S) -> Option<Bounds> {
        self.strategy.bounds(self.node(at)?)
    }

    pub(super) fn moves(&self, at: &S) -> Option<Vec<Bounds>> {
        let moves = self.graph.moves(*self.numbers.get(at)?);
        let bounds = |&node: &GraphNode| match GraphMdp::weighted(&self.graph).successor(node) {
            Successor::Won => Bounds::exact(1.0),
            Successor::Lost => Bounds::exact(0.0),
            Successor::Node(node) => self.strategy.bounds(node).unwrap_or(Bounds::UNKNOWN),
        };
        Some(moves.iter().map(bounds).collect())
    }

    /// Returns the best move, or the first legal one if none is known to be better; `None` if no move is legal.
    pub(super) fn best<R: Countable<State = S>>(&self, rules: &R, at: &S) -> Option<R::Move> {
        let choice = self.node(at).and_then(|node| self.strategy.choice(node));
        legal(rules, at).get(choice.unwrap_or(0)).copied()
    }

    /// Returns bounds on the mean number of turns in games that end in escape under best play; `None` if no game escapes, or no
    /// close bounds are found.
    pub(super) fn expected_turns(&self, limits: &Limits) -> Result<Option<Bounds>, Limit> {
        let limits = Limits {
            max_states: None,
            ..*limits
        };
        let mdp = GraphMdp::weighted(&self.graph);
        let choice = |node| self.strategy.choice(node);
        let chain = MarkovChain::of(&mdp, mdp.initial(), &choice, &limits)?;
        Ok(chain.wins(&limits)?.map(|wins| wins.turns))
    }
}
