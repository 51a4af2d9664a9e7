//! The symmetries that every grid has, whether it is square or not.

use super::{Cell, Grid};

/// A reflection or a half turn, which maps a grid to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Swaps left and right.
    LeftRight,
    /// Swaps top and bottom.
    UpDown,
    /// A turn by 180 degrees.
    HalfTurn,
}

impl Symmetry {
    /// All three symmetries, without the identity.
    pub const ALL: [Self; 3] = [Self::LeftRight, Self::UpDown, Self::HalfTurn];

    /// Returns two flags: whether the symmetry reverses the order of the rows, and that of the columns.
    pub const fn reverses(self) -> [bool; 2] {
        match self {
            Self::LeftRight => [false, true],
            Self::UpDown => [true, false],
            Self::HalfTurn => [true, true],
        }
    }

    /// Returns the image of `cell`. Every symmetry is its own inverse.
    pub fn image(self, grid: Grid, cell: Cell) -> Cell {
        let place = |reverses, at, size| if reverses { size - 1 - at } else { at };
        let ([rows, cols], (row, col)) = (self.reverses(), grid.position(cell));
        let image = grid.cell(place(rows, row, grid.rows()), place(cols, col, grid.cols()));
        image.expect("a symmetry keeps the shape of the board")
    }
}

/// Returns the image of `cell`; without a symmetry, `cell` itself.
pub fn image(symmetry: Option<Symmetry>, grid: Grid, cell: Cell) -> Cell {
    symmetry.map_or(cell, |symmetry| symmetry.image(grid, cell))
}
