//! Maximal end components (MECs): where the player can stay for ever.

use super::graph::{BackwardGraph, Graph, Lists};
use super::model::Owner;
use super::scc::{self, Edges};
use crate::limits::{Budget, Limit};

/// The maximal strongly connected parts of the graph in which chance always stays and the player
/// can.
#[derive(Debug)]
pub(super) struct Components {
    /// For each id the number of its component, from 1; 0 for none. Empty if there is no component.
    labels: Vec<u32>,
    /// The ids of each component, by its number; none for number 0.
    members: Lists,
}

impl Components {
    /// The maximal end components within `open`, a list of ids in order.
    ///
    /// Nodes that can't stay in their part are removed, and the parts are split into strongly
    /// connected ones, until nothing changes.
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

    /// The number of the component that `id` belongs to, from 1; 0 for none.
    pub(super) fn label(&self, id: u32) -> u32 {
        self.labels.get(id as usize).copied().unwrap_or(0)
    }

    /// The ids of component `label`, in order.
    pub(super) fn members(&self, label: u32) -> &[u32] {
        self.members.get(label)
    }

    /// Their numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        1..self.members.len() as u32
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.members.len() <= 1
    }
}

/// Removes from their parts, by label 0, the nodes that can't stay there, beginning at `suspects`.
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
            let label = labels[id as usize];
            clock.work((1 + backward.graph.successors(id).len()) as u64)?;
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

/// Whether this node's part holds all its successors, or some if the player owns it.
fn stays(graph: &Graph, labels: &[u32], id: u32) -> bool {
    let is_same = |&next: &u32| labels[next as usize] == labels[id as usize];
    match graph.owner(id) {
        Owner::Chance => graph.successors(id).iter().all(is_same),
        Owner::Player => graph.successors(id).iter().any(is_same),
    }
}

/// The edges within the parts that nodes are in.
struct WithinParts<'a> {
    graph: &'a Graph,
    /// For each id the number of its part.
    parts: &'a [u32],
}

impl Edges for WithinParts<'_> {
    fn len(&self) -> usize {
        self.graph.len()
    }

    fn successor(&self, id: u32, nth: usize) -> Option<u32> {
        self.graph.successors(id).get(nth).copied()
    }

    fn counts(&self, from: u32, to: u32) -> bool {
        self.parts[from as usize] == self.parts[to as usize]
    }
}
