//! A board that is being drawn: its rows, the cursor, and every change undone and redone.

/// A board that is being drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    rows: Vec<Vec<char>>,
    /// Row and column of the cursor, from 0; it may stand after the last cell of its row.
    cursor: (usize, usize),
    /// What empty cells are filled with.
    empty: char,
    /// What undoes each change, the last one last.
    undo: Vec<Change>,
    redo: Vec<Change>,
    /// How many changes had been made when it was saved last; `None` if one cannot get back there.
    saved: Option<usize>,
}

/// A change of the rows. To make one gives the one that undoes it.
#[derive(Clone, Debug)]
enum Change {
    /// A row becomes this one.
    Row(usize, Vec<char>),
    /// This row comes before the one of that number.
    Insert(usize, Vec<char>),
    /// A row goes.
    Delete(usize),
    /// All rows become these.
    All(Vec<Vec<char>>),
}

/// Which way the cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the cell before.
    Left,
    /// To the cell after.
    Right,
    /// To the first cell of the row.
    RowStart,
    /// To the last cell of the row.
    RowEnd,
}

impl Drawing {
    /// A board with these rows, in which empty cells are filled with `empty`. There is at least one row.
    pub fn new(rows: &[String], empty: char) -> Self {
        let mut rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
        if rows.is_empty() {
            rows.push(Vec::new());
        }
        Self {
            rows,
            cursor: (0, 0),
            empty,
            undo: Vec::new(),
            redo: Vec::new(),
            saved: Some(0),
        }
    }

