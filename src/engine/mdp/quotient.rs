//! The MEC quotient of what the qualitative result left open, and sweeps over it.

use std::ops::Range;

use super::bellman::BellmanOperator;
use super::components::Components;
use super::graph::{Graph, LOST, WON};
use super::model::Owner;
use super::nodes::FIRST_ID;
use super::qualitative::{Class, Qualitative};
use crate::limits::{Budget, Limit};

/// The open nodes, with the winning and losing ones merged into the two ends: a node with a single
/// successor is merged with that, and each end component is one node, at which the player chooses
/// among the exits.
///
/// The nodes keep their order. Neighbours with the same owner and as many successors make a run, so
/// that a sweep goes through them in a tight loop.
#[derive(Debug)]
pub(super) struct Quotient {
    /// For each id of the graph its id in the quotient; [`LOST`] or [`WON`] where it is not open.
    ids: Vec<u32>,
    runs: Vec<Run>,
    /// The successors of all nodes, in order.
    items: Vec<u32>,
    len: usize,
    /// The initial node's id in the quotient.
    first: u32,
}

/// Consecutive nodes of one shape.
#[derive(Clone, Copy, Debug)]
struct Run {
    shape: Shape,
    /// The id of the first, and the id after the last.
    ids: (u32, u32),
    /// Where in the items their successors begin.
    first: usize,
}

/// Who owns a node, and how many successors it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    by_player: bool,
    successors: u32,
}

/// Stands for the id of a node that is merged with its only successor.
const FORWARDED: u32 = u32::MAX;

/// The most nodes of a run: a sweep can stop after each run.
const LONGEST: u32 = 1 << 12;

impl Quotient {
    /// The quotient of this graph, of which `start` is the initial node.
    pub(super) fn new(
        graph: &Graph,
        qualitative: &Qualitative,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut clock = budget.clock();
        let mut nodes = Vec::new();
        for id in graph.ids() {
            clock.work(1)?;
            if is_node(graph, qualitative, id) {
                budget.push(&mut nodes, id)?;
            }
        }
        let ids = quotient_ids(graph, qualitative, &nodes, budget)?;
        let mut quotient = Self {
            first: ids[start as usize],
            ids,
            runs: vec![],
            items: vec![],
            len: nodes.len() + FIRST_ID as usize,
        };
        for (at, &id) in nodes.iter().enumerate() {
            let shape = Shape::of(graph, &qualitative.components, id);
            clock.work(shape.successors.into())?;
            quotient.append(at as u32 + FIRST_ID, shape, budget)?;
            budget.make_room(&mut quotient.items, shape.successors as usize)?;
            let ids = &quotient.ids;
            let successors = exits(graph, &qualitative.components, id);
            quotient
                .items
                .extend(successors.map(|next| ids[next as usize]));
        }
        budget.free(nodes);
        Ok(quotient)
    }

    /// Appends a node to the runs.
    fn append(&mut self, id: u32, shape: Shape, budget: &Budget) -> Result<(), Limit> {
        match self.runs.last_mut() {
            Some(run) if run.shape == shape && id - run.ids.0 < LONGEST => run.ids.1 = id + 1,
            _ => {
                let run = Run {
                    shape,
                    ids: (id, id + 1),
                    first: self.items.len(),
                };
                budget.push(&mut self.runs, run)?;
            }
        }
        Ok(())
    }

    /// The id in the quotient of this id of the graph.
    pub(super) fn quotient_id(&self, id: u32) -> usize {
        self.ids[id as usize] as usize
    }

    /// The successors of the nodes of a run.
    fn items(&self, run: &Run) -> &[u32] {
        let count = run.ids().len() * run.shape.successors as usize;
        &self.items[run.first..run.first + count]
    }

    /// Goes through all nodes in order, or the other way round. `update` gets a node's id, who owns it and its
    /// successors.
    fn sweep(
        &self,
        is_back: bool,
        budget: &Budget,
        mut update: impl FnMut(usize, bool, &[u32]),
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        for at in 0..self.runs.len() {
            let run = &self.runs[if is_back {
                self.runs.len() - 1 - at
            } else {
                at
            }];
            clock.work(self.items(run).len() as u64)?;
            let lists = self.items(run).chunks_exact(run.shape.successors as usize);
            let nodes = run.ids().zip(lists);
            let update = |(id, successors)| update(id, run.shape.by_player, successors);
            if is_back {
                nodes.rev().for_each(update);
            } else {
                nodes.for_each(update);
            }
        }
        Ok(())
    }
}

/// What the player chooses at each node of the quotient.
#[derive(Debug)]
pub(super) struct Choices {
    /// The successor that it goes to; of no meaning at nodes of chance.
    next: Vec<u32>,
    /// Whether the value follows from those of the successors: where the player gives up it does not.
    follows: Vec<bool>,
}

impl BellmanOperator for Quotient {
    type Choices = Choices;

    fn len(&self) -> usize {
        self.len
    }

    fn initial_value(&self, values: &[f64]) -> f64 {
        values[self.first as usize]
    }

    fn values(&self, open: f64, budget: &Budget) -> Result<Vec<f64>, Limit> {
        let mut values = budget.filled(open, self.len)?;
        values[LOST as usize] = 0.0;
        values[WON as usize] = 1.0;
        Ok(values)
    }

    fn choices(&self, budget: &Budget) -> Result<Choices, Limit> {
        let mut next = budget.filled(LOST, self.len)?;
        self.sweep(false, budget, |id, _, successors| next[id] = successors[0])?;
        let follows = budget.filled(true, self.len)?;
        Ok(Choices { next, follows })
    }

