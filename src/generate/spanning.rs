//! Random spanning trees of a grid: mazes without loops.

use std::collections::HashSet;

use crate::bits::Bits;
use crate::grid::{Cell, Dir, Grid};
use crate::rng::Rng;

/// The passages of a random maze without loops, each as a cell and the direction (right or down) of its neighbour. The
/// corridors are long and winding.
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

/// The passage as seen from its upper or left end.
fn forwards(from: Cell, dir: Dir, to: Cell) -> (Cell, Dir) {
    match dir {
        Dir::Up => (to, Dir::Down),
        Dir::Left => (to, Dir::Right),
        Dir::Right | Dir::Down => (from, dir),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_reaches_every_cell_with_one_passage_less() {
        for (rows, cols) in [(1, 1), (1, 6), (5, 7)] {
            let grid = Grid::new(rows, cols).unwrap();
            for seed in 0..20 {
                let tree = spanning_tree(grid, &mut Rng::new(seed));
                assert_eq!(tree.len(), grid.size() - 1);
                let mut reached = Bits::new(grid);
                let mut rest = vec![grid.nth(0).unwrap()];
                while let Some(cell) = rest.pop() {
                    if reached.insert(cell) {
                        let is_open =
                            |&(dir, to): &(Dir, Cell)| tree.contains(&forwards(cell, dir, to));
                        rest.extend(grid.neighbours(cell).filter(is_open).map(|(_, to)| to));
                    }
                }
                assert!(grid.cells().all(|cell| reached.contains(cell)));
            }
        }
    }
}
