//! Rooms, each in its own slot of a coarse grid, so that there is void between them.

use crate::layout::Size;
use crate::sketch::Sketch;
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    pub slot: (u32, u32),
    pub top: u32,
    pub left: u32,
    pub bottom: u32,
    pub right: u32,
}

/// The minimum number of rows and columns in a room, including its walls.
pub const MIN_SIDE: usize = 4;

/// Returns the maximum size of a room, including its walls. Boards without a requested size must be solved quickly.
pub const fn largest(is_sized: bool) -> Size {
    if is_sized {
        Size::new(8, 10)
    } else {
        Size::new(5, 7)
    }
}

/// The minimum width of the void between two rooms, so that a hallway with a bend fits.
const GAP: usize = 3;

const fn slots(size: usize) -> usize {
    (size + GAP) / (MIN_SIDE + GAP)
}

pub const fn max_rooms(rows: usize, cols: usize) -> usize {
    slots(rows) * slots(cols)
}

impl Room {
    pub fn draw(&self, sketch: &mut Sketch) {
        let grid = sketch.grid();
        for row in self.top..=self.bottom {
            for col in self.left..=self.right {
                let glyph = match (row, col) {
                    (row, _) if row == self.top || row == self.bottom => b'-',
                    (_, col) if col == self.left || col == self.right => b'|',
                    _ => b'.',
                };
                sketch.put(grid.cell(row, col).expect("rooms are on the grid"), glyph);
            }
        }
    }

    /// Returns the room that fills a grid.
    pub const fn of_grid(grid: Grid) -> Self {
        Self {
            slot: (0, 0),
            top: 0,
            left: 0,
            bottom: grid.rows() - 1,
            right: grid.cols() - 1,
        }
    }

    pub const fn contains(&self, row: u32, col: u32) -> bool {
        self.top <= row && row <= self.bottom && self.left <= col && col <= self.right
    }

    pub fn floor(&self, grid: Grid) -> Vec<Cell> {
        let row = |row| (self.left + 1..self.right).filter_map(move |col| grid.cell(row, col));
        (self.top + 1..self.bottom).flat_map(row).collect()
    }

    pub const fn distance(&self, other: &Self) -> u32 {
        self.slot.0.abs_diff(other.slot.0) + self.slot.1.abs_diff(other.slot.1)
    }
}

/// Returns the size of a board with just enough space for rooms of this size in all slots.
pub const fn snug(slots: Grid, room: Size) -> Size {
    Size {
        rows: slots.rows() as usize * (room.rows + GAP) - GAP,
        cols: slots.cols() as usize * (room.cols + GAP) - GAP,
    }
}

/// Places `count` rooms, each in a slot beside one chosen before. Returns `None` if there are too few slots.
pub fn place(
    grid: Grid,
    slots: Grid,
    count: usize,
    largest: Size,
    rng: &mut Rng,
) -> Option<Vec<Room>> {
    let mut chosen = vec![slots.nth(rng.below(slots.size()))?];
    while chosen.len() < count {
        let beside = |cell: &Cell| {
            !chosen.contains(cell) && chosen.iter().any(|&old| slots.distance(old, *cell) == 1)
        };
        let next: Vec<Cell> = slots.cells().filter(beside).collect();
        chosen.push(*rng.pick(&next)?);
    }
    chosen.sort_unstable();
    let rooms = chosen
        .into_iter()
        .map(|slot| room(grid, slots, slot, largest, rng));
    Some(rooms.collect())
}

/// Returns a random grid of slots without a superfluous row or column, in which a room has at least half as much space as in the
/// best such grid; `None` if no grid has enough slots.
pub fn shape(grid: Grid, count: usize, largest: Size, rng: &mut Rng) -> Option<Grid> {
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    let shapes = (1..=slots(rows)).map(|down| (down, count.div_ceil(down)));
    let mut shapes: Vec<_> = shapes
        .filter(|&(down, across)| across <= slots(cols) && (down - 1) * across < count)
        .collect();
    let side = |size: usize, count: usize, max: usize| ((size + GAP) / count - GAP).min(max);
    let space = |&(down, across): &(usize, usize)| {
        side(rows, down, largest.rows) * side(cols, across, largest.cols)
    };
    let best = shapes.iter().map(space).max()?;
    shapes.retain(|shape| 2 * space(shape) >= best);
    let &(down, across) = rng.pick(&shapes)?;
    Grid::new(down, across)
}

/// Returns a room with a random size, at most `largest`, at a random place in its slot.
fn room(grid: Grid, slots: Grid, slot: Cell, largest: Size, rng: &mut Rng) -> Room {
    let (row, col) = slots.position(slot);
    let (top, bottom) = span(grid.rows(), slots.rows(), row, largest.rows as u32, rng);
    let (left, right) = span(grid.cols(), slots.cols(), col, largest.cols as u32, rng);
    Room {
        slot: (row, col),
        top,
        left,
        bottom,
        right,
    }
}

/// Returns the first and the last row (or column) of a room in the slot with this number.
fn span(size: u32, count: u32, number: u32, max: u32, rng: &mut Rng) -> (u32, u32) {
    let gap = GAP as u32;
    let from = number * (size + gap) / count;
    let to = (number + 1) * (size + gap) / count - gap;
    let widest = max.min(to - from);
    let min = if count == 1 {
        widest
    } else {
        (MIN_SIDE as u32).max(widest - 3)
    };
    let width = rng.between(min as usize, widest as usize) as u32;
    let first = rng.between(from as usize, (to - width) as usize) as u32;
    (first, first + width - 1)
}

#[cfg(test)]
#[path = "rooms_tests.rs"]
mod tests;
