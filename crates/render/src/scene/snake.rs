//! The order of the cells in a snake-like body, reconstructed from their places on the board.

const MAX_STEPS: usize = 10_000;

/// Finds a path from the head through all cells of a body. Tries directions in the order of the `maze` rules: up, right, down,
/// left. Returns `None` if there is no path or the search takes too long.
///
/// Cells are numbered row by row, with `cols` in each row; `body` is sorted and contains the head.
pub fn order(body: &[usize], head: usize, cols: usize) -> Option<Vec<usize>> {
    let place = |cell: usize| body.binary_search(&cell).ok();
    let mut is_on_path = vec![false; body.len()];
    is_on_path[place(head)?] = true;
    let mut path = vec![(head, 0)];
    for _ in 0..MAX_STEPS.max(16 * body.len()) {
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

/// Returns the neighbour of `cell` above (0), to the right (1), below (2) or to the left (3).
fn beside(cell: usize, direction: u8, cols: usize) -> Option<usize> {
    match direction {
        0 => cell.checked_sub(cols),
        1 => Some(cell + 1).filter(|to| !to.is_multiple_of(cols)),
        2 => Some(cell + cols),
        _ => cell.checked_sub(1).filter(|_| !cell.is_multiple_of(cols)),
    }
}

#[cfg(test)]
#[path = "snake_tests.rs"]
mod tests;
