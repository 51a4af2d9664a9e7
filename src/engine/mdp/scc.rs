//! Strongly connected components (SCCs).

use crate::limits::{Budget, Clock, Limit};

/// A graph of numbered nodes.
pub(super) trait Edges {
    /// The least number above all nodes.
    fn len(&self) -> usize;

    /// The successor of a node with this place among its successors, from 0.
    fn successor(&self, id: u32, nth: usize) -> Option<u32>;

    /// Whether the edge between these nodes counts.
    fn counts(&self, from: u32, to: u32) -> bool;
}

/// The number of its component for each of `ids` and the nodes after them, from 1, and 0 for all
/// others. The components that edges lead to have lower numbers than the one that they come from.
pub(super) fn components<E: Edges>(
    edges: &E,
    ids: impl IntoIterator<Item = u32>,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let search = SccSearch {
        edges,
        budget,
        entered: budget.filled(0, edges.len())?,
        found: budget.filled(0, edges.len())?,
        loose: Vec::new(),
        roots: Vec::new(),
        path: Vec::new(),
        time: 0,
        count: 0,
    };
    search.split(ids)
}

/// The search for components: Gabow's path-based algorithm, depth first, with its stacks on the
/// heap.
struct SccSearch<'a, E> {
    edges: &'a E,
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

impl<E: Edges> SccSearch<'_, E> {
    fn split(mut self, ids: impl IntoIterator<Item = u32>) -> Result<Vec<u32>, Limit> {
        let mut clock = self.budget.clock();
        for id in ids {
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
            if let Some(next) = self.edges.successor(id, *looked_at as usize) {
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
        if !self.edges.counts(id, next) {
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
