//! End components: where the player can stay for ever if it likes.

use super::Decider;
use super::graph::Graph;
use super::settle::Backward;

/// Parts of the graph, each connected, in which each draw stays and each choice can stay; none can
/// be made larger.
#[derive(Debug, Default)]
pub(super) struct Components {
    /// For each id the number of its component, from 1; 0 for none. Empty if there is no component.
    labels: Vec<u32>,
    /// The ids of each component, number 1 first.
    members: Vec<Vec<u32>>,
}

impl Components {
    /// The end components that lie within `open`, a list of ids in order.
    ///
    /// Nodes that can't stay in their part are taken out, and the parts are split where they are no
    /// longer connected, until nothing changes.
    pub(super) fn of(backward: &Backward, mut open: Vec<u32>) -> Self {
        let mut labels = vec![0; backward.graph.len()];
        for &id in &open {
            labels[id as usize] = 1;
        }
        let mut connected = usize::MAX;
        loop {
            erode(backward, &mut labels, open.clone());
            open.retain(|&id| labels[id as usize] != 0);
            if open.is_empty() {
                return Self::default();
            }
            if open.len() == connected {
                return Self::labelled(labels, &open);
            }
            connected = open.len();
            labels = Tangle::new(backward.graph, &labels).split(&open);
        }
    }

    fn labelled(labels: Vec<u32>, open: &[u32]) -> Self {
        let count = open
            .iter()
            .map(|&id| labels[id as usize])
            .max()
            .unwrap_or(0);
        let mut members = vec![Vec::new(); count as usize];
        for &id in open {
            members[labels[id as usize] as usize - 1].push(id);
        }
        Self { labels, members }
    }

    /// The number of the component that `id` belongs to, from 1; 0 for none.
    pub(super) fn label(&self, id: u32) -> u32 {
        self.labels.get(id as usize).copied().unwrap_or(0)
    }

    /// The ids of component `label`, in order.
    pub(super) fn members(&self, label: u32) -> &[u32] {
        &self.members[label as usize - 1]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }
}

/// Takes out of their parts, by label 0, the nodes that can't stay there; `suspects` are looked at
/// first.
fn erode(backward: &Backward, labels: &mut [u32], mut suspects: Vec<u32>) {
    while let Some(id) = suspects.pop() {
        let label = labels[id as usize];
        if label == 0 || stays(backward.graph, labels, id) {
            continue;
        }
        labels[id as usize] = 0;
        let before = backward.before.get(id).iter();
        suspects.extend(before.filter(|&&before| labels[before as usize] == label));
    }
}

/// Whether luck must, or the player can, stay in the part that this node belongs to.
fn stays(graph: &Graph, labels: &[u32], id: u32) -> bool {
    let is_same = |&next: &u32| labels[next as usize] == labels[id as usize];
    match graph.decider(id) {
        Decider::Luck => graph.nexts(id).iter().all(is_same),
        Decider::Player => graph.nexts(id).iter().any(is_same),
    }
}

/// The search for strongly connected components within the parts, by one walk that goes as deep as
/// it can: Gabow's algorithm, with its stacks on the heap.
struct Tangle<'a> {
    graph: &'a Graph,
    parts: &'a [u32],
    /// When each node was entered, from 1; 0: not yet.
    entered: Vec<u32>,
    found: Vec<u32>,
    /// Nodes that were entered and belong to no component yet.
    loose: Vec<u32>,
    /// Of these the ones that may be the first of their component.
    roots: Vec<u32>,
    /// The way to the node that the walk is at, and at each node on it how many nexts were looked
    /// at.
    path: Vec<(u32, usize)>,
    clock: u32,
    count: u32,
}

impl<'a> Tangle<'a> {
    fn new(graph: &'a Graph, parts: &'a [u32]) -> Self {
        Self {
            graph,
            parts,
            entered: vec![0; graph.len()],
            found: vec![0; graph.len()],
            loose: Vec::new(),
            roots: Vec::new(),
            path: Vec::new(),
            clock: 0,
            count: 0,
        }
    }

    /// The number of its component for each of `ids`, from 1, and 0 for all others.
    fn split(mut self, ids: &[u32]) -> Vec<u32> {
        for &id in ids {
            if self.entered[id as usize] == 0 {
                self.enter(id);
                self.walk();
            }
        }
        self.found
    }

    fn walk(&mut self) {
        while let Some((id, looked_at)) = self.path.last_mut() {
            let id = *id;
            if let Some(&next) = self.graph.nexts(id).get(*looked_at) {
                *looked_at += 1;
                self.look(id, next);
            } else {
                self.path.pop();
                self.leave(id);
            }
        }
    }

    fn enter(&mut self, id: u32) {
        self.clock += 1;
        self.entered[id as usize] = self.clock;
        self.loose.push(id);
        self.roots.push(id);
        self.path.push((id, 0));
    }

    fn look(&mut self, id: u32, next: u32) {
        if self.parts[id as usize] != self.parts[next as usize] {
            return;
        }
        let entered = self.entered[next as usize];
        if entered == 0 {
            self.enter(next);
        } else if self.found[next as usize] == 0 {
            while self
                .roots
                .last()
                .is_some_and(|&root| self.entered[root as usize] > entered)
            {
                self.roots.pop();
            }
        }
    }

    fn leave(&mut self, id: u32) {
        if self.roots.last() != Some(&id) {
            return;
        }
        self.roots.pop();
        self.count += 1;
        let from = self
            .loose
            .iter()
            .rposition(|&loose| loose == id)
            .expect("a root is loose");
        for member in self.loose.drain(from..) {
            self.found[member as usize] = self.count;
        }
    }
}
