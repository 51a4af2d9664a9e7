//! Boards as explicit Markov decision processes in Storm's format DRN, with exact fractions.
//!
//! A state is a position in which the runner is to move, a draw of a chaser's move, or one of two ends. The initial state
//! is the position before the first move, or an end if the game is over by then. A position has an action for each legal
//! move; all other states, and positions without a legal move, have one action.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::io::{self, BufWriter, Write};

use super::chance::graph::{GameGraph, GraphNode};
use crate::errors::{CertifyError, ModelError};
use getaway_board::limits::{Budget, Limit, Limits};
use getaway_ruleset::{Ruleset, Stochastic, legal};

const ENDS: usize = 2;

pub(super) fn write<R>(rules: &R, limits: &Limits, out: &mut dyn Write) -> Result<(), ModelError>
where
    R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>,
{
    let model = Model::of(rules, ModelError::MAX_STATES, &Budget::new(limits))?;
    Ok(model.write(&mut BufWriter::new(out))?)
}

struct Model<'r, R: Ruleset> {
    rules: &'r R,
    /// The positions, in the order of the graph.
    positions: Vec<R::State>,
    graph: GameGraph,
}

impl<'r, R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>> Model<'r, R> {
    fn of(rules: &'r R, max: usize, budget: &Budget) -> Result<Self, ModelError> {
        let explored = GameGraph::of(rules, max - ENDS, budget);
        let (positions, graph) = explored.map_err(|(error, seen)| match error {
            CertifyError::Limit(Limit::States) if budget.limits.check_states(seen).is_ok() => {
                ModelError::TooManyStates(max)
            }
            error => error.into(),
        })?;
        Ok(Self {
            rules,
            positions,
            graph,
        })
    }

    fn number(&self, node: GraphNode) -> usize {
        match node {
            GraphNode::Position(number) => number,
            GraphNode::Draw(number) => self.graph.len() + number,
            GraphNode::Escaped => self.graph.node_count(),
            GraphNode::Caught => self.graph.node_count() + 1,
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let states = self.graph.node_count() + ENDS;
        let moves = |at: &R::State| legal(self.rules, at);
        let choices: usize = self.positions.iter().map(|at| moves(at).len().max(1)).sum();
        let choices = choices + states - self.positions.len();
        writeln!(out, "@type: MDP\n@parameters\n\n@reward_models\n")?;
        writeln!(out, "@nr_states\n{states}\n@nr_choices\n{choices}\n@model")?;
        for (position, at) in self.positions.iter().enumerate() {
            let (node, moves) = (GraphNode::Position(position), moves(at));
            if moves.is_empty() {
                self.end(node, " caught", out)?;
                continue;
            }
            self.state(node, "", out)?;
            for (mv, &to) in moves.into_iter().zip(self.graph.moves(position)) {
                writeln!(out, "\taction {mv}\n\t\t{} : 1", self.number(to))?;
            }
        }
        for draw in 0..self.graph.node_count() - self.graph.len() {
            self.state(GraphNode::Draw(draw), "", out)?;
            self.draw(draw, out)?;
        }
        self.end(GraphNode::Escaped, " escape", out)?;
        self.end(GraphNode::Caught, " caught", out)?;
        out.flush()
    }

    fn state(&self, node: GraphNode, label: &str, out: &mut impl Write) -> io::Result<()> {
        let init = if node == self.graph.first {
            " init"
        } else {
            ""
        };
        writeln!(out, "state {}{init}{label}", self.number(node))
    }

    fn end(&self, node: GraphNode, label: &str, out: &mut impl Write) -> io::Result<()> {
        self.state(node, label, out)?;
        writeln!(out, "\taction end\n\t\t{} : 1", self.number(node))
    }

    fn draw(&self, draw: usize, out: &mut impl Write) -> io::Result<()> {
        let mut weights = BTreeMap::new();
        for &(weight, to) in self.graph.outcomes(draw) {
            *weights.entry(self.number(to)).or_insert(0) += weight;
        }
        let total: u64 = weights.values().sum();
        writeln!(out, "\taction draw")?;
        for (to, weight) in weights {
            match (weight, total) {
                _ if weight == total => writeln!(out, "\t\t{to} : 1")?,
                _ => writeln!(out, "\t\t{to} : {weight}/{total}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "drn_tests.rs"]
mod tests;
