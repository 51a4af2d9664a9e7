//! A priority queue for breadth-first search and A*, with a bucket for each length of a line (Dial, *Algorithm 360*, 1969).

use std::collections::VecDeque;

use super::rows::{reserve, vec_bytes};

#[derive(Debug, Default)]
pub struct BucketQueue {
    /// The waiting states, by the minimum length of the lines through them, from `lowest` on.
    buckets: VecDeque<Vec<u32>>,
    lowest: usize,
    waiting: usize,
    /// The depth of each state, plus [`DONE`] once it has been popped.
    depths: Vec<u32>,
}

const DONE: u32 = 1 << 31;

impl BucketQueue {
    pub const fn new() -> Self {
        Self {
            buckets: VecDeque::new(),
            lowest: 0,
            waiting: 0,
            depths: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.buckets.clear();
        self.depths.clear();
        self.waiting = 0;
    }

    /// Returns the approximate memory for `states` states in total.
    pub fn bytes(&self, states: usize) -> u64 {
        let waiting = self.waiting + states - self.depths.len();
        // A full bucket moves to one of twice the size.
        let buckets = (3 * waiting * size_of::<u32>()) as u64;
        buckets + vec_bytes(&self.depths, states)
    }

    pub fn reserve(&mut self, states: usize) {
        reserve(&mut self.depths, states);
    }

    /// Queues a state that is reached in `depth` moves. A line through it takes at least `length` moves, which must not be less
    /// than the length at the last pop.
    pub fn push(&mut self, number: u32, depth: u32, length: usize) {
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

    /// Returns the length of the lines through the last state that was popped.
    pub const fn lowest(&self) -> usize {
        self.lowest
    }

    /// Returns the number of moves in which a state is reached.
    pub fn depth(&self, number: u32) -> u32 {
        self.depths[number as usize] & !DONE
    }

    /// Removes the next state; returns `None` if all lines through the remaining states are longer than `length`. A state reached
    /// again on a shorter line is in several buckets; only the one popped first counts.
    pub fn pop_within(&mut self, length: usize) -> Option<u32> {
        loop {
            while let Some(number) = self.buckets.front_mut()?.pop() {
                self.waiting -= 1;
                let depth = &mut self.depths[number as usize];
                if *depth & DONE == 0 {
                    *depth |= DONE;
                    return Some(number);
                }
            }
            // The states popped last may lead to others of the same length.
            if self.lowest >= length {
                return None;
            }
            self.buckets.pop_front();
            self.lowest += 1;
        }
    }

    /// Returns whether a state was not popped yet and `depth` is less than its depth.
    pub fn is_shorter(&self, number: u32, depth: u32) -> bool {
        let known = self.depths[number as usize];
        known & DONE == 0 && depth < known
    }
}

#[cfg(test)]
#[path = "bucket_queue_tests.rs"]
mod tests;
