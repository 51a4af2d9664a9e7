//! The zombies tracked at each position, and what is known about the others.

use super::DungeonMdp;
use crate::breadth_first;
use getaway_board::grid::Cell;
use getaway_rules::dungeon::Strategy;
use getaway_rules::dungeon::level::{RoomNumber, Tile};

/// The mobile zombies in the order that they have in nodes, and how much is kept about each.
#[derive(Debug)]
pub(super) struct Tracking {
    rooms: Vec<RoomNumber>,
    distances: Vec<Vec<u32>>,
    /// A zombie is tracked while the player is within this many steps of its room.
    reach: u32,
    always: Vec<bool>,
    /// True for each zombie that steps to a tile of the other parity every turn while no player is in its room, whatever the
    /// ghosts do.
    alternates: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tracked {
    Tile,
    Parity,
    Nothing,
}

impl Tracking {
    /// Tracks a zombie while the player is within `steps` steps of its room, wherever a move may lead into the room, and always
    /// in small rooms.
    pub(super) fn new(mdp: &DungeonMdp, steps: u32) -> Self {
        let rooms = zombie_rooms(mdp);
        let count = |room| rooms.iter().filter(|&&other| other == room).count();
        let is_small = |&room: &RoomNumber| {
            let tiles = mdp.geometry.rooms[room as usize].len();
            // The player, the key and the exit each occupy a tile, and a ghost that teleports needs a free one.
            tiles <= count(room) + mdp.ghosts + 3
        };
        let alternates = |&room: &RoomNumber| count(room) == 1 && always_steps(mdp, room);
        Self {
            distances: rooms.iter().map(|&room| distances(mdp, room)).collect(),
            reach: steps.max(mdp.dungeon.settings.speed.into()),
            always: rooms.iter().map(is_small).collect(),
            alternates: rooms.iter().map(alternates).collect(),
            rooms,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rooms.len()
    }

    pub(super) fn room(&self, zombie: usize) -> RoomNumber {
        self.rooms[zombie]
    }

    pub(super) fn are_apart(&self) -> bool {
        let mut rooms = self.rooms.clone();
        rooms.sort_unstable();
        rooms.windows(2).all(|pair| pair[0] != pair[1])
    }

    pub(super) fn kept(&self, zombie: usize, cell: usize) -> Tracked {
        if self.always[zombie] || self.distances[zombie][cell] <= self.reach {
            Tracked::Tile
        } else if self.alternates[zombie] {
            Tracked::Parity
        } else {
            Tracked::Nothing
        }
    }
}

fn zombie_rooms(mdp: &DungeonMdp) -> Vec<RoomNumber> {
    let node = mdp.unpack(getaway_chance::Mdp::initial(mdp));
    let room = |tile| mdp.dungeon.level.room_of(mdp.geometry.cell(tile));
    let zombies = node.adversaries[mdp.ghosts..].iter();
    zombies
        .map(|zombie| room(zombie.tile()).expect("a zombie that can move is in a room"))
        .collect()
}

/// Returns the number of steps to the room, indexed by cell; `u32::MAX` if no steps lead there.
fn distances(mdp: &DungeonMdp, room: RoomNumber) -> Vec<u32> {
    let level = &mdp.dungeon.level;
    let inside = level.rooms()[room as usize].iter().copied();
    let is_open = |&next: &Cell| matches!(level.tile(next), Tile::Floor | Tile::Door);
    let next = |cell| {
        let neighbours = level.grid.neighbours(cell);
        neighbours.map(|(_, next)| next).filter(is_open)
    };
    breadth_first::distances(inside, level.grid.size(), Cell::index, next)
}

/// Returns whether a zombie in this room, alone with the ghosts, always has a way to go, so that its parity changes
/// every turn while no player is in the room.
fn always_steps(mdp: &DungeonMdp, room: RoomNumber) -> bool {
    let level = &mdp.dungeon.level;
    // Under `chase`, zombies do not step on objects, but may start on one.
    let is_barred = |cell| {
        mdp.dungeon.settings.strategy == Strategy::Chase
            && (level.exit == Some(cell) || level.key == Some(cell))
    };
    level.rooms()[room as usize].iter().all(|&cell| {
        let neighbours = level.grid.neighbours(cell);
        let is_way = |&(_, to): &(_, Cell)| {
            let is_free = !is_barred(to) && !mdp.geometry.is_immobile(to);
            is_free && level.room_of(to) == Some(room)
        };
        let ways = neighbours.filter(is_way);
        ways.count() > mdp.ghosts
    })
}
