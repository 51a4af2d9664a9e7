//! Walls that are mirror images of one another.

use super::sketch::{Mirror, Sketch};
use crate::grid::{Cell, Grid};

/// The picture with its second half replaced by the image of the first.
pub fn symmetrized(sketch: &Sketch, mirror: Option<Mirror>) -> Sketch {
    let mut whole = sketch.clone();
    if let Some(mirror) = mirror {
        for cell in sketch.grid().cells() {
            let image = mirror.image(sketch.grid(), cell);
            if image > cell {
                whole.put(image, sketch.at(cell));
            }
        }
    }
    whole
}

/// The image of a cell; without a mirror the cell itself.
pub fn image(mirror: Option<Mirror>, grid: Grid, cell: Cell) -> Cell {
    mirror.map_or(cell, |mirror| mirror.image(grid, cell))
}
