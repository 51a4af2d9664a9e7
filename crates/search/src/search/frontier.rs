//! The states that a search has yet to expand.

use super::Order;
use crate::bucket_queue::BucketQueue;
use crate::rows::{reserve, vec_bytes};

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

    pub(super) fn push(&mut self, number: u32, depth: u32, length: usize) {
        match self.order {
            Order::DepthFirst => self.stack.push(number),
            Order::Shortest => self.queue.push(number, depth, length),
        }
    }

    /// Removes the next state. A search for shortest lines returns `None` if the lines through all remaining states are longer
    /// than `length`.
    pub(super) fn pop_within(&mut self, length: usize) -> Option<u32> {
        match self.order {
            Order::DepthFirst => {
                // The first of the states that were found together comes first.
                self.stack[self.fresh..].reverse();
                let number = self.stack.pop()?;
                self.fresh = self.stack.len();
                Some(number)
            }
            Order::Shortest => self.queue.pop_within(length),
        }
    }

    /// Returns the length of the shortest lines through the waiting states; 0 in a depth-first search.
    pub(super) const fn lowest(&self) -> usize {
        self.queue.lowest()
    }

    /// Returns whether a known state was not expanded yet and `depth` is less than its depth. In a depth-first search, depths do
    /// not matter.
    pub(super) fn is_shorter(&self, number: u32, depth: u32) -> bool {
        self.order == Order::Shortest && self.queue.is_shorter(number, depth)
    }

    /// Returns the depth after a move from the state `parent`; always 0 in a depth-first search.
    pub(super) fn depth_after(&self, parent: u32) -> u32 {
        match self.order {
            Order::DepthFirst => 0,
            Order::Shortest => self.queue.depth(parent) + 1,
        }
    }

    /// Makes room for `states` states in total.
    pub(super) fn reserve(&mut self, states: usize) {
        match self.order {
            Order::DepthFirst => reserve(&mut self.stack, states),
            Order::Shortest => self.queue.reserve(states),
        }
    }

    pub(super) fn bytes(&self, states: usize) -> u64 {
        match self.order {
            Order::DepthFirst => vec_bytes(&self.stack, states),
            Order::Shortest => self.queue.bytes(states),
        }
    }
}
