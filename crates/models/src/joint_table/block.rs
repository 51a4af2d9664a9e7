//! The constant data of a block: the players' lines, and the adversaries' states and draws.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{DungeonMdp, JointPositions, Lines};
use crate::abstraction::{Draw, GhostStates, StateIndex, Target, sets};
use crate::code::PackedAdversary;
use crate::geometry::{Behaviour, Landing, TileStep};
use getaway_board::grid::Dir;
use getaway_board::limits::bytes;
use getaway_rules::dungeon::level::Ways;

#[derive(Debug)]
pub(super) struct Block {
    pub(super) lines: Vec<Line>,
    pub(super) sides: [Arc<Side>; 2],
    /// The block after each player is caught; `None` if that loses the game.
    pub(super) caught: Vec<(u32, Option<usize>)>,
    /// The tiles of each room to which a ghost may teleport.
    pub(super) rooms: Vec<Vec<u32>>,
    /// The only tile to which a ghost may teleport, if there is just one.
    pub(super) only: Option<u32>,
}

/// A way in which the players may move.
#[derive(Debug)]
pub(super) struct Line {
    /// The block at which it ends; `None` if it wins.
    pub(super) end: Option<usize>,
    /// The tiles that must be free of adversaries.
    pub(super) free: Vec<u32>,
    /// The tile on which an adversary must catch a player.
    pub(super) meets: Option<u32>,
}

/// The states of an adversary, and its draws.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) waiting: GhostStates,
    pub(super) moved: GhostStates,
    /// The draws, indexed by what is in the way and by state.
    draws: Vec<Draw>,
    /// The targets beyond the states that draws have.
    pub(super) ends: Vec<End>,
}

/// A result of a draw that is not a state of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The player with this number is caught by a ghost that then has this cooldown.
    Caught(usize, u8),
    /// The ghost teleports, and then has this cooldown.
    Teleports(u8),
}

/// What is in an adversary's way: the direction of the other one if it is adjacent, and whether this takes the last free tile.
type Obstacle = (Option<usize>, bool);

impl Side {
    pub(super) fn draw_at(&self, (way, is_full): Obstacle, state: StateIndex) -> &Draw {
        let nth = way.map_or(0, |way| way + 1) + if is_full { 5 } else { 0 };
        &self.draws[nth * self.waiting.len() + usize::from(state)]
    }

    /// Returns the target of no result.
    pub(super) fn none(&self) -> usize {
        self.moved.len()
    }

    /// Returns the number of targets.
    pub(super) fn targets(&self) -> usize {
        self.moved.len() + 1 + self.ends.len()
    }
}

impl Block {
    /// Returns the approximate number of bytes of the block.
    pub(super) fn bytes(&self) -> u64 {
        let [a, b] = [0, 1].map(|side| self.sides[side].draws.capacity());
        bytes::<Draw>(2 * (a + b)) + bytes::<Line>(2 * self.lines.capacity())
    }

    /// Lists the blocks on whose values this one depends.
    pub(super) fn sources(&self, blocks: &[Self]) -> Vec<usize> {
        let caught = self
            .caught
            .iter()
            .filter_map(|&(_, block)| Some(&blocks[block?]));
        let all = caught.chain([self]).flat_map(|block| &block.lines);
        let mut all: Vec<usize> = all.filter_map(|line| line.end).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the draw of an adversary in this state while the other one is on the tile `other`.
    pub(super) fn draw(
        &self,
        (side, state): (usize, StateIndex),
        other: u32,
        neighbours: &[[Option<u32>; 4]],
    ) -> &Draw {
        let side = &self.sides[side];
        let mut ways = neighbours[side.waiting.tile(state) as usize].iter();
        let way = ways.position(|&next| next == Some(other));
        side.draw_at((way, self.only == Some(other)), state)
    }
}

/// What all blocks of a level are made from.
pub(super) struct Plan<'a> {
    pub(super) mdp: &'a DungeonMdp,
    pub(super) joint: &'a JointPositions,
    pub(super) grounds: &'a [Vec<u32>; 2],
    pub(super) are_alike: bool,
    pub(super) max_cooldown: u8,
    pub(super) neighbours: &'a [[Option<u32>; 4]],
    pub(super) lines: &'a Lines,
    pub(super) number: &'a BTreeMap<u32, usize>,
}

