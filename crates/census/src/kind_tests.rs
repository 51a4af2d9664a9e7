use super::*;

fn kind(rows: usize, cols: usize, ghosts: usize) -> BoardKind {
    BoardKind::jimmy(Grid::new(rows, cols).unwrap(), ghosts)
}

#[test]
fn each_placement_comes_once_and_in_order() {
    let kind = kind(2, 2, 2);
    let mut all = Vec::new();
    kind.placements(&mut |placement| all.push(placement.to_vec()));
    assert_eq!(all.len(), 12);
    assert_eq!(kind.number_of_placements(), Some(12));
    assert!(all.is_sorted());
    assert_eq!(all[..4], [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 0, 2]]);
}

#[test]
fn a_count_that_is_impossible_says_why() {
    assert_eq!(
        kind(2, 2, 4).check(4),
        Err(CensusError::Crowded {
            actors: 5,
            cells: 4
        })
    );
    assert_eq!(
        kind(12, 11, 1).check(4),
        Err(CensusError::Large { cells: 132 })
    );
    assert_eq!(kind(8, 8, 8).check(4), Err(CensusError::ManyPlacements));
    assert_eq!(kind(16, 8, 1).check(4), Err(CensusError::ManyBoards));
    assert_eq!(kind(10, 10, 1).check(4), Ok(()));
    assert_eq!(kind(4, 4, 1).boards(), Some((16 * 15) << 14));
}

#[test]
fn a_single_row_has_one_mirror_and_a_single_cell_none() {
    let symmetries = |rows, cols| kind(rows, cols, 0).symmetries();
    assert_eq!(symmetries(1, 1).len(), 1);
    assert_eq!(symmetries(1, 3).len(), 2);
    assert_eq!(symmetries(3, 1).len(), 2);
    assert_eq!(symmetries(2, 2).len(), 4);
    assert_eq!(symmetries(2, 3)[0], [0, 1, 2, 3, 4, 5]);
    assert_eq!(symmetries(2, 3)[1], [3, 4, 5, 0, 1, 2]);
    assert_eq!(symmetries(2, 3)[2], [2, 1, 0, 5, 4, 3]);
    assert_eq!(symmetries(2, 3)[3], [5, 4, 3, 2, 1, 0]);
}
