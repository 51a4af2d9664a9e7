//! Finds the maximal end components (MECs) of a graph (de Alfaro, *Formal verification of probabilistic systems*, 1997).

use super::graph::{BackwardGraph, Graph, IdLists};
use super::model::Owner;
use super::scc;
use getaway_board::limits::{Budget, Limit};

/// The maximal strongly connected parts of the graph that chance never leaves and the player need not leave.
#[derive(Debug)]
pub(super) struct Components {
    /// The component number of each id, starting at 1; 0 if the id is in no component. Empty if there are no components.
    labels: Vec<u32>,
    members: IdLists,
}

impl Components {
    /// Finds the components among the ids for which `is_in` holds: removes nodes that can't stay in their part, and splits the
    /// parts into strongly connected ones, until nothing changes.
    pub(super) fn of(
        backward: &BackwardGraph,
        is_in: impl Fn(u32) -> bool,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut labels = budget.filled(0, backward.graph.len())?;
        let ids = || backward.graph.ids().filter(|&id| is_in(id));
        let mut open = budget.with_capacity(ids().count())?;
        open.extend(ids());
        for &id in &open {
            labels[id as usize] = 1;
        }
        let mut connected = usize::MAX;
        loop {
            remove_leaving(backward, &mut labels, &open, budget)?;
            open.retain(|&id| labels[id as usize] != 0);
            // If no node was removed since the last split, the strongly connected parts are the components.
            if open.len() == connected || open.is_empty() {
                break;
            }
            connected = open.len();
            let edge = |id: u32, nth: usize| {
                let next = *backward.graph.successors(id).get(nth)?;
                let is_same = labels[id as usize] == labels[next as usize];
                Some(if is_same { next } else { id })
            };
            let parts = scc::components(labels.len(), open.iter().copied(), edge, budget)?;
            budget.free(std::mem::replace(&mut labels, parts));
        }
        // Without components, no node needs a label.
        if open.is_empty() {
            budget.free(std::mem::take(&mut labels));
        }
        let members = IdLists::by_label(&labels, &open, budget)?;
        budget.free(open);
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
fn remove_leaving(
    backward: &BackwardGraph,
    labels: &mut [u32],
    candidates: &[u32],
    budget: &Budget,
) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut stack = Vec::new();
    for &candidate in candidates.iter().rev() {
        budget.push(&mut stack, candidate)?;
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
