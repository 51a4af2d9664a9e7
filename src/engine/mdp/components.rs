//! Maximal end components (MECs).

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::graph::{BackwardGraph, Graph, Lists};
use super::model::Owner;
use super::scc::{self, Edges};
use crate::limits::{Budget, Limit};

const SHARE: usize = if cfg!(test) { 1 } else { 1 << 11 };
/// Fewer nodes are handled by a single thread.
const FEW: usize = if cfg!(test) { 1 } else { 1 << 15 };

/// The maximal strongly connected parts of the graph that chance never leaves and the player need
/// not leave.
#[derive(Debug)]
pub(super) struct Components {
    /// The component number of each id, starting at 1; 0 if the id is in no component. Empty if
    /// there are no components.
    labels: Vec<u32>,
    /// The list of number 0 is empty.
    members: Lists,
}

impl Components {
    /// The maximal end components within `open`, a sorted list. Removes nodes that can't stay in
    /// their part, and splits the parts into strongly connected ones, until nothing changes.
    pub(super) fn of(
        backward: &BackwardGraph,
        mut open: Vec<u32>,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut labels = budget.filled(0, backward.graph.len())?;
        for &id in &open {
            labels[id as usize] = 1;
        }
        let mut connected = usize::MAX;
        loop {
            labels = erode(backward, labels, &open, budget)?;
            open.retain(|&id| labels[id as usize] != 0);
            if open.is_empty() {
                budget.free(labels);
                budget.free(open);
                return Ok(Self::none());
            }
            if open.len() == connected {
                let components = Self::labelled(labels, &open, budget)?;
                budget.free(open);
                return Ok(components);
            }
            connected = open.len();
            let parts = std::mem::take(&mut labels);
            let edges = WithinParts {
                graph: backward.graph,
                parts: &parts,
            };
            labels = scc::components(&edges, open.iter().copied(), budget)?;
            budget.free(parts);
        }
    }

    fn none() -> Self {
        Self {
            labels: Vec::new(),
            members: Lists::new(vec![0, 0], Vec::new()),
        }
    }

    fn labelled(labels: Vec<u32>, open: &[u32], budget: &Budget) -> Result<Self, Limit> {
        let members = Lists::by_label(&labels, open, budget)?;
        Ok(Self { labels, members })
    }

    pub(super) fn label(&self, id: u32) -> u32 {
        self.labels.get(id as usize).copied().unwrap_or(0)
    }

    pub(super) fn members(&self, label: u32) -> &[u32] {
        self.members.get(label)
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        1..self.members.len() as u32
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.len() <= 1
    }
}

/// Removes the nodes that can't stay in their parts by setting their labels to 0. The result does
/// not depend on the order, so threads may share the work.
fn erode(
    backward: &BackwardGraph,
    labels: Vec<u32>,
    suspects: &[u32],
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let labels: Vec<AtomicU32> = labels.into_iter().map(AtomicU32::new).collect();
    let erosion = Erosion {
        backward,
        labels: &labels,
        budget,
    };
    if suspects.len() < FEW || budget.limits.threads < 2 {
        erosion.remove(suspects)?;
    } else {
        let shares = suspects.par_chunks(SHARE).with_max_len(1);
        shares.try_for_each(|suspects| erosion.remove(suspects))?;
    }
    Ok(labels.into_iter().map(AtomicU32::into_inner).collect())
}

/// A thread removes a node before it checks the predecessors, and all threads see the removals in
/// the same order. So if two threads remove the last two successors that let a node stay, one sees
/// that both are gone.
struct Erosion<'a> {
    backward: &'a BackwardGraph<'a>,
    labels: &'a [AtomicU32],
    budget: &'a Budget<'a>,
}

impl Erosion<'_> {
    fn remove(&self, suspects: &[u32]) -> Result<(), Limit> {
        let mut clock = self.budget.clock();
        let mut stack = Vec::new();
        for &suspect in suspects.iter().rev() {
            self.budget.push(&mut stack, suspect)?;
            while let Some(id) = stack.pop() {
                let label = self.label(id);
                clock.work((1 + self.backward.graph.successors(id).len()) as u64)?;
                let is_ours = label != 0
                    && !self.stays(id, label)
                    && self.labels[id as usize].swap(0, Ordering::SeqCst) != 0;
                if !is_ours {
                    continue;
                }
                for &predecessor in self.backward.predecessors.get(id) {
                    if self.label(predecessor) == label {
                        self.budget.push(&mut stack, predecessor)?;
                    }
                }
            }
        }
        self.budget.free(stack);
        Ok(())
    }

    fn label(&self, id: u32) -> u32 {
        self.labels[id as usize].load(Ordering::SeqCst)
    }

    fn stays(&self, id: u32, label: u32) -> bool {
        let graph = self.backward.graph;
        let is_same = |&next: &u32| self.label(next) == label;
        match graph.owner(id) {
            Owner::Chance => graph.successors(id).iter().all(is_same),
            Owner::Player => graph.successors(id).iter().any(is_same),
        }
    }
}

struct WithinParts<'a> {
    graph: &'a Graph,
    parts: &'a [u32],
}

impl Edges for WithinParts<'_> {
    fn len(&self) -> usize {
        self.graph.len()
    }

    fn edges(&self, id: u32) -> Range<u32> {
        self.graph.lists().range(id)
    }

    fn target(&self, _from: u32, edge: u32) -> u32 {
        self.graph.lists().item(edge)
    }

    fn counts(&self, from: u32, to: u32) -> bool {
        self.parts[from as usize] == self.parts[to as usize]
    }
}
