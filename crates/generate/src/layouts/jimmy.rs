//! `jimmy`: a closed border with a few gaps, solids inside, Jimmy near the middle and the ghosts at a distance.

use crate::layout::{
    Canvas, CriteriaError, Layout, Plan, Size, Style, ThingKind, cells_of_share, scatter,
};
use crate::sketch::{Sketch, Symmetry};
use getaway_board::grid::{Cell, Grid};
use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;

pub struct Jimmy;

const STYLE: Style = Style {
    ruleset: "jimmy",
    amounts: &[ThingKind::chaser("ghosts", "ghost", b'g').usually(|_, _, _| 1..=3)],
    size: Size::new(10, 10),
    runner: b'o',
    wall: Some(b'#'),
    ..Style::PLAIN
};

/// The usual minimum distance between Jimmy and a ghost.
const MIN_DISTANCE: u32 = 3;

impl Layout for Jimmy {
    fn style(&self) -> Style<'_> {
        STYLE
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let grid = plan.grid();
        let mut sketch = plan.empty(grid, b'.');
        let density = plan.density.unwrap_or_else(|| 0.15 + 0.2 * rng.uniform());
        let (mut inside, mut border): (Vec<Cell>, Vec<Cell>) =
            grid.cells().partition(|&cell| !grid.is_border(cell));
        let solids = cells_of_share(density, inside.len());
        let gaps = rng.between(1, 2 + border.len() / 12).min(border.len());
        scatter(&mut sketch, &mut inside, b'#', solids, rng)?;
        let closed = border.len() - gaps;
        scatter(&mut sketch, &mut border, b'#', closed, rng)?;
        // The corners are of no use: a path to a corner reaches another border cell first.
        for corner in grid.cells().filter(|&cell| is_corner(grid, cell)) {
            sketch.put(corner, b'#');
        }
        put_actors(&mut sketch, plan.amount(0, rng), rng)?;
        Some(sketch)
    }

    /// Rejects a plan for an escape if some ghost must start beside Jimmy, since it would catch him at once.
    fn check(&self, plan: &Plan) -> Result<(), CriteriaError> {
        let max = plan.rows * plan.cols - 5;
        CriteriaError::check([(
            plan.verdict == Some(Verdict::Escape) && *plan.amounts[0].start() > max,
            format!("a ghost beside Jimmy catches him at once: use at most {max} on this board"),
        )])
    }

    /// Leaves out boards on which Jimmy starts on the border. A corner is closed unless a ghost is in it: no way out leads over
    /// a corner.
    fn canvas(&self, plan: &Plan) -> Option<Canvas> {
        let mut canvas = STYLE.open_canvas(plan);
        let grid = canvas.sketch.grid();
        for place in &mut canvas.places {
            let is_corner = is_corner(grid, place.cell);
            let is_border = grid.is_border(place.cell);
            place.glyphs.retain(|glyph| match glyph {
                b'.' => !is_corner,
                b'o' => !is_border,
                _ => true,
            });
        }
        Some(canvas)
    }

    /// Keeps Jimmy off the border, where he would escape at once, and [`MIN_DISTANCE`] cells or more from the ghosts.
    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        let is_inside = glyph != b'o' || !sketch.grid().is_border(cell);
        is_inside && STYLE.are_apart(sketch, glyph, cell, MIN_DISTANCE)
    }

    /// Returns no transposes: ghosts move along their row first, so columns and rows are not interchangeable.
    fn symmetries(&self, _sketch: &Sketch) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn usual_moves(&self, plan: &Plan) -> usize {
        (plan.rows + plan.cols) / 3
    }

    /// In a shortest way out, Jimmy visits no cell twice, and his first cell on the border is his last.
    fn max_moves(&self, plan: &Plan) -> Option<usize> {
        Some((plan.rows - 2) * (plan.cols - 2))
    }
}

fn is_corner(grid: Grid, cell: Cell) -> bool {
    grid.neighbours(cell).count() == 2
}

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
    let min = deepest.div_ceil(2).max(1);
    let mut inner = floor.clone();
    inner.retain(|&cell| depth(cell) >= min);
    let jimmy = *rng.pick(&inner)?;
    sketch.put(jimmy, b'o');
    let (mut far, mut near): (Vec<Cell>, Vec<Cell>) = floor
        .into_iter()
        .filter(|&cell| cell != jimmy)
        .partition(|&cell| grid.distance(cell, jimmy) >= MIN_DISTANCE);
    let far_ghosts = ghosts.min(far.len());
    scatter(sketch, &mut far, b'g', far_ghosts, rng)?;
    scatter(sketch, &mut near, b'g', ghosts - far_ghosts, rng)
}
