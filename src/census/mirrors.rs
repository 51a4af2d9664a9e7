//! Mirrors: maps from a board to an equivalent one.

use crate::grid::Grid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror(Vec<u8>);

impl Mirror {
    /// Returns the distinct ones among these mirrors: the identity, top to bottom, left to right, and both.
    pub fn all(grid: Grid) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (turns_rows, turns_cols) in [(false, false), (true, false), (false, true), (true, true)]
        {
            let image = |cell| {
                let (row, col) = grid.position(cell);
                let row = turned(row, grid.rows(), turns_rows);
                row * grid.cols() + turned(col, grid.cols(), turns_cols)
            };
            let mirror = Self(grid.cells().map(|cell| image(cell) as u8).collect());
            if !all.contains(&mirror) {
                all.push(mirror);
            }
        }
        all
    }

    pub fn identity(grid: Grid) -> Self {
        Self(grid.cells().map(|cell| cell.index() as u8).collect())
    }

    pub fn image(&self, cell: u8) -> u8 {
        self.0[cell as usize]
    }

    pub fn is_identity(&self) -> bool {
        (0..).zip(&self.0).all(|(cell, &image)| image == cell)
    }
}

fn turned(place: u32, size: u32, is_turned: bool) -> u32 {
    if is_turned { size - 1 - place } else { place }
}

#[cfg(test)]
mod tests;
