//! A board in the editor: its rows, the cursor, and the history for undo and redo.

use std::ops::Range;
use std::rc::Rc;

/// The rows of a drawing. Versions in the history share unchanged rows.
type Rows = Vec<Rc<Vec<char>>>;

#[derive(Clone, Debug)]
pub struct Drawing {
    kind: DrawingKind,
    /// The row and column of the cursor, from 0. In a plain drawing, the cursor may be after the last cell of its row.
    cursor: (usize, usize),
    /// All versions, each with the cursor at the change that follows or, for the last version, at the change that made it. The
    /// current version is number `now`.
    history: Vec<(Rows, (usize, usize))>,
    now: usize,
    saved: Rows,
    typing_start: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingKind {
    /// A drawing in which each character is a cell. The given character stands for an empty cell.
    Plain(char),
    /// A drawing in which every other character of every other row is a cell, with walls between cells.
    Walled,
}

impl DrawingKind {
    /// Returns the distance between neighbouring cells.
    const fn stride(self) -> usize {
        match self {
            Self::Plain(_) => 1,
            Self::Walled => 2,
        }
    }

    fn blank(self, (row, col): (usize, usize), (rows, cols): (usize, usize)) -> char {
        let is_frame = row == 0 || col == 0 || row + 1 == rows || col + 1 == cols;
        match (self, row % 2, col % 2) {
            (Self::Plain(empty), ..) => empty,
            (Self::Walled, 0, 0) => '+',
            (Self::Walled, 0, _) if is_frame => '-',
            (Self::Walled, _, 0) if is_frame => '|',
            (Self::Walled, 1, 1) => '.',
            (Self::Walled, ..) => ' ',
        }
    }

    fn blank_row(self, row: usize, size: (usize, usize)) -> Rc<Vec<char>> {
        let glyph = |col| self.blank((row, col), size);
        Rc::new((0..size.1).map(glyph).collect())
    }

    /// Returns the first row or column of the cell at `at`. In a walled drawing, a wall stands for the cell after it, and the
    /// last wall for the cell before it.
    fn first(self, at: usize, len: usize) -> usize {
        match self {
            Self::Plain(_) => at,
            Self::Walled => (at | 1).min(len - 2),
        }
    }

    /// Returns the rows or columns to delete. The last cell goes with the walls before it, since the frame stays.
    fn deleted(self, at: usize, len: usize) -> Range<usize> {
        let first = match self {
            Self::Plain(_) => at,
            Self::Walled => self.first(at, len).min(len - 3),
        };
        first.min(len)..(first + self.stride()).min(len)
    }
}

impl Drawing {
    pub fn new(rows: &[String], kind: DrawingKind) -> Self {
        let size = match kind {
            DrawingKind::Plain(_) => (8, 10),
            DrawingKind::Walled => (13, 13),
        };
        let rows: Rows = if rows.is_empty() {
            (0..size.0).map(|row| kind.blank_row(row, size)).collect()
        } else {
            let cells = |row: &String| Rc::new(row.chars().collect());
            rows.iter().map(cells).collect()
        };
        let cursor = (kind.stride() - 1, kind.stride() - 1);
        Self {
            kind,
            cursor,
            saved: rows.clone(),
            history: vec![(rows, cursor)],
            now: 0,
            typing_start: None,
        }
    }

    fn cells(&self) -> &Rows {
        &self.history[self.now].0
    }

    fn width(&self) -> usize {
        self.cells()[self.cursor.0].len()
    }

    pub fn rows(&self) -> Vec<String> {
        let rows = self.cells().iter();
        rows.map(|row| row.iter().collect()).collect()
    }

    pub const fn cursor(&self) -> (usize, usize) {
        self.cursor
    }

    pub fn is_changed(&self) -> bool {
        self.saved != *self.cells()
    }

    pub fn set_saved(&mut self) {
        self.saved = self.cells().clone();
    }

    pub fn go_to(&mut self, row: usize, col: usize) {
        self.typing_start = None;
        self.cursor.0 = row.min(self.cells().len() - 1);
        self.cursor.1 = col.min(self.width() + 1 - self.kind.stride());
    }

    /// Moves the cursor. After typing, up and down return to the column where the typing began.
    pub fn go(&mut self, rows: isize, cols: isize) {
        let (row, col) = self.cursor;
        let (rows, col) = match self.typing_start.filter(|_| rows != 0) {
            Some(begun) => (rows * self.kind.stride() as isize, begun),
            None => (rows, col),
        };
        self.go_to(
            row.saturating_add_signed(rows),
            col.saturating_add_signed(cols),
        );
    }

    pub fn go_to_end(&mut self) {
        self.go_to(self.cursor.0, self.width().saturating_sub(1));
    }

    pub fn type_glyph(&mut self, glyph: char) {
        let (row, col) = self.cursor;
        let begun = self.typing_start.unwrap_or(col);
        self.put(glyph);
        let next = col + self.kind.stride();
        if self.kind != DrawingKind::Walled || next < self.width() {
            self.go_to(row, next);
        }
        self.typing_start = Some(begun);
    }

    pub fn is_at_wall(&self) -> bool {
        self.kind == DrawingKind::Walled && (self.cursor.0 % 2, self.cursor.1 % 2) != (1, 1)
    }

