use std::ops::Range;

use super::super::code::PackedAdversary;
use super::DungeonMdp;

pub(crate) type StateIndex = u16;

/// The states of an adversary, usually a ghost, for one position of the players. They are in the reading order of its tiles.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GhostStates {
    states: Vec<PackedAdversary>,
    /// The states of each tile: one for each cooldown, or a single one if the cooldown makes no difference there; none on a tile
    /// that was left out (see [`GhostStates::on`]).
    of_tile: Vec<Range<StateIndex>>,
}

impl GhostStates {
    /// Lists the states with the player at `position`, before the ghost's move if `waits` is true, otherwise after it. Cooldowns
    /// above `max` count as `max`. Returns `None` if there are too many states to number.
    pub(super) fn new(mdp: &DungeonMdp, position: u32, waits: bool, max: u8) -> Option<Self> {
        Self::on(mdp, position, waits, max, |tile| {
            mdp.can_stand(position, tile)
        })
    }

    /// Lists the states as [`Self::new`] does, but those of any adversary on the tiles for which `is_ground` holds.
    pub(crate) fn on(
        mdp: &DungeonMdp,
        position: u32,
        waits: bool,
        max: u8,
        is_ground: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let mut states = Vec::new();
        let mut of_tile = Vec::new();
        for tile in 0..mdp.geometry.tile_count() {
            let first = StateIndex::try_from(states.len()).ok()?;
            if is_ground(tile) {
                let is_one = mdp.will_see(position, tile, waits);
                let cooldowns = 0..=if is_one { 0 } else { max };
                states.extend(cooldowns.map(|cooldown| PackedAdversary::moved(tile, cooldown)));
            }
            of_tile.push(first..StateIndex::try_from(states.len()).ok()?);
        }
        Some(Self { states, of_tile })
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn numbers(&self) -> Range<StateIndex> {
        0..self.states.len() as StateIndex
    }

    pub(crate) fn at(&self, tile: u32) -> Range<StateIndex> {
        self.of_tile[tile as usize].clone()
    }

    pub(crate) fn before(&self, at: StateIndex) -> StateIndex {
        self.at(self.tile(at)).start
    }

    pub(crate) fn tile(&self, at: StateIndex) -> u32 {
        self.get(at).tile()
    }

    pub(crate) fn get(&self, at: StateIndex) -> PackedAdversary {
        self.states[usize::from(at)]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = PackedAdversary> + '_ {
        self.states.iter().copied()
    }

    pub(crate) fn find(&self, state: PackedAdversary) -> Option<StateIndex> {
        let states = self.of_tile[state.tile() as usize].clone();
        let last = states
            .end
            .checked_sub(1)
            .filter(|last| states.contains(last))?;
        Some(last.min(states.start + StateIndex::from(state.cooldown())))
    }
}

/// Consecutive states that lead to consecutive states elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateRun {
    pub(crate) here: usize,
    pub(crate) there: usize,
    pub(crate) len: usize,
}

impl StateRun {
    /// Joins pairs of a state here and the state there to which it leads, in the order of the states here.
    pub(crate) fn join(pairs: impl Iterator<Item = (StateIndex, StateIndex)>) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for (here, there) in pairs {
            let (here, there) = (usize::from(here), usize::from(there));
            match runs.last_mut() {
                Some(run) if (run.here + run.len, run.there + run.len) == (here, there) => {
                    run.len += 1;
                }
                _ => runs.push(Self {
                    here,
                    there,
                    len: 1,
                }),
            }
        }
        runs
    }
}

#[inline]
pub(crate) fn binomial(things: usize, size: usize) -> usize {
    match size {
        0 => 1,
        1 => things,
        2 => things * things.saturating_sub(1) / 2,
        _ => (0..size).fold(1, |count, nth| {
            count * things.saturating_sub(nth) / (nth + 1)
        }),
    }
}

/// Returns the colexicographic rank of an increasing list.
#[inline]
pub(crate) fn rank(list: &[StateIndex]) -> usize {
    match *list {
        [] => 0,
        [a] => a.into(),
        [a, b] => usize::from(a) + binomial(b.into(), 2),
        _ => (1..)
            .zip(list)
            .map(|(size, &at)| binomial(at.into(), size))
            .sum(),
    }
}

pub(super) fn unrank(rank: usize, size: usize) -> Vec<StateIndex> {
    let (mut list, mut rank) = (vec![0; size], rank);
    for (at, item) in list.iter_mut().enumerate().rev() {
        let (mut min, mut max) = (at, usize::from(StateIndex::MAX));
        while min < max {
            let middle = (min + max).div_ceil(2);
            if binomial(middle, at + 1) <= rank {
                min = middle;
            } else {
                max = middle - 1;
            }
        }
        rank -= binomial(min, at + 1);
        *item = min as StateIndex;
    }
    list
}

pub(super) fn for_each_list<E>(
    end: usize,
    size: usize,
    then: &mut impl FnMut(&[StateIndex]) -> Result<(), E>,
) -> Result<(), E> {
    let mut list: Vec<StateIndex> = (0..size as StateIndex).collect();
    if size > end {
        return Ok(());
    }
    loop {
        then(&list)?;
        let grows = (0..size).find(|&at| {
            let next = list.get(at + 1).map_or(end, |&next| next.into());
            usize::from(list[at]) + 1 < next
        });
        let Some(at) = grows else { return Ok(()) };
        list[at] += 1;
        for (lower, value) in list[..at].iter_mut().zip(0..) {
            *lower = value;
        }
    }
}

#[cfg(test)]
#[path = "ghost_states_tests.rs"]
mod tests;
