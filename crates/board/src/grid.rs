//! The shape of a board ([`Grid`]), its cells ([`Cell`]), and the four steps between them ([`Dir`]).
//!
//! Only a [`Grid`] creates cells, so every cell is on the board.

pub mod path;
pub mod symmetry;

use std::fmt::{self, Write};
use std::str::FromStr;

/// A cell of a [`Grid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u32);

impl Cell {
    /// Returns the row-major index of the cell, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The shape of a board: `rows` x `cols` cells, at least one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: u32,
    cols: u32,
    /// The largest number whose product with `cols` is less than 2^64. A multiplication by it replaces a division, which
    /// would dominate the cost of a step.
    reciprocal: u64,
}

impl Grid {
    /// The maximum number of cells on a board (2^28, about 268 million).
    pub const MAX_CELLS: u64 = 1 << 28;

    /// Creates a grid; `None` if it has no cells, or more than [`Grid::MAX_CELLS`].
    pub fn new(rows: usize, cols: usize) -> Option<Self> {
        let cells = (rows as u64).checked_mul(cols as u64)?;
        (1..=Self::MAX_CELLS).contains(&cells).then(|| Self {
            rows: rows as u32,
            cols: cols as u32,
            reciprocal: u64::MAX / cols as u64,
        })
    }

    /// Returns this grid with `ring` more rows and columns on every side; `None` if that is too large.
    pub fn widened(self, ring: u32) -> Option<Self> {
        let wide = |length: u32| length as usize + 2 * ring as usize;
        Self::new(wide(self.rows), wide(self.cols))
    }

    /// Returns `cell` on the grid [`widened`](Self::widened) by `ring`.
    pub fn cell_in_widened(self, ring: u32, cell: Cell) -> Cell {
        let (row, col) = self.position(cell);
        Cell((row + ring) * (self.cols + 2 * ring) + col + ring)
    }

    /// Returns the number of rows.
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Returns the number of columns.
    pub const fn cols(self) -> u32 {
        self.cols
    }

