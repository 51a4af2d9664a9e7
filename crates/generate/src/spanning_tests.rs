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
