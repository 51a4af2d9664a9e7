//! `jimmy`: a closed border with a few gaps, solids strewn inside, Jimmy near the middle and ghosts
//! at a distance.

use crate::generate::layout::{Amount, Layout, Plan, Wall, are_apart, fixed, scatter};
use crate::generate::sketch::{Mirror, Sketch};
use crate::generate::symmetry::symmetrized;
use crate::grid::Cell;
use crate::rng::Rng;

/// How boards of `jimmy` are drawn.
pub struct Jimmy;

const AMOUNTS: &[Amount] = &[Amount {
    name: "ghosts",
    one: "ghost",
    glyph: Some(b'g'),
    is_chaser: true,
    allowed: (0, usize::MAX),
    by_default: fixed::<1, 3>,
}];

/// How near to Jimmy a ghost may be drawn.
const NEAR: u32 = 3;

impl Layout for Jimmy {
    fn ruleset(&self) -> &'static str {
        "jimmy"
    }

    fn amounts(&self) -> &'static [Amount] {
        AMOUNTS
    }

    fn size(&self) -> (usize, usize) {
        (10, 10)
    }

    fn floor(&self) -> u8 {
        b'.'
    }

    fn runner(&self) -> u8 {
        b'o'
    }

    fn has_free_walls(&self) -> bool {
        true
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, b'.');
        let density = plan.density.unwrap_or_else(|| 0.15 + 0.2 * rng.uniform());
        let (mut inside, mut border): (Vec<Cell>, Vec<Cell>) =
            grid.cells().partition(|&cell| !grid.is_border(cell));
        let solids = (density * inside.len() as f64).round() as usize;
        let gaps = rng.between(1, 2 + border.len() / 12).min(border.len());
        scatter(&mut sketch, &mut inside, (b'#', solids), rng)?;
        let closed = border.len() - gaps;
        scatter(&mut sketch, &mut border, (b'#', closed), rng)?;
        close_corners(&mut sketch);
        sketch = symmetrized(&sketch, plan.symmetry);
        put_actors(&mut sketch, plan.amount(0, rng), rng)?;
        Some(sketch)
    }

    fn walls(&self, sketch: &Sketch) -> Vec<Wall> {
        let is_place = |cell: &Cell| matches!(sketch.at(*cell), b'.' | b'#');
        let wall = |at| Wall {
            at,
            open: b'.',
            closed: b'#',
        };
        sketch.grid().cells().filter(is_place).map(wall).collect()
    }

    /// On the border he would have escaped at once.
    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        let is_inside = glyph != b'o' || !sketch.grid().is_border(cell);
        is_inside && are_apart(self, sketch, (glyph, cell), NEAR)
    }

    /// Ghosts move along their row first, so that columns and rows are not alike.
    fn mirrors(&self, _sketch: &Sketch) -> &'static [Mirror] {
        &Mirror::ALL
    }

    fn usual_moves(&self, plan: &Plan) -> usize {
        (plan.rows + plan.cols) / 3
    }

    /// He visits no cell twice, and the first one on the border is the last.
    fn most_moves(&self, plan: &Plan) -> Option<usize> {
        Some((plan.rows - 2) * (plan.cols - 2))
    }
}

/// Nobody gets to a corner: who comes there has been on the border before.
fn close_corners(sketch: &mut Sketch) {
    let grid = sketch.grid();
    let (bottom, right) = (grid.rows() - 1, grid.cols() - 1);
    for (row, col) in [(0, 0), (0, right), (bottom, 0), (bottom, right)] {
        sketch.put(grid.cell(row, col).expect("a corner is a cell"), b'#');
    }
}

/// Jimmy as far inside as anybody is, or nearly, and the ghosts at a distance from him if they can be.
fn put_actors(sketch: &mut Sketch, ghosts: usize, rng: &mut Rng) -> Option<()> {
    let grid = sketch.grid();
    let depth = |cell: Cell| {
        let (row, col) = grid.position(cell);
        row.min(col)
            .min(grid.rows() - 1 - row)
            .min(grid.cols() - 1 - col)
    };
    let floor = sketch.all(b'.');
    let deepest = floor.iter().map(|&cell| depth(cell)).max()?;
    let least = deepest.div_ceil(2).max(1);
    let inner: Vec<Cell> = floor
        .iter()
        .copied()
        .filter(|&cell| depth(cell) >= least)
        .collect();
    let jimmy = *rng.pick(&inner)?;
    sketch.put(jimmy, b'o');
    let (mut far, mut near): (Vec<Cell>, Vec<Cell>) = floor
        .into_iter()
        .filter(|&cell| cell != jimmy)
        .partition(|&cell| grid.distance(cell, jimmy) >= NEAR);
    let most = ghosts.min(far.len());
    scatter(sketch, &mut far, (b'g', most), rng)?;
    scatter(sketch, &mut near, (b'g', ghosts - most), rng)
}
