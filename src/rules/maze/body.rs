//! The bodies on a map that moves: cells in order from the head to the tail.
//!
//! A starting map says which cells a body has, but not in which order it runs through them.
//! [`in_order`] reads that off: it is the first path from the head through all of them, trying the
//! directions 0, 1, 2, 3 depth first. Finding one is hard in general, so the search leaves a way as
//! soon as it is plain that it leads nowhere: when the cells left fall apart, or two of them can
//! only be the last one; and it gives up when it has worked for too long.

use std::collections::{HashMap, VecDeque};

use crate::grid::{Cell, Grid};

/// A head and what follows it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    head: Cell,
    rest: VecDeque<Cell>,
}

impl Body {
    /// A head and the cells that follow it, from the first to the last.
    pub fn new(head: Cell, rest: Vec<Cell>) -> Self {
        Self {
            head,
            rest: rest.into(),
        }
    }

    /// Where its head is.
    pub const fn head(&self) -> Cell {
        self.head
    }

    /// Its cells, from the head to the last.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        std::iter::once(self.head).chain(self.rest.iter().copied())
    }

    /// The head steps to `to`, and there is one cell more to follow it.
    pub fn grow(&mut self, to: Cell) {
        self.rest.push_front(self.head);
        self.head = to;
    }

    /// The head steps to `to` and the others follow; returns the cell that is left by the last.
    pub fn step(&mut self, to: Cell) -> Cell {
        let from = std::mem::replace(&mut self.head, to);
        match self.rest.pop_back() {
            None => from,
            Some(last) => {
                self.rest.push_front(from);
                last
            }
        }
    }
}

/// Why the cells of a body could not be brought into an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOrder {
    /// No path from the head runs through all of them.
    NoPath,
    /// The work allowed was done before the search was.
    TooTangled,
}

/// `rest` in the order of the first path from `head` through all of it. A step of the search takes
/// one from `work`, and so does each cell that it looks at to see what hangs together.
///
/// # Errors
///
/// If there is no such path, or `work` comes to 0 first.
pub fn in_order(
    grid: Grid,
    head: Cell,
    rest: &[Cell],
    work: &mut u64,
) -> Result<Vec<Cell>, NoOrder> {
    let shape = Shape::new(grid, head, rest);
    if !shape.is_balanced(grid) {
        return Err(NoOrder::NoPath);
    }
    let mut walk = Walk::new(&shape, work);
    let path = walk.run()?;
    Ok(path[1..]
        .iter()
        .map(|&at| shape.cells[at as usize])
        .collect())
}

/// No cell of the body.
const NONE: u32 = u32::MAX;

/// The cells of a body, numbered; the head is 0.
struct Shape {
    cells: Vec<Cell>,
    /// The eight cells around each, clockwise from the one above: those in the directions 0 to 3 are
    /// at the even places.
    rings: Vec<[u32; 8]>,
}

impl Shape {
    const RING: [(i32, i32); 8] = [
        (-1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
    ];

    fn new(grid: Grid, head: Cell, rest: &[Cell]) -> Self {
        let cells: Vec<_> = std::iter::once(head).chain(rest.iter().copied()).collect();
        let numbers: HashMap<_, _> = cells.iter().copied().zip(0..).collect();
        let ring = |&cell: &Cell| {
            Self::RING.map(|(rows, cols)| {
                let there = grid.offset(cell, rows, cols);
                there
                    .and_then(|there| numbers.get(&there).copied())
                    .unwrap_or(NONE)
            })
        };
        let rings = cells.iter().map(ring).collect();
        Self { cells, rings }
    }

    /// Whether, on a chessboard, there are as many cells of either colour as a path from the head
    /// meets.
    fn is_balanced(&self, grid: Grid) -> bool {
        let colour = |cell| {
            let (row, col) = grid.position(cell);
            (row + col) % 2
        };
        let first = colour(self.cells[0]);
        let same = self
            .cells
            .iter()
            .filter(|&&cell| colour(cell) == first)
            .count();
        same == self.cells.len().div_ceil(2)
    }

    fn neighbours(&self, at: u32) -> impl Iterator<Item = u32> {
        self.rings[at as usize]
            .into_iter()
            .step_by(2)
            .filter(|&there| there != NONE)
    }
}

/// A depth-first search for a path, with its own stack.
struct Walk<'a> {
    shape: &'a Shape,
    work: &'a mut u64,
    /// The path so far, with the next place of each cell's ring to try.
    path: Vec<(u32, usize)>,
    /// Whether a cell is the last of the path, or not on it yet.
    left: Vec<bool>,
    /// How many neighbours of a cell are left.
    degrees: Vec<u8>,
    /// How many cells not on the path have a single neighbour left: only the last of all may.
    ends: usize,
    flood: Flood,
}

impl<'a> Walk<'a> {
    fn new(shape: &'a Shape, work: &'a mut u64) -> Self {
        let size = shape.cells.len();
        let degrees: Vec<_> = (0..size as u32)
            .map(|at| shape.neighbours(at).count() as u8)
            .collect();
        Self {
            shape,
            work,
            path: vec![(0, 0)],
            left: vec![true; size],
            ends: degrees[1..].iter().filter(|&&degree| degree <= 1).count(),
            degrees,
            flood: Flood::new(size),
        }
    }