    /// Returns the number of cells.
    pub const fn size(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Returns the cell at `row` and `col`, from 0; `None` if it is off the board.
    #[inline]
    pub fn cell(self, row: u32, col: u32) -> Option<Cell> {
        (row < self.rows && col < self.cols).then(|| Cell(row * self.cols + col))
    }

    /// Returns the cell with this index in row-major order; `None` if it is off the board.
    pub fn nth(self, index: usize) -> Option<Cell> {
        (index < self.size()).then_some(Cell(index as u32))
    }

    /// Returns the row of `cell`, from 0.
    #[inline]
    pub const fn row(self, cell: Cell) -> u32 {
        // For cell n, the result is the integer part of a number in [n / cols, (n + 1) / cols), an interval that contains no
        // integer except perhaps its start.
        ((self.reciprocal as u128 * (cell.0 as u128 + 1)) >> 64) as u32
    }

    /// Returns the column of `cell`, from 0.
    #[inline]
    pub const fn col(self, cell: Cell) -> u32 {
        cell.0 - self.row(cell) * self.cols
    }

    /// Returns the row and column of `cell`, from 0.
    #[inline]
    pub const fn position(self, cell: Cell) -> (u32, u32) {
        (self.row(cell), self.col(cell))
    }

    /// Returns the neighbour in this direction; `None` beyond the edge.
    #[inline]
    pub fn step(self, from: Cell, dir: Dir) -> Option<Cell> {
        let Cell(index) = from;
        let next = match dir {
            Dir::Up => index.checked_sub(self.cols)?,
            Dir::Down => Some(index + self.cols).filter(|&next| next < self.rows * self.cols)?,
            Dir::Left => (self.col(from) > 0).then(|| index - 1)?,
            Dir::Right => (self.col(from) + 1 < self.cols).then(|| index + 1)?,
        };
        Some(Cell(next))
    }

    /// Returns the cell `rows` below and `cols` to the right of `from`; `None` off the board.
    #[inline]
    pub fn offset(self, from: Cell, rows: i32, cols: i32) -> Option<Cell> {
        let (row, col) = self.position(from);
        self.cell(row.checked_add_signed(rows)?, col.checked_add_signed(cols)?)
    }

    /// Returns the cell `rows` below and `cols` to the right of the one at `row` and `col`. A row or column change that leaves
    /// the board is dropped, independently of the other.
    #[inline]
    pub fn offset_by_axis(self, row: u32, col: u32, rows: i32, cols: i32) -> Cell {
        let moved = |from: u32, change, size| {
            let to = from.wrapping_add_signed(change);
            if to < size { to } else { from }
        };
        Cell(moved(row, rows, self.rows) * self.cols + moved(col, cols, self.cols))
    }

    /// Returns the neighbours of `from` with their directions, in the order of [`Dir::ALL`].
    pub fn neighbours(self, from: Cell) -> impl Iterator<Item = (Dir, Cell)> {
        Dir::ALL
            .into_iter()
            .filter_map(move |dir| Some((dir, self.step(from, dir)?)))
    }

    /// Returns whether `cell` lies in the first or last row or column.
    #[inline]
    pub fn is_border(self, cell: Cell) -> bool {
        let (row, col) = self.position(cell);
        row == 0 || col == 0 || row + 1 == self.rows || col + 1 == self.cols
    }

    /// Returns the Manhattan distance between two cells.
    #[inline]
    pub fn distance(self, a: Cell, b: Cell) -> u32 {
        let ((ra, ca), (rb, cb)) = (self.position(a), self.position(b));
        ra.abs_diff(rb) + ca.abs_diff(cb)
    }

    /// Returns each cell's Manhattan distance to the nearest goal; `u32::MAX` everywhere without a goal. Visits all rows in each
    /// of two passes, and calls `allow` before each row with the number of its cells.
    ///
    /// # Errors
    ///
    /// Returns the first error of `allow`.
    pub fn distances<E>(
        self,
        is_goal: impl Fn(Cell) -> bool,
        mut allow: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Vec<u32>, E> {
        let far = |cell| if is_goal(cell) { 0 } else { u32::MAX };
        let mut near: Vec<u32> = self.cells().map(far).collect();
        let last = self.rows * self.cols - 1;
        // Nothing is in the way, so a pass from the first cell and one from the last are enough.
        for dirs in [[Dir::Up, Dir::Left], [Dir::Down, Dir::Right]] {
            for at in 0..=last {
                if at % self.cols == 0 {
                    allow(self.cols.into())?;
                }
                let cell = Cell(if dirs[0] == Dir::Up { at } else { last - at });
                for beside in dirs.into_iter().filter_map(|dir| self.step(cell, dir)) {
                    let around = near[beside.index()].saturating_add(1);
                    near[cell.index()] = near[cell.index()].min(around);
                }
            }
        }
        Ok(near)
    }

    /// Draws the grid as text, row by row.
    pub fn draw(self, glyph: impl Fn(Cell) -> char) -> Vec<String> {
        let row = |row| {
            let cells = (0..self.cols).map(|col| Cell(row * self.cols + col));
            cells.map(&glyph).collect()
        };
        (0..self.rows).map(row).collect()
    }

    /// Returns all cells in row-major order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.rows * self.cols).map(Cell)
    }
}

/// A step to one of the four neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Dir {
    /// One row up (`U`).
    Up,
    /// One row down (`D`).
    Down,
    /// One column to the left (`L`).
    Left,
    /// One column to the right (`R`).
    Right,
}

impl Dir {
    /// All directions, in the order of their numbers: `Dir::ALL[dir as usize] == dir`.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Returns the opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Returns the change in row and column.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::Right => (0, 1),
        }
    }

    /// Returns the letter for this direction in a line of play.
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }
}

impl fmt::Display for Dir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

/// The error for a text that is not a move; it lists the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is {0}")]
pub struct ParseMoveError(pub &'static str);

impl FromStr for Dir {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        Self::ALL
            .into_iter()
            .find(|dir| text.eq_ignore_ascii_case(dir.letter().encode_utf8(&mut [0; 4])))
            .ok_or(ParseMoveError("one of `U`, `D`, `L`, `R`"))
    }
}

/// A step to a neighbour, or a wait, written `S`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(pub Option<Dir>);

impl Step {
    /// All steps, with waiting last.
    pub const ALL: [Self; 5] = [
        Self(Some(Dir::Up)),
        Self(Some(Dir::Down)),
        Self(Some(Dir::Left)),
        Self(Some(Dir::Right)),
        Self::WAIT,
    ];

    /// A wait.
    pub const WAIT: Self = Self(None);
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(dir) => dir.fmt(f),
            None => f.write_char('S'),
        }
    }
}

impl FromStr for Step {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let step = Self::ALL
            .into_iter()
            .find(|step| text.eq_ignore_ascii_case(&step.to_string()));
        step.ok_or(ParseMoveError("one of `U`, `D`, `L`, `R`, `S`"))
    }
}

#[cfg(test)]
mod tests;
