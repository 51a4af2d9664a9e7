//! The solution of an MDP from its initial node, and an optimal strategy.

use std::fmt;

use super::components::Components;
use super::graph::{BackwardGraph, Graph};
use super::model::Mdp;
use super::nodes::Nodes;
use super::optimistic::checked_bounds;
use super::policy_iteration::NodeBounds;
use super::qualitative::{Class, Qualitative};
use super::strategy;
use getaway_board::limits::{Bounds, Budget, Decision, Limit, Limits, bytes};

/// The value of an MDP's initial node.
#[derive(Debug)]
pub struct Valuation {
    /// Bounds on the probability of winning under best play.
    pub bounds: Bounds,
    /// True if some strategy wins within a bounded number of turns, whatever chance does.
    pub sure: bool,
    /// The limit that ended the solution early, if any.
    pub limit: Option<Limit>,
    /// The number of nodes visited, or of states in the tables. [`Tables::enclose`](crate::Tables::enclose) counts only the
    /// states that its sweeps have reached.
    pub nodes: u64,
    /// The answer to whether the player can win at all.
    pub possible: Decision,
    pub(super) strategy: Option<Box<dyn OptimalStrategy>>,
}

/// The nodes for which a strategy needs bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyScope {
    /// The nodes that best play may reach: enough to make choices.
    Choices,
    /// All nodes, even those that best play never reaches.
    AllBounds,
}

/// A memoryless strategy that maximises the probability of winning, up to the gap between the bounds. The strategies of this
/// package win almost surely wherever the player can, and surely from the initial node if possible.
pub trait OptimalStrategy: fmt::Debug + Send + Sync {
    /// Computes what `choice` and `bounds` need; returns false if the requested bounds need another method.
    fn prepare(&mut self, _scope: StrategyScope, _budget: &Budget) -> Result<bool, Limit> {
        Ok(true)
    }

    /// Returns the index in [`Mdp::successors`] of the best choice at a player's node; `None` if the node is unknown, the player
    /// cannot win from it, or best play never reaches it and no choice was computed.
    fn choice(&self, node: u64) -> Option<usize>;

    /// Returns bounds on the probability of winning from a node. If nothing is known about it, returns `None` or the bounds 0 and
    /// 1.
    fn bounds(&self, node: u64) -> Option<Bounds>;
}

/// The solution on explicit nodes. The choices follow the lower bounds at nodes from which the player can't win almost surely.
#[derive(Debug)]
struct ExplicitSolution {
    nodes: Nodes,
    /// The graph, which is dropped once the choices are known.
    graph: Graph,
    qualitative: Qualitative,
    bounds: Option<NodeBounds>,
    choices: Vec<u32>,
}

/// Solves an MDP from its initial node.
///
/// A limit that is reached is part of the result, with the bounds proved until then.
pub fn solve<M: Mdp>(mdp: &M, limits: &Limits) -> Valuation {
    solve_within(mdp, mdp.initial(), &Budget::new(limits))
}

/// Solves an MDP from the node `first`, as part of a larger computation.
pub fn solve_within<M: Mdp>(mdp: &M, first: u64, budget: &Budget) -> Valuation {
    match Nodes::explore(mdp, &[first], budget) {
        Ok(nodes) => solve_nodes(mdp, nodes, first, budget),
        Err((limit, nodes)) => Valuation::unknown(limit, nodes),
    }
}

/// Solves the MDP from `first` if at most `max` nodes are reachable from there; otherwise returns `None`. A limit that is reached
/// is part of the result, as in [`solve()`].
pub fn solve_small<M: Mdp>(mdp: &M, first: u64, max: u64, budget: &Budget) -> Option<Valuation> {
    match Nodes::nearest(mdp, &[first], max.saturating_add(1), budget) {
        Ok(nodes) if nodes.len() <= max => Some(solve_nodes(mdp, nodes, first, budget)),
        Ok(_) => None,
        Err((limit, nodes)) => Some(Valuation::unknown(limit, nodes)),
    }
}

fn solve_nodes<M: Mdp>(mdp: &M, nodes: Nodes, first: u64, budget: &Budget) -> Valuation {
    let count = nodes.len();
    let explored = budget
        .take(mdp.bytes())
        .and_then(|()| ExplicitSolution::new(mdp, nodes, first, budget));
    match explored {
        Ok(explored) => explored.into_valuation(first, budget),
        Err(limit) => Valuation::unknown(limit, count),
    }
}

/// Lists the maximal end components among the nodes reachable from those in `first`, each with its nodes in numerical order.
pub fn end_components<M: Mdp>(
    mdp: &M,
    first: &[u64],
    budget: &Budget,
) -> Result<Vec<Vec<u64>>, Limit> {
    let taken = budget.taken();
    let (nodes, graph) = graph(mdp, first, budget)?;
    let components = Components::of(&BackwardGraph::of(&graph, budget)?, |_| true, budget)?;
    let mut lists = Vec::new();
    let mut listed = 0;
    for label in components.numbers() {
        let members = components.members(label);
        let size = bytes::<u64>(members.len()) + bytes::<Vec<u64>>(2);
        budget.take(size)?;
        listed += size;
        lists.push(members.iter().map(|&id| nodes.number(id)).collect());
    }
    budget.reset_to(taken + listed);
    Ok(lists)
}

