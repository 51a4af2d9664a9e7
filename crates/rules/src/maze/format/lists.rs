//! Mazes in lists of integers, as in the course's files: a first line with a tuple `(id, rows, cols, files, answer)`, the
//! answer alone, or neither; then one list for each row, or one list for all rows.

mod cursor;

use std::collections::BTreeMap;

use memchr::memchr_iter;

use getaway_board::fault::{BoardError, FaultKind, Faults, Length, Place};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::bytes;
use getaway_board::puzzle::{Columns, Origin, Puzzle, Row};
use getaway_board::words::count;

use super::{Id, Map, Maze, Tile, header_runner, second_head};
use cursor::{Cursor, Number, SyntaxFault};

pub(super) fn read(puzzle: &Puzzle) -> Result<Maze, BoardError> {
    let mut reader = ListReader {
        puzzle,
        faults: Faults::default(),
    };
    puzzle.take(bytes::<(&Row, (&Row, usize))>(puzzle.rows.len()))?;
    let rows = puzzle.rows.iter();
    let lines: Vec<_> = rows
        .filter(|row| !row.text.trim_ascii().is_empty())
        .collect();
    let (first_line, rows) = match lines.as_slice() {
        [first, rows @ ..] if !starts_with(first, b'[') => (reader.first_line(first), rows),
        rows => (FirstLine::default(), rows),
    };
    let runner = reader.runner(&first_line);
    let lists = reader.lists(rows)?;
    let grid = reader.grid(&first_line, lines[0], &lists);
    let map = grid.and_then(|grid| reader.map(grid, lists));
    puzzle.finish(reader.faults)?;
    let map = map.expect("lists without a fault form a map");
    Ok(Maze::of(map, runner, first_line.answer))
}

fn starts_with(row: &Row, byte: u8) -> bool {
    row.text.trim_ascii_start().first() == Some(&byte)
}

#[derive(Clone, Debug, Default)]
struct FirstLine {
    runner: Option<Id>,
    sizes: Option<(u64, u64)>,
    answer: Option<i8>,
}

#[derive(Default)]
struct NumberLists<'r, 'a> {
    tiles: Vec<Tile>,
    rows: Vec<(&'r Row<'a>, usize)>,
    broken: usize,
}

struct ListReader<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    faults: Faults,
}

