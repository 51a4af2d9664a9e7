//! The states that a search has yet to expand.

use super::Order;
use super::tables::Reach;
use crate::bucket_queue::BucketQueue;
use crate::rows::{reserve, vec_bytes};
use getaway_board::limits::Limit;

/// A stack for depth-first search, or a queue by the length of lines for breadth-first search and A*.
#[derive(Debug)]
pub(super) struct Frontier {
    order: Order,
    stack: Vec<u32>,
    /// The length of the stack after the last pop: the states above it were found together.
    fresh: usize,
    queue: BucketQueue,
}

impl Frontier {
    pub(super) const fn new() -> Self {
        Self {
            order: Order::DepthFirst,
            stack: Vec::new(),
            fresh: 0,
            queue: BucketQueue::new(),
        }
    }

    pub(super) fn clear(&mut self, order: Order) {
        self.order = order;
        self.stack.clear();
        self.fresh = 0;
        self.queue.clear();
    }

    pub(super) fn push(&mut self, number: u32, reach: Reach) {
        match self.order {
            Order::DepthFirst => self.stack.push(number),
            Order::BreadthFirst => self.queue.push(number, reach.depth, reach.length),
        }
    }

    /// Removes the next state and returns its number and depth. A breadth-first search returns `None` if the lines through all
    /// remaining states are longer than `length`.
    pub(super) fn pop_within(&mut self, length: usize) -> Option<(u32, u32)> {
        match self.order {
            Order::DepthFirst => {
                // The first of the states that were found together comes first.
                self.stack[self.fresh..].reverse();
                let number = self.stack.pop()?;
                self.fresh = self.stack.len();
                Some((number, 0))
            }
            Order::BreadthFirst => self.queue.pop_within(length),
        }
    }

    pub(super) fn put_back(&mut self, number: u32, depth: u32) {
        let length = self.lowest();
        self.push(number, Reach { depth, length });
    }

    /// Returns the length of the shortest lines through the waiting states; 0 in a depth-first search.
    pub(super) const fn lowest(&self) -> usize {
        self.queue.lowest()
    }

    /// Returns whether a known state was not expanded yet and `depth` is less than its depth, which only counts in a breadth-first
    /// search.
    pub(super) fn is_shorter(&self, number: u32, depth: u32) -> bool {
        self.order == Order::BreadthFirst && self.queue.is_shorter(number, depth)
    }

    /// Returns the depth after a move; always 0 if depths do not matter.
    pub(super) const fn depth_after(&self, depth: u32) -> u32 {
        match self.order {
            Order::DepthFirst => 0,
            Order::BreadthFirst => depth + 1,
        }
    }

    pub(super) fn has_list(&self, length: usize) -> bool {
        self.order == Order::DepthFirst || self.queue.has_list(length)
    }

    pub(super) fn list_bytes(&self, length: usize) -> u64 {
        self.queue.list_bytes(length)
    }

    pub(super) fn add_lists(&mut self, length: usize) {
        self.queue.add_lists(length);
    }

    /// Makes room for `states` states in total, `more` of them new.
    pub(super) fn reserve(&mut self, states: usize, more: usize) -> Result<(), Limit> {
        if self.queue.is_full(more) {
            return Err(Limit::Memory);
        }
        match self.order {
            Order::DepthFirst => reserve(&mut self.stack, states),
            Order::BreadthFirst => self.queue.reserve(states, more),
        }
        Ok(())
    }

    pub(super) fn bytes(&self, states: usize, more: usize) -> u64 {
        match self.order {
            Order::DepthFirst => vec_bytes(&self.stack, states),
            Order::BreadthFirst => self.queue.bytes(states, more),
        }
    }
}
