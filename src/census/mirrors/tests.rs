use super::*;

#[test]
fn a_single_row_has_one_mirror_and_a_single_cell_none() {
    let mirrors = |rows, cols| Mirror::all(Grid::new(rows, cols).unwrap());
    assert_eq!(mirrors(1, 1).len(), 1);
    assert_eq!(mirrors(1, 3).len(), 2);
    assert_eq!(mirrors(3, 1).len(), 2);
    assert_eq!(mirrors(2, 2).len(), 4);
    assert!(mirrors(2, 3)[0].is_identity());
    assert_eq!(mirrors(2, 3)[1].0, [3, 4, 5, 0, 1, 2]);
    assert_eq!(mirrors(2, 3)[2].0, [2, 1, 0, 5, 4, 3]);
    assert_eq!(mirrors(2, 3)[3].0, [5, 4, 3, 2, 1, 0]);
}
