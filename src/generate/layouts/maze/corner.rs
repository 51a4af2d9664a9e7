//! A corner of a maze that a moving wall shuts off.

use crate::generate::layout::Plan;
use crate::grid::{Cell, Grid};
use crate::rng::Rng;

pub struct Corner {
    grid: Grid,
    row: Line,
    col: Line,
}

struct Line {
    at: u32,
    is_first: bool,
}

impl Corner {
    pub fn draw(plan: &Plan, rng: &mut Rng) -> Self {
        let grid = plan.grid();
        let [row, col] = [grid.rows(), grid.cols()].map(|size| Line {
            at: 1 + 2 * rng.below((size as usize - 1) / 2) as u32,
            is_first: rng.chance(0.5),
        });
        Self { grid, row, col }
    }

    pub fn holds(&self, cell: Cell) -> bool {
        let (row, col) = self.grid.position(cell);
        self.row.is_before(row) && self.col.is_before(col)
    }

    pub fn wall(&self) -> Vec<Cell> {
        let turn = (self.row.at, self.col.at);
        let place = |cell: &Cell| {
            let (row, col) = self.grid.position(*cell);
            let far = i64::from(row.abs_diff(turn.0)) - i64::from(col.abs_diff(turn.1));
            let along_row = row == turn.0 && (col == turn.1 || self.col.is_before(col));
            (along_row || col == turn.1 && self.row.is_before(row)).then_some(far)
        };
        let mut wall: Vec<Cell> = self.grid.cells().filter(|at| place(at).is_some()).collect();
        wall.sort_by_key(place);
        wall
    }
}

impl Line {
    const fn is_before(&self, other: u32) -> bool {
        if self.is_first {
            other < self.at
        } else {
            other > self.at
        }
    }
}
