//! A corner of a maze that a moving wall shuts off.

use std::ops::Range;

use crate::layout::Plan;
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;

pub struct Corner {
    grid: Grid,
    rows: Range<u32>,
    cols: Range<u32>,
    wall: (u32, u32),
}

impl Corner {
    pub fn draw(plan: &Plan, rng: &mut Rng) -> Self {
        let grid = plan.grid();
        let [(row, rows), (col, cols)] = [grid.rows(), grid.cols()].map(|size| {
            let wall = 1 + 2 * rng.below((size as usize - 1) / 2) as u32;
            let is_first = rng.chance(0.5);
            (wall, if is_first { 0..wall } else { wall + 1..size })
        });
        Self {
            grid,
            rows,
            cols,
            wall: (row, col),
        }
    }

    pub fn holds(&self, cell: Cell) -> bool {
        let (row, col) = self.grid.position(cell);
        self.rows.contains(&row) && self.cols.contains(&col)
    }

    pub fn wall(&self) -> Vec<Cell> {
        let along = |cell: &Cell| {
            let (row, col) = self.grid.position(*cell);
            let (down, right) = (row.abs_diff(self.wall.0), col.abs_diff(self.wall.1));
            let is_level = down == 0 && (right == 0 || self.cols.contains(&col));
            let is_wall = is_level || right == 0 && self.rows.contains(&row);
            is_wall.then(|| i64::from(down) - i64::from(right))
        };
        let cells = self.grid.cells();
        let mut wall: Vec<Cell> = cells.filter(|cell| along(cell).is_some()).collect();
        wall.sort_by_key(along);
        wall
    }
}
