//! `jimmy`: a closed border with a few gaps, solids inside, Jimmy near the middle and the ghosts at a distance.

use crate::enumeration::{Canvas, Place};
use crate::layout::{Amount, Impossible, Layout, Plan, part, scatter};
use crate::sketch::{Mirror, Sketch};
use getaway_board::grid::Cell;
use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;

pub const LAYOUT: Layout = Layout {
    ruleset: "jimmy",
    amounts: &[Amount::chaser("ghosts", "ghost", b'g').usually(|_, _| 1..=3)],
    size: (10, 10),
    runner: b'o',
    wall: b'#',
    refuse,
    draw,
    canvas: |layout, plan| Some(canvas(layout, plan)),
    // Jimmy must not start on the border, where he would escape at once.
    is_usual: |layout, sketch, glyph, cell| {
        let is_inside = glyph != b'o' || !sketch.grid().is_border(cell);
        is_inside && layout.are_apart(sketch, glyph, cell, NEAR)
    },
    // Ghosts move along their row first, so columns and rows are not interchangeable.
    mirrors: |_| &Mirror::ALL,
    usual_moves: |plan| (plan.rows + plan.cols) / 3,
    // Jimmy visits no cell twice, and his first cell on the border is his last.
    most_moves: |plan| Some((plan.rows - 2) * (plan.cols - 2)),
    ..Layout::PLAIN
};

const NEAR: u32 = 3;

/// Refuses an escape if some ghost must start beside Jimmy, whom it would catch at once.
fn refuse(plan: &Plan) -> Result<(), Impossible> {
    let most = plan.rows * plan.cols - 5;
    Impossible::check([(
        plan.verdict == Some(Verdict::Escape) && *plan.amounts[0].start() > most,
        format!("a ghost beside Jimmy catches him at once: use at most {most} on this board"),
    )])
}

fn draw(plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
    let grid = plan.grid();
    let mut sketch = plan.empty(grid, b'.');
    let density = plan.density.unwrap_or_else(|| 0.15 + 0.2 * rng.uniform());
    let (mut inside, mut border): (Vec<Cell>, Vec<Cell>) =
        grid.cells().partition(|&cell| !grid.is_border(cell));
    let solids = part(density, inside.len());
    let gaps = rng.between(1, 2 + border.len() / 12).min(border.len());
    scatter(&mut sketch, &mut inside, b'#', solids, rng)?;
    let closed = border.len() - gaps;
    scatter(&mut sketch, &mut border, b'#', closed, rng)?;
    close_corners(&mut sketch);
    put_actors(&mut sketch, plan.amount(0, rng), rng)?;
    Some(sketch)
}

/// Returns a canvas for all boards on which Jimmy does not start on the border. A corner is closed unless a ghost is in it: no
/// way out leads over a corner.
fn canvas(layout: &Layout, plan: &Plan) -> Canvas {
    let mut canvas = layout.open_canvas(plan);
    let grid = canvas.sketch.grid();
    for Place { cell, glyphs } in &mut canvas.places {
        let sides = grid.neighbours(*cell).count();
        glyphs.retain(|glyph| match sides {
            2 => b"#g".contains(glyph),
            3 => *glyph != b'o',
            _ => true,
        });
    }
    canvas
}

/// Closes the corners, which are of no use: a path to a corner reaches another border cell first.
fn close_corners(sketch: &mut Sketch) {
    let grid = sketch.grid();
    let (bottom, right) = (grid.rows() - 1, grid.cols() - 1);
    for (row, col) in [(0, 0), (0, right), (bottom, 0), (bottom, right)] {
        sketch.put(grid.cell(row, col).expect("a corner is a cell"), b'#');
    }
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
    let least = deepest.div_ceil(2).max(1);
    let mut inner = floor.clone();
    inner.retain(|&cell| depth(cell) >= least);
    let jimmy = *rng.pick(&inner)?;
    sketch.put(jimmy, b'o');
    let (mut far, mut near): (Vec<Cell>, Vec<Cell>) = floor
        .into_iter()
        .filter(|&cell| cell != jimmy)
        .partition(|&cell| grid.distance(cell, jimmy) >= NEAR);
    let most = ghosts.min(far.len());
    scatter(sketch, &mut far, b'g', most, rng)?;
    scatter(sketch, &mut near, b'g', ghosts - most, rng)
}
