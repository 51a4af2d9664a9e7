//! A board in the editor: its rows, the cursor, and the history for undo and redo.

use std::rc::Rc;

/// The rows of a drawing. The history shares the rows that are unchanged.
type Rows = Vec<Rc<Vec<char>>>;

#[derive(Clone, Debug)]
pub struct Drawing {
    rows: Rows,
    /// The row and column of the cursor, from 0. In a plain drawing, the cursor may be after the last cell of its row.
    cursor: (usize, usize),
    kind: Kind,
    /// All drawings with the cursor of the change that follows; `rows` is number `now`.
    history: Vec<(Rows, (usize, usize))>,
    now: usize,
    saved: Rows,
    run: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A drawing in which each character is a cell. The given character stands for an empty cell.
    Plain(char),
    /// A drawing in which every other character of every other row is a cell, with walls between cells.
    Walled,
}

impl Drawing {
    pub fn new(rows: &[String], kind: Kind) -> Self {
        let rows: Rows = match kind {
            _ if !rows.is_empty() => rows
                .iter()
                .map(|row| Rc::new(row.chars().collect()))
                .collect(),
            Kind::Plain(empty) => (0..8).map(|_| Rc::new(vec![empty; 10])).collect(),
            Kind::Walled => (0..13).map(|row| walled_row(row, 13)).collect(),
        };
        let cursor = match kind {
            Kind::Plain(_) => (0, 0),
            Kind::Walled => (1, 1),
        };
        Self {
            saved: rows.clone(),
            history: vec![(rows.clone(), cursor)],
            now: 0,
            rows,
            cursor,
            kind,
            run: None,
        }
    }

