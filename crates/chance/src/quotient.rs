//! The quotient of the open nodes by maximal end components (MECs), and sweeps over it: the Bellman operator.

use std::slice;

use super::components::Components;
use super::graph::{Graph, IdLists, LOST, WON};
use super::model::Owner;
use super::nodes::FIRST_ID;
use super::qualitative::{Class, Qualitative};
use getaway_board::limits::{Budget, Limit};

/// The graph of the nodes of [`Class::Open`], without those that have a single successor. Each end component is one node, at
/// which the player chooses among the exits.
#[derive(Debug)]
pub(super) struct Quotient {
    /// The quotient's id for each id of the original graph; [`LOST`] or [`WON`] for nodes that are not open.
    ids: Vec<u32>,
    graph: Graph,
    first: u32,
}

pub(super) const DRAWN: u32 = u32::MAX;
pub(super) const UNKNOWN: u32 = u32::MAX;

const PIECE: u32 = 1 << 12;

impl Quotient {
    pub(super) fn new(
        graph: &Graph,
        qualitative: &Qualitative,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let ids = quotient_ids(graph, qualitative, budget)?;
        let components = &qualitative.components;
        let nodes = || graph.ids().filter(|&id| is_node(graph, qualitative, id));
        let len = FIRST_ID as usize + nodes().count();
        let edges = nodes().map(|node| successors(graph, components, &node).count());
        let mut items = budget.with_capacity(edges.sum())?;
        let mut starts = budget.with_capacity(len + 1)?;
        let mut by_player = budget.with_capacity(len)?;
        // The ends, [`LOST`] and [`WON`], have no successors.
        starts.resize(FIRST_ID as usize + 1, 0);
        by_player.resize(FIRST_ID as usize, false);
        for node in nodes() {
            let next = successors(graph, components, &node);
            items.extend(next.map(|next| ids[next as usize]));
            starts.push(items.len() as u32);
            by_player.push(graph.owner(node) == Owner::Player || components.label(node) > 0);
        }
        Ok(Self {
            first: ids[start as usize],
            ids,
            graph: Graph::new(IdLists::new(starts, items), by_player),
        })
    }

    pub(super) fn quotient_id(&self, id: u32) -> usize {
        self.ids[id as usize] as usize
    }

    pub(super) const fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn initial_value(&self, values: &[f64]) -> f64 {
        values[self.first as usize]
    }

    pub(super) fn values(&self, open: f64, budget: &Budget) -> Result<Vec<f64>, Limit> {
        let mut values = budget.filled(open, self.graph.len())?;
        (values[LOST as usize], values[WON as usize]) = (0.0, 1.0);
        Ok(values)
    }

    pub(super) fn max_draws(&self) -> usize {
        let is_drawn = |&id: &u32| self.graph.owner(id) == Owner::Chance;
        self.graph
            .ids()
            .filter(is_drawn)
            .map(|id| self.graph.successors(id).len())
            .max()
            .unwrap_or(0)
    }

    pub(super) fn first_choices(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut choices = budget.filled(DRAWN, self.graph.len())?;
        for id in self.graph.ids() {
            if self.graph.owner(id) == Owner::Player {
                choices[id as usize] = self.graph.successors(id)[0];
            }
        }
        Ok(choices)
    }

    /// Updates each value, adding `slack` at chance nodes, and each choice if there is a better one. `change` takes an
    /// accumulator, the old value and the new one, and returns the value to keep. Returns the accumulator.
    pub(super) fn improve<T: Default>(
        &self,
        values: &mut [f64],
        choices: &mut [u32],
        slack: f64,
        budget: &Budget,
        change: impl Fn(&mut T, f64, f64) -> f64,
    ) -> Result<T, Limit> {
        let (mut notes, mut clock) = (T::default(), budget.clock());
        let end = self.graph.len() as u32;
        for first in (FIRST_ID..end).step_by(PIECE as usize) {
            let ids = first..end.min(first + PIECE);
            clock.work(self.graph.edges_from(&ids))?;
            for id in ids {
                let successors = self.graph.successors(id);
                let at = id as usize;
                let new = match self.graph.owner(id) {
                    Owner::Player => {
                        let (better, new) = improved(choices[at], successors, values);
                        choices[at] = better;
                        new
                    }
                    Owner::Chance => (mean(successors, values) + slack).clamp(0.0, 1.0),
                };
                values[at] = change(&mut notes, values[at], new);
            }
        }
        Ok(notes)
    }
}

/// Lists the successors of a node, or the exits of its end component.
fn successors<'a>(
    graph: &'a Graph,
    components: &'a Components,
    node: &'a u32,
) -> impl Iterator<Item = u32> + 'a {
    let label = components.label(*node);
    let members = match label {
        0 => slice::from_ref(node),
        label => components.members(label),
    };
    members
        .iter()
        .flat_map(|&member| graph.successors(member))
        .copied()
        .filter(move |&next| label == 0 || components.label(next) != label)
}

fn is_node(graph: &Graph, qualitative: &Qualitative, id: u32) -> bool {
    let label = qualitative.components.label(id);
    match qualitative.class(id) {
        Class::Open if label > 0 => qualitative.components.members(label)[0] == id,
        Class::Open => graph.successors(id).len() > 1,
        _ => false,
    }
}

fn quotient_ids(
    graph: &Graph,
    qualitative: &Qualitative,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut ids = budget.with_capacity(graph.len())?;
    ids.extend(
        (0..graph.len() as u32).map(|id| match qualitative.class(id) {
            Class::Lost => LOST,
            Class::AlmostSure | Class::Sure => WON,
            Class::Open => UNKNOWN,
        }),
    );
    let nodes = graph.ids().filter(|&id| is_node(graph, qualitative, id));
    for (at, id) in (FIRST_ID..).zip(nodes) {
        ids[id as usize] = at;
    }
    for label in qualitative.components.numbers() {
        let members = qualitative.components.members(label);
        for &id in members {
            ids[id as usize] = ids[members[0] as usize];
        }
    }
    // The other open nodes are merged with their only successors.
    find_ends(&mut ids, |id| graph.successors(id)[0], budget)?;
    Ok(ids)
}

/// For each id whose end is [`UNKNOWN`], follows `next` to an id whose end is known, and copies that end. There is no cycle,
/// since a cycle would be an end component.
pub(super) fn find_ends(
    ends: &mut [u32],
    next: impl Fn(u32) -> u32,
    budget: &Budget,
) -> Result<(), Limit> {
    let mut path = Vec::new();
    for id in 0..ends.len() as u32 {
        let mut at = id;
        while ends[at as usize] == UNKNOWN {
            budget.push(&mut path, at)?;
            at = next(at);
        }
        for passed in path.drain(..) {
            ends[passed as usize] = ends[at as usize];
        }
    }
    budget.free(path);
    Ok(())
}

#[inline]
fn improved(choice: u32, successors: &[u32], values: &[f64]) -> (u32, f64) {
    let chosen = (choice, values[choice as usize]);
    successors.iter().fold(chosen, |best, &next| {
        let value = values[next as usize];
        if value > best.1 { (next, value) } else { best }
    })
}

#[inline]
fn mean(successors: &[u32], values: &[f64]) -> f64 {
    let sum: f64 = successors.iter().map(|&next| values[next as usize]).sum();
    sum / successors.len() as f64
}

#[cfg(test)]
#[path = "quotient_tests.rs"]
mod tests;
