//! The nodes from which the player can win at all, almost surely, and surely.

use super::components::Components;
use super::graph::{BackwardGraph, Graph, IdLists, WON};
use super::model::Owner;
use getaway_board::limits::{Budget, Limit};

/// A class of nodes, by how certain the player is to win under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The player can't win.
    Lost,
    /// The probability is greater than 0 and less than 1.
    Open,
    /// The player wins with probability 1, but possibly not within a bounded number of turns.
    AlmostSure,
    /// The player wins within a bounded number of turns, whatever chance does. This class is computed only if the player wins
    /// almost surely from the initial node.
    Sure,
}

#[derive(Debug)]
pub(super) struct Qualitative {
    classes: Vec<Class>,
    /// The ranks of the nodes. Always choosing the successor with the lowest rank wins almost surely wherever this is possible.
    ranks: Vec<u32>,
    pub(super) components: Components,
}

const NO_RANK: u32 = u32::MAX;

impl Qualitative {
    pub(super) fn of(graph: &Graph, first: u32, budget: &Budget) -> Result<Self, Limit> {
        let backward = BackwardGraph::of(graph, budget)?;
        let mut classes = budget.filled(Class::Lost, graph.len())?;
        let possible = backward.reach(|_| true, budget)?;
        possible.mark(&mut classes, Class::Open);
        let almost_sure = backward.almost_sure(possible, budget)?;
        almost_sure.mark(&mut classes, Class::AlmostSure);
        let sure = if almost_sure.is_in[first as usize] {
            backward.sure(budget)?
        } else {
            Reached::win(graph, budget)?
        };
        sure.mark(&mut classes, Class::Sure);
        let ranks = ranks(graph, [&sure, &almost_sure], budget)?;
        sure.free(budget);
        almost_sure.free(budget);
        let is_open = |id: u32| classes[id as usize] == Class::Open;
        let components = Components::of(&backward, is_open, budget)?;
        backward.predecessors.free(budget);
        Ok(Self {
            classes,
            ranks,
            components,
        })
    }

    pub(super) fn class(&self, id: u32) -> Class {
        self.classes[id as usize]
    }

    pub(super) fn lowest_ranked(&self, graph: &Graph, id: u32) -> usize {
        let successors = graph.successors(id).iter().enumerate();
        let best = successors.min_by_key(|&(_, &next)| self.ranks[next as usize]);
        best.expect("each node has a successor").0
    }
}

/// A set of nodes, in the order in which a backward search reached them.
struct Reached {
    order: Vec<u32>,
    is_in: Vec<bool>,
}

impl Reached {
    fn empty(graph: &Graph, budget: &Budget) -> Result<Self, Limit> {
        Ok(Self {
            order: budget.with_capacity(graph.len())?,
            is_in: budget.filled(false, graph.len())?,
        })
    }

    fn win(graph: &Graph, budget: &Budget) -> Result<Self, Limit> {
        let mut reached = Self::empty(graph, budget)?;
        reached.add(WON);
        Ok(reached)
    }

    fn add(&mut self, id: u32) {
        self.is_in[id as usize] = true;
        self.order.push(id);
    }

    fn grow(
        &mut self,
        predecessors: &IdLists,
        budget: &Budget,
        joins: impl Fn(u32, &[bool]) -> bool,
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        let mut next = 0;
        while let Some(&id) = self.order.get(next) {
            next += 1;
            clock.work((1 + predecessors.get(id).len()) as u64)?;
            for &id in predecessors.get(id) {
                if !self.is_in[id as usize] && joins(id, &self.is_in) {
                    self.add(id);
                }
            }
        }
        Ok(())
    }

    fn mark(&self, classes: &mut [Class], class: Class) {
        for &id in &self.order {
            classes[id as usize] = class;
        }
    }

    fn free(self, budget: &Budget) {
        budget.free(self.order);
        budget.free(self.is_in);
    }
}

fn ranks(graph: &Graph, orders: [&Reached; 2], budget: &Budget) -> Result<Vec<u32>, Limit> {
    let mut ranks = budget.filled(NO_RANK, graph.len())?;
    let mut next = 0;
    for &id in orders.into_iter().flat_map(|reached| &reached.order) {
        let rank = &mut ranks[id as usize];
        if *rank == NO_RANK {
            *rank = next;
            next += 1;
        }
    }
    Ok(ranks)
}

impl BackwardGraph<'_> {
    pub(super) fn can_win(&self, budget: &Budget) -> Result<Vec<bool>, Limit> {
        Ok(self.reach(|_| true, budget)?.is_in)
    }

    fn reach(&self, allowed: impl Fn(u32) -> bool, budget: &Budget) -> Result<Reached, Limit> {
        let mut reached = Reached::win(self.graph, budget)?;
        reached.grow(&self.predecessors, budget, |id, _| allowed(id))?;
        Ok(reached)
    }

    fn sure(&self, budget: &Budget) -> Result<Reached, Limit> {
        let mut reached = Reached::win(self.graph, budget)?;
        let joins = |id, is_in: &[bool]| match self.graph.owner(id) {
            Owner::Player => true,
            Owner::Chance => {
                let mut successors = self.graph.successors(id).iter();
                successors.all(|&next| is_in[next as usize])
            }
        };
        reached.grow(&self.predecessors, budget, joins)?;
        Ok(reached)
    }

    /// Returns the almost-sure winning set (prob1E) among `possible`. Each round removes the nodes from which no win
    /// can be reached within the set, and then those from which chance may leave the set or the player must leave it.
    fn almost_sure(&self, possible: Reached, budget: &Budget) -> Result<Reached, Limit> {
        let mut reached = possible;
        let mut out = Reached::empty(self.graph, budget)?;
        loop {
            out.order.clear();
            for id in 0..self.graph.len() as u32 {
                if !reached.is_in[id as usize] && !out.is_in[id as usize] {
                    out.add(id);
                }
            }
            if out.order.is_empty() {
                out.free(budget);
                return Ok(reached);
            }
            out.grow(&self.predecessors, budget, |id, out| {
                match self.graph.owner(id) {
                    Owner::Chance => true,
                    Owner::Player => self
                        .graph
                        .successors(id)
                        .iter()
                        .all(|&next| out[next as usize]),
                }
            })?;
            reached.free(budget);
            reached = self.reach(|id| !out.is_in[id as usize], budget)?;
        }
    }
}
