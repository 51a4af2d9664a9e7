//! Random spanning trees of a grid: mazes without loops.

use std::collections::HashSet;

use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::rng::Rng;

/// Returns the passages of a random maze (depth-first search), each as a cell and the direction, right or down, of a neighbour.
pub fn spanning_tree(grid: Grid, rng: &mut Rng) -> HashSet<(Cell, Dir)> {
    let start = grid.nth(rng.below(grid.size())).expect("a grid has cells");
    let mut reached = Bits::new(grid);
    reached.insert(start);
    let (mut tree, mut way) = (HashSet::new(), vec![start]);
    while let Some(&from) = way.last() {
        let new: Vec<(Dir, Cell)> = grid
            .neighbours(from)
            .filter(|&(_, to)| !reached.contains(to))
            .collect();
        match rng.pick(&new) {
            None => _ = way.pop(),
            Some(&(dir, to)) => {
                reached.insert(to);
                way.push(to);
                tree.insert(forwards(from, dir, to));
            }
        }
    }
    tree
}

fn forwards(from: Cell, dir: Dir, to: Cell) -> (Cell, Dir) {
    match dir {
        Dir::Up => (to, Dir::Down),
        Dir::Left => (to, Dir::Right),
        Dir::Right | Dir::Down => (from, dir),
    }
}

#[cfg(test)]
#[path = "spanning_tests.rs"]
mod tests;
