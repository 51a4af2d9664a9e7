use super::*;

/// Checks that the path through the letters in alphabetical order is found.
fn is_found(rows: &[&str]) {
    let cols = rows[0].len();
    let drawn: Vec<char> = rows.concat().chars().collect();
    let mut path: Vec<usize> = (0..drawn.len())
        .filter(|&cell| drawn[cell] != '.')
        .collect();
    let body = path.clone();
    path.sort_by_key(|&cell| drawn[cell]);
    assert_eq!(order(&body, path[0], cols), Some(path), "{rows:?}");
}

#[test]
fn a_body_that_lies_beside_itself_is_a_path() {
    is_found(&["A"]);
    is_found(&["BC", "AD"]);
    is_found(&["BCD.", "A.EF", "...G"]);
    // A path that goes right from the head can't go through all other cells.
    is_found(&[".G.", "AFE", "BCD"]);
}

#[test]
fn rows_do_not_run_into_each_other() {
    assert_eq!(order(&[1, 2], 1, 2), None);
}

#[test]
fn a_cross_is_no_path() {
    assert_eq!(order(&[1, 3, 4, 5, 7], 4, 3), None);
}