/// Classifies the nodes that play can reach, in the order of their numbers.
///
/// # Errors
///
/// Returns the limit that was reached.
pub fn classes<M: Mdp>(mdp: &M, budget: &Budget) -> Result<Vec<Class>, Limit> {
    let taken = budget.taken();
    let (nodes, graph) = graph(mdp, &[mdp.initial()], budget)?;
    let qualitative = Qualitative::of(&graph, nodes.id(mdp.initial()), budget)?;
    let classes = graph.ids().map(|id| qualitative.class(id)).collect();
    budget.reset_to(taken);
    Ok(classes)
}

pub(super) fn graph<M: Mdp>(
    mdp: &M,
    first: &[u64],
    budget: &Budget,
) -> Result<(Nodes, Graph), Limit> {
    let nodes = Nodes::explore(mdp, first, budget).map_err(|(limit, _)| limit)?;
    let graph = Graph::build(mdp, &nodes, budget)?;
    Ok((nodes, graph))
}

impl ExplicitSolution {
    fn new<M: Mdp>(mdp: &M, nodes: Nodes, first: u64, budget: &Budget) -> Result<Self, Limit> {
        let graph = Graph::build(mdp, &nodes, budget)?;
        let qualitative = Qualitative::of(&graph, nodes.id(first), budget)?;
        Ok(Self {
            nodes,
            graph,
            qualitative,
            bounds: None,
            choices: Vec::new(),
        })
    }

    fn into_valuation(mut self, first: u64, budget: &Budget) -> Valuation {
        let start = self.nodes.id(first);
        let class = self.qualitative.class(start);
        let (mut limit, mut proven) = (None, [0.0, 1.0]);
        if class == Class::Open {
            match NodeBounds::of(&self.graph, &self.qualitative, start, &mut proven, budget) {
                Ok(bounds) => self.bounds = Some(bounds),
                Err(reached) => limit = Some(reached),
            }
        }
        let known = self.known(start).unwrap_or(proven);
        Valuation {
            bounds: checked_bounds(known).unwrap_or(Bounds::UNKNOWN),
            sure: class == Class::Sure,
            limit,
            nodes: self.nodes.len(),
            possible: (class != Class::Lost).into(),
            strategy: Some(Box::new(self)),
        }
    }

    fn known(&self, id: u32) -> Option<[f64; 2]> {
        match self.qualitative.class(id) {
            Class::Lost => Some([0.0, 0.0]),
            Class::AlmostSure | Class::Sure => Some([1.0, 1.0]),
            Class::Open => self.bounds.as_ref().map(|bounds| bounds.at(id)),
        }
    }
}

impl Valuation {
    /// Returns the result of a solution that a limit ended before anything was known.
    pub const fn unknown(limit: Limit, nodes: u64) -> Self {
        Self {
            bounds: Bounds::UNKNOWN,
            sure: false,
            limit: Some(limit),
            nodes,
            possible: Decision::Undecided,
            strategy: None,
        }
    }

    /// Returns an optimal strategy; `None` if the tables yield none, or not the bounds that `scope` asks for.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn into_strategy(
        self,
        scope: StrategyScope,
        budget: &Budget,
    ) -> Result<Option<Box<dyn OptimalStrategy>>, Limit> {
        let explored = self.limit.map_or(Ok(self.strategy), Err)?;
        let Some(mut strategy) = explored else {
            return Ok(None);
        };
        Ok(strategy.prepare(scope, budget)?.then_some(strategy))
    }
}

impl OptimalStrategy for ExplicitSolution {
    fn prepare(&mut self, scope: StrategyScope, budget: &Budget) -> Result<bool, Limit> {
        let graph = std::mem::take(&mut self.graph);
        let is_open = |&id: &u32| self.qualitative.class(id) == Class::Open;
        if scope == StrategyScope::AllBounds
            && self.bounds.is_none()
            && let Some(open) = graph.ids().find(is_open)
        {
            let mut proven = [0.0, 1.0];
            let bounds = NodeBounds::of(&graph, &self.qualitative, open, &mut proven, budget)?;
            self.bounds = Some(bounds);
        }
        self.choices = strategy::choices(&graph, &self.qualitative, self.bounds.as_ref(), budget)?;
        Ok(true)
    }

    fn choice(&self, node: u64) -> Option<usize> {
        let choice = self.choices[self.nodes.find(node)? as usize];
        (choice != strategy::NO_CHOICE).then_some(choice as usize)
    }

    fn bounds(&self, node: u64) -> Option<Bounds> {
        let id = self.nodes.find(node)?;
        checked_bounds(self.known(id).unwrap_or([0.0, 1.0]))
    }
}
