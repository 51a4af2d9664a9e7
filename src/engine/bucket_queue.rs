//! A queue by length: the states of a breadth-first search that wait to be looked at.

use super::rows::{reserve, vec_bytes};

/// The states still to be looked at, by the least length of a line of play through them.
#[derive(Debug, Default)]
pub struct BucketQueue {
    /// For each length the newest of its states, as a place in `waiting`, or [`END`].
    newest: Vec<u32>,
    /// No state has a lesser length than this.
    lowest: usize,
    waiting: Vec<Waiting>,
    /// The first place in `waiting` that is free, or [`END`].
    free: u32,
    /// For each state the number of moves to it, or [`DONE`] once it has been looked at.
    depths: Vec<u32>,
}

/// A state that waits; lists of them are linked.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    number: u32,
    next: u32,
}

/// In the place of a state's depth after it has been looked at.
const DONE: u32 = u32::MAX;
/// The end of a list.
const END: u32 = u32::MAX;

impl BucketQueue {
    /// No state waits.
    pub const fn new() -> Self {
        Self {
            newest: Vec::new(),
            lowest: 0,
            waiting: Vec::new(),
            free: END,
            depths: Vec::new(),
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.newest.clear();
        self.waiting.clear();
        self.depths.clear();
        self.lowest = 0;
        self.free = END;
    }

    /// Whether so many more states can't be told apart by their places.
    pub const fn is_full(&self, more: usize) -> bool {
        self.waiting.len() + more > END as usize
    }

    /// The bytes that it takes with room for `states` states, `more` of which are yet to come.
    pub fn bytes(&self, states: usize, more: usize) -> u64 {
        vec_bytes(&self.depths, states)
            + vec_bytes(&self.waiting, self.waiting.len() + more)
            + vec_bytes(&self.newest, 0)
    }

    /// Makes room for `states` states in all, and for `more` of them to wait.
    pub fn reserve(&mut self, states: usize, more: usize) {
        reserve(&mut self.depths, states);
        let waiting = self.waiting.len() + more;
        reserve(&mut self.waiting, waiting);
    }

    /// The bytes that the lists take, as long as no line is longer than `length`.
    pub fn list_bytes(&self, length: usize) -> u64 {
        vec_bytes(&self.newest, Self::lists(length))
    }

    /// Whether there is a list for lines of this length.
    pub const fn has_list(&self, length: usize) -> bool {
        length < self.newest.len()
    }

    /// Makes lists for lines of up to this length.
    pub fn add_lists(&mut self, length: usize) {
        let lists = Self::lists(length);
        reserve(&mut self.newest, lists);
        self.newest.resize(lists, END);
    }

    /// How many lists there should be when one of this length is wanted: with some to spare, since longer
    /// lines mostly come one move longer each.
    const fn lists(length: usize) -> usize {
        length + length / 2 + 16
    }

    /// Notes that a state can be got to in `depth` moves, and that lines through it take `length` moves
    /// at least.
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

    /// The place where an entry is put.
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

    /// The next state with its depth. A state that was come by on a shorter way later stands in two
    /// lists, and counts in the first.
    pub fn pop(&mut self) -> Option<(u32, u32)> {
        self.pop_within(usize::MAX)
    }

    /// The least length of a line through any state that waits, as far as that is known.
    pub const fn lowest(&self) -> usize {
        self.lowest
    }

    /// As [`BucketQueue::pop`], if there is a state through which a line may have this length.
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

    /// Whether a way of `depth` moves to a known state is shorter than the one before.
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

    /// There are some to spare, so that longer lines seldom want more of them.
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
        // A depth and an entry each, and what was there before.
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
