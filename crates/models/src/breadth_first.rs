//! Breadth-first search.

use std::collections::VecDeque;

/// Returns the number of steps to each node from the nearest of those in `first`; `u32::MAX` if no steps lead there. `number`
/// returns the index of a node, which is below `len`.
pub(super) fn distances<T: Copy, I: IntoIterator<Item = T>>(
    first: impl IntoIterator<Item = T>,
    len: usize,
    number: impl Fn(T) -> usize,
    next: impl Fn(T) -> I,
) -> Vec<u32> {
    let mut distances = vec![u32::MAX; len];
    let mut queue = VecDeque::from_iter(first);
    for &at in &queue {
        distances[number(at)] = 0;
    }
    while let Some(at) = queue.pop_front() {
        for to in next(at) {
            if distances[number(to)] == u32::MAX {
                distances[number(to)] = distances[number(at)] + 1;
                queue.push_back(to);
            }
        }
    }
    distances
}
