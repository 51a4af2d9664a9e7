//! The map of a maze, in the assignment's numbers.

use std::collections::HashMap;
use std::fmt;

use super::Way;
use getaway_board::grid::{Cell, Grid};

/// The id of the runner or of a wall, 1 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

impl Id {
    /// The runner's id in a drawing.
    pub const ONE: Self = Self(1);

    /// Returns the id with this number; `None` below 1.
    pub fn new(number: i64) -> Option<Self> {
        (number > 0).then_some(Self(number.unsigned_abs()))
    }

    /// Returns the number of its head on a map.
    pub const fn head(self) -> u64 {
        2 * self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The meaning of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileKind {
    /// A blank cell, which is *able to go* (rule 4).
    Blank,
    /// Food, which is also *able to go*.
    Food,
    /// The runner's head, or the moving end of a wall.
    Head(Id),
    /// The runner's string, or the body of a wall.
    Body(Id),
}

/// The content of a cell: 0 for blank, -1 for food, `2*id` for a head, `2*id-1` for its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile(i64);

impl Tile {
    /// The tile of a blank cell.
    pub const BLANK: Self = Self(0);
    /// The tile of a cell with food.
    pub const FOOD: Self = Self(-1);

    /// Returns the tile with this number; `None` below -1.
    pub fn new(number: i64) -> Option<Self> {
        (number >= -1).then_some(Self(number))
    }

    /// Returns the head with this id; `None` if its number does not fit into an `i64`.
    pub fn head(id: Id) -> Option<Self> {
        i64::try_from(id.head()).ok().map(Self)
    }

    /// Returns the number on a map.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// Returns whether the cell is blank or food, and so *able to go* (rule 4).
    pub const fn is_open(self) -> bool {
        self.0 <= 0
    }

    /// Returns the meaning of the number.
    pub const fn kind(self) -> TileKind {
        match self.0 {
            ..0 => TileKind::Food,
            0 => TileKind::Blank,
            head if head % 2 == 0 => TileKind::Head(Id(self.0.unsigned_abs() / 2)),
            _ => TileKind::Body(Id(self.0.unsigned_abs().div_ceil(2))),
        }
    }

    /// Returns the body tile that belongs to this head.
    #[must_use]
    pub(super) const fn trail(self) -> Self {
        assert!(
            matches!(self.kind(), TileKind::Head(_)),
            "only a head has a body tile"
        );
        Self(self.0 - 1)
    }
}

/// A grid of tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    grid: Grid,
    tiles: Vec<Tile>,
}

impl Map {
    /// Returns the map with these tiles in row-major order; `None` unless there is one for each cell.
    pub fn new(grid: Grid, tiles: Vec<Tile>) -> Option<Self> {
        (tiles.len() == grid.size()).then_some(Self { grid, tiles })
    }

    /// Returns the shape of the map.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the tile on a cell.
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    pub(super) fn set(&mut self, cell: Cell, tile: Tile) {
        self.tiles[cell.index()] = tile;
    }

    /// Returns all cells with their tiles, in row-major order.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Tile)> {
        self.grid.cells().zip(self.tiles.iter().copied())
    }

    /// Returns the tiles row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.tiles.chunks(self.grid.cols() as usize)
    }

    /// Returns the number of cells with food.
    pub fn food(&self) -> usize {
        let food = self.tiles.iter().filter(|&&tile| tile == Tile::FOOD);
        food.count()
    }

    /// Returns the open neighbours, in the order of their directions: 0, 1, 2, 3.
    pub fn ways(&self, from: Cell) -> impl Iterator<Item = (Way, Cell)> + Clone {
        Way::ALL.into_iter().filter_map(move |way| {
            let to = self.grid.step(from, way.dir())?;
            self.tile(to).is_open().then_some((way, to))
        })
    }

    /// Returns the cell of the head with this id, if there is one; the first in row-major order if there are several.
    pub fn head(&self, id: Id) -> Option<Cell> {
        let head = Tile::head(id)?;
        let at = self.tiles.iter().position(|&tile| tile == head)?;
        self.grid.nth(at)
    }

    pub(super) fn heads(&self) -> usize {
        let is_head = |tile: &&Tile| matches!(tile.kind(), TileKind::Head(_));
        self.tiles.iter().filter(is_head).count()
    }

    /// Lists every head after the first one with the same id, in row-major order. Stops when `goes_on`, called for each cell,
    /// returns false.
    pub(super) fn second_heads_while(&self, goes_on: impl Fn() -> bool) -> Vec<SecondHead> {
        let mut firsts = HashMap::new();
        let mut seconds = Vec::new();
        for (cell, tile) in self.cells().take_while(|_| goes_on()) {
            if let TileKind::Head(id) = tile.kind() {
                let first = *firsts.entry(id).or_insert(cell);
                if first != cell {
                    seconds.push(SecondHead { id, first, cell });
                }
            }
        }
        seconds
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SecondHead {
    pub(super) id: Id,
    pub(super) first: Cell,
    pub(super) cell: Cell,
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
