use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn a_bit_set_behaves_as_a_set(
        rows in 1usize..20,
        cols in 1usize..20,
        picks in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..80),
    ) {
        let grid = Grid::new(rows, cols).unwrap();
        let mut bits = Bits::new(grid);
        let mut set = BTreeSet::new();
        for (put, pick) in picks {
            let cell = grid.nth(pick.index(grid.size())).unwrap();
            if put {
                prop_assert_eq!(bits.insert(cell), set.insert(cell));
            } else {
                prop_assert_eq!(bits.remove(cell), set.remove(&cell));
            }
            prop_assert_eq!(bits.contains(cell), put);
        }
        prop_assert_eq!(bits.len(), set.len());
        prop_assert_eq!(bits.is_empty(), set.is_empty());
        let only = set.first().copied().filter(|_| set.len() == 1);
        prop_assert_eq!(bits.only(grid), only);
        let mut copy = Bits::new(grid);
        copy.clone_from(&bits);
        prop_assert_eq!(&copy, &bits);
        prop_assert!(bits.iter(grid).eq(set));
        copy.clear();
        prop_assert!(copy.is_empty());
    }
}

proptest! {
    #[test]
    fn operators_of_sets_agree_with_those_of_ordered_sets(
        rows in 1usize..20,
        cols in 1usize..20,
        picks in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..80),
    ) {
        let grid = Grid::new(rows, cols).unwrap();
        let cell = |pick: &prop::sample::Index| grid.nth(pick.index(grid.size())).unwrap();
        let [first, second] = [true, false].map(|side| -> BTreeSet<Cell> {
            picks.iter().filter(|(of, _)| *of == side).map(|(_, pick)| cell(pick)).collect()
        });
        let [a, b] = [&first, &second].map(|set| Bits::of_cells(grid, set.iter().copied()));
        let cells = |bits: Bits| bits.iter(grid).collect::<BTreeSet<_>>();
        prop_assert_eq!(cells(&a | &b), &first | &second);
        prop_assert_eq!(cells(&a & &b), &first & &second);
        prop_assert_eq!(cells(&a - &b), &first - &second);
        prop_assert_eq!(cells(&Bits::full(grid) - &a), &grid.cells().collect() - &first);
        prop_assert_eq!(a.is_disjoint(&b), first.is_disjoint(&second));
        prop_assert_eq!(a.is_subset(&b), first.is_subset(&second));
    }
}

#[test]
#[should_panic(expected = "sets of different grids")]
fn sets_of_different_grids_do_not_mix() {
    let [small, large] = [(2, 2), (20, 20)].map(|(rows, cols)| Grid::new(rows, cols).unwrap());
    let _ = &Bits::new(small) | &Bits::new(large);
}

#[test]
fn a_run_is_put_in_across_words() {
    for (rows, cols, start) in [(8, 16, 60), (20, 20, 60), (20, 20, 64), (20, 20, 336)] {
        let grid = Grid::new(rows, cols).unwrap();
        let mut bits = Bits::new(grid);
        bits.insert_run(start, 1 | 1 << 7 | 1 << 63);
        bits.insert_run(grid.size(), 0);
        let indices: Vec<_> = bits.iter(grid).map(Cell::index).collect();
        assert_eq!(indices, [start, start + 7, start + 63]);
    }
}

#[test]
fn a_million_cells_fit() {
    let grid = Grid::new(1000, 1000).unwrap();
    let mut bits = Bits::new(grid);
    for cell in grid.cells().step_by(997) {
        assert!(bits.insert(cell));
    }
    assert_eq!(bits.len(), 1004);
    assert!(bits.iter(grid).eq(grid.cells().step_by(997)));
    assert_eq!(bits.word(), None);
}
