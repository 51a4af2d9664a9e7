//! What the graph left open, in as few nodes as will do, and sweeps over it.

use std::ops::Range;

use super::bellman::BellmanOperator;
use super::components::Components;
use super::graph::{Graph, LOST, WON};
use super::model::Owner;
use super::nodes::FIRST_ID;
use super::qualitative::{Class, Qualitative};
use crate::limits::{Budget, Limit};

/// What is open, without what the graph settled: nodes that lead to one place only are that place,
/// and each end component is one choice among its ways out.
///
/// The nodes keep their order. Those side by side at which the same decides among as many successors
/// make a run, so that a sweep does the same again and again.
#[derive(Debug)]
pub(super) struct Quotient {
    /// For each id of the graph its id here; [`LOST`] and [`WON`] where that is settled.
    quotient_id: Vec<u32>,
    runs: Vec<Run>,
    /// The successors of all nodes, in order.
    items: Vec<u32>,
    len: usize,
    /// The id here that the game begins at.
    first: u32,
}

/// Consecutive nodes of one shape.
#[derive(Clone, Copy, Debug)]
struct Run {
    shape: Shape,
    /// The id of the first, and of the first that belongs to it no longer.
    ids: (u32, u32),
    /// Where in the items their successors begin.
    first: usize,
}

/// Who decides at a node, and how many successors there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    by_player: bool,
    successors: u32,
}

/// The place of a node that has the place of the only one that follows it.
const FORWARDED: u32 = u32::MAX;

/// A run has no more nodes, so that a sweep can stop after each.
const LONGEST: u32 = 1 << 12;

impl Quotient {
    /// The core of this graph; the game begins at `start`.
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
        let quotient_id = quotient_ids(graph, qualitative, &nodes, budget)?;
        let mut quotient = Self {
            first: quotient_id[start as usize],
            quotient_id,
            runs: vec![],
            items: vec![],
            len: nodes.len() + FIRST_ID as usize,
        };
        for (at, &id) in nodes.iter().enumerate() {
            let shape = Shape::of(graph, &qualitative.components, id);
            clock.work(shape.successors.into())?;
            quotient.append(at as u32 + FIRST_ID, shape, budget)?;
            budget.make_room(&mut quotient.items, shape.successors as usize)?;
            let quotient_id = &quotient.quotient_id;
            let successors = exits(graph, &qualitative.components, id);
            quotient
                .items
                .extend(successors.map(|next| quotient_id[next as usize]));
        }
        budget.free(nodes);
        Ok(quotient)
    }

    /// Makes room for the next node.
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

    /// The id that has come out of this id of the graph.
    pub(super) fn quotient_id(&self, id: u32) -> usize {
        self.quotient_id[id as usize] as usize
    }

    /// The successors of the nodes of a run.
    fn items(&self, run: &Run) -> &[u32] {
        let count = run.ids().len() * run.shape.successors as usize;
        &self.items[run.first..run.first + count]
    }

    fn sweep_run<const N: usize>(
        &self,
        run: &Run,
        values: &mut [[f64; N]],
        change: &mut impl FnMut([f64; N], [f64; N]) -> [f64; N],
    ) {
        let items = self.items(run);
        // Where a list's length is known beforehand, there is nothing to be counted.
        match run.shape.successors {
            2 => run.sweep(items.as_chunks::<2>().0.iter(), values, change),
            3 => run.sweep(items.as_chunks::<3>().0.iter(), values, change),
            4 => run.sweep(items.as_chunks::<4>().0.iter(), values, change),
            5 => run.sweep(items.as_chunks::<5>().0.iter(), values, change),
            count => run.sweep(items.chunks_exact(count as usize), values, change),
        }
    }
}

