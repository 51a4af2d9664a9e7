//! Where rooms stand: each somewhere in a slot of its own, so that there is void between them.

use crate::generate::sketch::Sketch;
use crate::grid::{Cell, Grid};
use crate::rng::Rng;

/// A rectangular room, its walls included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The slot that it stands in, as row and column among the slots.
    pub slot: (u32, u32),
    /// Its uppermost row.
    pub top: u32,
    /// Its leftmost column.
    pub left: u32,
    /// Its lowest row.
    pub bottom: u32,
    /// Its rightmost column.
    pub right: u32,
}

/// The fewest rows and columns of a room with its walls.
pub const LEAST: usize = 4;

/// The fewest rows and columns of a room that has the space.
const USUAL: u32 = 5;

/// The most rows and columns of a room with its walls. Where nobody says how large a level is to be, rooms are
/// smaller: a ghost and a zombie in three such rooms are solved in a moment.
pub const fn largest(is_sized: bool) -> (usize, usize) {
    if is_sized { (8, 10) } else { (5, 7) }
}

/// How much void there is between two rooms at least: a hallway with a bend.
const GAP: usize = 3;

/// How many slots fit side by side.
const fn slots(size: usize) -> usize {
    (size + GAP) / (LEAST + GAP)
}

/// How many rooms there can be.
pub const fn most(rows: usize, cols: usize) -> usize {
    slots(rows) * slots(cols)
}

impl Room {
    /// Draws its walls and floor.
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

    /// The tiles within its walls.
    pub fn floor(&self, grid: Grid) -> Vec<Cell> {
        let row = |row| (self.left + 1..self.right).filter_map(move |col| grid.cell(row, col));
        (self.top + 1..self.bottom).flat_map(row).collect()
    }

    /// How far its slot is from another's.
    pub const fn distance(&self, other: &Self) -> u32 {
        self.slot.0.abs_diff(other.slot.0) + self.slot.1.abs_diff(other.slot.1)
    }
}

/// So many rooms of this size at most, each in a slot, side by side; `None` if there are not enough slots.
pub fn place(grid: Grid, (count, most): (usize, (u32, u32)), rng: &mut Rng) -> Option<Vec<Room>> {
    let (rows, cols) = (slots(grid.rows() as usize), slots(grid.cols() as usize));
    let (rows, cols) = shape(count, (rows, cols), rng)?;
    let slots = Grid::new(rows, cols)?;
    let mut chosen = vec![slots.nth(rng.below(slots.size()))?];
    while chosen.len() < count {
        let beside = |cell: &Cell| {
            !chosen.contains(cell) && chosen.iter().any(|&old| slots.distance(old, *cell) == 1)
        };
        let next: Vec<Cell> = slots.cells().filter(beside).collect();
        chosen.push(*rng.pick(&next)?);
    }
    chosen.sort_unstable();
    let room = |slot| room((grid, slots), slot, most, rng);
    Some(chosen.into_iter().map(room).collect())
}

/// How many rows and columns of slots: as few as will do, in one of the ways that fit, so that rooms are
/// as large as they can be.
fn shape(count: usize, most: (usize, usize), rng: &mut Rng) -> Option<(usize, usize)> {
    let shapes = (1..=most.0).map(|rows| (rows, count.div_ceil(rows)));
    let shapes: Vec<_> = shapes
        .filter(|&(rows, cols)| cols <= most.1 && (rows - 1) * cols < count)
        .collect();
    rng.pick(&shapes).copied()
}

/// A room of any size in its slot.
fn room((grid, slots): (Grid, Grid), slot: Cell, most: (u32, u32), rng: &mut Rng) -> Room {
    let (row, col) = slots.position(slot);
    let (top, bottom) = span((grid.rows(), slots.rows(), row), most.0, rng);
    let (left, right) = span((grid.cols(), slots.cols(), col), most.1, rng);
    Room {
        slot: (row, col),
        top,
        left,
        bottom,
        right,
    }
}

/// The first and the last row (or column) of a room within slot `number` of `count`.
fn span((size, count, number): (u32, u32, u32), most: u32, rng: &mut Rng) -> (u32, u32) {
    let gap = GAP as u32;
    let from = number * (size + gap) / count;
    let to = (number + 1) * (size + gap) / count - gap;
    let widest = most.min(to - from);
    let least = widest.min(USUAL.max(widest - 2));
    let width = rng.between(least as usize, widest as usize) as u32;
    let first = rng.between(from as usize, (to - width) as usize) as u32;
    (first, first + width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_keep_their_distance_and_their_size() {
        for seed in 0..300 {
            let rng = &mut Rng::new(seed);
            let grid = Grid::new(rng.between(4, 30), rng.between(4, 40)).unwrap();
            let most = most(grid.rows() as usize, grid.cols() as usize);
            let count = rng.between(1, most);
            let Some(rooms) = place(grid, (count, (8, 10)), rng) else {
                continue;
            };
            assert_eq!(rooms.len(), count);
            for (at, a) in rooms.iter().enumerate() {
                assert!(
                    a.bottom < grid.rows() && a.right < grid.cols(),
                    "{grid:?} {a:?}"
                );
                assert!(
                    a.bottom - a.top >= 3 && a.right - a.left >= 3,
                    "{grid:?} {a:?}"
                );
                for b in &rooms[at + 1..] {
                    let apart =
                        b.top > a.bottom + 3 || b.left > a.right + 3 || a.left > b.right + 3;
                    assert!(apart, "{grid:?} {a:?} {b:?}");
                }
            }
        }
    }
}
