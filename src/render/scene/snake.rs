//! The order of the cells in a snake-like body, as far as a picture shows it.

/// The minimum number of steps before the search gives up.
const PATIENCE: usize = 10_000;

/// Finds a path from the head through all cells of a body, trying up, right, down and left in this order, as the
/// rules of a maze do. Returns `None` if there is none, or the search takes too long.
///
/// Cells are numbered row by row, `cols` to a row; `body` is sorted, and contains the head.
pub fn order(body: &[usize], head: usize, cols: usize) -> Option<Vec<usize>> {
    let place = |cell: usize| body.binary_search(&cell).ok();
    let mut is_on_path = vec![false; body.len()];
    is_on_path[place(head)?] = true;
    // The cells, each with the number of the next direction to be tried.
    let mut path = vec![(head, 0)];
    for _ in 0..PATIENCE.max(16 * body.len()) {
        if path.len() == body.len() {
            return Some(path.into_iter().map(|(cell, _)| cell).collect());
        }
        let &mut (cell, ref mut direction) = path.last_mut()?;
        if *direction == 4 {
            path.pop();
            is_on_path[place(cell)?] = false;
            continue;
        }
        let to = beside(cell, *direction, cols).and_then(place);
        *direction += 1;
        if let Some(to) = to.filter(|&to| !is_on_path[to]) {
            is_on_path[to] = true;
            path.push((body[to], 0));
        }
    }
    None
}

/// The neighbouring cell; `direction` is 0 for above, 1 for right, 2 for below, 3 for left.
fn beside(cell: usize, direction: u8, cols: usize) -> Option<usize> {
    match direction {
        0 => cell.checked_sub(cols),
        1 => Some(cell + 1).filter(|to| !to.is_multiple_of(cols)),
        2 => Some(cell + cols),
        _ => cell.checked_sub(1).filter(|_| !cell.is_multiple_of(cols)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters show the expected path, in alphabetical order.
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
        // Up from the head is a dead end, which leaves the other cells out.
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
}
