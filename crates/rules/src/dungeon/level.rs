//! The parts of a level that never change.

use getaway_board::grid::{Cell, Dir, Grid};

/// The structure of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// Floor of a room or a hallway.
    Floor,
    /// A door, which belongs to no room.
    Door,
    /// A wall drawn as `-`.
    Horizontal,
    /// A wall drawn as `|`.
    Vertical,
    /// The space outside of all rooms.
    Void,
}

impl Tile {
    /// Returns whether this is a wall of a room.
    pub const fn is_wall(self) -> bool {
        matches!(self, Self::Horizontal | Self::Vertical)
    }

    /// Returns whether a step onto the tile teleports a ghost; no other actor can step there.
    pub const fn teleports(self) -> bool {
        self.is_wall() || matches!(self, Self::Void)
    }

    /// Returns the glyph in board files.
    pub const fn glyph(self) -> char {
        match self {
            Self::Floor => '.',
            Self::Door => 'D',
            Self::Horizontal => '-',
            Self::Vertical => '|',
            Self::Void => 'X',
        }
    }
}

/// The number of a room, from 0, in the reading order of the rooms' first tiles.
pub type RoomNumber = u32;

/// The part of a board that no turn changes.
#[derive(Clone, Debug)]
pub struct Level {
    /// The shape of the board in tiles.
    pub grid: Grid,
    /// The key's cell at the start, if there is a key.
    pub key: Option<Cell>,
    /// The cell of the exit, if there is one.
    pub exit: Option<Cell>,
    pub(super) regions: Regions,
    tiles: Vec<Tile>,
    to_wall: Vec<u32>,
}

impl Level {
    /// Creates a level without a key or an exit, and finds its rooms. `tiles` has a tile for each cell, in reading order. Reports
    /// the work to `allow` in the units of [`Clock::work`](getaway_board::limits::Clock::work).
    ///
    /// # Errors
    ///
    /// Returns the first error of `allow`.
    ///
    /// # Panics
    ///
    /// Panics if there are more or fewer tiles than cells.
    pub fn new<E>(
        grid: Grid,
        tiles: Vec<Tile>,
        allow: &impl Fn(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        assert_eq!(tiles.len(), grid.size(), "a tile for each cell");
        let is_wall = |cell: Cell| tiles[cell.index()].teleports();
        let to_wall = grid.distances(is_wall, |cells| allow(cells * WORK))?;
        let regions = regions(grid, &tiles, allow)?;
        Ok(Self {
            grid,
            key: None,
            exit: None,
            regions,
            tiles,
            to_wall,
        })
    }

    /// Returns the bytes needed to make a level, including the level itself.
    pub(crate) const fn bytes_to_make(grid: Grid) -> u64 {
        // A flag for each tile, and a queue with up to twice the capacity needed.
        let scratch = size_of::<bool>() + 2 * size_of::<Cell>();
        Self::bytes(grid) + (scratch * grid.size()) as u64
    }

    /// Returns the approximate maximum size of a level on this grid, in bytes.
    pub const fn bytes(grid: Grid) -> u64 {
        let tile = size_of::<Tile>() + size_of::<Cell>() + size_of::<Option<RoomNumber>>();
        (tile + size_of::<u32>()) as u64 * grid.size() as u64
    }

    /// Returns the structure of a cell.
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// Returns the number of the room to which a cell belongs, if any.
    pub fn room_of(&self, cell: Cell) -> Option<RoomNumber> {
        self.regions.room_of[cell.index()]
    }

    pub(crate) fn share_a_room(&self, one: Cell, other: Cell) -> bool {
        let room = self.room_of(one);
        room.is_some() && room == self.room_of(other)
    }

    /// Returns the rooms, each with its tiles in reading order.
    pub fn rooms(&self) -> &[Vec<Cell>] {
        &self.regions.rooms
    }

    /// Returns the Manhattan distance to the nearest room wall or void; without any, the same large number everywhere.
    pub(super) fn to_wall(&self, cell: Cell) -> u32 {
        self.to_wall[cell.index()]
    }

    /// Returns the Manhattan distance from `from` to the nearest of `cells`; `None` if there are none.
    pub fn nearest(&self, from: Cell, cells: impl Iterator<Item = Cell>) -> Option<u32> {
        cells.map(|cell| self.grid.distance(from, cell)).min()
    }
}

/// The regions of floor (rule 1).
#[derive(Clone, Debug)]
pub(super) struct Regions {
    rooms: Vec<Vec<Cell>>,
    room_of: Vec<Option<RoomNumber>>,
    /// The tile that [`opening`] returns for each region that would be a room but for a gap at the edge of the board.
    pub(super) openings: Vec<Cell>,
}

const WORK: u64 = 8;

fn regions<E>(
    grid: Grid,
    tiles: &[Tile],
    allow: &impl Fn(u64) -> Result<(), E>,
) -> Result<Regions, E> {
    let (mut rooms, mut openings) = (Vec::new(), Vec::new());
    let mut room_of = vec![None; grid.size()];
    let mut seen = vec![false; grid.size()];
    let mut is_new = |cell: Cell| {
        let is_floor = tiles[cell.index()] == Tile::Floor;
        is_floor && !std::mem::replace(&mut seen[cell.index()], true)
    };
    let touches_outside = |&cell: &Cell| {
        let is_void = |(_, next): (Dir, Cell)| tiles[next.index()] == Tile::Void;
        grid.is_border(cell) || grid.neighbours(cell).any(is_void)
    };
    for first in grid.cells() {
        allow(1)?;
        if !is_new(first) {
            continue;
        }
        let (mut region, mut next) = (vec![first], 0);
        while let Some(&cell) = region.get(next) {
            next += 1;
            allow(2 * WORK)?;
            let neighbours = grid.neighbours(cell).map(|(_, to)| to);
            region.extend(neighbours.filter(|&to| is_new(to)));
        }
        if region.iter().any(touches_outside) {
            openings.extend(opening(grid, tiles, &region));
            continue;
        }
        region.sort_unstable();
        region.shrink_to_fit();
        for cell in &region {
            room_of[cell.index()] = Some(rooms.len() as RoomNumber);
        }
        rooms.push(region);
    }
    Ok(Regions {
        rooms,
        room_of,
        openings,
    })
}

/// Returns a region's first tile at the edge of the board if the region touches no void, and the edge only in one stretch of one
/// side; `None` otherwise.
fn opening(grid: Grid, tiles: &[Tile], region: &[Cell]) -> Option<Cell> {
    let is_void = |(_, next): (Dir, Cell)| tiles[next.index()] == Tile::Void;
    let touches = |dir: &Dir| region.iter().any(|&cell| grid.step(cell, *dir).is_none());
    let edge = || region.iter().copied().filter(|&cell| grid.is_border(cell));
    let (first, last) = edge().min().zip(edge().max())?;
    let is_stretch = edge().count() as u32 == grid.distance(first, last) + 1;
    let is_room = is_stretch
        && Dir::ALL.iter().filter(|dir| touches(dir)).count() == 1
        && !region
            .iter()
            .any(|&cell| grid.neighbours(cell).any(is_void));
    is_room.then_some(first)
}

/// A set of directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirSet(u8);

impl DirSet {
    /// Returns the directions in which a neighbour of `from` is `allowed`.
    pub fn of_neighbours(grid: Grid, from: Cell, allowed: impl Fn(Cell) -> bool) -> Self {
        let open = grid.neighbours(from).filter(|&(_, to)| allowed(to));
        Self::of(open.map(|(dir, _)| dir))
    }

