//! Where adversaries can be at a position of the player, by numbers, and the numbers of several of a kind.

use std::ops::Range;

use super::super::OnePlayerMdp;
use super::super::code::PackedAdversary;
use crate::engine::mdp::ValueDomain;
use crate::limits::bytes;

/// The number of the state of an adversary among those of its kind at a position.
pub(super) type StateIndex = u16;

/// The most states of a kind at a position: as many as there are numbers that are not needed for other targets, of
/// which there is one, and one for each cooldown.
pub(super) const MAX_STATES: usize = StateIndex::MAX as usize - 1 - (u8::MAX as usize + 1);

/// Adversaries that are interchangeable.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// How many there are.
    pub(super) count: usize,
    /// The number of the room of zombies; `None` for ghosts.
    pub(super) room: Option<usize>,
}

/// The states that an adversary can have: each a tile and a cooldown. In the order of the tiles, which is the
/// reading order.
#[derive(Debug)]
pub(super) struct States {
    adversaries: Vec<PackedAdversary>,
    /// For each tile its states. There is a single one where the cooldown makes no difference, or one for each
    /// cooldown.
    of_tile: Vec<Range<StateIndex>>,
}

impl States {
    /// The states with the player at `position`, of an adversary that waits for its move or has made it; `None` if
    /// there are more than [`MAX_STATES`].
    pub(super) fn new(mdp: &OnePlayerMdp, position: u32, kind: &Kind, waits: bool) -> Option<Self> {
        let mut states = Self {
            adversaries: Vec::new(),
            of_tile: Vec::new(),
        };
        for tile in 0..mdp.geometry.tile_count() {
            let first = states.adversaries.len();
            let greatest = match kind.room {
                Some(room) if mdp.geometry.rooms[room].binary_search(&tile).is_err() => None,
                _ if !mdp.can_stand(position, tile) => None,
                Some(_) => Some(0),
                None if mdp.will_see(position, tile, waits) => Some(0),
                None => Some(mdp.most_cooldown()),
            };
            let all = greatest.into_iter().flat_map(|greatest| 0..=greatest);
            let adversaries = all.map(|cooldown| PackedAdversary::moved(tile, cooldown));
            states.adversaries.extend(adversaries);
            if states.adversaries.len() > MAX_STATES {
                return None;
            }
            let ends = [first, states.adversaries.len()];
            let [first, end] = ends.map(|at| at as StateIndex);
            states.of_tile.push(first..end);
        }
        Some(states)
    }

    /// How much memory the states of a position take at most, in bytes.
    pub(super) fn max_bytes(mdp: &OnePlayerMdp, kind: &Kind) -> u64 {
        let tiles = mdp.geometry.tile_count() as usize;
        let all = match kind.room {
            Some(room) => mdp.geometry.rooms[room].len(),
            None => tiles * (usize::from(mdp.most_cooldown()) + 1),
        };
        // A list may have grown to twice its length.
        bytes::<Range<StateIndex>>(2 * tiles) + bytes::<PackedAdversary>(2 * all.min(MAX_STATES))
    }

    pub(super) fn len(&self) -> usize {
        self.adversaries.len()
    }

    /// All numbers in order.
    pub(super) fn all(&self) -> Range<StateIndex> {
        0..self.adversaries.len() as StateIndex
    }

