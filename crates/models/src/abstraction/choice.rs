//! The player's choices at a position, and the numbers of the adversaries' states at the next one.

use super::super::player_positions::PathEnd;
use super::DungeonMdp;
use super::block::Block;
use super::ghost_states::{StateIndex, rank};

const NONE: StateIndex = StateIndex::MAX;

#[derive(Debug)]
pub(super) struct PlayerChoices {
    /// True if the player can escape from here with one move when no adversary is in the way.
    pub(super) is_out: bool,
    pub(super) destinations: Vec<Destination>,
    /// For each tile, true if an adversary there may block the escape or more than its own tile.
    pub(super) is_near: Vec<bool>,
    pub(super) is_any_near: bool,
}

#[derive(Debug)]
pub(super) struct Destination {
    pub(super) position: u32,
    /// Maps the state of a ghost that has moved to its waiting state at the destination; [`NONE`] if the ghost is in the way.
    ghosts: Vec<StateIndex>,
    pub(super) zombies: ZombieOffsets,
    stride: usize,
}

/// The offsets of the zombies' combinations at a destination, relative to the row for the same ghosts. A combination consists of
/// the parities of hidden zombies and the tiles of the others.
#[derive(Debug)]
pub(super) enum ZombieOffsets {
    /// For each combination of parities, the offset of the first combination of tiles; the others follow it.
    Runs(Vec<usize>),
    Any {
        starts: Vec<u32>,
        offsets: Vec<u32>,
    },
}

impl Destination {
    pub(super) fn ghost(&self, here: StateIndex) -> Option<StateIndex> {
        let there = self.ghosts[usize::from(here)];
        (there != NONE).then_some(there)
    }

    /// Returns the index of the first value for these ghosts, which have moved; `None` if one of them is in the player's way.
    #[inline]
    pub(super) fn row(&self, ghosts: &[StateIndex]) -> Option<usize> {
        let mut there = [NONE; 8];
        for (there, &ghost) in there.iter_mut().zip(ghosts) {
            *there = self.ghost(ghost)?;
        }
        Some(rank(&there[..ghosts.len()]) * self.stride)
    }
}

impl PlayerChoices {
    pub(super) fn new(mdp: &DungeonMdp, blocks: &[Block], here: &Block) -> Self {
        let positions = &mdp.geometry.positions;
        let exit = mdp.dungeon.level.exit;
        let paths = positions.paths_around(here.position, |_| false);
        let is_out = paths.iter().any(|path| path.goal == PathEnd::Out);
        let destinations = positions
            .within_a_move(here.position)
            .map(|to| destination(mdp, here, &blocks[to as usize]));
        let speed = u32::from(mdp.dungeon.settings.speed);
        let is_near = |tile| {
            let is_there = mdp.geometry.distance(here.position, tile) <= speed;
            // With one step per turn, an adversary never blocks more than its own tile, and the escape only on the exit.
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

    /// Lists the positions to which a move may lead.
    pub(super) fn positions(&self) -> impl Iterator<Item = u32> {
        self.destinations
            .iter()
            .map(|destination| destination.position)
    }

    pub(super) fn bytes(&self) -> u64 {
        let lists = self.destinations.iter().map(|destination| {
            let zombies = match &destination.zombies {
                ZombieOffsets::Runs(firsts) => 8 * firsts.len(),
                ZombieOffsets::Any { starts, offsets } => 4 * (starts.len() + offsets.capacity()),
            };
            2 * destination.ghosts.len() + zombies
        });
        (lists.sum::<usize>() + self.is_near.len()) as u64
    }
}

fn destination(mdp: &DungeonMdp, here: &Block, there: &Block) -> Destination {
    let ghost = |state| there.waiting.find(state).unwrap_or(NONE);
    Destination {
        position: there.position,
        ghosts: here.moved.all().map(ghost).collect(),
        zombies: OffsetLists {
            mdp,
            here,
            there,
            turn: ZombieTurn::Over,
        }
        .zombies(),
        stride: there.width(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZombieTurn {
    /// The zombies have not moved yet.
    Open,
    Over,
}

pub(super) struct OffsetLists<'a> {
    pub(super) mdp: &'a DungeonMdp,
    pub(super) here: &'a Block,
    pub(super) there: &'a Block,
    pub(super) turn: ZombieTurn,
}

impl OffsetLists<'_> {
    pub(super) fn zombies(&self) -> ZombieOffsets {
        let (mut starts, mut offsets) = (vec![0], Vec::new());
        for parities in 0..1 << self.here.parities.len() {
            for zombies in 0..self.here.tile_combinations {
                self.add_offsets(parities, zombies, &mut offsets);
                starts.push(offsets.len() as u32);
            }
        }
        let side = self.here.tile_combinations;
        let is_run = |run: &[u32]| run.iter().zip(run[0]..).all(|(&at, next)| at == next);
        if offsets.len() + 1 == starts.len() && offsets.chunks(side).all(is_run) {
            return ZombieOffsets::Runs(offsets.chunks(side).map(|run| run[0] as usize).collect());
        }
        ZombieOffsets::Any { starts, offsets }
    }

    /// Adds the offsets of all values that a combination may lead to. Nature places the zombies that were hidden before.
    fn add_offsets(&self, parities: usize, zombies: usize, offsets: &mut Vec<u32>) {
        let mut bits = 0;
        for (nth, &zombie) in self.there.parities.iter().enumerate() {
            let parity = self
                .parity(zombie, parities, zombies)
                .expect("a parity is known wherever the tile is not");
            bits |= usize::from(parity) << nth;
        }
        let first = offsets.len();
        offsets.push((bits * self.there.tile_combinations) as u32);
        for slot in &self.there.slots {
            let tile = self.tile(slot.zombie, zombies);
            let parity = self.parity(slot.zombie, parities, zombies);
            let may_be = |&other: &u32| match (tile, parity) {
                (Some(tile), _) => other == tile,
                (None, Some(parity)) => parity_of(self.mdp, other) == parity,
                (None, None) => true,
            };
            let before: Vec<u32> = offsets.drain(first..).collect();
            for (nth, _) in (0..).zip(&slot.tiles).filter(|(_, tile)| may_be(tile)) {
                let step = nth * slot.stride as u32;
                offsets.extend(before.iter().map(|offset| offset + step));
            }
        }
    }

    fn tile(&self, zombie: usize, zombies: usize) -> Option<u32> {
        let slot = self.here.slots.iter().find(|slot| slot.zombie == zombie)?;
        Some(slot.tile_in(zombies))
    }

    fn parity(&self, zombie: usize, parities: usize, zombies: usize) -> Option<bool> {
        if let Some(tile) = self.tile(zombie, zombies) {
            return Some(parity_of(self.mdp, tile));
        }
        let nth = self
            .here
            .parities
            .iter()
            .position(|&other| other == zombie)?;
        Some((parities >> nth & 1 == 1) != (self.turn == ZombieTurn::Over))
    }
}

/// Returns the tile's parity: whether row + column is odd.
pub(super) fn parity_of(mdp: &DungeonMdp, tile: u32) -> bool {
    let (row, col) = mdp.dungeon.level.grid.position(mdp.geometry.cell(tile));
    (row + col) % 2 == 1
}
