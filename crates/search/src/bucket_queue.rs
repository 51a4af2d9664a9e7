//! A priority queue for breadth-first search and A*, with a bucket for each length of a line.

use super::rows::{reserve, vec_bytes};

#[derive(Debug, Default)]
pub struct BucketQueue {
    /// For each length, the index in `waiting` of the newest entry, or [`END`].
    newest: Vec<u32>,
    lowest: usize,
    waiting: Vec<Waiting>,
    free: u32,
    /// For each state, its depth, or [`DONE`] once it has been popped.
    depths: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    number: u32,
    next: u32,
}

const DONE: u32 = u32::MAX;
const END: u32 = u32::MAX;

impl BucketQueue {
    pub const fn new() -> Self {
        Self {
            newest: Vec::new(),
            lowest: 0,
            waiting: Vec::new(),
            free: END,
            depths: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.newest.clear();
        self.waiting.clear();
        self.depths.clear();
        self.lowest = 0;
        self.free = END;
    }

    pub const fn is_full(&self, more: usize) -> bool {
        self.waiting.len() + more > END as usize
    }

    pub fn bytes(&self, states: usize, more: usize) -> u64 {
        vec_bytes(&self.depths, states)
            + vec_bytes(&self.waiting, self.waiting.len() + more)
            + vec_bytes(&self.newest, 0)
    }

    pub fn reserve(&mut self, states: usize, more: usize) {
        reserve(&mut self.depths, states);
        let waiting = self.waiting.len() + more;
        reserve(&mut self.waiting, waiting);
    }

    pub fn list_bytes(&self, length: usize) -> u64 {
        vec_bytes(&self.newest, Self::lists(length))
    }

    pub const fn has_list(&self, length: usize) -> bool {
        length < self.newest.len()
    }

    pub fn add_lists(&mut self, length: usize) {
        let lists = Self::lists(length);
        reserve(&mut self.newest, lists);
        self.newest.resize(lists, END);
    }

    /// Returns the new number of lists: half as many again as needed, since lengths mostly grow by one.
    const fn lists(length: usize) -> usize {
        length + length / 2 + 16
    }

    /// Queues a state that is reached in `depth` moves. A line through it takes at least `length` moves.
    pub fn push(&mut self, number: u32, depth: u32, length: usize) {
        let entry = Waiting {
            number,
            next: self.newest[length],
        };
        self.newest[length] = self.add(entry);
        self.lowest = self.lowest.min(length);
        if self.depths.len() == number as usize {
            self.depths.push(depth);
        } else {
            self.depths[number as usize] = depth;
        }
    }

    fn add(&mut self, entry: Waiting) -> u32 {
        if self.free == END {
            self.waiting.push(entry);
            return self.waiting.len() as u32 - 1;
        }
        let at = self.free;
        self.free = self.waiting[at as usize].next;
        self.waiting[at as usize] = entry;
        at
    }

    pub const fn lowest(&self) -> usize {
        self.lowest
    }

    /// Removes the next state and returns it with its depth; `None` if all lines through the remaining states are longer than
    /// `length`. A state reached again on a shorter line has entries in several buckets; only the one popped first counts.
    pub fn pop_within(&mut self, length: usize) -> Option<(u32, u32)> {
        while self.lowest <= length {
            let newest = self.newest.get_mut(self.lowest)?;
            let at = *newest;
            if at == END {
                self.lowest += 1;
                continue;
            }
            let Waiting { number, next } = self.waiting[at as usize];
            *newest = next;
            self.waiting[at as usize].next = self.free;
            self.free = at;
            let depth = std::mem::replace(&mut self.depths[number as usize], DONE);
            if depth != DONE {
                return Some((number, depth));
            }
        }
        None
    }

    pub fn is_shorter(&self, number: u32, depth: u32) -> bool {
        let known = self.depths[number as usize];
        known != DONE && depth < known
    }
}

#[cfg(test)]
#[path = "bucket_queue_tests.rs"]
mod tests;