    fn run(&mut self) -> Result<Vec<u32>, NoOrder> {
        let all: Vec<_> = (1..self.shape.cells.len() as u32).collect();
        let mut hopeful = self.ends <= 1 && self.hang_together(0, &all);
        loop {
            if *self.work == 0 {
                return Err(NoOrder::TooTangled);
            }
            *self.work -= 1;
            if hopeful && self.path.len() == self.shape.cells.len() {
                return Ok(self.path.iter().map(|&(at, _)| at).collect());
            }
            match self.next().filter(|_| hopeful) {
                Some(to) => hopeful = self.go(to),
                None if self.path.len() == 1 => return Err(NoOrder::NoPath),
                None => {
                    self.go_back();
                    hopeful = true;
                }
            }
        }
    }

    /// The next neighbour to try from the end of the path.
    fn next(&mut self) -> Option<u32> {
        let (at, tried) = self.path.last_mut().expect("the head stays on the path");
        let ring = self.shape.rings[*at as usize];
        while *tried < ring.len() {
            let to = ring[*tried];
            *tried += 2;
            if to != NONE && self.left[to as usize] {
                return Some(to);
            }
        }
        None
    }

    fn end(&self) -> u32 {
        self.path.last().expect("the head stays on the path").0
    }

    /// Goes on to `to`; whether the rest may still be walked from there.
    fn go(&mut self, to: u32) -> bool {
        let from = self.end();
        self.ends -= usize::from(self.degrees[to as usize] <= 1);
        self.left[from as usize] = false;
        for there in self.shape.neighbours(from) {
            self.degrees[there as usize] -= 1;
            let is_new_end = self.degrees[there as usize] == 1 && self.left[there as usize];
            self.ends += usize::from(is_new_end && there != to);
        }
        self.path.push((to, 0));
        self.ends <= 1 && self.is_whole_without(from, to)
    }

    /// Undoes the last step.
    fn go_back(&mut self) {
        let (to, _) = self.path.pop().expect("there is a step to undo");
        let from = self.end();
        for there in self.shape.neighbours(from) {
            let was_new_end = self.degrees[there as usize] == 1 && self.left[there as usize];
            self.ends -= usize::from(was_new_end && there != to);
            self.degrees[there as usize] += 1;
        }
        self.left[from as usize] = true;
        self.ends += usize::from(self.degrees[to as usize] <= 1);
    }

    /// Whether the cells left, from `to` on, still hang together now that `from` is gone.
    fn is_whole_without(&mut self, from: u32, to: u32) -> bool {
        let apart = self.apart_around(from, to);
        apart.is_empty() || self.hang_together(to, &apart)
    }

    /// The neighbours of `from` that do not hang together with `to` by cells around `from`.
    fn apart_around(&self, from: u32, to: u32) -> Vec<u32> {
        let ring = self.shape.rings[from as usize];
        let is_left = |place: usize| ring[place] != NONE && self.left[ring[place] as usize];
        let start = ring
            .iter()
            .position(|&there| there == to)
            .expect("a step to a neighbour");
        let clockwise = (start..start + 8).map(|place| place % 8);
        let counter = (start + 1..=start + 8).rev().map(|place| place % 8);
        let reached: Vec<_> = clockwise
            .take_while(|&place| is_left(place))
            .chain(counter.take_while(|&place| is_left(place)))
            .collect();
        (0..8)
            .step_by(2)
            .filter(|place| is_left(*place) && !reached.contains(place))
            .map(|place| ring[place])
            .collect()
    }

    /// Whether all of `wanted` can be got to from `start` over cells that are left.
    fn hang_together(&mut self, start: u32, wanted: &[u32]) -> bool {
        let (shape, left) = (self.shape, &self.left);
        let open = |at| shape.neighbours(at).filter(|&there| left[there as usize]);
        let (whole, seen) = self.flood.reaches(start, wanted, open);
        *self.work = self.work.saturating_sub(seen);
        whole
    }
}

/// A breadth-first search that is run again and again.
struct Flood {
    /// The run in which a cell was last seen, and the run in which it was last wanted.
    seen: Vec<u64>,
    wanted: Vec<u64>,
    run: u64,
    queue: Vec<u32>,
}

impl Flood {
    fn new(size: usize) -> Self {
        Self {
            seen: vec![0; size],
            wanted: vec![0; size],
            run: 0,
            queue: Vec::new(),
        }
    }

    /// Whether all of `wanted` can be got to from `start`, and how many cells were looked at.
    fn reaches<I: Iterator<Item = u32>>(
        &mut self,
        start: u32,
        wanted: &[u32],
        open: impl Fn(u32) -> I,
    ) -> (bool, u64) {
        self.run += 1;
        for &at in wanted {
            self.wanted[at as usize] = self.run;
        }
        let mut missing = wanted.len();
        self.queue.clear();
        self.see(start);
        let mut next = 0;
        while missing > 0 && next < self.queue.len() {
            let at = self.queue[next];
            next += 1;
            missing -= usize::from(self.wanted[at as usize] == self.run);
            for there in open(at) {
                self.see(there);
            }
        }
        (missing == 0, next as u64)
    }