    pub(super) fn adversary(&self, at: StateIndex) -> PackedAdversary {
        self.adversaries[usize::from(at)]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = PackedAdversary> {
        self.adversaries.iter().copied()
    }

    pub(super) fn tile(&self, at: StateIndex) -> u32 {
        self.adversaries[usize::from(at)].tile()
    }

    /// The states at a tile.
    pub(super) fn at(&self, tile: u32) -> Range<StateIndex> {
        self.of_tile[tile as usize].clone()
    }

    /// How many states are at tiles before this one.
    pub(super) fn before(&self, tile: u32) -> StateIndex {
        self.of_tile
            .get(tile as usize)
            .map_or(self.len() as StateIndex, |states| states.start)
    }

    /// The state of an adversary with this cooldown; `None` if it can't be there.
    pub(super) fn find(&self, tile: u32, cooldown: u8) -> Option<StateIndex> {
        let states = self.at(tile);
        match states.len() {
            0 => None,
            1 => Some(states.start),
            _ => Some(states.start + StateIndex::from(cooldown)),
        }
    }
}

/// How many sets of `nth` states there are below this one: the part that the greatest of `nth` has in the number of
/// a set.
pub(super) fn part(state: StateIndex, nth: usize) -> usize {
    let state = usize::from(state);
    match nth {
        1 => state,
        _ => state * state.saturating_sub(1) / 2,
    }
}

/// The most adversaries of a kind, for [`part`].
pub(super) const MAX_OF_A_KIND: usize = 2;

/// The states of `count` adversaries of a kind, in order, whose number this is.
pub(super) fn unpack(number: usize, count: usize) -> [StateIndex; MAX_OF_A_KIND] {
    if count < 2 {
        return [number as StateIndex, 0];
    }
    let mut later = ((2.0 * number as f64).sqrt()) as StateIndex;
    while part(later, 2) > number {
        later -= 1;
    }
    while part(later + 1, 2) <= number {
        later += 1;
    }
    [(number - part(later, 2)) as StateIndex, later]
}

/// How the states of several kinds make a single number: those of the first kind change it least.
#[derive(Debug)]
pub(super) struct Shape {
    /// For each kind how far apart the numbers of neighbouring sets are.
    pub(super) strides: Vec<usize>,
    pub(super) len: usize,
}

impl Shape {
    /// The shape for so many adversaries of each kind, and their states; `None` if there are too many numbers.
    pub(super) fn new(kinds: &[Kind], states: &[States], most: usize) -> Option<Self> {
        let mut shape = Self {
            strides: Vec::new(),
            len: 1,
        };
        for (kind, states) in kinds.iter().zip(states) {
            shape.strides.push(shape.len);
            let sets = part(states.all().end, kind.count);
            shape.len = shape.len.checked_mul(sets).filter(|&len| len <= most)?;
        }
        Some(shape)
    }
}

/// An adversary by its kind, and by how many of the kind have lower states, itself included.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) kind: usize,
    pub(super) nth: usize,
}

/// All adversaries: the last one first.
pub(super) fn members(kinds: &[Kind]) -> impl DoubleEndedIterator<Item = Member> {
    let all = kinds.iter().enumerate();
    let all = all
        .flat_map(|(kind, &Kind { count, .. })| (1..=count).map(move |nth| Member { kind, nth }));
    let all: Vec<Member> = all.collect();
    all.into_iter().rev()
}

/// Makes all values neutral for which two adversaries are on a tile; `states` are theirs, in the order of the values.
pub(super) fn exclude<V: ValueDomain>(states: &[&States], values: &mut [V]) {
    let Some((first, rest)) = states.split_first() else {
        return;
    };
    if rest.is_empty() {
        return;
    }
    let len = values.len() / first.len().max(1);
    for (state, values) in first.all().zip(values.chunks_exact_mut(len.max(1))) {
        exclude_tile(first.tile(state), rest, values);
        exclude(rest, values);
    }
}

/// Makes all values neutral for which an adversary is on this tile.
pub(super) fn exclude_tile<V: ValueDomain>(tile: u32, states: &[&States], values: &mut [V]) {
    let mut inner = values.len();
    for states in states {
        let side = states.len().max(1);
        inner /= side;
        let taken = states.at(tile);
        if taken.is_empty() {
            continue;
        }
        let taken = usize::from(taken.start) * inner..usize::from(taken.end) * inner;
        for chunk in values.chunks_exact_mut(side * inner) {
            chunk[taken.clone()].fill(V::NEUTRAL);
        }
    }
}