    /// Returns the set of these directions.
    pub fn of(dirs: impl Iterator<Item = Dir>) -> Self {
        Self(dirs.fold(0, |set, dir| set | 1 << dir as u8))
    }

    /// Returns the set as bits: bit `i` stands for `Dir::ALL[i]`.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with these bits, of which it ignores those above the fourth.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// Returns whether there is no direction.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of directions.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the directions in the order of [`Dir::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Dir> {
        Dir::ALL
            .into_iter()
            .filter(move |&dir| self.0 & 1 << dir as u8 != 0)
    }

    #[must_use]
    pub(super) fn filter(self, expected: impl Fn(Dir) -> bool) -> Self {
        Self::of(self.iter().filter(|&dir| expected(dir)))
    }

    #[must_use]
    pub(super) fn min(self, cost: impl Fn(Dir) -> Option<u32>) -> Self {
        let min = self.iter().map(&cost).min();
        self.filter(|dir| Some(cost(dir)) == min)
    }

    #[must_use]
    pub(super) const fn or(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}

/// An adversary that is about to move, with the ways open to it.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) level: &'a Level,
    pub(super) from: Cell,
    pub(super) open: DirSet,
    pub(super) players: &'a [Cell],
}

impl<'a> Mover<'a> {
    pub(super) fn tile(&self, dir: Dir) -> Cell {
        let to = self.level.grid.step(self.from, dir);
        to.expect("a way leads to a tile of the level")
    }

    pub(super) fn players_within(self, radius: u32) -> impl Iterator<Item = Cell> + Clone + 'a {
        let is_near = move |cell: &Cell| self.level.grid.distance(self.from, *cell) <= radius;
        self.players.iter().copied().filter(is_near)
    }

    pub(super) fn players_in_room(self) -> impl Iterator<Item = Cell> + Clone + 'a {
        let is_there = move |cell: &Cell| self.level.share_a_room(self.from, *cell);
        self.players.iter().copied().filter(is_there)
    }
}

#[cfg(test)]
#[path = "level_tests.rs"]
mod tests;
