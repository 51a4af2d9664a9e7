//! Maximal end components (MECs).

use std::ops::Range;

use super::graph::{BackwardGraph, Graph, Lists};
use super::model::Owner;
use super::scc::{self, Edges};
use crate::limits::{Budget, Limit};

/// The maximal strongly connected parts of the graph that chance never leaves and the player need not leave.
#[derive(Debug)]
pub(super) struct Components {
    /// The component number of each id, starting at 1; 0 if the id is in no component. Empty if
    /// there are no components.
    labels: Vec<u32>,
    /// The ids in each component. Number 0 stands for no component, and its list is empty.
    members: Lists,
}

impl Components {
    /// Finds the maximal end components within `open`, a sorted list. Removes nodes that can't stay in their part, and splits the
    /// parts into strongly connected ones, until nothing changes.
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
            erode(backward, &mut labels, &open, budget)?;
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

/// Removes the nodes that can't stay in their parts by setting their labels to 0.
fn erode(
    backward: &BackwardGraph,
    labels: &mut [u32],
    suspects: &[u32],
    budget: &Budget,
) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut stack = Vec::new();
    for &suspect in suspects.iter().rev() {
        budget.push(&mut stack, suspect)?;
        while let Some(id) = stack.pop() {
            clock.work((1 + backward.graph.successors(id).len()) as u64)?;
            let label = labels[id as usize];
            if label == 0 || stays(backward.graph, labels, id) {
                continue;
            }
            labels[id as usize] = 0;
            for &predecessor in backward.predecessors.get(id) {
                if labels[predecessor as usize] == label {
                    budget.push(&mut stack, predecessor)?;
                }
            }
        }
    }
    budget.free(stack);
    Ok(())
}

fn stays(graph: &Graph, labels: &[u32], id: u32) -> bool {
    let is_same = |&next: &u32| labels[next as usize] == labels[id as usize];
    match graph.owner(id) {
        Owner::Chance => graph.successors(id).iter().all(is_same),
        Owner::Player => graph.successors(id).iter().any(is_same),
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
