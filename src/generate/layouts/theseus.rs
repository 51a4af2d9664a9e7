//! `theseus`: a maze with some of its walls taken away, an exit on its edge, Theseus far from it and
//! the Minotaur at a distance from him. Rows and columns are counted in cells; the drawing is doubled.

use crate::generate::layout::{Amount, Layout, Plan, Wall, are_apart, fixed};
use crate::generate::sketch::{Mirror, Sketch};
use crate::generate::spanning::spanning_tree;
use crate::generate::symmetry::symmetrized;
use crate::grid::{Cell, Dir, Grid};
use crate::rng::Rng;

/// How boards of `theseus` are drawn.
pub struct Theseus;

const AMOUNTS: &[Amount] = &[
    Amount {
        name: "exits",
        one: "exit",
        glyph: Some(b'E'),
        is_chaser: false,
        allowed: (1, usize::MAX),
        by_default: fixed::<1, 1>,
    },
    Amount {
        name: "minotaurs",
        one: "Minotaur",
        glyph: Some(b'M'),
        is_chaser: true,
        allowed: (1, 1),
        by_default: fixed::<1, 1>,
    },
];

/// How many cells the Minotaur is away from Theseus at least, where there is the space.
const NEAR: u32 = 3;

impl Layout for Theseus {
    fn ruleset(&self) -> &'static str {
        "theseus"
    }

    fn amounts(&self) -> &'static [Amount] {
        AMOUNTS
    }

    fn size(&self) -> (usize, usize) {
        (7, 7)
    }

    fn least_size(&self) -> (usize, usize) {
        (2, 2)
    }

    fn floor(&self) -> u8 {
        b' '
    }

    fn runner(&self) -> u8 {
        b'T'
    }

    fn has_free_walls(&self) -> bool {
        true
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Option<Sketch> {
        let cells = plan.grid();
        let mut sketch = frame(plan);
        let density = plan.density.unwrap_or_else(|| 0.25 + 0.12 * rng.uniform());
        for (cell, dir) in walls(cells, density, rng) {
            let at = sketch.grid().step(doubled(cells, sketch.grid(), cell), dir);
            let closed = if dir == Dir::Right { b'|' } else { b'-' };
            sketch.put(at.expect("an edge lies between two cells"), closed);
        }
        sketch = symmetrized(&sketch, plan.symmetry);
        put_actors(&mut sketch, cells, plan.amount(0, rng), rng)?;
        Some(sketch)
    }

    fn normal(&self, glyph: u8) -> u8 {
        if glyph == b'.' { b' ' } else { glyph }
    }

    fn walls(&self, sketch: &Sketch) -> Vec<Wall> {
        let grid = sketch.grid();
        let wall = |at: Cell| {
            let (row, col) = grid.position(at);
            let closed = if row % 2 == 1 { b'|' } else { b'-' };
            let is_edge = row % 2 != col % 2 && !grid.is_border(at);
            (is_edge && [b' ', closed].contains(&sketch.at(at))).then_some(Wall {
                at,
                open: b' ',
                closed,
            })
        };
        grid.cells().filter_map(wall).collect()
    }

    fn may_stand(&self, grid: Grid, _glyph: u8, cell: Cell) -> bool {
        let (row, col) = grid.position(cell);
        row % 2 == 1 && col % 2 == 1
    }

    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        self.may_stand(sketch.grid(), glyph, cell)
            && are_apart(self, sketch, (glyph, cell), 2 * NEAR)
    }

    /// The Minotaur goes sideways first, so that rows and columns are not alike.
    fn mirrors(&self, _sketch: &Sketch) -> &'static [Mirror] {
        &Mirror::ALL
    }

    /// There must be a Minotaur, but he may be of stone.
    fn without_chasers(&self, sketch: &Sketch) -> Option<Sketch> {
        Some(sketch.clone().with("minotaur-steps", "0"))
    }

    fn usual_moves(&self, plan: &Plan) -> usize {
        plan.rows + plan.cols
    }
}

/// The empty drawing: a frame, and the corners of all cells.
fn frame(plan: &Plan) -> Sketch {
    let grid = Grid::new(2 * plan.rows + 1, 2 * plan.cols + 1)
        .expect("the size of a plan has been checked");
    let mut sketch = plan.empty(grid, b' ');
    for cell in grid.cells() {
        let (row, col) = grid.position(cell);
        match (row % 2, col % 2) {
            (0, 0) => sketch.put(cell, b'+'),
            (0, _) if grid.is_border(cell) => sketch.put(cell, b'-'),
            (_, 0) if grid.is_border(cell) => sketch.put(cell, b'|'),
            _ => {}
        }
    }
    sketch
}

/// The place in the drawing of a cell.
fn doubled(cells: Grid, drawing: Grid, cell: Cell) -> Cell {
    let (row, col) = cells.position(cell);
    drawing
        .cell(2 * row + 1, 2 * col + 1)
        .expect("the drawing is doubled")
}

/// This share of the edges between cells, each as a cell and the direction (right or down) of its neighbour:
/// as far as possible none that would cut a cell off.
fn walls(cells: Grid, density: f64, rng: &mut Rng) -> Vec<(Cell, Dir)> {
    let tree = spanning_tree(cells, rng);
    let edges = |cell| [Dir::Right, Dir::Down].map(|dir| (cell, dir));
    let mut edges: Vec<(Cell, Dir)> = cells.cells().flat_map(edges).collect();
    edges.retain(|&(cell, dir)| cells.step(cell, dir).is_some());
    rng.shuffle(&mut edges);
    // Those of the tree come last.
    edges.sort_by_key(|edge| tree.contains(edge));
    edges.truncate((density * edges.len() as f64).round() as usize);
    edges
}

fn put_actors(sketch: &mut Sketch, cells: Grid, exits: usize, rng: &mut Rng) -> Option<()> {
    let mut all: Vec<Cell> = cells.cells().collect();
    rng.shuffle(&mut all);
    all.sort_by_key(|&cell| !cells.is_border(cell));
    let exit = *all.first()?;
    let mut free = all.split_off(exits.min(all.len()));
    rng.shuffle(&mut free);
    let reach = (cells.rows() + cells.cols()) / 3;
    let far = |&cell: &Cell, from: Cell, least: u32| cells.distance(cell, from) >= least;
    let theseus = free.iter().copied().find(|cell| far(cell, exit, reach));
    let theseus = theseus.or_else(|| free.first().copied())?;
    free.retain(|&cell| cell != theseus);
    let minotaur = free.iter().copied().find(|cell| far(cell, theseus, NEAR));
    let minotaur = minotaur.or_else(|| free.first().copied())?;
    let drawing = sketch.grid();
    for exit in all {
        sketch.put(doubled(cells, drawing, exit), b'E');
    }
    sketch.put(doubled(cells, drawing, theseus), b'T');
    sketch.put(doubled(cells, drawing, minotaur), b'M');
    Some(())
}
