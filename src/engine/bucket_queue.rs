//! A priority queue for breadth-first search and A*, with a bucket for each length.

use super::rows::{reserve, vec_bytes};

#[derive(Debug, Default)]
pub struct BucketQueue {
    /// For each length, the newest state, as an index into `waiting`, or [`END`].
    newest: Vec<u32>,
    lowest: usize,
    waiting: Vec<Waiting>,
    free: u32,
    /// For each state, its depth, or [`DONE`] once it has been expanded.
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

    /// The number of lists to allocate: a few more than this length needs, since lengths mostly grow by one.
    const fn lists(length: usize) -> usize {
        length + length / 2 + 16
    }

    /// Queues a state reached in `depth` moves; lines through it have at least `length` moves.
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

    /// Returns a state with its depth. A state reached again on a shorter line is in two lists, and only the first
    /// entry counts.
    pub fn pop(&mut self) -> Option<(u32, u32)> {
        self.pop_within(usize::MAX)
    }

    pub const fn lowest(&self) -> usize {
        self.lowest
    }

    /// Like [`BucketQueue::pop`], but returns only a state through which a line may have this length.
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
mod tests {
    use super::*;
    use crate::limits::measured::Measured;

    fn push(ranks: &mut BucketQueue, number: u32, depth: u32, length: usize) {
        if !ranks.has_list(length) {
            ranks.add_lists(length);
        }
        ranks.push(number, depth, length);
    }

    #[test]
    fn the_shortest_come_first_and_of_these_the_newest() {
        let mut ranks = BucketQueue::new();
        for (number, length) in (0..).zip([5, 3, 40, 3]) {
            push(&mut ranks, number, 1, length);
        }
        let order: Vec<_> = std::iter::from_fn(|| ranks.pop()).collect();
        assert_eq!(order, [(3, 1), (1, 1), (0, 1), (2, 1)]);
    }

    #[test]
    fn a_state_counts_once_and_with_its_shorter_way() {
        let mut ranks = BucketQueue::new();
        push(&mut ranks, 0, 7, 9);
        assert!(ranks.is_shorter(0, 5));
        push(&mut ranks, 0, 5, 7);
        assert_eq!(ranks.pop(), Some((0, 5)));
        assert_eq!(ranks.pop(), None);
        assert!(!ranks.is_shorter(0, 1), "it has been looked at");
    }

    #[test]
    fn places_are_used_again() {
        let mut ranks = BucketQueue::new();
        for number in 0..1000 {
            push(&mut ranks, number, 1, 2);
            assert_eq!(ranks.pop(), Some((number, 1)));
        }
        assert_eq!(ranks.waiting.len(), 1);
    }

    /// Spare lists are allowed, so that longer lines rarely need more memory.
    #[test]
    fn lists_take_no_more_than_was_told() {
        for length in [0, 1, 10, 1000] {
            let mut ranks = BucketQueue::new();
            let told = ranks.list_bytes(length);
            let mut measured = Measured::default();
            measured.assert_takes(told, 0.0, || ranks.add_lists(length));
            assert!(ranks.has_list(length + length / 2 + 15));
            let taken = 4 * (length + length / 2 + 16) as u64;
            assert_eq!((told, ranks.bytes(0, 0)), (taken, taken));
        }
    }

    #[test]
    fn what_there_is_room_for_takes_no_more_than_was_told() {
        let mut ranks = BucketQueue::new();
        ranks.add_lists(2);
        for number in 0..10 {
            ranks.push(number, 1, 2);
        }
        let told = ranks.bytes(110, 100);
        ranks.reserve(110, 100);
        for number in 10..110 {
            ranks.push(number, 1, 2);
        }
        let taken = ranks.bytes(0, 0);
        assert!(told >= taken, "{told} {taken}");
        // A depth and an entry for each new state and for those added before.
        let least = 110 * (size_of::<u32>() + size_of::<Waiting>()) as u64;
        assert!(
            taken >= least && told <= 2 * least,
            "{least} {taken} {told}"
        );
    }

    #[test]
    fn places_are_numbered_up_to_the_last_that_means_none() {
        let mut ranks = BucketQueue::new();
        let most = END as usize;
        assert!(!ranks.is_full(most) && ranks.is_full(most + 1));
        push(&mut ranks, 0, 1, 2);
        assert!(!ranks.is_full(most - 1) && ranks.is_full(most));
    }
}