    fn rounding(&self) -> f64 {
        let most = self.runs.iter().map(|run| run.shape.successors).max();
        f64::from(2 + most.unwrap_or(0)) * f64::EPSILON
    }

    fn improve(
        &self,
        values: &mut [f64],
        nth: usize,
        slant: f64,
        Choices { next, follows }: &mut Choices,
        budget: &Budget,
    ) -> Result<f64, Limit> {
        let mut largest = 0.0_f64;
        self.sweep(nth % 2 == 1, budget, |id, by_player, successors| {
            let value = if by_player {
                next[id] = best(successors, next[id], values);
                values[next[id] as usize]
            } else {
                mean(successors, values)
            };
            let new = (value + slant).clamp(0.0, 1.0);
            follows[id] = 0.0 < new && new < 1.0;
            largest = largest.max((new - values[id]).abs());
            values[id] = new;
        })?;
        Ok(largest)
    }

    fn evaluate(
        &self,
        values: &mut [f64],
        slant: f64,
        Choices { next, follows }: &Choices,
        changes: &mut [f32],
        budget: &Budget,
    ) -> Result<f64, Limit> {
        let mut largest = 0.0_f64;
        changes.fill(0.0);
        for is_back in [false, true] {
            self.sweep(is_back, budget, |id, by_player, successors| {
                if !follows[id] {
                    return;
                }
                let value = if by_player {
                    values[next[id] as usize]
                } else {
                    mean(successors, values)
                };
                let change = value + slant - values[id];
                largest = largest.max(change.abs());
                changes[id] += change as f32;
                values[id] += change;
            })?;
        }
        Ok(largest)
    }

    fn propagate(
        &self,
        vector: &mut [f32],
        Choices { next, follows }: &Choices,
        budget: &Budget,
    ) -> Result<(), Limit> {
        for is_back in [false, true] {
            self.sweep(is_back, budget, |id, by_player, successors| {
                vector[id] = if !follows[id] {
                    0.0
                } else if by_player {
                    vector[next[id] as usize]
                } else {
                    let sum: f32 = successors.iter().map(|&next| vector[next as usize]).sum();
                    sum / successors.len() as f32
                };
            })?;
        }
        Ok(())
    }
}

impl Run {
    fn ids(&self) -> Range<usize> {
        self.ids.0 as usize..self.ids.1 as usize
    }
}

/// The successor with the greatest value: `known`, unless another one is better.
#[inline]
fn best(successors: &[u32], known: u32, values: &[f64]) -> u32 {
    let value = |next: u32| values[next as usize];
    let better = |best, &next: &u32| {
        if value(next) > value(best) {
            next
        } else {
            best
        }
    };
    successors.iter().fold(known, better)
}

#[inline]
fn mean(successors: &[u32], values: &[f64]) -> f64 {
    let sum: f64 = successors.iter().map(|&next| values[next as usize]).sum();
    sum / successors.len() as f64
}

impl Shape {
    fn of(graph: &Graph, components: &Components, id: u32) -> Self {
        let by_player = graph.owner(id) == Owner::Player || components.label(id) > 0;
        Self {
            by_player,
            successors: exits(graph, components, id).count() as u32,
        }
    }
}

/// Whether this id of the graph gets a node of its own: it is open, and the first of its end
/// component or has several successors.
fn is_node(graph: &Graph, qualitative: &Qualitative, id: u32) -> bool {
    let label = qualitative.components.label(id);
    match qualitative.class(id) {
        Class::Open if label > 0 => qualitative.components.members(label)[0] == id,
        Class::Open => graph.successors(id).len() > 1,
        _ => false,
    }
}

/// The id in the quotient of each id of the graph, when these get nodes of their own.
fn quotient_ids(
    graph: &Graph,
    qualitative: &Qualitative,
    nodes: &[u32],
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut clock = budget.clock();
    let mut ids = budget.filled(LOST, graph.len())?;
    for id in 0..graph.len() as u32 {
        clock.work(1)?;
        ids[id as usize] = match qualitative.class(id) {
            Class::Lost => LOST,
            Class::AlmostSure | Class::Sure => WON,
            Class::Open => FORWARDED,
        };
    }
    for (at, &id) in (FIRST_ID..).zip(nodes) {
        clock.work(1)?;
        ids[id as usize] = at;
    }
    for label in qualitative.components.numbers() {
        let members = qualitative.components.members(label);
        clock.work(members.len() as u64)?;
        for &id in members {
            ids[id as usize] = ids[members[0] as usize];
        }
    }
    forward(graph, &mut ids, budget)?;
    Ok(ids)
}

/// Merges nodes with their only successors. These can't form a cycle, since that would be an end
/// component.
fn forward(graph: &Graph, ids: &mut [u32], budget: &Budget) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut way = Vec::new();
    for id in graph.ids() {
        clock.work(1)?;
        let mut at = id;
        while ids[at as usize] == FORWARDED {
            clock.work(1)?;
            budget.push(&mut way, at)?;
            at = graph.successors(at)[0];
        }
        for forwarded in way.drain(..) {
            ids[forwarded as usize] = ids[at as usize];
        }
    }
    budget.free(way);
    Ok(())
}

/// The successors of a node, or the exits of the end component that it belongs to.
fn exits<'a>(
    graph: &'a Graph,
    components: &'a Components,
    id: u32,
) -> impl Iterator<Item = u32> + 'a {
    let label = components.label(id);
    let alone = if label == 0 {
        graph.successors(id)
    } else {
        &[]
    };
    let members = if label == 0 {
        &[]
    } else {
        components.members(label)
    };
    let exits = members.iter().flat_map(|&member| graph.successors(member));
    let exits = exits.filter(move |&&next| components.label(next) != label);
    alone.iter().chain(exits).copied()
}
