//! The states that a search has yet to expand.

use std::collections::VecDeque;

use super::Order;
use crate::rows::{reserve, vec_bytes};

/// A stack for depth-first search; for breadth-first search and A*, a queue with a bucket for each length of a line (Dial,
/// *Algorithm 360*, 1969).
#[derive(Debug)]
pub(super) struct Frontier {
    order: Order,
    stack: Vec<u32>,
    /// The length of the stack after the last pop: the states above it were found together.
    fresh: usize,
    /// The waiting states, by the minimum length of the lines through them, from `lowest` on.
    buckets: VecDeque<Vec<u32>>,
    lowest: usize,
    waiting: usize,
    /// The depth of each state, plus [`DONE`] once it has been popped.
    depths: Vec<u32>,
}

const DONE: u32 = 1 << 31;

impl Frontier {
    pub(super) const fn new() -> Self {
        Self {
            order: Order::DepthFirst,
            stack: Vec::new(),
            fresh: 0,
            buckets: VecDeque::new(),
            lowest: 0,
            waiting: 0,
            depths: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self, order: Order) {
        self.order = order;
        self.stack.clear();
        self.fresh = 0;
        self.buckets.clear();
        self.waiting = 0;
        self.depths.clear();
    }

    /// Queues a state that is reached in `depth` moves. A line through it takes at least `length` moves, which must not be less
    /// than the length at the last pop.
    pub(super) fn push(&mut self, number: u32, depth: u32, length: usize) {
        if self.order == Order::DepthFirst {
            return self.stack.push(number);
        }
        if self.buckets.is_empty() {
            self.lowest = length;
        }
        let bucket = length - self.lowest;
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(number);
        self.waiting += 1;
        if self.depths.len() == number as usize {
            self.depths.push(depth);
        } else {
            self.depths[number as usize] = depth;
        }
    }

    /// Removes and returns the next state; `None` if no state is left. A search for shortest lines also returns `None` if the
    /// lines through all remaining states are longer than `length`.
    pub(super) fn pop_within(&mut self, length: usize) -> Option<u32> {
        match self.order {
            Order::DepthFirst => {
                // The first of the states that were found together comes first.
                self.stack[self.fresh..].reverse();
                let number = self.stack.pop()?;
                self.fresh = self.stack.len();
                Some(number)
            }
            Order::Shortest => self.pop_shortest_within(length),
        }
    }

    /// Removes a state with the shortest lines through it. A state reached again on a shorter line is in several buckets; only
    /// the one popped first counts.
    fn pop_shortest_within(&mut self, length: usize) -> Option<u32> {
        loop {
            while let Some(number) = self.buckets.front_mut()?.pop() {
                self.waiting -= 1;
                let depth = &mut self.depths[number as usize];
                if *depth & DONE == 0 {
                    *depth |= DONE;
                    return Some(number);
                }
            }
            // The states popped last may lead to others with lines of this length, which would join this bucket.
            if self.lowest >= length {
                return None;
            }
            self.buckets.pop_front();
            self.lowest += 1;
        }
    }

    /// Returns the minimum length of the lines through the last state that was popped; without meaning in a depth-first search.
    pub(super) const fn lowest(&self) -> usize {
        self.lowest
    }

    /// Returns whether a known state was not expanded yet and `depth` is less than its depth; always false in a depth-first
    /// search, where depths do not matter.
    pub(super) fn is_shorter(&self, number: u32, depth: u32) -> bool {
        let known = self.depths.get(number as usize);
        known.is_some_and(|known| known & DONE == 0 && depth < *known)
    }

    /// Returns the depth after a move from the state `parent`; always 0 in a depth-first search.
    pub(super) fn depth_after(&self, parent: u32) -> u32 {
        let depth = self.depths.get(parent as usize);
        depth.map_or(0, |depth| (depth & !DONE) + 1)
    }

    /// Makes room for `states` states in total.
    pub(super) fn reserve(&mut self, states: usize) {
        match self.order {
            Order::DepthFirst => reserve(&mut self.stack, states),
            Order::Shortest => reserve(&mut self.depths, states),
        }
    }

    /// Returns the approximate memory for `states` states in total.
    pub(super) fn bytes(&self, states: usize) -> u64 {
        if self.order == Order::DepthFirst {
            return vec_bytes(&self.stack, states);
        }
        let waiting = self.waiting + states - self.depths.len();
        // A full bucket moves to one of twice the size.
        let buckets = (3 * waiting * size_of::<u32>()) as u64;
        buckets + vec_bytes(&self.depths, states)
    }
}

#[cfg(test)]
#[path = "frontier_tests.rs"]
mod tests;
