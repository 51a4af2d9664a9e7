//! Rooms, each in its own slot so that there is void between them.

use crate::sketch::{Mirror, Sketch, image};
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
pub const LEAST: usize = 4;

/// Returns the maximum size of a room, including its walls. Boards without a requested size must be solved quickly.
pub const fn largest(is_sized: bool) -> (usize, usize) {
    if is_sized { (8, 10) } else { (5, 7) }
}

/// The minimum width of the void between two rooms, so that a hallway with a bend fits.
const GAP: usize = 3;

const fn slots(size: usize) -> usize {
    (size + GAP) / (LEAST + GAP)
}

pub const fn most(rows: usize, cols: usize) -> usize {
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

    pub const fn contains(&self, (row, col): (u32, u32)) -> bool {
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

pub const fn snug(slots: Grid, (rows, cols): (usize, usize)) -> (usize, usize) {
    let all = (slots.rows() as usize, slots.cols() as usize);
    (all.0 * (rows + GAP) - GAP, all.1 * (cols + GAP) - GAP)
}

/// Places `count` rooms, each in a slot beside one chosen before. With a mirror, its image gets a room too. Returns `None` if
/// this fails.
pub fn place(
    (grid, slots): (Grid, Grid),
    (count, most): (usize, (usize, usize)),
    mirror: Option<Mirror>,
    rng: &mut Rng,
) -> Option<Vec<Room>> {
    let most = (most.0 as u32, most.1 as u32);
    let first = slots.nth(rng.below(slots.size()))?;
    let mut chosen = vec![first];
    chosen.extend(other_slot(mirror, slots, first));
    while chosen.len() < count {
        let beside = |cell: &Cell| {
            !chosen.contains(cell) && chosen.iter().any(|&old| slots.distance(old, *cell) == 1)
        };
        let next: Vec<Cell> = slots.cells().filter(beside).collect();
        let next = *rng.pick(&next)?;
        chosen.push(next);
        chosen.extend(other_slot(mirror, slots, next));
    }
    chosen.sort_unstable();
    let mut rooms: Vec<Room> = Vec::with_capacity(count);
    for &slot in &chosen {
        let image = image(mirror, slots, slot);
        let room = match rooms.iter().find(|room| room.slot == slots.position(image)) {
            Some(room) => mirrored(room, mirror, (grid, slots)),
            None => room(
                (grid, slots),
                slot,
                (most, mirror.filter(|_| image == slot)),
                rng,
            )?,
        };
        rooms.push(room);
    }
    (rooms.len() == count).then_some(rooms)
}

fn other_slot(mirror: Option<Mirror>, slots: Grid, slot: Cell) -> Option<Cell> {
    Some(image(mirror, slots, slot)).filter(|&image| image != slot)
}

fn mirrored(room: &Room, mirror: Option<Mirror>, (grid, slots): (Grid, Grid)) -> Room {
    let image = |grid: Grid, (row, col)| {
        let cell = grid.cell(row, col).expect("rooms are on the grid");
        grid.position(image(mirror, grid, cell))
    };
    let (one, other) = (
        image(grid, (room.top, room.left)),
        image(grid, (room.bottom, room.right)),
    );
    Room {
        slot: image(slots, room.slot),
        top: one.0.min(other.0),
        left: one.1.min(other.1),
        bottom: one.0.max(other.0),
        right: one.1.max(other.1),
    }
}

/// Returns a random grid of slots without a superfluous row or column, in which a room has at least half as much space as in the
/// best such grid.
pub fn shape(grid: Grid, (count, largest): (usize, (usize, usize)), rng: &mut Rng) -> Option<Grid> {
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    let shapes = (1..=slots(rows)).map(|down| (down, count.div_ceil(down)));
    let mut shapes: Vec<_> = shapes
        .filter(|&(down, across)| across <= slots(cols) && (down - 1) * across < count)
        .collect();
    let side = |size: usize, count: usize, most: usize| ((size + GAP) / count - GAP).min(most);
    let space = |&(down, across): &(usize, usize)| {
        side(rows, down, largest.0) * side(cols, across, largest.1)
    };
    let best = shapes.iter().map(space).max()?;
    shapes.retain(|shape| 2 * space(shape) >= best);
    let &(down, across) = rng.pick(&shapes)?;
    Grid::new(down, across)
}

/// Returns a random room in its slot. With a mirror, the room is its own image.
fn room(
    (grid, slots): (Grid, Grid),
    slot: Cell,
    (most, mirror): ((u32, u32), Option<Mirror>),
    rng: &mut Rng,
) -> Option<Room> {
    let (row, col) = slots.position(slot);
    let [reverses_rows, reverses_cols] = mirror.map_or([false; 2], Mirror::reverses);
    let mut span = |is_middle, place, most| {
        if is_middle {
            middle_span(place, most, rng)
        } else {
            Some(span(place, most, rng))
        }
    };
    let (top, bottom) = span(reverses_rows, (grid.rows(), slots.rows(), row), most.0)?;
    let (left, right) = span(reverses_cols, (grid.cols(), slots.cols(), col), most.1)?;
    Some(Room {
        slot: (row, col),
        top,
        left,
        bottom,
        right,
    })
}

fn middle_span(
    (size, count, number): (u32, u32, u32),
    most: u32,
    rng: &mut Rng,
) -> Option<(u32, u32)> {
    let (from, to) = slot((size, count, number));
    let widest = most.min(size - 2 * from.max(size - to));
    let widest = widest - (size - widest) % 2;
    let least = (LEAST as u32).max(widest.saturating_sub(2));
    let width = least + (size - least) % 2;
    let width = if rng.chance(0.5) { width } else { widest };
    let first = (size - width) / 2;
    (width >= LEAST as u32).then_some((first, first + width - 1))
}

const fn slot((size, count, number): (u32, u32, u32)) -> (u32, u32) {
    let gap = GAP as u32;
    let from = number * (size + gap) / count;
    let to = (number + 1) * (size + gap) / count - gap;
    (from, to)
}

fn span((size, count, number): (u32, u32, u32), most: u32, rng: &mut Rng) -> (u32, u32) {
    let (from, to) = slot((size, count, number));
    let widest = most.min(to - from);
    let least = if count == 1 {
        widest
    } else {
        (LEAST as u32).max(widest - 3)
    };
    let width = rng.between(least as usize, widest as usize) as u32;
    let first = rng.between(from as usize, (to - width) as usize) as u32;
    (first, first + width - 1)
}

#[cfg(test)]
#[path = "rooms_tests.rs"]
mod tests;
