//! Solving an MDP from its initial node on, and the strategy that comes of it.

use super::bounds::Bounds;
use super::components::Components;
use super::graph::{BackwardGraph, Graph};
use super::model::Mdp;
use super::nodes::Nodes;
use super::optimistic::checked_bounds;
use super::qualitative::{Class, Qualitative};
use super::strategy;
use crate::limits::{Budget, Limit, Limits, bytes};

/// What is known about a game; `E` is what makes the policy.
#[derive(Debug)]
pub struct Valuation<E = Explored> {
    /// The probability to win from the first node, under best play, is not below this.
    pub lower: f64,
    /// It is not above this.
    pub upper: f64,
    /// Whether some strategy wins within a bounded number of turns, whatever the luck.
    pub sure: bool,
    /// The limit that ended the search before the bounds met.
    pub limit: Option<Limit>,
    /// How many nodes were looked at.
    pub nodes: u64,
    /// A way on which the player wins, if lucky: its nodes from the first on. `None` if there is
    /// none, or none was looked for before a limit.
    pub winning_path: Option<Vec<u64>>,
    pub(crate) explored: Option<E>,
}

/// All nodes and what was found out about them.
#[derive(Debug)]
pub struct Explored {
    nodes: Nodes,
    graph: Graph,
    qualitative: Qualitative,
    bounds: Option<Bounds>,
}

/// Finds out who wins, and how likely.
pub fn solve<G: Mdp>(game: &G, limits: &Limits) -> Valuation {
    solve_within(game, &Budget::new(limits))
}

/// As [`solve`], with what the budget has left.
pub(crate) fn solve_within<G: Mdp>(game: &G, budget: &Budget) -> Valuation {
    let nodes = match Nodes::explore(game, budget) {
        Ok(nodes) => nodes,
        Err((limit, nodes)) => return Valuation::unknown(limit, nodes),
    };
    let count = nodes.len();
    // Whatever the game has taken stays until the end.
    let explored = budget
        .take(game.bytes())
        .and_then(|()| Explored::new(game, nodes, budget));
    match explored {
        Ok(explored) => explored.into_valuation(game.initial(), budget),
        Err(limit) => Valuation::unknown(limit, count),
    }
}

/// The end components of a game: the largest parts, each with its nodes in order, in which each draw
/// stays, each choice can, and the player can get from everywhere to everywhere.
///
/// # Errors
///
/// The limit that was reached before they were known.
pub(crate) fn end_components<G: Mdp>(game: &G, budget: &Budget) -> Result<Vec<Vec<u64>>, Limit> {
    let taken = budget.taken();
    let nodes = Nodes::explore(game, budget).map_err(|(limit, _)| limit)?;
    let graph = Graph::build(game, &nodes, budget)?;
    let mut all = budget.with_capacity(graph.len())?;
    all.extend(graph.ids());
    let components = Components::of(&BackwardGraph::of(&graph, budget)?, all, budget)?;
    let mut clock = budget.clock();
    let mut lists = Vec::new();
    let mut listed = 0;
    for label in components.numbers() {
        let members = components.members(label);
        clock.work(members.len() as u64)?;
        let size = bytes::<u64>(members.len()) + bytes::<Vec<u64>>(2);
        budget.take(size)?;
        listed += size;
        lists.push(members.iter().map(|&id| nodes.number(id)).collect());
    }
    budget.reset_to(taken + listed);
    Ok(lists)
}

impl Explored {
    fn new<G: Mdp>(game: &G, nodes: Nodes, budget: &Budget) -> Result<Self, Limit> {
        let graph = Graph::build(game, &nodes, budget)?;
        let qualitative = Qualitative::of(&graph, nodes.id(game.initial()), budget)?;
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
        // Whoever gives bounds that are none has made a mistake: then nothing is known.
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
            explored: Some(self),
        }
    }
}

impl<E> Valuation<E> {
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

    /// Whether the player can win, if lucky; `None` if a limit ended the search before that was
    /// known.
    pub fn possible(&self) -> Option<bool> {
        self.explored.as_ref().map(|_| self.winning_path.is_some())
    }
}

impl Valuation {
    /// How to play best.
    ///
    /// # Errors
    ///
    /// The limit that was reached before that was known, now or when it was found out.
    pub fn into_strategy(self, limits: &Limits) -> Result<OptimalStrategy, Limit> {
        self.into_strategy_within(&Budget::new(limits))
    }

    /// As [`Valuation::into_strategy`], with what the budget has left.
    pub(crate) fn into_strategy_within(self, budget: &Budget) -> Result<OptimalStrategy, Limit> {
        let known = self.limit.map_or(Ok(self.explored), Err)?;
        let Explored {
            nodes,
            graph,
            qualitative,
            bounds,
        } = known.expect("without a limit all is explored");
        let choices = strategy::choices(&graph, &qualitative, bounds.as_ref(), budget)?;
        Ok(OptimalStrategy { nodes, choices })
    }
}

/// The best choice at each node of a game, as far as the probability is known.
///
/// Where winning is certain or almost sure it is, by this choice; elsewhere the choice is the best
/// by the lower bounds, which are exact at the first node and good wherever best play leads.
#[derive(Debug)]
pub struct OptimalStrategy {
    nodes: Nodes,
    /// For each node where the player decides, which of the successors to choose.
    choices: Vec<u32>,
}

impl OptimalStrategy {
    /// Which of [`Mdp::successors`] to choose at this node; `None` at a node that no play from the
    /// first one leads to, and where all is lost.
    pub fn choice(&self, node: u64) -> Option<usize> {
        let choice = self.choices[self.nodes.find(node)? as usize];
        (choice != strategy::NO_CHOICE).then_some(choice as usize)
    }
}
