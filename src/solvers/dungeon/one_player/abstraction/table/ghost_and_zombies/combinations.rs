//! Combinations of zombies' tiles; a row has a value for each.

use std::ops::Range;

use crate::solvers::dungeon::one_player::abstraction::block::{Block, Slot};
use crate::solvers::dungeon::one_player::abstraction::ghost_states::StateIndex;

/// Each additional zombie doubles the number of sets for which a turn is computed.
pub(super) const MOST_ZOMBIES: usize = 3;

/// A half-open range of tiles for each zombie.
pub(super) type Region = [(usize, usize); MOST_ZOMBIES];

pub(super) fn whole(block: &Block) -> Region {
    let mut region = [(0, 1); MOST_ZOMBIES];
    for (tiles, slot) in region.iter_mut().zip(&block.slots) {
        tiles.1 = slot.tiles.len();
    }
    region
}

pub(super) fn with_zombie_at(block: &Block, nth: usize, local: StateIndex) -> Region {
    let mut region = whole(block);
    region[nth] = (local.into(), usize::from(local) + 1);
    region
}

/// The region in which exactly the zombies of `set` are before these tiles; `None` if empty.
pub(super) fn split(
    block: &Block,
    set: usize,
    firsts: [StateIndex; MOST_ZOMBIES],
) -> Option<Region> {
    let mut region = whole(block);
    for (nth, tiles) in region.iter_mut().enumerate().take(block.slots.len()) {
        let first = usize::from(firsts[nth]);
        if set >> nth & 1 == 1 {
            tiles.1 = first;
        } else {
            tiles.0 = first;
        }
    }
    region.iter().all(|(from, to)| from < to).then_some(region)
}

/// Calls `then` with the runs of combinations in a region, where zombies from `end` on may be on any tile.
pub(super) fn for_each_run(
    block: &Block,
    (region, end): (&Region, usize),
    then: &mut impl FnMut(Range<usize>),
) {
    if end == 0 {
        return then(0..block.width());
    }
    runs_from(&block.slots[..end], region, 0, then);
}

fn runs_from(
    slots: &[Slot],
    region: &[(usize, usize)],
    at: usize,
    then: &mut impl FnMut(Range<usize>),
) {
    let [slot, rest @ ..] = slots else { return };
    let (from, to) = region[0];
    if is_whole(rest, &region[1..]) {
        return then(at + from * slot.stride..at + to * slot.stride);
    }
    for local in from..to {
        runs_from(rest, &region[1..], at + local * slot.stride, then);
    }
}

fn is_whole(slots: &[Slot], region: &[(usize, usize)]) -> bool {
    let mut all = slots.iter().zip(region);
    all.all(|(slot, &tiles)| tiles == (0, slot.tiles.len()))
}