impl<'a> ListReader<'_, 'a> {
    fn check<T>(&mut self, row: &Row, result: Result<T, SyntaxFault>) -> Option<T> {
        result
            .map_err(|wrong| self.faults.note(row.span(wrong.from..wrong.to), wrong.kind))
            .ok()
    }

    fn first_line(&mut self, row: &Row) -> FirstLine {
        let cursor = Cursor::new(&row.text);
        if starts_with(row, b'(') {
            let fields = self.check(row, cursor.tuple());
            return fields.map_or_else(FirstLine::default, |fields| self.tuple(row, fields));
        }
        FirstLine {
            answer: self.answer(row, cursor),
            ..FirstLine::default()
        }
    }

    fn answer(&mut self, row: &Row, field: Cursor) -> Option<i8> {
        let message = "an answer is -1, 0, 1, 2 or 3";
        let help = "write 0 up, 1 right, 2 down, 3 left, -1 none";
        let answer = self.check(row, field.only(-1..=3, message, help));
        answer.map(|answer| answer as i8)
    }

    fn tuple(&mut self, row: &Row, [id, rows, cols, _files, answer]: [Cursor; 5]) -> FirstLine {
        let mut positive = |field: Cursor, what| {
            let message = format!("{what} is a positive integer");
            self.check(row, field.only(1..=i64::MAX, &message, "write 1 or more"))
        };
        let runner = positive(id, "a runner's id").and_then(Id::new);
        let rows = positive(rows, "the number of rows").map(i64::unsigned_abs);
        let cols = positive(cols, "the number of columns").map(i64::unsigned_abs);
        FirstLine {
            runner,
            sizes: rows.zip(cols),
            answer: self.answer(row, answer),
        }
    }

    /// Returns the runner's id: that of the tuple, else that of the header `runner`, else 1. A header set by `--override` takes
    /// precedence over the tuple.
    fn runner(&mut self, first_line: &FirstLine) -> Id {
        let header = self.faults.check(header_runner(self.puzzle)).flatten();
        let own = header.as_ref().map_or(Id::ONE, |(id, _)| *id);
        let tuple = first_line.runner.unwrap_or(own);
        match header {
            Some((id, header)) if header.origin == Origin::Override => id,
            Some((id, header)) if header.origin == Origin::Written && id != tuple => {
                let message = format!(
                    "the tuple says that the runner's id is {tuple}, but this header says {id}"
                );
                self.faults.note(
                    header.place,
                    FaultKind::other(message, "remove this header"),
                );
                tuple
            }
            _ => tuple,
        }
    }

    fn lists<'r>(&mut self, rows: &[&'r Row<'a>]) -> Result<NumberLists<'r, 'a>, BoardError> {
        let max_numbers = |row: &&Row| memchr_iter(b',', &row.text).count() + 1;
        let count = rows.iter().map(max_numbers).sum();
        self.puzzle.take(bytes::<Tile>(count))?;
        let mut lists = NumberLists {
            tiles: Vec::with_capacity(count),
            ..NumberLists::default()
        };
        for &row in rows {
            let before = lists.tiles.len();
            let read = Cursor::new(&row.text).list(&mut lists.tiles, self.puzzle);
            self.puzzle.check_limits()?;
            let Some(below) = self.check(row, read) else {
                lists.broken += 1;
                continue;
            };
            lists.rows.push((row, lists.tiles.len() - before));
            if let Some((Number { value, from, to }, count)) = below {
                let times = match count {
                    1 => String::new(),
                    _ => format!(" ({count} times in this row)"),
                };
                let message = format!("{value} has no meaning on a map{times}");
                let kind = FaultKind::other(message, "write -1 for food, 0 for blank");
                self.faults.note(row.span(from..to), kind);
            }
        }
        Ok(lists)
    }

    fn grid(&mut self, first_line: &FirstLine, first: &Row, lists: &NumberLists) -> Option<Grid> {
        let (faults, count) = (self.faults.len(), lists.rows.len() + lists.broken);
        match (first_line.sizes, lists.rows.as_slice()) {
            _ if count == 0 => {
                let message = "no map follows this first line";
                let kind = FaultKind::other(message, "add the map's rows below it");
                self.faults.note(whole(first), kind);
            }
            (Some((rows, cols)), &[(row, len)]) if count == 1 => {
                if rows.checked_mul(cols) != Some(len as u64) {
                    self.wrong_length(row, len, &format!("{rows} x {cols}"));
                }
            }
            (Some((rows, cols)), _) => {
                if count as u64 != rows {
                    let sizes = format!("the tuple says {rows} rows, but the map has {count}");
                    self.faults
                        .note(whole(first), FaultKind::other(sizes, CORRECT));
                }
                for &(row, len) in lists.rows.iter().filter(|(_, len)| *len as u64 != cols) {
                    self.wrong_length(row, len, &format!("{cols} columns"));
                }
            }
            (None, _) => self.check_ragged(lists),
        }
        if lists.broken > 0 || self.faults.len() > faults {
            return None;
        }
        let (_, width) = lists.rows[0];
        let cols = first_line.sizes.map_or(width, |(_, cols)| cols as usize);
        let grid = Grid::new(lists.tiles.len() / cols, cols);
        if grid.is_none() {
            self.faults.note(
                self.puzzle.place(),
                FaultKind::TooManyCells(Grid::MAX_CELLS),
            );
        }
        grid
    }

    fn wrong_length(&mut self, row: &Row, len: usize, expected: &str) {
        let len = count(len as u64, "number");
        let sizes = format!("this list has {len}, but the tuple says {expected}");
        self.faults
            .note(whole(row), FaultKind::other(sizes, CORRECT));
    }

    fn check_ragged(&mut self, lists: &NumberLists) {
        let lengths: Vec<_> = lists.rows.iter().map(|&(_, len)| len).collect();
        let expected = Length::of_rows(&lengths);
        for &(row, len) in &lists.rows {
            if len != expected.cells() {
                let kind = FaultKind::RaggedRow {
                    len,
                    expected,
                    empty: '0',
                };
                self.faults.note(ragged_end(row, expected.cells()), kind);
            }
        }
    }

    fn map(&mut self, grid: Grid, lists: NumberLists) -> Option<Map> {
        let NumberLists { tiles, rows, .. } = lists;
        let map = Map::new(grid, tiles)?;
        // The table of heads may have twice the capacity that it needs.
        let heads = 2 * bytes::<(Id, Cell)>(map.heads());
        self.puzzle.take(heads).ok()?;
        let seconds = map.second_heads_while(|| self.puzzle.work(4).is_ok());
        let known = seconds.iter().take(Faults::MAX);
        let places = places_of(&rows, known.flat_map(|second| [second.first, second.cell]));
        for second in &seconds {
            match (places.get(&second.cell), places.get(&second.first)) {
                (Some(&cell), Some(&first)) => {
                    self.faults
                        .note(cell, second_head(&second.id.head(), first));
                }
                _ => self.faults.count(1),
            }
        }
        Some(map)
    }
}

const CORRECT: &str = "correct the tuple or the map";

fn places_of(lists: &[(&Row, usize)], cells: impl Iterator<Item = Cell>) -> BTreeMap<Cell, Place> {
    // All lists are equally long: a single list has all rows, or each row has a list of its own.
    let len = lists.first().map_or(1, |&(_, len)| len);
    let mut cells: Vec<_> = cells.collect();
    cells.sort_unstable();
    cells.dedup();
    let mut places = BTreeMap::new();
    for cells in cells.chunk_by(|a, b| a.index() / len == b.index() / len) {
        let (row, _) = lists[cells[0].index() / len];
        let mut numbers = Cursor::new(&row.text).numbers().zip(0..);
        let mut columns = Columns::of(&row.text);
        for &cell in cells {
            let number = numbers.find(|&(_, at)| at == cell.index() % len);
            let (Number { from, to, .. }, _) = number.expect("each cell has a number in its list");
            let place = Place {
                width: if row.exact { (to - from) as u64 } else { 1 },
                ..row.place(columns.of_byte(from) as usize - 1)
            };
            places.insert(cell, place);
        }
    }
    places
}

fn ragged_end(row: &Row, expected: usize) -> Place {
    let end = row
        .text
        .iter()
        .rposition(|&byte| byte == b']')
        .expect("a list has an end");
    match Cursor::new(&row.text).numbers().nth(expected) {
        Some(extra) => row.span(extra.from..end),
        None => row.span(end..end + 1),
    }
}

fn whole(row: &Row) -> Place {
    row.span(0..row.text.len())
}

#[cfg(test)]
mod tests;
