//! Strongly connected components (SCCs).

use std::ops::Range;

use crate::limits::{Budget, Clock, Limit};

/// The maximum number of nodes. Numbers above this stand for components.
pub(super) const MOST_NODES: u32 = u32::MAX / 2;

pub(super) trait Edges {
    /// Returns one more than the largest node, at most [`MOST_NODES`].
    fn len(&self) -> usize;

    fn edges(&self, id: u32) -> Range<u32>;

    fn target(&self, from: u32, edge: u32) -> u32;

    fn counts(&self, from: u32, to: u32) -> bool;
}

/// Returns the component number, starting at 1, of each node that is in `ids` or reachable from there; 0 for all others. Edges to
/// other components lead to lower numbers.
pub(super) fn components<E: Edges>(
    edges: &E,
    ids: impl IntoIterator<Item = u32>,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let search = SccSearch {
        edges,
        budget,
        numbers: budget.filled(NEW, edges.len())?,
        loose: Vec::new(),
        roots: Vec::new(),
        path: Vec::new(),
        time: 0,
        count: 0,
    };
    search.split(ids)
}

const NEW: u32 = 0;

/// Gabow's path-based algorithm, with its stacks on the heap.
struct SccSearch<'a, E> {
    edges: &'a E,
    budget: &'a Budget<'a>,
    /// The time, starting at 1, when each node was entered; once its component is known, the inverted number of the component.
    numbers: Vec<u32>,
    /// Entered nodes that belong to no component yet.
    loose: Vec<u32>,
    /// The times of nodes that may be the roots of their components.
    roots: Vec<u32>,
    path: Vec<(u32, Range<u32>)>,
    time: u32,
    count: u32,
}

impl<E: Edges> SccSearch<'_, E> {
    fn split(mut self, ids: impl IntoIterator<Item = u32>) -> Result<Vec<u32>, Limit> {
        let mut clock = self.budget.clock();
        for id in ids {
            if self.numbers[id as usize] == NEW {
                self.enter(id)?;
                self.walk(&mut clock)?;
            }
        }
        let Self { budget, .. } = self;
        budget.free(self.loose);
        budget.free(self.roots);
        budget.free(self.path);
        for number in &mut self.numbers {
            if *number != NEW {
                *number = !*number;
            }
        }
        Ok(self.numbers)
    }

    fn walk(&mut self, clock: &mut Clock) -> Result<(), Limit> {
        while let Some((id, edges)) = self.path.last_mut() {
            clock.work(1)?;
            let id = *id;
            if let Some(edge) = edges.next() {
                self.look(id, self.edges.target(id, edge))?;
            } else {
                self.path.pop();
                self.leave(id, clock)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, id: u32) -> Result<(), Limit> {
        self.time += 1;
        self.numbers[id as usize] = self.time;
        self.budget.push(&mut self.loose, id)?;
        self.budget.push(&mut self.roots, self.time)?;
        self.budget.push(&mut self.path, (id, self.edges.edges(id)))
    }

    fn look(&mut self, id: u32, next: u32) -> Result<(), Limit> {
        let number = self.numbers[next as usize];
        // Most edges lead to nodes whose component is known already.
        if number > self.time || !self.edges.counts(id, next) {
            return Ok(());
        }
        if number == NEW {
            return self.enter(next);
        }
        while self.roots.pop_if(|root| *root > number).is_some() {}
        Ok(())
    }

    fn leave(&mut self, id: u32, clock: &mut Clock) -> Result<(), Limit> {
        let entered = self.numbers[id as usize];
        if self.roots.pop_if(|root| *root == entered).is_none() {
            return Ok(());
        }
        self.count += 1;
        loop {
            clock.work(1)?;
            let member = self.loose.pop().expect("a root is loose");
            self.numbers[member as usize] = !self.count;
            if member == id {
                return Ok(());
            }
        }
    }
}