impl Plan<'_> {
    /// Returns the number of states of a block; `None` if there are too many to number.
    pub(super) fn size(&self, position: u32) -> Option<usize> {
        let states = |side| Some(self.states(position, side, true)?.len());
        let [a, b] = [states(0)?, states(1)?];
        Some(if self.are_alike { sets(a, 2) } else { a * b })
    }

    /// Lists the states of an adversary before or after its move.
    fn states(&self, position: u32, side: usize, waits: bool) -> Option<GhostStates> {
        let is_ghost = side < self.mdp.ghosts;
        let max = if is_ghost { self.max_cooldown } else { 0 };
        let is_ground = |tile| self.grounds[side].binary_search(&tile).is_ok();
        GhostStates::on(self.mdp, position, waits, max, is_ground)
    }

    /// Makes the block of a position; `None` if there are too many states to number.
    pub(super) fn block(&self, position: u32) -> Option<Block> {
        let geometry = &self.mdp.geometry;
        let tile = |cell| {
            geometry
                .tile_at(cell)
                .expect("players walk on floor and doors")
        };
        let lines = self.lines[&position].iter().map(|line| Line {
            end: line.end.map(|end| self.number[&end]),
            free: line.free.iter().map(|&cell| tile(cell)).collect(),
            meets: line.meets.map(tile),
        });
        let players = self.joint.get(position);
        let caught = players.cells().iter().map(|&cell| {
            let block = self.joint.caught(players, cell);
            (tile(cell), block.map(|position| self.number[&position]))
        });
        let bare = |&tile: &u32| self.mdp.is_bare(position, tile);
        let rooms = geometry.rooms.iter();
        let mut rooms: Vec<Vec<u32>> = rooms
            .map(|room| room.iter().copied().filter(bare).collect())
            .collect();
        rooms.retain(|room| !room.is_empty());
        let only = match &rooms[..] {
            [room] if room.len() == 1 => Some(room[0]),
            _ => None,
        };
        let first = Arc::new(self.side(position, 0, (&rooms, only))?);
        let second = if self.are_alike {
            Arc::clone(&first)
        } else {
            Arc::new(self.side(position, 1, (&rooms, only))?)
        };
        Some(Block {
            lines: lines.collect(),
            sides: [first, second],
            caught: caught.collect(),
            only,
            rooms,
        })
    }

    fn side(
        &self,
        position: u32,
        at: usize,
        (rooms, only): (&[Vec<u32>], Option<u32>),
    ) -> Option<Side> {
        let is_ghost = at < self.mdp.ghosts;
        let mut side = Side {
            waiting: self.states(position, at, true)?,
            moved: self.states(position, at, false)?,
            draws: Vec::new(),
            ends: Vec::new(),
        };
        for is_full in [false, true] {
            if is_full && only.is_none() {
                break;
            }
            let can_teleport = !is_full && !rooms.is_empty();
            for way in [None, Some(0), Some(1), Some(2), Some(3)] {
                for state in side.waiting.numbers() {
                    let draw = self.draw(position, is_ghost, (way, can_teleport), state, &mut side);
                    side.draws.push(draw);
                }
            }
        }
        Some(side)
    }

    fn draw(
        &self,
        position: u32,
        is_ghost: bool,
        (way, can_teleport): (Option<usize>, bool),
        state: StateIndex,
        side: &mut Side,
    ) -> Draw {
        let Self { mdp, joint, .. } = *self;
        let packed = side.waiting.get(state);
        let (tile, cooldown) = (packed.tile(), packed.cooldown());
        let behaviour = match (is_ghost, cooldown) {
            (false, _) => Behaviour::Zombie,
            (true, 0) => Behaviour::ReadyGhost,
            (true, _) => Behaviour::CoolingGhost,
        };
        let next = self.neighbours[tile as usize];
        let is_blocked = |dir: &Dir| {
            let has_immobile =
                next[*dir as usize].is_some_and(|tile| mdp.geometry.has_immobile(tile));
            way == Some(*dir as usize) || has_immobile
        };
        let blocked = Ways::of(Dir::ALL.into_iter().filter(is_blocked));
        let intent = mdp
            .geometry
            .intent(&mdp.dungeon, position, tile, behaviour, blocked);
        let cooldown = intent.change.apply(cooldown, mdp.dungeon.settings.cooldown);
        let mut targets = Vec::new();
        let place = |side: &Side, tile| {
            let state = side.moved.find(PackedAdversary::moved(tile, cooldown));
            usize::from(state.expect("an adversary can be where it moves"))
        };
        for dir in intent.ways.iter() {
            let end = match mdp.geometry.landing(position, tile, dir) {
                Landing::Tile(to) => {
                    targets.push(place(side, to));
                    continue;
                }
                Landing::Teleport if !can_teleport => {
                    targets.push(place(side, tile));
                    continue;
                }
                Landing::Teleport => End::Teleports(cooldown),
                Landing::Caught => {
                    let TileStep::Tile(to) = mdp.geometry.step(tile, dir) else {
                        unreachable!("players stand on tiles");
                    };
                    let cells = joint.get(position);
                    let mut cells = cells.cells().iter();
                    let number = cells.position(|&cell| cell == mdp.geometry.cell(to));
                    End::Caught(number.expect("a player is caught"), cooldown)
                }
            };
            let nth = side.ends.iter().position(|&known| known == end);
            let nth = nth.unwrap_or_else(|| {
                side.ends.push(end);
                side.ends.len() - 1
            });
            targets.push(side.none() + 1 + nth);
        }
        if targets.is_empty() {
            targets.push(place(side, tile));
        }
        Draw::new(
            side.none() as Target,
            targets.into_iter().map(|target| target as Target),
        )
    }
}
