//! The solution of an MDP from its initial node, and an optimal strategy.

use std::fmt;

use super::bounds::Bounds;
use super::components::Components;
use super::graph::{BackwardGraph, Graph};
use super::model::Mdp;
use super::nodes::Nodes;
use super::optimistic::checked_bounds;
use super::qualitative::{Class, Qualitative};
use super::strategy;
use crate::limits::{Budget, Limit, Limits, bytes};

#[derive(Debug)]
pub struct Valuation {
    /// A lower bound on the probability of winning under best play.
    pub lower: f64,
    pub upper: f64,
    /// True if some strategy wins within a bounded number of turns, whatever chance does.
    pub sure: bool,
    pub limit: Option<Limit>,
    pub nodes: u64,
    pub winning_path: Option<Vec<u64>>,
    pub(super) explored: Option<Box<dyn Explored>>,
}

pub(super) trait Explored: fmt::Debug + Send + Sync {
    /// Returns the strategy; `None` if the requested bounds need another method.
    fn into_strategy(
        self: Box<Self>,
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Option<Box<dyn OptimalStrategy>>, Limit>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Choices,
    /// Bounds for all nodes, even those that best play never reaches.
    AllBounds,
}

/// A memoryless strategy that wins surely or almost surely wherever the player can.
pub(crate) trait OptimalStrategy: fmt::Debug + Send + Sync {
    /// Returns the index in [`Mdp::successors`] of the best successor, the first one in a tie; `None` if the node is unknown or
    /// the player cannot win from it.
    fn choice(&self, node: u64) -> Option<usize>;

