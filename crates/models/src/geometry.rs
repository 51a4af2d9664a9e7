use std::sync::Arc;

use super::MdpError;
use super::joint_positions::{JointPositions, Players};
use super::player_positions::PlayerPositions;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::limits::{Budget, Limit, bytes};
use getaway_rules::dungeon::level::{DirSet, Tile};
use getaway_rules::dungeon::{AdversaryKind, Dungeon, Surroundings};
use getaway_ruleset::Ruleset;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileStep {
    Blocked,
    /// The actor steps into a wall or void, and so teleports.
    Teleports,
    Tile(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landing {
    /// The adversary catches the player on this tile.
    Caught(u32),
    Teleport,
    Tile(u32),
}

/// The part of an adversary's state, besides its tile, on which its intent depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Behaviour {
    Zombie,
    ReadyGhost,
    CoolingGhost,
}

impl Behaviour {
    pub(super) const fn of(is_ghost: bool, cooldown: u8) -> Self {
        match (is_ghost, cooldown) {
            (false, _) => Self::Zombie,
            (true, 0) => Self::ReadyGhost,
            (true, _) => Self::CoolingGhost,
        }
    }
}

/// The tiles on which adversaries can be, numbered in reading order, the rooms of a level, and the positions of its players.
#[derive(Debug)]
pub(super) struct Geometry {
    /// The positions of a single player.
    pub(super) positions: Arc<PlayerPositions>,
    /// The positions of several players; `None` if there is only one.
    pub(super) joint: Option<JointPositions>,
    tiles: Vec<Cell>,
    tile_of: Vec<u32>,
    grid: Grid,
    steps: Vec<[TileStep; 4]>,
    neighbours: Vec<[Option<u32>; 4]>,
    /// The tiles of each room, except those of adversaries that never move.
    pub(super) rooms: Vec<Vec<u32>>,
    pub(super) room_tiles: usize,
    immobile: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Geometry {
    pub(super) fn new(dungeon: &Dungeon, budget: &Budget) -> Result<Self, MdpError> {
        let level = &dungeon.level;
        let mut at = dungeon.start();
        let stuck = dungeon.stuck();
        // With several players, one may walk into an adversary that never moves, and be caught while the others play on. So such
        // cells are among the positions.
        let is_joint = dungeon.players.len() > 1;
        at.adversaries
            .retain(|other| !is_joint && stuck.contains(other.cell));
        let positions = Arc::new(PlayerPositions::new(dungeon, at, budget)?);
        let joint = is_joint.then(|| JointPositions::new(dungeon, &positions, budget));
        let (tiles, tile_of) = adversary_tiles(dungeon, budget)?;
        let number = |cell: &Cell| tile_of[cell.index()];
        let mut immobile = budget.filled(false, tiles.len())?;
        for cell in stuck.iter(level.grid) {
            immobile[number(&cell) as usize] = true;
        }
        let mut all_steps = budget.with_capacity(tiles.len())?;
        let mut neighbours = budget.with_capacity(tiles.len())?;
        for &cell in &tiles {
            all_steps.push(steps(dungeon, &tile_of, cell));
            let next = |dir| level.grid.step(cell, dir).map(|next| number(&next));
            neighbours.push(Dir::ALL.map(|dir| next(dir).filter(|&next| next != NONE)));
        }
        let mut rooms = budget.with_capacity(level.rooms().len())?;
        for room in level.rooms() {
            budget.take(bytes::<u32>(room.len()))?;
            let free = room.iter().filter(|&&cell| !stuck.contains(cell));
            rooms.push(free.map(number).collect());
        }
        Ok(Self {
            grid: level.grid,
            steps: all_steps,
            neighbours,
            room_tiles: rooms.iter().map(Vec::len).sum(),
            rooms,
            immobile,
            positions,
            joint: joint.transpose()?,
            tiles,
            tile_of,
        })
    }

    /// Returns the number of positions of all players together. With several players, some of the numbers stand for no position.
    pub(super) fn position_count(&self) -> u32 {
        let joint = self.joint.as_ref().map(JointPositions::len);
        joint.unwrap_or_else(|| self.positions.len())
    }

    pub(super) fn players(&self, position: u32) -> Players {
        match &self.joint {
            None => Players::one(self.positions.get(position)),
            Some(joint) => joint.get(position),
        }
    }

    pub(super) fn has_immobile(&self, tile: u32) -> bool {
        self.immobile[tile as usize]
    }

    pub(super) fn is_immobile(&self, cell: Cell) -> bool {
        self.tile_at(cell)
            .is_some_and(|tile| self.has_immobile(tile))
    }

    pub(super) fn tile_count(&self) -> u32 {
        self.tiles.len() as u32
    }

    pub(super) fn cell(&self, tile: u32) -> Cell {
        self.tiles[tile as usize]
    }

    pub(super) fn distance(&self, position: u32, tile: u32) -> u32 {
        self.distance_to(self.positions.get(position).cell, tile)
    }

    pub(super) fn distance_to(&self, cell: Cell, tile: u32) -> u32 {
        self.grid.distance(cell, self.cell(tile))
    }

    pub(super) fn tile_at(&self, cell: Cell) -> Option<u32> {
        Some(self.tile_of[cell.index()]).filter(|&tile| tile != NONE)
    }

    /// Returns the tile next to this one in each direction; `None` if no adversary can be there.
    pub(super) fn neighbours(&self, tile: u32) -> &[Option<u32>; 4] {
        &self.neighbours[tile as usize]
    }

    pub(super) fn landing(&self, position: u32, tile: u32, dir: Dir) -> Landing {
        match self.steps[tile as usize][dir as usize] {
            TileStep::Tile(to) if self.players(position).cells().contains(&self.cell(to)) => {
                Landing::Caught(to)
            }
            TileStep::Tile(to) => Landing::Tile(to),
            TileStep::Teleports => Landing::Teleport,
            TileStep::Blocked => Landing::Tile(tile),
        }
    }

    /// Lists where an adversary may land by these ways. Without a way, it stays.
    pub(super) fn landings(
        &self,
        position: u32,
        tile: u32,
        ways: DirSet,
    ) -> impl Iterator<Item = Landing> {
        let stays = ways.is_empty().then_some(Landing::Tile(tile));
        let landing = move |dir| self.landing(position, tile, dir);
        ways.iter().map(landing).chain(stays)
    }

    /// Counts the ways open to a ghost under rule 6 of `dungeon`, as if there were no key and no other adversaries.
    pub(super) fn count_open_ways(&self, dungeon: &Dungeon, tile: u32) -> usize {
        let scene = Surroundings {
            players: &[],
            others: &[],
            key: None,
        };
        let ghost = AdversaryKind::Ghost { cooldown: 0 };
        dungeon.open_ways(self.cell(tile), ghost, &scene).len()
    }
}

/// Lists floor, doors, and the other tiles where an adversary starts; also returns the number of each of these tiles by cell.
fn adversary_tiles(dungeon: &Dungeon, budget: &Budget) -> Result<(Vec<Cell>, Vec<u32>), Limit> {
    let grid = dungeon.level.grid;
    let mut tile_of = budget.filled(NONE, grid.size())?;
    for other in &dungeon.adversaries {
        tile_of[other.cell.index()] = 0;
    }
    let mut tiles = Vec::new();
    for cell in grid.cells() {
        let is_open = matches!(dungeon.level.tile(cell), Tile::Floor | Tile::Door);
        let number = &mut tile_of[cell.index()];
        if is_open || *number != NONE {
            *number = tiles.len() as u32;
            budget.push(&mut tiles, cell)?;
        }
    }
    Ok((tiles, tile_of))
}

fn steps(dungeon: &Dungeon, tile_of: &[u32], from: Cell) -> [TileStep; 4] {
    Dir::ALL.map(|dir| match dungeon.level.grid.step(from, dir) {
        None => TileStep::Blocked,
        Some(to) if dungeon.level.tile(to).teleports() => TileStep::Teleports,
        Some(to) => TileStep::Tile(tile_of[to.index()]),
    })
}
