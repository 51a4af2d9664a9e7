//! How a quotient is made.

use std::ops::Range;

use rayon::prelude::*;

use super::blocks::{Block, Blocks};
use super::{LONGEST, Quotient, Run, Shape};
use crate::engine::mdp::components::Components;
use crate::engine::mdp::graph::{Graph, LOST, WON};
use crate::engine::mdp::model::Owner;
use crate::engine::mdp::nodes::FIRST_ID;
use crate::engine::mdp::qualitative::{Class, Qualitative};
use crate::limits::{Budget, Limit};

/// Stands for the id of a node that is merged with its only successor.
const FORWARDED: u32 = u32::MAX;

/// Fewer nodes make a single block.
const FEW: usize = if cfg!(test) { 1 } else { 1 << 15 };

/// The most nodes of a block: they are sorted without a look at the clock.
const MOST: usize = if cfg!(test) { 200 } else { 1 << 18 };

/// What a node is sorted by in its block, from the lowest bits up: its place, its shape, and its layer.
const PLACE_BITS: u32 = u32::BITS;
const COUNT_BITS: u32 = 6;
const SHAPE_BITS: u32 = COUNT_BITS + 2;
/// The last layer has all nodes for which there is none: these stay in their order.
const LAST_LAYER: u32 = (1 << (u64::BITS - PLACE_BITS - SHAPE_BITS)) - 1;

/// How many bytes sorting takes for each node.
const SORTING: u64 = 16;

impl Quotient {
    /// The quotient of this graph, of which `start` is the initial node.
    pub(in crate::engine::mdp) fn new(
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
        let blocks = block_ids(graph, &nodes, budget)?;
        let mut draft = Draft {
            graph,
            components: &qualitative.components,
            ids,
            nodes,
        };
        draft.sort(&blocks, budget)?;
        let mut quotient = Self {
            first: draft.ids[start as usize],
            ids: Vec::new(),
            runs: Vec::new(),
            items: Vec::new(),
            len: draft.nodes.len() + FIRST_ID as usize,
            blocks: Blocks::default(),
        };
        quotient.append_all(&draft, blocks, budget)?;
        budget.free(draft.nodes);
        quotient.ids = draft.ids;
        Ok(quotient)
    }

    /// Appends all nodes to the runs, block by block.
    fn append_all(
        &mut self,
        draft: &Draft,
        blocks: Vec<Range<usize>>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        let mut all = budget.with_capacity(blocks.len())?;
        for ids in blocks {
            let first_run = self.runs.len();
            for id in ids.clone() {
                let node = draft.nodes[id - FIRST_ID as usize];
                let first = self.items.len();
                let count = draft.successors(node).count();
                clock.work(1 + count as u64)?;
                budget.make_room(&mut self.items, count)?;
                self.items.extend(draft.successors(node));
                let shape = Shape {
                    by_player: draft.is_by_player(node),
                    successors: count as u32,
                    is_local: self.items[first..]
                        .iter()
                        .all(|&next| ids.contains(&(next as usize))),
                };
                self.append(id as u32, (shape, first), first_run, budget)?;
            }
            let runs = first_run..self.runs.len();
            all.push(Block { ids, runs });
        }
        self.blocks = Blocks::new(all, &self.runs, &self.items, budget)?;
        Ok(())
    }

    /// Appends a node of this shape, whose successors begin there among the items, to the runs of a block.
    fn append(
        &mut self,
        id: u32,
        (shape, first): (Shape, usize),
        first_run: usize,
        budget: &Budget,
    ) -> Result<(), Limit> {
        match self.runs[first_run..].last_mut() {
            Some(run) if run.shape == shape && id - run.ids.0 < LONGEST => run.ids.1 = id + 1,
            _ => {
                let ids = (id, id + 1);
                budget.push(&mut self.runs, Run { shape, ids, first })?;
            }
        }
        Ok(())
    }
}

/// What a quotient is made from.
struct Draft<'a> {
    graph: &'a Graph,
    components: &'a Components,
    /// For each id of the graph that in the quotient.
    ids: Vec<u32>,
    /// The ids of the graph that get nodes of their own, in the order of these.
    nodes: Vec<u32>,
}

