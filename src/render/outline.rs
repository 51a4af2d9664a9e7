//! The outline of joined cells, with rounded corners.

use super::shapes::{Path, Segment};

/// Returns a path that fills the cells for which `is_in`, called with column and row, returns true. Cells that touch only at a
/// corner are not joined.
pub fn outline(
    (cols, rows): (usize, usize),
    radius: f32,
    is_in: impl Fn(usize, usize) -> bool,
) -> Path {
    // A column or row before the first wraps around, and so is not on the board.
    let has = |col: usize, row: usize| col < cols && row < rows && is_in(col, row);
    let mut path = Path::default();
    for (row, start) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        let before = start.wrapping_sub(1);
        if !has(start, row) {
            add_fillets(&mut path, (start, row), radius, has);
        } else if !has(before, row) {
            let end = (start..cols).find(|&col| !has(col, row)).unwrap_or(cols);
            let is_alike = |row: usize| {
                !has(before, row) && !has(end, row) && (start..end).all(|col| has(col, row))
            };
            let above = row.wrapping_sub(1);
            if !is_alike(above) {
                let below = (row..rows).find(|&row| !is_alike(row)).unwrap_or(rows);
                let corners = [
                    (start, above),
                    (end - 1, above),
                    (end - 1, below),
                    (start, below),
                ];
                let radii = corners.map(|(col, row)| if has(col, row) { 0.0 } else { radius });
                let [left, top, right, bottom] = [start, row, end, below].map(|side| side as f32);
                path.add_rectangle((left, top), (right, bottom), radii);
            }
        }
    }
    path
}

/// Rounds the corners of a cell that is not filled, where the three cells around a corner are.
fn add_fillets(
    path: &mut Path,
    (col, row): (usize, usize),
    radius: f32,
    has: impl Fn(usize, usize) -> bool,
) {
    for (across, down) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
        let beside = (col + 2 * across).wrapping_sub(1);
        let behind = (row + 2 * down).wrapping_sub(1);
        if has(beside, row) && has(col, behind) && has(beside, behind) {
            let (x, y) = ((col + across) as f32, (row + down) as f32);
            let inside = |corner: usize| radius * (1.0 - 2.0 * corner as f32);
            path.0.extend([
                Segment::Move((x, y)),
                Segment::Line((x + inside(across), y)),
                Segment::Quad((x, y), (x, y + inside(down))),
                Segment::Close,
            ]);
        }
    }
}

#[cfg(test)]
mod tests;