impl BellmanOperator for Quotient {
    fn len(&self) -> usize {
        self.len
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        values[self.first as usize]
    }

    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit> {
        let mut values = budget.filled(open, self.len)?;
        values[LOST as usize] = [0.0; N];
        values[WON as usize] = [1.0; N];
        Ok(values)
    }

    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        _nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut notes = T::default();
        let mut clock = budget.clock();
        for run in &self.runs {
            clock.work(self.items(run).len() as u64)?;
            self.sweep_run(run, values, &mut |old, new| change(&mut notes, old, new));
        }
        Ok(vec![notes])
    }
}

impl Run {
    fn ids(&self) -> Range<usize> {
        self.ids.0 as usize..self.ids.1 as usize
    }

    /// Sweeps over its nodes, whose successors are in `lists`.
    fn sweep<const N: usize>(
        &self,
        lists: impl Iterator<Item: AsRef<[u32]>>,
        values: &mut [[f64; N]],
        change: &mut impl FnMut([f64; N], [f64; N]) -> [f64; N],
    ) {
        if self.shape.by_player {
            for (at, successors) in self.ids().zip(lists) {
                values[at] = change(values[at], best(successors.as_ref(), values));
            }
        } else {
            for (at, successors) in self.ids().zip(lists) {
                values[at] = change(values[at], mean(successors.as_ref(), values));
            }
        }
    }
}

#[inline]
fn best<const N: usize>(successors: &[u32], values: &[[f64; N]]) -> [f64; N] {
    successors.iter().fold([0.0; N], |best, &next| {
        let value = values[next as usize];
        std::array::from_fn(|i| {
            if value[i] > best[i] {
                value[i]
            } else {
                best[i]
            }
        })
    })
}

#[inline]
fn mean<const N: usize>(successors: &[u32], values: &[[f64; N]]) -> [f64; N] {
    let sum = successors.iter().fold([0.0; N], |sum, &next| {
        let value = values[next as usize];
        std::array::from_fn(|i| sum[i] + value[i])
    });
    let count = successors.len() as f64;
    sum.map(|sum| sum / count)
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

/// Whether this id of the graph gets a node: it is open, leads to several places, and is the first
/// of its end component.
fn is_node(graph: &Graph, qualitative: &Qualitative, id: u32) -> bool {
    let label = qualitative.components.label(id);
    match qualitative.class(id) {
        Class::Open if label > 0 => qualitative.components.members(label)[0] == id,
        Class::Open => graph.successors(id).len() > 1,
        _ => false,
    }
}

/// The place of each id, when these get nodes.
fn quotient_ids(
    graph: &Graph,
    qualitative: &Qualitative,
    nodes: &[u32],
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut clock = budget.clock();
    let mut quotient_id = budget.filled(LOST, graph.len())?;
    for id in 0..graph.len() as u32 {
        clock.work(1)?;
        quotient_id[id as usize] = match qualitative.class(id) {
            Class::Lost => LOST,
            Class::AlmostSure | Class::Sure => WON,
            Class::Open => FORWARDED,
        };
    }
    for (at, &id) in (FIRST_ID..).zip(nodes) {
        clock.work(1)?;
        quotient_id[id as usize] = at;
    }
    for label in qualitative.components.numbers() {
        let members = qualitative.components.members(label);
        clock.work(members.len() as u64)?;
        for &id in members {
            quotient_id[id as usize] = quotient_id[members[0] as usize];
        }
    }
    forward(graph, &mut quotient_id, budget)?;
    Ok(quotient_id)
}

/// Gives the nodes that are passed on their place. They can't go round in a circle, since that
/// would be an end component.
fn forward(graph: &Graph, quotient_id: &mut [u32], budget: &Budget) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut way = Vec::new();
    for id in graph.ids() {
        clock.work(1)?;
        let mut at = id;
        while quotient_id[at as usize] == FORWARDED {
            clock.work(1)?;
            budget.push(&mut way, at)?;
            at = graph.successors(at)[0];
        }
        for forwarded in way.drain(..) {
            quotient_id[forwarded as usize] = quotient_id[at as usize];
        }
    }
    budget.free(way);
    Ok(())
}

/// What follows a node, or what the player can choose at the end component that it belongs to.
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
