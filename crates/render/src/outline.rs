//! The outline of joined cells, with rounded corners.

use super::shapes::{Path, Point, Segment};

/// The steps right, down, left and up; each is a right turn from the previous one.
const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

type Edge = (usize, usize);

/// The edges that are not part of a path yet, by the corner where they begin and their direction in [`STEPS`]. The joined cells
/// are to their right.
struct Edges {
    width: usize,
    steps: Vec<[bool; 4]>,
}

/// Returns the outline of the cells for which `is_in`, called with column and row, returns true.
pub fn outline(
    cols: usize,
    rows: usize,
    radius: f32,
    is_in: impl Fn(usize, usize) -> bool,
) -> Path {
    let mut edges = Edges::of(cols, rows, is_in);
    let mut path = Path::default();
    for start in 0..edges.steps.len() {
        while let Some(step) = edges.steps[start].iter().position(|&has| has) {
            let corners = edges.round((start, step));
            edges.add(&mut path, &corners, radius);
        }
    }
    path
}

impl Edges {
    fn of(cols: usize, rows: usize, is_in: impl Fn(usize, usize) -> bool) -> Self {
        let width = cols + 1;
        let mut steps = vec![[false; 4]; width * (rows + 1)];
        let has = |col: usize, row: usize| col < cols && row < rows && is_in(col, row);
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            if !is_in(col, row) {
                continue;
            }
            let at = row * width + col;
            let sides = [
                (has(col, row.wrapping_sub(1)), at),
                (has(col + 1, row), at + 1),
                (has(col, row + 1), at + width + 1),
                (has(col.wrapping_sub(1), row), at + width),
            ];
            for (step, (is_joined, from)) in sides.into_iter().enumerate() {
                steps[from][step] |= !is_joined;
            }
        }
        Self { width, steps }
    }

    /// Removes the closed loop of edges that begins at `start`, and returns the corners where it turns, each with the direction
    /// of the next edge. Prefers right turns, so that cells that touch only at a corner are not joined.
    fn round(&mut self, start: Edge) -> Vec<Edge> {
        let mut corners = Vec::new();
        let (mut at, mut step) = start;
        let mut last = None;
        while std::mem::take(&mut self.steps[at][step]) {
            if last != Some(step) {
                corners.push((at, step));
            }
            last = Some(step);
            let (across, down) = STEPS[step];
            at = at.wrapping_add_signed(across + down * self.width as isize);
            let turns = [step + 1, step, step + 3].map(|turn| turn % 4);
            let is_there = |&turn: &usize| self.steps[at][turn] || (at, turn) == start;
            step = turns.into_iter().find(is_there).unwrap_or(step);
        }
        corners
    }

    fn add(&self, path: &mut Path, corners: &[Edge], radius: f32) {
        let place = |at: usize| ((at % self.width) as f32, (at / self.width) as f32);
        let along = |(x, y): Point, step: usize, far: f32| {
            let (across, down) = STEPS[step];
            (x + across as f32 * far, y + down as f32 * far)
        };
        let before = corners.iter().cycle().skip(corners.len() - 1);
        for (number, (&(at, step), &(_, from))) in corners.iter().zip(before).enumerate() {
            let corner = place(at);
            let near = along(corner, from, -radius);
            path.0.push(if number == 0 {
                Segment::Move(near)
            } else {
                Segment::Line(near)
            });
            path.0
                .push(Segment::Quad(corner, along(corner, step, radius)));
        }
        path.0.push(Segment::Close);
    }
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
