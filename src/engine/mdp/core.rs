//! What the graph left open, in as few nodes as will do, and sweeps over it.

use std::ops::Range;

use super::Decider;
use super::components::Components;
use super::graph::{Graph, LOST, WON};
use super::nodes::FIRST_ID;
use super::operator::Operator;
use super::settle::{Settled, Standing};
use crate::limits::{Budget, Limit};

/// What is open, without what the graph settled: nodes that lead to one place only are that place,
/// and each end component is one choice among its ways out.
///
/// The nodes keep their order. Those side by side at which the same decides among as many nexts
/// make a run, so that a sweep does the same again and again.
#[derive(Debug)]
pub(super) struct Core {
    /// For each id of the graph its id here; [`LOST`] and [`WON`] where that is settled.
    place: Vec<u32>,
    runs: Vec<Run>,
    /// The nexts of all nodes, in order.
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
    /// Where in the items their nexts begin.
    first: usize,
}

/// Who decides at a node, and how many nexts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    by_player: bool,
    nexts: u32,
}

/// The place of a node that has the place of the only one that follows it.
const PASSED_ON: u32 = u32::MAX;

/// A run has no more nodes, so that a sweep can stop after each.
const LONGEST: u32 = 1 << 12;

impl Core {
    /// The core of this graph; the game begins at `start`.
    pub(super) fn new(
        graph: &Graph,
        settled: &Settled,
        start: u32,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut clock = budget.clock();
        let mut nodes = Vec::new();
        for id in graph.ids() {
            clock.work(1)?;
            if is_node(graph, settled, id) {
                budget.push(&mut nodes, id)?;
            }
        }
        let place = places(graph, settled, &nodes, budget)?;
        let mut core = Self {
            first: place[start as usize],
            place,
            runs: vec![],
            items: vec![],
            len: nodes.len() + FIRST_ID as usize,
        };
        for (at, &id) in nodes.iter().enumerate() {
            let shape = Shape::of(graph, &settled.components, id);
            clock.work(shape.nexts.into())?;
            core.append(at as u32 + FIRST_ID, shape, budget)?;
            budget.make_room(&mut core.items, shape.nexts as usize)?;
            let place = &core.place;
            let nexts = ways_out(graph, &settled.components, id);
            core.items.extend(nexts.map(|next| place[next as usize]));
        }
        budget.drop_list(nodes);
        Ok(core)
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
    pub(super) fn place(&self, id: u32) -> usize {
        self.place[id as usize] as usize
    }

    /// The nexts of the nodes of a run.
    fn items(&self, run: &Run) -> &[u32] {
        let count = run.ids().len() * run.shape.nexts as usize;
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
        match run.shape.nexts {
            2 => run.sweep(items.as_chunks::<2>().0.iter(), values, change),
            3 => run.sweep(items.as_chunks::<3>().0.iter(), values, change),
            4 => run.sweep(items.as_chunks::<4>().0.iter(), values, change),
            5 => run.sweep(items.as_chunks::<5>().0.iter(), values, change),
            count => run.sweep(items.chunks_exact(count as usize), values, change),
        }
    }
}

impl Operator for Core {
    fn len(&self) -> usize {
        self.len
    }

    fn first<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
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

    /// Sweeps over its nodes, whose nexts are in `lists`.
    fn sweep<const N: usize>(
        &self,
        lists: impl Iterator<Item: AsRef<[u32]>>,
        values: &mut [[f64; N]],
        change: &mut impl FnMut([f64; N], [f64; N]) -> [f64; N],
    ) {
        if self.shape.by_player {
            for (at, nexts) in self.ids().zip(lists) {
                values[at] = change(values[at], best(nexts.as_ref(), values));
            }
        } else {
            for (at, nexts) in self.ids().zip(lists) {
                values[at] = change(values[at], mean(nexts.as_ref(), values));
            }
        }
    }
}

#[inline]
fn best<const N: usize>(nexts: &[u32], values: &[[f64; N]]) -> [f64; N] {
    nexts.iter().fold([0.0; N], |best, &next| {
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
fn mean<const N: usize>(nexts: &[u32], values: &[[f64; N]]) -> [f64; N] {
    let sum = nexts.iter().fold([0.0; N], |sum, &next| {
        let value = values[next as usize];
        std::array::from_fn(|i| sum[i] + value[i])
    });
    let count = nexts.len() as f64;
    sum.map(|sum| sum / count)
}

impl Shape {
    fn of(graph: &Graph, components: &Components, id: u32) -> Self {
        let by_player = graph.decider(id) == Decider::Player || components.label(id) > 0;
        Self {
            by_player,
            nexts: ways_out(graph, components, id).count() as u32,
        }
    }
}

/// Whether this id of the graph gets a node: it is open, leads to several places, and is the first
/// of its end component.
fn is_node(graph: &Graph, settled: &Settled, id: u32) -> bool {
    let label = settled.components.label(id);
    match settled.standing(id) {
        Standing::Open if label > 0 => settled.components.members(label)[0] == id,
        Standing::Open => graph.nexts(id).len() > 1,
        _ => false,
    }
}

/// The place of each id, when these get nodes.
fn places(
    graph: &Graph,
    settled: &Settled,
    nodes: &[u32],
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut clock = budget.clock();
    let mut place = budget.filled(LOST, graph.len())?;
    for id in 0..graph.len() as u32 {
        clock.work(1)?;
        place[id as usize] = match settled.standing(id) {
            Standing::Lost => LOST,
            Standing::Sure | Standing::Certain => WON,
            Standing::Open => PASSED_ON,
        };
    }
    for (at, &id) in (FIRST_ID..).zip(nodes) {
        clock.work(1)?;
        place[id as usize] = at;
    }
    for label in settled.components.numbers() {
        let members = settled.components.members(label);
        clock.work(members.len() as u64)?;
        for &id in members {
            place[id as usize] = place[members[0] as usize];
        }
    }
    pass_on(graph, &mut place, budget)?;
    Ok(place)
}

/// Gives the nodes that are passed on their place. They can't go round in a circle, since that
/// would be an end component.
fn pass_on(graph: &Graph, place: &mut [u32], budget: &Budget) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut way = Vec::new();
    for id in graph.ids() {
        clock.work(1)?;
        let mut at = id;
        while place[at as usize] == PASSED_ON {
            clock.work(1)?;
            budget.push(&mut way, at)?;
            at = graph.nexts(at)[0];
        }
        for passed in way.drain(..) {
            place[passed as usize] = place[at as usize];
        }
    }
    budget.drop_list(way);
    Ok(())
}

/// What follows a node, or what the player can choose at the end component that it belongs to.
fn ways_out<'a>(
    graph: &'a Graph,
    components: &'a Components,
    id: u32,
) -> impl Iterator<Item = u32> + 'a {
    let label = components.label(id);
    let alone = if label == 0 { graph.nexts(id) } else { &[] };
    let members = if label == 0 {
        &[]
    } else {
        components.members(label)
    };
    let exits = members.iter().flat_map(|&member| graph.nexts(member));
    let exits = exits.filter(move |&&next| components.label(next) != label);
    alone.iter().chain(exits).copied()
}
