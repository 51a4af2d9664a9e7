//! The corridors of a maze: its nodes, which are the cells with even coordinates, and the open cells between them.

use crate::layout::Plan;
use crate::spanning::spanning_tree;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::rng::Rng;

pub fn is_node(grid: Grid, cell: Cell) -> bool {
    let (row, col) = grid.position(cell);
    row % 2 == 0 && col % 2 == 0
}

pub fn pillars(grid: Grid) -> impl Iterator<Item = Cell> {
    grid.cells()
        .filter(move |&cell| grid.row(cell) % 2 == 1 && grid.col(cell) % 2 == 1)
}

/// Returns the cells between neighbouring nodes that a random maze leaves closed.
pub fn closed_edges(grid: Grid, rng: &mut Rng) -> Vec<Cell> {
    let half = |size: u32| size.div_ceil(2) as usize;
    let nodes = Grid::new(half(grid.rows()), half(grid.cols())).expect("half a grid is a grid");
    let tree = spanning_tree(nodes, rng);
    let mut edges = Vec::new();
    for node in nodes.cells() {
        for dir in [Dir::Right, Dir::Down] {
            if nodes.step(node, dir).is_some() && !tree.contains(&(node, dir)) {
                let (row, col) = nodes.position(node);
                let at = grid.cell(2 * row, 2 * col).expect("nodes are on the grid");
                edges.extend(grid.step(at, dir));
            }
        }
    }
    edges
}

/// Returns the probability that a piece of wall is missing; 0 if a wall density is given.
pub fn gap_probability(plan: &Plan, rng: &mut Rng) -> f64 {
    match plan.density {
        Some(_) => 0.0,
        None => 0.1 + 0.25 * rng.uniform(),
    }
}