    fn bounds(&self, node: u64) -> Option<[f64; 2]>;
}

#[derive(Debug)]
struct Nodewise {
    nodes: Nodes,
    graph: Graph,
    qualitative: Qualitative,
    bounds: Option<Bounds>,
}

pub fn solve<M: Mdp>(mdp: &M, limits: &Limits) -> Valuation {
    solve_within(mdp, mdp.initial(), &Budget::new(limits))
}

/// Solves the MDP from the node `first` on, with the limits and memory that the budget has left.
pub(crate) fn solve_within<M: Mdp>(mdp: &M, first: u64, budget: &Budget) -> Valuation {
    let nodes = match Nodes::explore(mdp, first, budget) {
        Ok(nodes) => nodes,
        Err((limit, nodes)) => return Valuation::unknown(limit, nodes),
    };
    let count = nodes.len();
    // The MDP's memory stays in use until the MDP is solved.
    let explored = budget
        .take(mdp.bytes())
        .and_then(|()| Nodewise::new(mdp, (nodes, first), budget));
    match explored {
        Ok(explored) => explored.into_valuation(first, budget),
        Err(limit) => Valuation::unknown(limit, count),
    }
}

pub(crate) fn end_components<M: Mdp>(mdp: &M, budget: &Budget) -> Result<Vec<Vec<u64>>, Limit> {
    let taken = budget.taken();
    let nodes = Nodes::explore(mdp, mdp.initial(), budget).map_err(|(limit, _)| limit)?;
    let graph = Graph::build(mdp, &nodes, budget)?;
    let mut all = budget.with_capacity(graph.len())?;
    all.extend(graph.ids());
    let components = Components::of(&BackwardGraph::of(&graph, budget)?, all, budget)?;
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

pub(crate) fn classes<M: Mdp>(mdp: &M, budget: &Budget) -> Result<Vec<Class>, Limit> {
    let taken = budget.taken();
    let nodes = Nodes::explore(mdp, mdp.initial(), budget).map_err(|(limit, _)| limit)?;
    let first = nodes.id(mdp.initial());
    let graph = Graph::build(mdp, &nodes, budget)?;
    let qualitative = Qualitative::of(&graph, first, budget)?;
    let classes = graph.ids().map(|id| qualitative.class(id)).collect();
    budget.reset_to(taken);
    Ok(classes)
}

impl Nodewise {
    fn new<M: Mdp>(mdp: &M, (nodes, first): (Nodes, u64), budget: &Budget) -> Result<Self, Limit> {
        let graph = Graph::build(mdp, &nodes, budget)?;
        let qualitative = Qualitative::of(&graph, nodes.id(first), budget)?;
        Ok(Self {
            nodes,
            graph,
            qualitative,
            bounds: None,
        })
    }

    fn into_valuation(mut self, first: u64, budget: &Budget) -> Valuation {
        let start = self.nodes.id(first);
        let class = self.qualitative.class(start);
        let (mut limit, mut known) = (None, [0.0, 0.0]);
        match class {
            Class::Lost => {}
            Class::AlmostSure | Class::Sure => known = [1.0, 1.0],
            Class::Open => match Bounds::of(&self.graph, &self.qualitative, start, budget) {
                Ok(bounds) => {
                    known = bounds.at(start);
                    self.bounds = Some(bounds);
                }
                Err((reached, by_then)) => (limit, known) = (Some(reached), by_then),
            },
        }
        // Bounds that contradict each other would be a bug, so they are dropped.
        let [lower, upper] = checked_bounds(known).unwrap_or([0.0, 1.0]);
        let winning_path = self.qualitative.winning_path.take();
        let winning_path =
            winning_path.map(|way| way.iter().map(|&id| self.nodes.number(id)).collect());
        Valuation {
            lower,
            upper,
            sure: class == Class::Sure,
            limit,
            nodes: self.nodes.len(),
            winning_path,
            explored: Some(Box::new(self)),
        }
    }
}

impl Valuation {
    pub(crate) const fn unknown(limit: Limit, nodes: u64) -> Self {
        Self {
            lower: 0.0,
            upper: 1.0,
            sure: false,
            limit: Some(limit),
            nodes,
            winning_path: None,
            explored: None,
        }
    }

    /// Returns whether the player can win; `None` if a limit ended the search first.
    #[cfg(test)]
    pub fn possible(&self) -> Option<bool> {
        self.explored.as_ref().map(|_| self.winning_path.is_some())
    }

    pub(crate) fn into_strategy(
        self,
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Option<Box<dyn OptimalStrategy>>, Limit> {
        let explored = self.limit.map_or(Ok(self.explored), Err)?;
        let explored = explored.expect("without a limit all is explored");
        explored.into_strategy(wanted, budget)
    }
}

impl Explored for Nodewise {
    fn into_strategy(
        self: Box<Self>,
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Option<Box<dyn OptimalStrategy>>, Limit> {
        let Self {
            nodes,
            graph,
            qualitative,
            mut bounds,
        } = *self;
        let is_open = |&id: &u32| qualitative.class(id) == Class::Open;
        if wanted == Wanted::AllBounds
            && bounds.is_none()
            && let Some(open) = graph.ids().find(is_open)
        {
            let found = Bounds::of(&graph, &qualitative, open, budget);
            bounds = Some(found.map_err(|(limit, _)| limit)?);
        }
        let choices = strategy::choices(&graph, &qualitative, bounds.as_ref(), budget)?;
        Ok(Some(Box::new(NodeStrategy {
            nodes,
            choices,
            qualitative,
            bounds,
        })))
    }
}

/// The player's choices at the nodes. Unless the player wins surely or almost surely, the choices follow the lower bounds. These
/// are within `WIDTH` of the value at the initial node, and close to the value at every node that best play reaches.
#[derive(Debug)]
struct NodeStrategy {
    nodes: Nodes,
    choices: Vec<u32>,
    qualitative: Qualitative,
    bounds: Option<Bounds>,
}

impl OptimalStrategy for NodeStrategy {
    fn choice(&self, node: u64) -> Option<usize> {
        let choice = self.choices[self.nodes.find(node)? as usize];
        (choice != strategy::NO_CHOICE).then_some(choice as usize)
    }

    fn bounds(&self, node: u64) -> Option<[f64; 2]> {
        let id = self.nodes.find(node)?;
        let known = match (self.qualitative.class(id), &self.bounds) {
            (Class::Lost, _) => [0.0, 0.0],
            (Class::AlmostSure | Class::Sure, _) => [1.0, 1.0],
            (Class::Open, Some(bounds)) => bounds.at(id),
            (Class::Open, None) => [0.0, 1.0],
        };
        checked_bounds(known)
    }
}