    fn see(&mut self, at: u32) {
        if self.seen[at as usize] != self.run {
            self.seen[at as usize] = self.run;
            self.queue.push(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLENTY: u64 = 10_000_000;

    /// The path through a drawing, as the digits of its directions: `H` is the head, `b` the rest.
    fn order(rows: &[&str]) -> Result<String, NoOrder> {
        order_within(rows, PLENTY)
    }

    fn order_within(rows: &[&str], mut work: u64) -> Result<String, NoOrder> {
        let grid = Grid::new(rows.len(), rows[0].len()).unwrap();
        let glyphs = rows.concat();
        let all = |glyph: u8| -> Vec<_> {
            grid.cells()
                .filter(|cell| glyphs.as_bytes()[cell.index()] == glyph)
                .collect()
        };
        let mut path = all(b'H');
        path.extend(in_order(grid, path[0], &all(b'b'), &mut work)?);
        let step = |pair: &[Cell]| {
            let (_, to) = grid
                .neighbours(pair[0])
                .find(|&(_, to)| to == pair[1])
                .unwrap();
            let way = super::super::Way::ALL
                .into_iter()
                .find(|way| grid.step(pair[0], way.dir()) == Some(to));
            way.unwrap().to_string()
        };
        Ok(path.windows(2).map(step).collect())
    }

    #[test]
    fn a_head_alone_is_a_body() {
        assert_eq!(order(&["H"]), Ok(String::new()));
    }

    #[test]
    fn a_snake_is_read_off_cell_by_cell() {
        assert_eq!(order(&["Hbb", "..b", "bbb"]), Ok("112233".into()));
    }

    #[test]
    fn directions_are_tried_in_the_order_0_1_2_3() {
        assert_eq!(order(&["bb", "Hb"]), Ok("012".into()), "up before right");
        assert_eq!(order(&["Hb", "bb"]), Ok("123".into()), "right before down");
        assert_eq!(order(&["bH", "bb"]), Ok("230".into()), "down before left");
    }

    #[test]
    fn a_way_that_leaves_cells_behind_is_taken_back() {
        // Right comes before down, but only down and around leads through all.
        assert_eq!(order(&["Hbb", "bb."]), Ok("2101".into()));
        // The same one step later.
        assert_eq!(order(&["Hbbb", ".bb."]), Ok("12101".into()));
    }

    #[test]
    fn a_fork_or_a_loose_cell_is_no_path() {
        assert_eq!(order(&["bHb"]), Err(NoOrder::NoPath));
        assert_eq!(order(&["Hbb", ".b."]), Err(NoOrder::NoPath));
        assert_eq!(order(&["H.b"]), Err(NoOrder::NoPath));
        assert_eq!(order(&["Hb.b"]), Err(NoOrder::NoPath));
    }

    /// Straight from the definition: the first path of a plain depth-first search.
    fn plainly(grid: Grid, path: &mut Vec<Cell>, rest: &[Cell]) -> bool {
        if path.len() == rest.len() + 1 {
            return true;
        }
        for way in super::super::Way::ALL {
            let to = grid.step(*path.last().unwrap(), way.dir());
            if let Some(to) = to.filter(|to| rest.contains(to) && !path.contains(to)) {
                path.push(to);
                if plainly(grid, path, rest) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }

    #[test]
    fn leaving_ways_early_changes_nothing() {
        let grid = Grid::new(4, 4).unwrap();
        let mut paths = 0;
        for set in 1_u32..1 << 16 {
            let cells: Vec<_> = grid
                .cells()
                .filter(|cell| set >> cell.index() & 1 == 1)
                .collect();
            let head = cells[set as usize * 7 % cells.len()];
            let rest: Vec<_> = cells.into_iter().filter(|&cell| cell != head).collect();
            let mut path = vec![head];
            let is_path = plainly(grid, &mut path, &rest);
            let wanted = if is_path {
                Ok(path.split_off(1))
            } else {
                Err(NoOrder::NoPath)
            };
            paths += usize::from(is_path);
            assert_eq!(
                in_order(grid, head, &rest, &mut PLENTY.clone()),
                wanted,
                "{set:b}"
            );
        }
        assert!(paths > 1000, "{paths}");
    }

    #[test]
    fn a_long_body_that_touches_itself_is_read_off() {
        // A solid block, from its upper left corner.
        let (rows, cols) = (60, 100);
        let full = "b".repeat(cols);
        let mut drawing = vec![full.as_str(); rows];
        let first = format!("H{}", &full[1..]);
        drawing[0] = &first;
        let path = order(&drawing).unwrap();
        assert_eq!(path.len(), rows * cols - 1);
    }

    #[test]
    fn the_work_is_bounded() {
        assert_eq!(order_within(&["Hbb", "bbb"], 3), Err(NoOrder::TooTangled));
    }
}
