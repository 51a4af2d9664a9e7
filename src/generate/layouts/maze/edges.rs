use crate::generate::layout::Plan;
use crate::generate::spanning::spanning_tree;
use crate::grid::{Cell, Dir, Grid};
use crate::rng::Rng;

pub fn is_node(grid: Grid, cell: Cell) -> bool {
    let (row, col) = grid.position(cell);
    row % 2 == 0 && col % 2 == 0
}

pub fn pillars(grid: Grid) -> impl Iterator<Item = Cell> {
    grid.cells()
        .filter(move |&cell| grid.row(cell) % 2 == 1 && grid.col(cell) % 2 == 1)
}

/// Returns the cells between neighbouring nodes: those in the corridors of a random maze, then the others.
pub fn edges(grid: Grid, rng: &mut Rng) -> [Vec<Cell>; 2] {
    let half = |size: u32| size.div_ceil(2) as usize;
    let nodes = Grid::new(half(grid.rows()), half(grid.cols())).expect("half a grid is a grid");
    let tree = spanning_tree(nodes, rng);
    let mut edges = [Vec::new(), Vec::new()];
    for node in nodes.cells() {
        for dir in [Dir::Right, Dir::Down] {
            if nodes.step(node, dir).is_some() {
                let (row, col) = nodes.position(node);
                let at = grid.cell(2 * row, 2 * col).expect("nodes are on the grid");
                let is_wall = !tree.contains(&(node, dir));
                edges[usize::from(is_wall)].extend(grid.step(at, dir));
            }
        }
    }
    edges
}

/// The probability that a piece of wall is missing; 0 if a wall density is given.
pub fn gaps(plan: &Plan, rng: &mut Rng) -> f64 {
    match plan.density {
        Some(_) => 0.0,
        None => 0.1 + 0.25 * rng.uniform(),
    }
}
