//! A level: what never changes during a game, and what the rules ask about it.

use std::convert::Infallible;

use crate::grid::{Cell, Dir, Grid};

/// What a tile is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// Floor.
    Floor,
    /// A door.
    Door,
    /// A room wall that runs from left to right, `-`.
    Horizontal,
    /// A room wall that runs up and down, `|`.
    Vertical,
    /// Void.
    Void,
}

impl Tile {
    /// Whether the tile is a room wall.
    pub const fn is_wall(self) -> bool {
        matches!(self, Self::Horizontal | Self::Vertical)
    }

    /// Whether a ghost that steps there is teleported; nobody else can step there.
    pub const fn teleports(self) -> bool {
        self.is_wall() || matches!(self, Self::Void)
    }

    /// The glyph of a compact drawing.
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

/// The number of a room, from 0, in reading order of its first tile.
pub type RoomNumber = u32;

/// The structure of a level and its objects.
#[derive(Clone, Debug)]
pub struct Level {
    /// The level's shape.
    pub grid: Grid,
    /// The tile where the key lies at the start.
    pub key: Option<Cell>,
    /// The exit.
    pub exit: Option<Cell>,
    tiles: Vec<Tile>,
    /// The rooms, each with its tiles in reading order.
    rooms: Vec<Vec<Cell>>,
    room_of: Vec<Option<RoomNumber>>,
    to_wall: Vec<u32>,
}

impl Level {
    /// A level of these tiles, in row-major order, without key or exit.
    ///
    /// # Panics
    ///
    /// If there isn't one tile for each cell of `grid`.
    pub fn new(grid: Grid, tiles: Vec<Tile>) -> Self {
        let Ok(level) = Self::while_allowed(grid, tiles, &|_| Ok::<(), Infallible>(()));
        level
    }

    /// The same, as long as `allow` allows so much work, in the units of
    /// [`Clock::work`](crate::limits::Clock::work).
    ///
    /// # Errors
    ///
    /// Those of `allow`.
    ///
    /// # Panics
    ///
    /// If there isn't one tile for each cell of `grid`.
    pub fn while_allowed<E>(
        grid: Grid,
        tiles: Vec<Tile>,
        allow: &impl Fn(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        assert_eq!(tiles.len(), grid.size(), "a tile for each cell");
        let to_wall = distances_to_wall(grid, &tiles, allow)?;
        let (rooms, room_of) = rooms(grid, &tiles, allow)?;
        Ok(Self {
            grid,
            key: None,
            exit: None,
            tiles,
            rooms,
            room_of,
            to_wall,
        })
    }

    /// How much memory it takes at most to make a level of this shape, with the level itself, in bytes.
    pub(crate) const fn bytes_to_make(grid: Grid) -> u64 {
        // Which tiles were seen; a queue, which may have twice the room that it needs.
        let scratch = size_of::<bool>() + 2 * size_of::<Cell>();
        Self::bytes(grid) + (scratch * grid.size()) as u64
    }

    /// How much memory a level of this shape takes at most, in bytes.
    pub(crate) const fn bytes(grid: Grid) -> u64 {
        let tile = size_of::<Tile>() + size_of::<Cell>() + size_of::<Option<RoomNumber>>();
        (tile + size_of::<u32>()) as u64 * grid.size() as u64
    }

    /// What the tile is made of.
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// The room that the tile belongs to; `None` for all but the floor of rooms.
    pub fn room_of(&self, cell: Cell) -> Option<RoomNumber> {
        self.room_of[cell.index()]
    }

    /// The rooms, each with its tiles in reading order.
    pub fn rooms(&self) -> &[Vec<Cell>] {
        &self.rooms
    }

    /// The Manhattan distance to the nearest room wall or void; the same large number everywhere in
    /// a level without any.
    pub fn to_wall(&self, cell: Cell) -> u32 {
        self.to_wall[cell.index()]
    }

    /// The Manhattan distance from `from` to the nearest of `cells`; `None` if there are none.
    pub fn nearest(&self, from: Cell, cells: impl Iterator<Item = Cell>) -> Option<u32> {
        cells.map(|cell| self.grid.distance(from, cell)).min()
    }
}

/// The rooms, and which of them each tile belongs to.
type Rooms = (Vec<Vec<Cell>>, Vec<Option<RoomNumber>>);

/// How many units of work it is to go from a tile to its neighbours.
const WORK: u64 = 8;

/// The connected regions of floor that touch neither void nor the board's edge, and which tile
/// belongs to which of them.
fn rooms<E>(grid: Grid, tiles: &[Tile], allow: &impl Fn(u64) -> Result<(), E>) -> Result<Rooms, E> {
    let mut rooms = Vec::new();
    let mut room_of = vec![None; grid.size()];
    let mut seen = vec![false; grid.size()];
    for first in grid.cells() {
        allow(1)?;
        if seen[first.index()] || tiles[first.index()] != Tile::Floor {
            continue;
        }
        let region = region(grid, tiles, first, (&mut seen, allow))?;
        if region.is_room {
            for cell in &region.tiles {
                room_of[cell.index()] = Some(rooms.len() as RoomNumber);
            }
            rooms.push(Vec::with_capacity(region.tiles.len()));
        }
    }
    for cell in grid.cells() {
        allow(1)?;
        if let Some(room) = room_of[cell.index()] {
            rooms[room as usize].push(cell);
        }
    }
    Ok((rooms, room_of))
}

/// A connected region of floor.
struct Region {
    /// In no order.
    tiles: Vec<Cell>,
    is_room: bool,
}

/// The connected region of floor around `first`.
fn region<E>(
    grid: Grid,
    tiles: &[Tile],
    first: Cell,
    (seen, allow): (&mut [bool], &impl Fn(u64) -> Result<(), E>),
) -> Result<Region, E> {
    seen[first.index()] = true;
    let mut region = Region {
        tiles: vec![first],
        is_room: true,
    };
    let mut next = 0;
    while let Some(&cell) = region.tiles.get(next) {
        next += 1;
        allow(WORK)?;
        region.is_room = region.is_room && is_inside(grid, tiles, cell);
        for (_, to) in grid.neighbours(cell) {
            if tiles[to.index()] == Tile::Floor && !seen[to.index()] {
                seen[to.index()] = true;
                region.tiles.push(to);
            }
        }
    }
    Ok(region)
}

fn is_inside(grid: Grid, tiles: &[Tile], cell: Cell) -> bool {
    !grid.is_border(cell)
        && grid
            .neighbours(cell)
            .all(|(_, next)| tiles[next.index()] != Tile::Void)
}

/// For each tile the Manhattan distance to the nearest wall or void. On a rectangle it is the
/// number of steps, whatever stands in the way.
fn distances_to_wall<E>(
    grid: Grid,
    tiles: &[Tile],
    allow: &impl Fn(u64) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut distances = vec![u32::MAX; grid.size()];
    let mut queue: Vec<Cell> = grid
        .cells()
        .filter(|cell| tiles[cell.index()].teleports())
        .collect();
    for cell in &queue {
        distances[cell.index()] = 0;
    }
    let mut next = 0;
    while let Some(&cell) = queue.get(next) {
        next += 1;
        allow(WORK)?;
        for (_, to) in grid.neighbours(cell) {
            if distances[to.index()] == u32::MAX {
                distances[to.index()] = distances[cell.index()] + 1;
                queue.push(to);
            }
        }
    }
    Ok(distances)
}

/// A set of directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways(u8);

impl Ways {
    /// The directions of `from` that lead to a tile for which `allowed` holds.
    pub fn from(grid: Grid, from: Cell, allowed: impl Fn(Cell) -> bool) -> Self {
        Self::of(
            grid.neighbours(from)
                .filter(|&(_, to)| allowed(to))
                .map(|(dir, _)| dir),
        )
    }

