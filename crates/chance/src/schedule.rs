//! Divides blocks into rounds for several threads.

use getaway_board::limits::Limit;

/// Calls `work` for rounds of at most `round_size` blocks, each round sorted by number. Of two neighbours, the one earlier in
/// `order` is in an earlier round, so the result does not depend on `round_size`. `neighbours` must be symmetric.
pub(super) fn run(
    order: &[usize],
    round_size: usize,
    neighbours: &[Vec<usize>],
    work: &mut dyn FnMut(&[usize]) -> Result<(), Limit>,
) -> Result<(), Limit> {
    if round_size < 2 {
        return order.iter().try_for_each(|&block| work(&[block]));
    }
    let mut places = vec![None; neighbours.len()];
    for (place, &block) in order.iter().enumerate() {
        places[block] = Some(place);
    }
    let later = |block: usize| {
        let (all, places) = (neighbours[block].iter().copied(), &places);
        all.filter(move |&other| places[other] > places[block])
    };
    // For each block, the number of neighbours that must finish first, and the length of the longest chain of blocks that wait
    // for it.
    let (mut waits, mut lengths) = (vec![0; neighbours.len()], vec![0; neighbours.len()]);
    for &block in order.iter().rev() {
        for other in later(block) {
            waits[other] += 1;
            lengths[block] = lengths[block].max(1 + lengths[other]);
        }
    }
    let mut ready = order.to_vec();
    ready.retain(|&block| waits[block] == 0);
    while !ready.is_empty() {
        ready.sort_by_key(|&block| lengths[block]);
        let mut round = ready.split_off(ready.len().saturating_sub(round_size));
        round.sort_unstable();
        work(&round)?;
        for other in round.into_iter().flat_map(later) {
            waits[other] -= 1;
            if waits[other] == 0 {
                ready.push(other);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