    pub fn rows(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.iter().collect()).collect()
    }

    pub const fn cursor(&self) -> (usize, usize) {
        self.cursor
    }

    pub fn is_changed(&self) -> bool {
        self.saved != self.rows
    }

    pub fn set_saved(&mut self) {
        self.saved.clone_from(&self.rows);
    }

    pub fn go_to(&mut self, row: usize, col: usize) {
        self.run = None;
        let row = row.min(self.rows.len() - 1);
        let width = self.rows[row].len();
        let most = match self.kind {
            Kind::Plain(_) => width,
            Kind::Walled => width - 1,
        };
        self.cursor = (row, col.min(most));
    }

    /// Moves the cursor. Up and down return to the column where typing began.
    pub fn go(&mut self, rows: isize, cols: isize) {
        let (row, col) = self.cursor;
        let (rows, col) = match self.run.filter(|_| rows != 0) {
            Some(begun) => (rows * self.stride() as isize, begun),
            None => (rows, col),
        };
        self.go_to(
            row.saturating_add_signed(rows),
            col.saturating_add_signed(cols),
        );
    }

    /// Returns the distance between neighbouring cells in the rows.
    const fn stride(&self) -> usize {
        match self.kind {
            Kind::Plain(_) => 1,
            Kind::Walled => 2,
        }
    }

    pub fn go_to_end(&mut self) {
        let row = self.cursor.0;
        self.go_to(row, self.rows[row].len().saturating_sub(1));
    }

    pub fn type_glyph(&mut self, glyph: char) {
        let (row, col) = self.cursor;
        let begun = self.run.unwrap_or(col);
        self.put(glyph);
        let next = col + self.stride();
        if self.kind != Kind::Walled || next < self.rows[row].len() {
            self.go_to(row, next);
        }
        self.run = Some(begun);
    }

    pub fn is_at_wall(&self) -> bool {
        self.kind == Kind::Walled && (self.cursor.0 % 2, self.cursor.1 % 2) != (1, 1)
    }

    pub fn toggle_wall(&mut self) {
        let (row, col) = self.cursor;
        let glyph = if self.rows[row][col] == ' ' { '+' } else { ' ' };
        self.put(glyph);
    }

    /// Puts a glyph under the cursor. Between cells, only a wall or a gap is possible; the frame can't be changed.
    pub fn put(&mut self, glyph: char) {
        let (row, col) = self.cursor;
        let mut changed = self.rows[row].to_vec();
        let is_frame =
            row == 0 || col == 0 || row + 1 == self.rows.len() || col + 1 == changed.len();
        let is_wall = "|-+".contains(glyph);
        match (self.kind, row % 2, col % 2) {
            (Kind::Plain(empty), ..) => {
                changed.resize(changed.len().max(col + 1), empty);
                changed[col] = glyph;
            }
            (Kind::Walled, 1, 1) if !is_wall => changed[col] = glyph,
            (Kind::Walled, 1, 1) | (Kind::Walled, 0, 0) => {}
            (Kind::Walled, ..) if is_frame => {}
            (Kind::Walled, row, _) if is_wall => changed[col] = if row == 1 { '|' } else { '-' },
            (Kind::Walled, ..) if " .".contains(glyph) => changed[col] = ' ',
            (Kind::Walled, ..) => {}
        }
        if changed != *self.rows[row] {
            let mut rows = self.rows.clone();
            rows[row] = Rc::new(changed);
            self.make(rows);
        }
    }

    pub const fn empty(&self) -> char {
        match self.kind {
            Kind::Plain(empty) => empty,
            Kind::Walled => '.',
        }
    }

    /// Empties the cell under the cursor. If it is the last cell of the longest row, removes it.
    pub fn clear(&mut self) {
        let (row, col) = self.cursor;
        let len = self.rows[row].len();
        let is_longest =
            |(other, cells): (usize, &Rc<Vec<char>>)| other == row || cells.len() < len;
        let is_alone = self.rows.len() == 1;
        if col + 1 == len && !is_alone && self.rows.iter().enumerate().all(is_longest) {
            let mut rows = self.rows.clone();
            rows[row] = Rc::new(self.rows[row][..col].to_vec());
            self.make(rows);
        } else if col < len {
            self.put(self.empty());
        }
    }

    /// Returns the first row of the cells at the cursor. In a walled drawing, walls follow it.
    fn first_row(&self) -> usize {
        match self.kind {
            Kind::Plain(_) => self.cursor.0,
            Kind::Walled => (self.cursor.0 | 1).min(self.rows.len() - 2),
        }
    }

    /// Inserts a row of cells. In a walled drawing, it has open passages to the old row.
    pub fn insert_row(&mut self, is_below: bool) {
        let (row, col) = self.cursor;
        let width = self.rows[row].len();
        let at = self.first_row() + usize::from(is_below);
        let new = match self.kind {
            Kind::Plain(empty) => vec![Rc::new(vec![empty; width])],
            Kind::Walled if is_below => vec![walled_row(2, width), walled_row(1, width)],
            Kind::Walled => vec![walled_row(1, width), walled_row(2, width)],
        };
        let to = at + new.len() - 1;
        let mut rows = self.rows.clone();
        rows.splice(at..at, new);
        self.make(rows);
        self.go_to(if is_below { to } else { at }, col);
    }

    pub fn delete_row(&mut self) {
        let (first, stride) = (self.first_row(), self.stride());
        // The last row of cells goes with the walls before it, since the frame stays.
        let first = first.min(self.rows.len() + 1 - 2 * stride);
        let mut rows = self.rows.clone();
        rows.drain(first..first + stride);
        if rows.len() >= 2 * stride - 1 {
            self.make(rows);
        }
    }

    pub fn insert_column(&mut self, is_after: bool) {
        let Kind::Plain(empty) = self.kind else {
            return self.turned(|turned| turned.insert_row(is_after));
        };
        let col = self.cursor.1 + usize::from(is_after);
        self.change_rows(|row| row.insert(col.min(row.len()), empty));
        self.go_to(self.cursor.0, col);
    }

    pub fn delete_column(&mut self) {
        if self.kind == Kind::Walled {
            return self.turned(Self::delete_row);
        }
        let col = self.cursor.1;
        self.change_rows(|row| _ = (col < row.len()).then(|| row.remove(col)));
    }

    /// Applies a change to each row, unless nothing would change or remain.
    fn change_rows(&mut self, change: impl Fn(&mut Vec<char>)) {
        let changed = |row: &Rc<Vec<char>>| {
            let mut row = row.to_vec();
            change(&mut row);
            Rc::new(row)
        };
        let rows: Rows = self.rows.iter().map(changed).collect();
        if rows != self.rows && rows.iter().any(|row| !row.is_empty()) {
            self.make(rows);
        }
    }

    fn turned(&mut self, change: impl FnOnce(&mut Self)) {
        let (rows, cursor) = (transposed(&self.rows), (self.cursor.1, self.cursor.0));
        let mut turned = Self {
            history: vec![(rows.clone(), cursor)],
            now: 0,
            saved: Rows::new(),
            rows,
            cursor,
            ..*self
        };
        change(&mut turned);
        let rows = transposed(&turned.rows);
        if rows != self.rows {
            self.make(rows);
            self.go_to(turned.cursor.1, turned.cursor.0);
        }
    }

    pub fn undo(&mut self) -> bool {
        self.restore(self.now.wrapping_sub(1))
    }

    pub fn redo(&mut self) -> bool {
        self.restore(self.now + 1)
    }

    fn restore(&mut self, number: usize) -> bool {
        let Some((rows, cursor)) = self.history.get(number).cloned() else {
            return false;
        };
        (self.rows, self.now) = (rows, number);
        self.go_to(cursor.0, cursor.1);
        true
    }

    fn make(&mut self, rows: Rows) {
        self.history.truncate(self.now + 1);
        self.history[self.now].1 = self.cursor;
        self.history.push((rows.clone(), self.cursor));
        (self.rows, self.now) = (rows, self.now + 1);
        self.go_to(self.cursor.0, self.cursor.1);
    }
}

fn walled_row(row: usize, width: usize) -> Rc<Vec<char>> {
    let is_edge = |col: usize| col == 0 || col + 1 == width;
    let glyph = |col: usize| match (row % 2, col % 2) {
        (0, 0) => '+',
        (0, _) if row == 0 || row + 1 == width => '-',
        (1, 0) if is_edge(col) => '|',
        (1, 1) => '.',
        _ => ' ',
    };
    Rc::new((0..width).map(glyph).collect())
}

fn transposed(rows: &Rows) -> Rows {
    let turned = |glyph: char| match glyph {
        '|' => '-',
        '-' => '|',
        glyph => glyph,
    };
    let column = |col: usize| Rc::new(rows.iter().map(|row| turned(row[col])).collect());
    (0..rows[0].len()).map(column).collect()
}

#[cfg(test)]
mod tests;