    /// These directions.
    pub fn of(dirs: impl Iterator<Item = Dir>) -> Self {
        Self(dirs.fold(0, |set, dir| set | 1 << dir as u8))
    }

    /// The set as a number below 16, a bit for each direction.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set that [`Ways::bits`] gave this number; higher bits do not count.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// Whether there is no way to go.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The directions, in the order of [`Dir::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Dir> {
        Dir::ALL
            .into_iter()
            .filter(move |&dir| self.0 & 1 << dir as u8 != 0)
    }

    /// Those for which `wanted` holds.
    #[must_use]
    pub fn filter(self, wanted: impl Fn(Dir) -> bool) -> Self {
        Self::of(self.iter().filter(|&dir| wanted(dir)))
    }

    /// Those for which `cost` is least.
    #[must_use]
    pub fn least(self, cost: impl Fn(Dir) -> Option<u32>) -> Self {
        let least = self.iter().map(&cost).min();
        self.filter(|dir| Some(cost(dir)) == least)
    }

    /// These directions, or `other` if there are none.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;

    use super::*;

    #[test]
    fn a_level_takes_what_is_told() {
        let grid = Grid::new(300, 300).unwrap();
        let tiles = vec![Tile::Floor; grid.size()];
        let mut level = None;
        let made = allocation_counter::measure(|| {
            level = Level::while_allowed(grid, tiles.clone(), &|_| Ok::<(), ()>(())).ok();
        });
        let within = |taken: u64, told: u64| taken <= told && told <= taken + taken / 2;
        let kept = made.bytes_current as u64;
        assert!(within(kept, Level::bytes(grid)), "{kept}");
        assert!(
            within(made.bytes_max, Level::bytes_to_make(grid)),
            "{}",
            made.bytes_max
        );
    }

    #[test]
    fn a_level_is_made_as_long_as_the_work_is_allowed() {
        let grid = Grid::new(12, 12).unwrap();
        let tile = |cell| {
            if grid.is_border(cell) {
                Tile::Horizontal
            } else {
                Tile::Floor
            }
        };
        let tiles: Vec<Tile> = grid.cells().map(tile).collect();
        let work = Counter::new(0);
        let count = |amount| {
            work.set(work.get() + amount);
            Ok::<(), u64>(())
        };
        let level = Level::while_allowed(grid, tiles.clone(), &count).unwrap();
        assert_eq!(
            level.rooms().iter().map(Vec::len).collect::<Vec<_>>(),
            [100]
        );
        assert!(level.rooms()[0].is_sorted());
        // Each tile is gone to twice at least: from the walls, and in search of rooms.
        let all = work.get();
        assert!(all >= WORK * (144 + 100), "{all}");
        for most in (0..all).step_by(97) {
            work.set(0);
            let allow = |amount| {
                work.set(work.get() + amount);
                if work.get() > most { Err(most) } else { Ok(()) }
            };
            let made = Level::while_allowed(grid, tiles.clone(), &allow);
            assert_eq!(made.err(), Some(most));
        }
    }
}