    pub fn toggle_wall(&mut self) {
        let (row, col) = self.cursor;
        let is_gap = self.cells()[row][col] == ' ';
        self.put(if is_gap { '+' } else { ' ' });
    }

    /// Puts a glyph under the cursor, if it fits there. In a walled drawing, no wall fits in a cell, only a wall or a gap fits
    /// between cells, and the frame and the points where walls meet can't be changed.
    pub fn put(&mut self, glyph: char) {
        let Some(glyph) = self.allowed(glyph) else {
            return;
        };
        let (col, empty) = (self.cursor.1, self.empty());
        self.change_row(|cells| {
            cells.resize(cells.len().max(col + 1), empty);
            cells[col] = glyph;
        });
    }

    fn allowed(&self, glyph: char) -> Option<char> {
        let is_wall = "|-+".contains(glyph);
        if !self.is_at_wall() {
            return Some(glyph).filter(|_| self.kind != DrawingKind::Walled || !is_wall);
        }
        let (row, col) = self.cursor;
        let is_last = row + 1 == self.cells().len() || col + 1 == self.width();
        match (row % 2, col % 2) {
            _ if row == 0 || col == 0 || is_last => None,
            (0, 0) => None,
            (1, _) if is_wall => Some('|'),
            _ if is_wall => Some('-'),
            _ => " .".contains(glyph).then_some(' '),
        }
    }

    pub const fn empty(&self) -> char {
        match self.kind {
            DrawingKind::Plain(empty) => empty,
            DrawingKind::Walled => '.',
        }
    }

    /// Empties the cell under the cursor. If it is the last cell of a row that is longer than all others, removes it.
    pub fn clear(&mut self) {
        let (rows, col, len) = (self.cells(), self.cursor.1, self.width());
        let is_longest = rows.iter().filter(|row| row.len() >= len).count() == 1;
        if col + 1 == len && is_longest && rows.len() > 1 {
            self.change_row(|cells| cells.truncate(col));
        } else if col < len {
            self.put(self.empty());
        }
    }

    /// Inserts a row of cells above the cursor's row or, if `is_below`, below it. In a walled drawing, no walls separate these
    /// two rows.
    pub fn insert_row(&mut self, is_below: bool) {
        let (row, col) = self.cursor;
        let (kind, stride) = (self.kind, self.kind.stride());
        let mut rows = self.cells().clone();
        let size = (rows.len() + stride, self.width());
        let at = kind.first(row, rows.len()) + usize::from(is_below);
        let new = (at..at + stride).map(|row| kind.blank_row(row, size));
        rows.splice(at..at, new);
        self.add_version(rows);
        self.go_to(if is_below { at + stride - 1 } else { at }, col);
    }

    pub fn delete_row(&mut self) {
        let mut rows = self.cells().clone();
        rows.drain(self.kind.deleted(self.cursor.0, rows.len()));
        if rows.len() >= self.min() {
            self.add_version(rows);
        }
    }

    pub fn insert_column(&mut self, is_after: bool) {
        let (kind, stride) = (self.kind, self.kind.stride());
        let mut rows = self.cells().clone();
        let size = (rows.len(), self.width() + stride);
        let at = kind.first(self.cursor.1, self.width()) + usize::from(is_after);
        for (row, cells) in rows.iter_mut().enumerate() {
            let new = (at..at + stride).map(|col| kind.blank((row, col), size));
            let there = at.min(cells.len());
            Rc::make_mut(cells).splice(there..there, new);
        }
        self.add_version(rows);
        self.go_to(self.cursor.0, if is_after { at + stride - 1 } else { at });
    }

    pub fn delete_column(&mut self) {
        let mut rows = self.cells().clone();
        for cells in &mut rows {
            let deleted = self.kind.deleted(self.cursor.1, cells.len());
            Rc::make_mut(cells).drain(deleted);
        }
        if rows.iter().any(|cells| cells.len() >= self.min()) {
            self.add_version(rows);
        }
    }

    /// Returns the minimum number of rows and columns of a drawing, walls included.
    const fn min(&self) -> usize {
        2 * self.kind.stride() - 1
    }

    pub fn undo(&mut self) -> bool {
        self.restore(self.now.wrapping_sub(1))
    }

    pub fn redo(&mut self) -> bool {
        self.restore(self.now + 1)
    }

    fn restore(&mut self, number: usize) -> bool {
        let Some(&(_, (row, col))) = self.history.get(number) else {
            return false;
        };
        self.now = number;
        self.go_to(row, col);
        true
    }

    fn change_row(&mut self, change: impl FnOnce(&mut Vec<char>)) {
        let mut rows = self.cells().clone();
        change(Rc::make_mut(&mut rows[self.cursor.0]));
        self.add_version(rows);
    }

    fn add_version(&mut self, rows: Rows) {
        let (row, col) = self.cursor;
        if rows != *self.cells() {
            self.history.truncate(self.now + 1);
            self.history[self.now].1 = self.cursor;
            self.history.push((rows, self.cursor));
            self.now += 1;
            self.go_to(row, col);
        }
    }
}

#[cfg(test)]
#[path = "drawing_tests.rs"]
mod tests;
