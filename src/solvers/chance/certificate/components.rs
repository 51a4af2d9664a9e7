//! The maximal end components of a table: sets of positions in which the player can stay forever and reach each
//! position from every other one.

use super::super::graph::{GameGraph, Node};
use crate::engine::mdp::{Mdp, Owner, Successor, end_components};
use crate::limits::{Budget, Clock, Limit};

pub const NONE: usize = usize::MAX;

pub struct Components {
    /// The first position of each position's component, or [`NONE`].
    pub of: Vec<usize>,
    /// The component of each draw whose outcomes all belong to the same one.
    draws: Vec<usize>,
}

impl Components {
    pub fn new(table: &GameGraph, budget: &Budget) -> Result<Self, Limit> {
        let taken = budget.taken();
        let lists = end_components(table, budget)?;
        let listed = budget.taken() - taken;
        let mut of = budget.filled(NONE, table.len())?;
        for nodes in &lists {
            let positions = nodes.iter().map(|&node| node as usize);
            for position in positions.take_while(|&position| position < table.len()) {
                of[position] = nodes[0] as usize;
            }
        }
        drop(lists);
        budget.give_back(listed);
        let draws = table.drawn(budget)?;
        let mut components = Self { of, draws };
        for draw in 0..table.node_count() - table.len() {
            let mut ends = table.outcomes(draw).iter();
            let all = ends
                .next()
                .map_or(NONE, |&(_, end)| components.component(end));
            let is_one = ends.all(|&(_, end)| components.component(end) == all);
            components.draws.push(if is_one { all } else { NONE });
        }
        Ok(components)
    }

    fn component(&self, node: Node) -> usize {
        match node {
            Node::Position(number) => self.of[number],
            Node::Draw(draw) => self.draws[draw],
            Node::Escaped | Node::Caught => NONE,
        }
    }

    pub fn is_inner(&self, position: usize, mv: Node) -> bool {
        let to = self.component(mv);
        to != NONE && to == self.of[position]
    }

    pub fn free(self, budget: &Budget) {
        budget.free(self.of);
        budget.free(self.draws);
    }
}

/// Positions come first, then draws. Weights make no difference here.
impl Mdp for GameGraph {
    fn bits(&self) -> u32 {
        u64::BITS - (self.node_count() as u64).leading_zeros()
    }

    fn initial(&self) -> u64 {
        0
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let after = |node| match node {
            Node::Escaped => Successor::Won,
            Node::Caught => Successor::Lost,
            Node::Position(number) => Successor::Node(number as u64),
            Node::Draw(draw) => Successor::Node((self.len() + draw) as u64),
        };
        if let Some(draw) = (node as usize).checked_sub(self.len()) {
            out.extend(self.outcomes(draw).iter().map(|&(_, node)| after(node)));
            clock.work(out.len() as u64)?;
            return Ok(Owner::Chance);
        }
        let moves = self.moves(node as usize);
        out.extend(moves.iter().map(|&mv| after(mv)));
        out.extend(moves.is_empty().then_some(Successor::Lost));
        Ok(Owner::Player)
    }
}

#[cfg(test)]
mod tests;
