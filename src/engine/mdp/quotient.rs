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

/// Stands for the player's choice at a node of chance.
pub(super) const DRAWN: u32 = u32::MAX;

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

    /// Where among all items the successors of each node begin, by its id; one more than there are nodes.
    pub(super) fn starts(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut clock = budget.clock();
        let mut starts = budget.with_capacity(self.len + 1)?;
        starts.resize(FIRST_ID as usize, 0);
        for run in &self.runs {
            clock.work(run.ids().len() as u64)?;
            let count = run.shape.successors as usize;
            let all = run.ids().enumerate();
            starts.extend(all.map(|(nth, _)| (run.first + nth * count) as u32));
        }
        starts.push(self.items.len() as u32);
        Ok(starts)
    }

    /// The successors of all nodes, as [`Quotient::starts`] has it.
    pub(super) fn all_items(&self) -> &[u32] {
        &self.items
    }

    /// The most successors that a node of chance has.
    pub(super) fn most_draws(&self) -> usize {
        let runs = self.runs.iter().filter(|run| !run.shape.by_player);
        let counts = runs.map(|run| run.shape.successors as usize);
        counts.max().unwrap_or(0)
    }

    /// For each of the player's nodes its first successor, and [`DRAWN`] for all others.
    pub(super) fn first_choices(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut choices = budget.filled(DRAWN, self.len)?;
        for run in self.runs.iter().filter(|run| run.shape.by_player) {
            let lists = self.items(run).chunks_exact(run.shape.successors as usize);
            for (id, successors) in run.ids().zip(lists) {
                choices[id] = successors[0];
            }
        }
        Ok(choices)
    }

    /// Updates each value in turn by those of its successors, to which `slack` is added where chance draws, and each
    /// choice where there is a better one. `change` gets the old value and the new one, and returns the one to keep.
    pub(super) fn improve(
        &self,
        values: &mut [[f64; 1]],
        choices: &mut [u32],
        slack: f64,
        budget: &Budget,
        mut change: impl FnMut(f64, f64) -> f64,
    ) -> Result<(), Limit> {
        let mut clock = budget.clock();
        for run in &self.runs {
            let items = self.items(run);
            clock.work(items.len() as u64)?;
            let lists = items.chunks_exact(run.shape.successors as usize);
            for (at, successors) in run.ids().zip(lists) {
                let new = if run.shape.by_player {
                    choices[at] = improved(choices[at], successors, values);
                    values[choices[at] as usize][0]
                } else {
                    let values = successors.iter().map(|&next| values[next as usize][0]);
                    let mean = values.sum::<f64>() / successors.len() as f64;
                    (mean + slack).clamp(0.0, 1.0)
                };
                values[at] = [change(values[at][0], new)];
            }
        }
        Ok(())
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
        // A length known at compile time lets the loop be unrolled.
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

    fn known(&self, state: usize) -> Option<f64> {
        match state as u32 {
            LOST => Some(0.0),
            WON => Some(1.0),
            _ => None,
        }
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        values[self.first as usize]
    }

    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        _which: (usize, usize),
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

/// The successor with the greatest value; the one chosen so far if none is better.
#[inline]
fn improved(choice: u32, successors: &[u32], values: &[[f64; 1]]) -> u32 {
    successors.iter().fold(choice, |best, &next| {
        if values[next as usize] > values[best as usize] {
            next
        } else {
            best
        }
    })
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
    use super::super::tests::long_walk;
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn nodes_of_one_shape_are_one_run() {
        let limits = Limits::default();
        let walk = long_walk(&Budget::new(&limits));
        assert!(
            walk.len > 290 && walk.runs.len() < 10,
            "{}",
            walk.runs.len()
        );
    }

    #[test]
    fn no_run_is_too_long_to_stop_after_it() {
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mut quotient = long_walk(&budget);
        let shape = quotient.runs[0].shape;
        quotient.runs.clear();
        for id in 0..=2 * LONGEST {
            quotient.append(id, shape, &budget).unwrap();
        }
        let lengths: Vec<_> = quotient.runs.iter().map(|run| run.ids().len()).collect();
        assert_eq!(lengths, [LONGEST as usize, LONGEST as usize, 1]);
    }

    #[test]
    fn a_choice_is_kept_unless_there_is_a_better_one() {
        let values = [[0.0], [0.5], [0.25], [0.5]];
        assert_eq!(improved(1, &[1, 2, 3], &values), 1);
        assert_eq!(improved(3, &[1, 2, 3], &values), 3);
        assert_eq!(improved(2, &[2, 3, 1], &values), 3);
    }
}
