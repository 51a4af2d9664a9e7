//! `theseus`: a maze without some of its walls, an exit on its edge, Theseus far from the exit and the Minotaur at a distance
//! from Theseus.

use crate::layout::{
    Canvas, CanvasCell, Layout, Piece, Plan, Size, Style, ThingKind, cells_of_share,
};
use crate::sketch::{Sketch, Symmetry};
use crate::spanning::spanning_tree;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::rng::Rng;

pub struct Theseus;

const STYLE: Style = Style {
    ruleset: "theseus",
    amounts: &[
        ThingKind::new("exits", "exit", Some(b'E')).allowed(1, usize::MAX),
        ThingKind::chaser("minotaurs", "Minotaur", b'M').allowed(1, 1),
    ],
    size: Size::new(7, 7),
    min_size: Size::new(2, 2),
    floor: b' ',
    runner: b'T',
    synonyms: &[(b'.', b' ')],
    ..Style::PLAIN
};

/// The usual minimum distance between the Minotaur and Theseus.
const MIN_DISTANCE: u32 = 3;

impl Layout for Theseus {
    fn style(&self) -> Style<'_> {
        STYLE
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
        put_actors(&mut sketch, cells, plan.amount(0, rng), rng)?;
        Some(sketch)
    }

    fn canvas(&self, plan: &Plan) -> Option<Canvas> {
        let sketch = frame(plan);
        let grid = sketch.grid();
        let cells = grid.cells().filter(|&cell| self.may_stand(grid, cell));
        let actor = |cell| CanvasCell {
            cell,
            glyphs: b" TME".to_vec(),
        };
        let wall = |wall: Piece| CanvasCell {
            cell: wall.at,
            glyphs: vec![wall.open, wall.closed],
        };
        let walls = self.walls(&sketch).into_iter().map(wall);
        Some(Canvas {
            places: cells.map(actor).chain(walls).collect(),
            sketch,
        })
    }

    /// Returns the edges between neighbouring cells, with or without a wall.
    fn walls(&self, sketch: &Sketch) -> Vec<Piece> {
        let grid = sketch.grid();
        let wall = |at: Cell| {
            let (row, col) = grid.position(at);
            let closed = if row % 2 == 1 { b'|' } else { b'-' };
            let is_edge = row % 2 != col % 2 && !grid.is_border(at);
            (is_edge && [b' ', closed].contains(&sketch.at(at))).then_some(Piece {
                at,
                open: b' ',
                closed,
            })
        };
        grid.cells().filter_map(wall).collect()
    }

    fn may_stand(&self, grid: Grid, cell: Cell) -> bool {
        let (row, col) = grid.position(cell);
        row % 2 == 1 && col % 2 == 1
    }

    fn is_usual(&self, sketch: &Sketch, glyph: u8, cell: Cell) -> bool {
        // In the drawing, distances are twice as large as on the board.
        self.may_stand(sketch.grid(), cell)
            && STYLE.are_apart(sketch, glyph, cell, 2 * MIN_DISTANCE)
    }

    /// Returns no transposes: the Minotaur moves sideways first, so rows and columns are not interchangeable.
    fn symmetries(&self, _sketch: &Sketch) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    /// A board must have a Minotaur, but he need not move.
    fn without_chasers(&self, sketch: &Sketch) -> Option<Sketch> {
        Some(sketch.clone().with("minotaur-steps", "0"))
    }

    fn usual_moves(&self, plan: &Plan) -> usize {
        plan.rows + plan.cols
    }

    /// In a shortest way out, no pair of cells of Theseus and the Minotaur occurs twice.
    fn max_moves(&self, plan: &Plan) -> Option<usize> {
        Some((plan.rows * plan.cols).pow(2))
    }
}

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

fn doubled(cells: Grid, drawing: Grid, cell: Cell) -> Cell {
    let (row, col) = cells.position(cell);
    drawing
        .cell(2 * row + 1, 2 * col + 1)
        .expect("the drawing is doubled")
}

/// Picks edges between cells for walls, as many as `density` says, each given by a cell and the direction of its neighbour.
fn walls(cells: Grid, density: f64, rng: &mut Rng) -> Vec<(Cell, Dir)> {
    let tree = spanning_tree(cells, rng);
    let edges = |cell| [Dir::Right, Dir::Down].map(|dir| (cell, dir));
    let mut edges: Vec<(Cell, Dir)> = cells.cells().flat_map(edges).collect();
    edges.retain(|&(cell, dir)| cells.step(cell, dir).is_some());
    rng.shuffle(&mut edges);
    // The edges of the tree come last: without walls on them, every cell can be reached.
    edges.sort_by_key(|edge| tree.contains(edge));
    edges.truncate(cells_of_share(density, edges.len()));
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
    let pick = |free: &[Cell], from: Cell, min: u32| {
        let far = free.iter().find(|&&cell| cells.distance(cell, from) >= min);
        far.or(free.first()).copied()
    };
    let theseus = pick(&free, exit, reach)?;
    free.retain(|&cell| cell != theseus);
    let minotaur = pick(&free, theseus, MIN_DISTANCE)?;
    let drawing = sketch.grid();
    for exit in all {
        sketch.put(doubled(cells, drawing, exit), b'E');
    }
    sketch.put(doubled(cells, drawing, theseus), b'T');
    sketch.put(doubled(cells, drawing, minotaur), b'M');
    Some(())
}
