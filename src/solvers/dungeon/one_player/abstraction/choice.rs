//! The player's choices at a position, and the numbers of the adversaries' states at the next one.

use super::super::player_positions::Goal;
use super::OnePlayerMdp;
use super::block::Block;
use super::ghost_states::{StateIndex, rank};

const NONE: StateIndex = StateIndex::MAX;

#[derive(Debug)]
pub(super) struct Choice {
    /// True if the player can escape with no adversary in the way.
    pub(super) is_out: bool,
    pub(super) destinations: Vec<Destination>,
    /// True for tiles where an adversary may block more than that tile.
    pub(super) is_near: Vec<bool>,
    pub(super) is_any_near: bool,
}

#[derive(Debug)]
pub(super) struct Destination {
    pub(super) position: u32,
    /// Maps the state of a ghost that has moved to its waiting state there; [`NONE`] if the ghost is in the way.
    ghosts: Vec<StateIndex>,
    pub(super) zombies: Zombies,
    /// The number of values for each combination of ghosts.
    stride: usize,
}

/// Offsets of the zombies' combinations at a destination, relative to the row for the same ghosts.
#[derive(Debug)]
pub(super) enum Zombies {
    /// The destination tracks the same zombies.
    Same,
    /// Each combination has several possible values, since the destination tracks other zombies.
    Any { starts: Vec<u32>, offsets: Vec<u32> },
}

impl Destination {
    /// `None` if the ghost is in the way.
    pub(super) fn ghost(&self, here: StateIndex) -> Option<StateIndex> {
        let there = self.ghosts[usize::from(here)];
        (there != NONE).then_some(there)
    }

    /// The start of the values for these ghosts, which have moved; `None` if one is in the way.
    #[inline]
    pub(super) fn row(&self, ghosts: &[StateIndex]) -> Option<usize> {
        let mut there = [NONE; 8];
        for (there, &ghost) in there.iter_mut().zip(ghosts) {
            *there = self.ghosts[usize::from(ghost)];
            if *there == NONE {
                return None;
            }
        }
        Some(rank(&there[..ghosts.len()]) * self.stride)
    }
}

impl Choice {
    pub(super) fn new(mdp: &OnePlayerMdp, blocks: &[Block], here: &Block) -> Self {
        let positions = &mdp.geometry.positions;
        let exit = mdp.dungeon.level.exit;
        let paths = positions.paths(here.position);
        let is_out = paths.iter().any(|path| path.goal == Goal::Out);
        let destinations = positions.within_a_move(here.position);
        let destinations = destinations
            .into_iter()
            .map(|to| destination(here, &blocks[to as usize]));
        let speed = u32::from(mdp.dungeon.settings.speed);
        let is_near = |tile| {
            let is_there = mdp.geometry.distance(here.position, tile) <= speed;
            is_there && (speed > 1 || is_out && exit == Some(mdp.geometry.cell(tile)))
        };
        let is_near: Vec<bool> = (0..mdp.geometry.tile_count()).map(is_near).collect();
        Self {
            is_out,
            destinations: destinations.collect(),
            is_any_near: is_near.contains(&true),
            is_near,
        }
    }

    pub(super) fn destination(&self, position: u32) -> Option<&Destination> {
        self.destinations
            .iter()
            .find(|destination| destination.position == position)
    }

    pub(super) fn bytes(&self) -> u64 {
        let lists = self.destinations.iter().map(|destination| {
            let zombies = match &destination.zombies {
                Zombies::Same => 0,
                Zombies::Any { starts, offsets } => 4 * (starts.len() + offsets.capacity()),
            };
            2 * destination.ghosts.len() + zombies
        });
        (lists.sum::<usize>() + self.is_near.len()) as u64
    }
}

fn destination(here: &Block, there: &Block) -> Destination {
    let ghost = |state| there.waiting.find(state).unwrap_or(NONE);
    Destination {
        position: there.position,
        ghosts: here.moved.all().map(ghost).collect(),
        zombies: Zombies::new(here, there),
        stride: there.zombies,
    }
}

impl Zombies {
    /// Maps the combinations here to those there: nature places zombies that were hidden.
    pub(super) fn new(here: &Block, there: &Block) -> Self {
        let (mut starts, mut offsets) = (vec![0], Vec::new());
        for zombies in 0..here.zombies {
            add_offsets((here, there), zombies, &mut offsets);
            starts.push(offsets.len() as u32);
        }
        if offsets.len() + 1 == starts.len() && offsets.iter().copied().eq(0..here.zombies as u32) {
            return Self::Same;
        }
        Self::Any { starts, offsets }
    }
}

/// Adds the offsets of a combination's possible values.
fn add_offsets((here, there): (&Block, &Block), zombies: usize, offsets: &mut Vec<u32>) {
    let first = offsets.len();
    offsets.push(0);
    for slot in &there.slots {
        let known = here.slots.iter().find(|known| known.zombie == slot.zombie);
        let tile = known.map(|known| known.tile_in(zombies));
        let may_be = |other: u32| tile.is_none_or(|tile| tile == other);
        let before: Vec<u32> = offsets.drain(first..).collect();
        for (nth, _) in (0..).zip(&slot.tiles).filter(|(_, tile)| may_be(**tile)) {
            let step = nth * slot.stride as u32;
            offsets.extend(before.iter().map(|offset| offset + step));
        }
    }
}
