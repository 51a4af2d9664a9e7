//! The maximal end components of a game graph: sets of positions in which the player can stay forever and reach each
//! position from every other one.

use super::super::graph::{GameGraph, GraphNode};
use super::super::model::GraphMdp;
use getaway_board::limits::{Budget, Limit};
use getaway_chance::{Mdp, end_components};

pub const NONE: usize = usize::MAX;

pub struct Components {
    /// The first position of each position's component, or [`NONE`].
    pub of: Vec<usize>,
    /// For each draw, the component that contains all its outcomes, if there is one.
    draws: Vec<usize>,
}

impl Components {
    pub fn new(graph: &GameGraph, budget: &Budget) -> Result<Self, Limit> {
        let taken = budget.taken();
        let mdp = GraphMdp::unweighted(graph);
        let lists = end_components(&mdp, &[mdp.initial()], budget)?;
        let listed = budget.taken() - taken;
        let mut of = budget.filled(NONE, graph.len())?;
        for nodes in &lists {
            // The positions have the highest node numbers, in reverse order, so this loop meets them first and in their order.
            let mut first = NONE;
            for position in nodes.iter().rev().map_while(|&node| mdp.position(node)) {
                first = first.min(position);
                of[position] = first;
            }
        }
        drop(lists);
        budget.give_back(listed);
        let draws = graph.draw_buffer(budget)?;
        let mut components = Self { of, draws };
        for draw in 0..graph.node_count() - graph.len() {
            let mut ends = graph.outcomes(draw).iter();
            let all = ends
                .next()
                .map_or(NONE, |&(_, end)| components.component(end));
            let is_one = ends.all(|&(_, end)| components.component(end) == all);
            components.draws.push(if is_one { all } else { NONE });
        }
        Ok(components)
    }

    fn component(&self, node: GraphNode) -> usize {
        match node {
            GraphNode::Position(number) => self.of[number],
            GraphNode::Draw(draw) => self.draws[draw],
            GraphNode::Escaped | GraphNode::Caught => NONE,
        }
    }

    pub fn is_inner(&self, position: usize, mv: GraphNode) -> bool {
        let to = self.component(mv);
        to != NONE && to == self.of[position]
    }

    pub fn free(self, budget: &Budget) {
        budget.free(self.of);
        budget.free(self.draws);
    }
}

#[cfg(test)]
#[path = "components_tests.rs"]
mod tests;