impl Draft<'_> {
    /// The successors of a node, by its id in the graph, as ids of the quotient: of an end component the exits.
    fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        let successors = exits(self.graph, self.components, node);
        successors.map(|next| self.ids[next as usize])
    }

    fn is_by_player(&self, node: u32) -> bool {
        self.graph.owner(node) == Owner::Player || self.components.label(node) > 0
    }

    /// Sorts the nodes of each block.
    fn sort(&mut self, blocks: &[Range<usize>], budget: &Budget) -> Result<(), Limit> {
        let sorting = SORTING * self.nodes.len() as u64;
        budget.take(sorting)?;
        let mut nodes = std::mem::take(&mut self.nodes);
        // For each node its id by now, and the one it gets.
        let mut sorted = budget.filled(0, nodes.len())?;
        let mut rest = (&mut nodes[..], &mut sorted[..]);
        let part = |ids: &Range<usize>| {
            let nodes = rest.0.split_off_mut(..ids.len());
            let sorted = rest.1.split_off_mut(..ids.len());
            let lists = nodes.zip(sorted).expect("each node is in a block");
            (ids.clone(), lists)
        };
        let mut parts: Vec<_> = blocks.iter().map(part).collect();
        let sort = |(ids, (nodes, sorted)): &mut (Range<usize>, (&mut [u32], &mut [u32]))| {
            self.sort_block(ids, nodes, sorted, budget)
        };
        if budget.limits.threads > 1 && blocks.len() > 1 {
            parts.par_iter_mut().with_max_len(1).try_for_each(sort)?;
        } else {
            parts.iter_mut().try_for_each(sort)?;
        }
        self.nodes = nodes;
        let mut clock = budget.clock();
        for id in self.ids.iter_mut().filter(|id| **id >= FIRST_ID) {
            clock.work(1)?;
            *id = sorted[(*id - FIRST_ID) as usize];
        }
        budget.free(sorted);
        budget.give_back(sorting);
        Ok(())
    }

    /// Sorts the nodes of the block that has these ids, and notes the new id of each.
    ///
    /// They are sorted by layers: the layer of a node is the next one after those of all nodes before it in the block
    /// that it leads to. Within a layer, they are sorted by their shapes.
    fn sort_block(
        &self,
        ids: &Range<usize>,
        nodes: &mut [u32],
        sorted: &mut [u32],
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        let mut layers: Vec<u32> = Vec::with_capacity(nodes.len());
        let mut keys: Vec<u64> = Vec::with_capacity(nodes.len());
        for (place, &node) in nodes.iter().enumerate() {
            let (mut count, mut layer, mut leads_out) = (0, 0, false);
            for next in self.successors(node) {
                clock.work(1)?;
                count += 1;
                match (next as usize).checked_sub(ids.start) {
                    Some(before) if before < place => layer = layer.max(layers[before] + 1),
                    Some(within) if within < ids.len() => {}
                    _ => leads_out = true,
                }
            }
            layers.push(layer);
            let shape = u64::from(self.is_by_player(node)) << 1 | u64::from(leads_out);
            let shape = shape << COUNT_BITS | u64::min(count, (1 << COUNT_BITS) - 1);
            // Without a layer of its own a node must stay where it is.
            let upper = match layer.min(LAST_LAYER) {
                LAST_LAYER => u64::from(LAST_LAYER) << SHAPE_BITS,
                layer => u64::from(layer) << SHAPE_BITS | shape,
            };
            keys.push(upper << PLACE_BITS | place as u64);
        }
        keys.sort_unstable();
        let old = nodes.to_vec();
        for ((id, key), node) in ids.clone().zip(keys).zip(nodes) {
            let place = key as u32 as usize;
            *node = old[place];
            sorted[place] = id as u32;
        }
        Ok(())
    }
}

/// The ids in the quotient of each block of the graph, or of its parts, when these ids of the graph get nodes of their own.
fn block_ids(graph: &Graph, nodes: &[u32], budget: &Budget) -> Result<Vec<Range<usize>>, Limit> {
    let mut clock = budget.clock();
    let mut blocks = Vec::new();
    let mut rest = nodes;
    let starts = graph.block_starts();
    let ends = starts
        .iter()
        .skip(1)
        .copied()
        .filter(|_| nodes.len() >= FEW);
    for end in ends.chain([u32::MAX]) {
        clock.work(1)?;
        let first = nodes.len() - rest.len() + FIRST_ID as usize;
        let len = rest.partition_point(|&node| node < end);
        rest = &rest[len..];
        for start in (first..first + len).step_by(MOST) {
            budget.push(&mut blocks, start..(first + len).min(start + MOST))?;
        }
    }
    Ok(blocks)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mdp::tests::long_walk;
    use crate::limits::Limits;

    #[test]
    fn no_run_is_too_long_to_stop_after_it() {
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mut quotient = long_walk(&budget);
        let shape = (quotient.runs[0].shape, 0);
        quotient.runs.clear();
        for id in 0..=2 * LONGEST {
            quotient.append(id, shape, 0, &budget).unwrap();
        }
        // A block begins a run.
        quotient.append(2 * LONGEST + 1, shape, 3, &budget).unwrap();
        let lengths: Vec<_> = quotient.runs.iter().map(|run| run.ids().len()).collect();
        assert_eq!(lengths, [LONGEST as usize, LONGEST as usize, 1, 1]);
    }
}