    /// The rows as they are now.
    pub fn rows(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.iter().collect()).collect()
    }

    /// Row and column of the cursor, from 0.
    pub const fn cursor(&self) -> (usize, usize) {
        self.cursor
    }

    /// Whether there is anything that has not been saved.
    pub fn is_changed(&self) -> bool {
        self.saved != Some(self.undo.len())
    }

    /// It has been saved as it is now.
    pub fn set_saved(&mut self) {
        self.saved = Some(self.undo.len());
    }

    /// Puts the cursor on a cell, or as near as can be.
    pub fn go_to(&mut self, row: usize, col: usize) {
        let row = row.min(self.rows.len() - 1);
        self.cursor = (row, col.min(self.rows[row].len()));
    }

    /// Moves the cursor.
    pub fn go(&mut self, way: Way) {
        let (row, col) = self.cursor;
        match way {
            Way::Up => self.go_to(row.saturating_sub(1), col),
            Way::Down => self.go_to(row + 1, col),
            Way::Left => self.go_to(row, col.saturating_sub(1)),
            Way::Right => self.go_to(row, col + 1),
            Way::RowStart => self.go_to(row, 0),
            Way::RowEnd => self.go_to(row, self.rows[row].len().saturating_sub(1)),
        }
    }

    /// Puts a glyph on the cell under the cursor.
    pub fn put(&mut self, glyph: char) {
        let (row, col) = self.cursor;
        let mut changed = self.rows[row].clone();
        if col >= changed.len() {
            changed.resize(col + 1, self.empty);
        }
        changed[col] = glyph;
        if changed != self.rows[row] {
            self.make(Change::Row(row, changed));
        }
    }

    /// Empties the cell under the cursor; a last cell beyond the other rows goes.
    pub fn clear(&mut self) {
        let (row, col) = self.cursor;
        let longest = |other: &usize| *other != row;
        let others = (0..self.rows.len())
            .filter(longest)
            .map(|other| self.rows[other].len())
            .max();
        let len = self.rows[row].len();
        if col + 1 == len && others.is_some_and(|others| others < len) {
            let mut changed = self.rows[row].clone();
            changed.pop();
            self.make(Change::Row(row, changed));
        } else if col < len {
            self.put(self.empty);
        }
    }

    /// Inserts an empty row at the cursor, or below it.
    pub fn insert_row(&mut self, is_below: bool) {
        let row = self.cursor.0 + usize::from(is_below);
        let width = self.rows[self.cursor.0].len();
        self.make(Change::Insert(row, vec![self.empty; width]));
        self.go_to(row, self.cursor.1);
    }

    /// Deletes the row of the cursor, unless it is the only one.
    pub fn delete_row(&mut self) {
        if self.rows.len() > 1 {
            self.make(Change::Delete(self.cursor.0));
        }
    }

    /// Inserts an empty column at the cursor, or after it.
    pub fn insert_column(&mut self, is_after: bool) {
        let col = self.cursor.1 + usize::from(is_after);
        let mut rows = self.rows.clone();
        for row in &mut rows {
            row.insert(col.min(row.len()), self.empty);
        }
        self.make(Change::All(rows));
        self.go_to(self.cursor.0, col);
    }

    /// Deletes the column of the cursor.
    pub fn delete_column(&mut self) {
        let col = self.cursor.1;
        let mut rows = self.rows.clone();
        for row in &mut rows {
            if col < row.len() {
                row.remove(col);
            }
        }
        if rows != self.rows && rows.iter().any(|row| !row.is_empty()) {
            self.make(Change::All(rows));
        }
    }

    /// Undoes the last change; whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.undo.pop() else {
            return false;
        };
        let back = self.apply(change);
        self.redo.push(back);
        true
    }

    /// Makes the change again that was undone last; whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.redo.pop() else {
            return false;
        };
        let back = self.apply(change);
        self.undo.push(back);
        true
    }

    fn make(&mut self, change: Change) {
        if self.saved.is_some_and(|saved| saved > self.undo.len()) {
            self.saved = None;
        }
        let back = self.apply(change);
        self.undo.push(back);
        self.redo.clear();
    }

    /// Makes a change; the one that undoes it.
    fn apply(&mut self, change: Change) -> Change {
        let back = match change {
            Change::Row(at, row) => Change::Row(at, std::mem::replace(&mut self.rows[at], row)),
            Change::Insert(at, row) => {
                self.rows.insert(at, row);
                Change::Delete(at)
            }
            Change::Delete(at) => Change::Insert(at, self.rows.remove(at)),
            Change::All(rows) => Change::All(std::mem::replace(&mut self.rows, rows)),
        };
        if let Change::Row(at, _) | Change::Insert(at, _) = back {
            self.cursor.0 = at;
        }
        self.go_to(self.cursor.0, self.cursor.1);
        back
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(rows: &[&str]) -> Drawing {
        let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
        Drawing::new(&rows, '.')
    }

    #[test]
    fn glyphs_are_put_and_cleared() {
        let mut board = drawing(&["#o#", "..."]);
        board.go_to(1, 1);
        board.put('g');
        assert_eq!(board.rows(), ["#o#", ".g."]);
        board.clear();
        assert_eq!(board.rows(), ["#o#", "..."]);
        board.go_to(0, 3);
        board.put('x');
        assert_eq!(board.rows(), ["#o#x", "..."]);
        board.clear();
        assert_eq!(board.rows(), ["#o#", "..."], "what sticks out goes");
        board.go_to(0, 2);
        board.clear();
        assert_eq!(board.rows(), ["#o.", "..."]);
    }

    #[test]
    fn rows_and_columns_come_and_go() {
        let mut board = drawing(&["ab", "cd"]);
        board.insert_row(true);
        assert_eq!(
            (board.rows(), board.cursor()),
            (vec!["ab".into(), "..".into(), "cd".into()], (1, 0))
        );
        board.delete_row();
        board.go_to(0, 1);
        board.insert_column(false);
        assert_eq!(board.rows(), ["a.b", "c.d"]);
        board.insert_column(true);
        assert_eq!(board.rows(), ["a..b", "c..d"]);
        board.go_to(0, 0);
        board.delete_column();
        assert_eq!(board.rows(), ["..b", "..d"]);
        board.delete_row();
        board.delete_row();
        assert_eq!(board.rows(), ["..d"], "one row stays");
    }

    #[test]
    fn every_change_is_undone_and_redone() {
        let mut board = drawing(&["ab", "c"]);
        let mut pictures = vec![board.rows()];
        let changes: [fn(&mut Drawing); 6] = [
            |board| board.put('x'),
            |board| board.insert_column(true),
            |board| board.insert_row(false),
            |board| board.delete_column(),
            |board| board.delete_row(),
            |board| board.clear(),
        ];
        for change in changes {
            change(&mut board);
            pictures.push(board.rows());
        }
        for picture in pictures.iter().rev().skip(1) {
            assert!(board.undo());
            assert_eq!(board.rows(), *picture);
        }
        assert!(!board.undo());
        for picture in &pictures[1..] {
            assert!(board.redo());
            assert_eq!(board.rows(), *picture);
        }
        assert!(!board.redo());
    }

    #[test]
    fn it_is_known_whether_it_is_saved() {
        let mut board = drawing(&["ab"]);
        assert!(!board.is_changed());
        board.put('x');
        assert!(board.is_changed());
        board.set_saved();
        assert!(!board.is_changed());
        board.undo();
        assert!(board.is_changed());
        board.put('y');
        assert!(board.is_changed(), "one cannot get back to what was saved");
        board.undo();
        board.redo();
        assert!(board.is_changed());
    }

    #[test]
    fn the_cursor_stays_on_the_board() {
        let mut board = drawing(&["abc", "d"]);
        board.go(Way::RowEnd);
        assert_eq!(board.cursor(), (0, 2));
        board.go(Way::Right);
        board.go(Way::Right);
        assert_eq!(board.cursor(), (0, 3), "one may write after the end");
        board.go(Way::Down);
        board.go(Way::Down);
        assert_eq!(board.cursor(), (1, 1));
        board.go(Way::RowStart);
        board.go(Way::Up);
        board.go(Way::Up);
        assert_eq!(board.cursor(), (0, 0));
    }
}
