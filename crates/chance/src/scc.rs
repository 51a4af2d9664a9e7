//! Finds the strongly connected components (SCCs) of a graph.

use getaway_board::limits::{Budget, Clock, Limit};

/// The maximum number of nodes. Numbers above this stand for components.
pub(super) const MAX_NODES: u32 = u32::MAX / 2;

/// Returns the component number, starting at 1, of each node that is in `ids` or reachable from there; 0 for all others. Edges to
/// other components lead to lower numbers.
///
/// `edge` returns the target of a node's nth edge, or the node itself if the edge should be ignored; `None` after the last edge.
pub(super) fn components(
    len: usize,
    ids: impl IntoIterator<Item = u32>,
    edge: impl Fn(u32, usize) -> Option<u32>,
    budget: &Budget,
) -> Result<Vec<u32>, Limit> {
    let mut search = SccSearch {
        budget,
        numbers: budget.filled(UNVISITED, len)?,
        unassigned: Vec::new(),
        roots: Vec::new(),
        path: Vec::new(),
        time: 0,
        count: 0,
    };
    let mut clock = budget.clock();
    for id in ids {
        search.visit(id)?;
        search.walk(&edge, &mut clock)?;
    }
    budget.free(search.unassigned);
    budget.free(search.roots);
    budget.free(search.path);
    for number in search
        .numbers
        .iter_mut()
        .filter(|number| **number != UNVISITED)
    {
        *number = !*number;
    }
    Ok(search.numbers)
}

const UNVISITED: u32 = 0;

/// The algorithm of Gabow (*Path-based depth-first search for strong and biconnected components*, 2000), with its stacks on the
/// heap.
struct SccSearch<'a> {
    budget: &'a Budget<'a>,
    /// For each node, [`UNVISITED`] until it is entered, then the time when it was entered, and finally the bitwise complement of
    /// its component's number.
    numbers: Vec<u32>,
    /// Entered nodes that belong to no component yet.
    unassigned: Vec<u32>,
    /// The times of nodes that may be the roots of their components.
    roots: Vec<u32>,
    /// The nodes on the current path, each with the index of its next edge.
    path: Vec<(u32, usize)>,
    time: u32,
    count: u32,
}

impl SccSearch<'_> {
    fn walk(
        &mut self,
        edge: impl Fn(u32, usize) -> Option<u32>,
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        while let Some((id, nth)) = self.path.last_mut() {
            clock.work(1)?;
            let id = *id;
            if let Some(next) = edge(id, *nth) {
                *nth += 1;
                self.visit(next)?;
            } else {
                self.path.pop();
                self.finish(id, clock)?;
            }
        }
        Ok(())
    }

    fn visit(&mut self, next: u32) -> Result<(), Limit> {
        let number = self.numbers[next as usize];
        if number == UNVISITED {
            self.time += 1;
            self.numbers[next as usize] = self.time;
            self.budget.push(&mut self.unassigned, next)?;
            self.budget.push(&mut self.roots, self.time)?;
            return self.budget.push(&mut self.path, (next, 0));
        }
        // The number of a node whose component is known is above all times, so nothing is popped.
        while self.roots.pop_if(|root| *root > number).is_some() {}
        Ok(())
    }

    fn finish(&mut self, id: u32, clock: &mut Clock) -> Result<(), Limit> {
        let entered = self.numbers[id as usize];
        if self.roots.pop_if(|root| *root == entered).is_none() {
            return Ok(());
        }
        self.count += 1;
        loop {
            clock.work(1)?;
            let member = self
                .unassigned
                .pop()
                .expect("the members of a component are on the stack");
            self.numbers[member as usize] = !self.count;
            if member == id {
                return Ok(());
            }
        }
    }
}
