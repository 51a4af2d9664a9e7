//! Maximal end components (MECs): where the player can stay for ever.

use super::graph::{BackwardGraph, Graph, Lists};
use super::model::Owner;
use crate::limits::{Budget, Clock, Limit};

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
            labels = SccSearch::new(backward.graph, &parts, budget)?.split(&open)?;
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
        let mut clock = budget.clock();
        let count = open.iter().map(|&id| labels[id as usize]).max();
        let lists = count.unwrap_or(0) as usize + 1;
        // While they are filled, `starts[label + 1]` is where the next member goes.
        let mut starts = budget.filled(0_u32, lists + 2)?;
        for &id in open {
            clock.work(1)?;
            starts[labels[id as usize] as usize + 2] += 1;
        }
        for at in 1..starts.len() {
            clock.work(1)?;
            starts[at] += starts[at - 1];
        }
        let mut items = budget.filled(0, open.len())?;
        for &id in open {
            clock.work(1)?;
            let next = &mut starts[labels[id as usize] as usize + 1];
            items[*next as usize] = id;
            *next += 1;
        }
        starts.pop();
        let members = Lists::new(starts, items);
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

/// The search for strongly connected components (SCCs) within the parts: Gabow's path-based
/// algorithm, depth first, with its stacks on the heap.
struct SccSearch<'a> {
    graph: &'a Graph,
    parts: &'a [u32],
    budget: &'a Budget<'a>,
    /// When each node was entered, from 1; 0: not yet.
    entered: Vec<u32>,
    found: Vec<u32>,
    /// The stack of nodes that were entered and belong to no component yet.
    loose: Vec<u32>,
    /// The stack of those that may be the root of their component.
    roots: Vec<u32>,
    /// The path to the present node, and for each node on it how many successors were looked at.
    path: Vec<(u32, u32)>,
    time: u32,
    count: u32,
}

impl<'a> SccSearch<'a> {
    fn new(graph: &'a Graph, parts: &'a [u32], budget: &'a Budget<'a>) -> Result<Self, Limit> {
        Ok(Self {
            graph,
            parts,
            budget,
            entered: budget.filled(0, graph.len())?,
            found: budget.filled(0, graph.len())?,
            loose: Vec::new(),
            roots: Vec::new(),
            path: Vec::new(),
            time: 0,
            count: 0,
        })
    }

    /// The number of its component for each of `ids`, from 1, and 0 for all others.
    fn split(mut self, ids: &[u32]) -> Result<Vec<u32>, Limit> {
        let mut clock = self.budget.clock();
        for &id in ids {
            if self.entered[id as usize] == 0 {
                self.enter(id)?;
                self.walk(&mut clock)?;
            }
        }
        let Self { budget, .. } = self;
        budget.free(self.entered);
        budget.free(self.loose);
        budget.free(self.roots);
        budget.free(self.path);
        Ok(self.found)
    }

    fn walk(&mut self, clock: &mut Clock) -> Result<(), Limit> {
        while let Some((id, looked_at)) = self.path.last_mut() {
            clock.work(1)?;
            let id = *id;
            if let Some(&next) = self.graph.successors(id).get(*looked_at as usize) {
                *looked_at += 1;
                self.look(id, next)?;
            } else {
                self.path.pop();
                self.leave(id, clock)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, id: u32) -> Result<(), Limit> {
        self.time += 1;
        self.entered[id as usize] = self.time;
        self.budget.push(&mut self.loose, id)?;
        self.budget.push(&mut self.roots, id)?;
        self.budget.push(&mut self.path, (id, 0))
    }

    fn look(&mut self, id: u32, next: u32) -> Result<(), Limit> {
        if self.parts[id as usize] != self.parts[next as usize] {
            return Ok(());
        }
        let entered = self.entered[next as usize];
        if entered == 0 {
            return self.enter(next);
        }
        if self.found[next as usize] == 0 {
            let is_later = |root: &mut u32| self.entered[*root as usize] > entered;
            while self.roots.pop_if(is_later).is_some() {}
        }
        Ok(())
    }

    fn leave(&mut self, id: u32, clock: &mut Clock) -> Result<(), Limit> {
        if self.roots.pop_if(|root| *root == id).is_none() {
            return Ok(());
        }
        self.count += 1;
        loop {
            clock.work(1)?;
            let member = self.loose.pop().expect("a root is loose");
            self.found[member as usize] = self.count;
            if member == id {
                return Ok(());
            }
        }
    }
}
