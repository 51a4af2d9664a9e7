//! Mazes in lists of integers, as in the course's files: a first line with a tuple `(id, rows, cols, files, answer)`,
//! or just the answer, or neither; then one list for each row, or one list for all rows.

mod cursor;

use std::collections::BTreeMap;

use memchr::memchr_iter;

use crate::fault::{BoardError, FaultKind, Faults, Length, Place};
use crate::grid::{Cell, Grid};
use crate::limits::bytes;
use crate::puzzle::{Columns, Origin, Puzzle, Row};

use super::{HeaderRunner, Id, Map, Tile, Written, header_runner, mistake, second_head};
use cursor::{Cursor, Field, Number, Wrong};

pub(super) fn read(puzzle: &Puzzle) -> Result<Written, BoardError> {
    let mut reader = Reader {
        puzzle,
        faults: Faults::default(),
    };
    puzzle.take(bytes::<(&Row, (&Row, usize))>(puzzle.rows.len()))?;
    let lines: Vec<_> = puzzle
        .rows
        .iter()
        .filter(|row| !row.text.trim_ascii().is_empty())
        .collect();
    let (front, rows) = match lines.as_slice() {
        [first, rows @ ..] if !starts_with(first, b'[') => (reader.front(first), rows),
        rows => (Front::default(), rows),
    };
    let runner = reader.runner(&front);
    let lists = reader.lists(rows)?;
    let grid = reader.grid(&front, lines[0], &lists);
    let map = grid.and_then(|grid| reader.map(grid, lists));
    reader.finish()?;
    let map = map.expect("lists that make no map are a fault");
    Ok(Written {
        map,
        runner,
        answer: front.answer,
    })
}

/// An upper bound on the count of numbers in this row.
fn most_numbers(row: &Row) -> usize {
    memchr_iter(b',', &row.text).count() + 1
}

fn starts_with(row: &Row, byte: u8) -> bool {
    row.text.trim_ascii_start().first() == Some(&byte)
}

/// The valid parts of the first line.
#[derive(Clone, Debug, Default)]
struct Front {
    runner: Option<Id>,
    sizes: Option<(u64, u64)>,
    answer: Option<i8>,
}

#[derive(Default)]
struct Lists<'r, 'a> {
    tiles: Vec<Tile>,
    /// The rows, with the lengths of their lists.
    rows: Vec<(&'r Row<'a>, usize)>,
    broken: usize,
}

struct Reader<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    faults: Faults,
}

impl<'a> Reader<'_, 'a> {
    fn fault(&mut self, place: Place, kind: FaultKind) {
        self.faults.note(place, kind);
    }

    fn check<T>(&mut self, row: &Row, result: Result<T, Wrong>) -> Option<T> {
        result
            .map_err(|wrong| self.fault(span(row, wrong.from, wrong.to), wrong.kind))
            .ok()
    }

    fn finish(self) -> Result<(), BoardError> {
        self.puzzle.finish(self.faults)
    }

    /// Reads a tuple or an answer.
    fn front(&mut self, row: &Row) -> Front {
        if !starts_with(row, b'(') {
            let answer = Cursor::new(&row.text)
                .only_integer()
                .and_then(Number::answer);
            return Front {
                answer: self.check(row, answer),
                ..Front::default()
            };
        }
        match self.check(row, Cursor::new(&row.text).tuple()) {
            Some(fields) => self.tuple(row, fields),
            None => Front::default(),
        }
    }

    fn tuple(&mut self, row: &Row, [id, rows, cols, _files, answer]: [Field; 5]) -> Front {
        let mut positive = |field: Field, what| {
            let number = field.integer(&row.text);
            self.check(row, number.and_then(|number| number.positive(what)))
        };
        let runner = positive(id, "a runner's id").and_then(Id::new);
        let rows = positive(rows, "the number of rows").map(i64::unsigned_abs);
        let cols = positive(cols, "the number of columns").map(i64::unsigned_abs);
        let answer = answer.integer(&row.text).and_then(Number::answer);
        Front {
            runner,
            sizes: rows.zip(cols),
            answer: self.check(row, answer),
        }
    }

    /// The id from the tuple, or else from the header, or else 1. `--override` takes precedence over the tuple.
    fn runner(&mut self, front: &Front) -> Id {
        let header = header_runner(self.puzzle).unwrap_or_else(|fault| {
            self.faults.add(fault);
            None
        });
        match (front.runner, header) {
            (None, None) => Id::ONE,
            (Some(tuple), None) => tuple,
            (None, Some(HeaderRunner { id, .. })) => id,
            (Some(tuple), Some(HeaderRunner { id, place, origin })) => match origin {
                Origin::Default => tuple,
                Origin::Override => id,
                Origin::Written => {
                    if tuple != id {
                        let message = format!(
                            "the tuple says that the runner's id is {tuple}, but this header says {id}"
                        );
                        self.fault(place, mistake(message, "drop this header"));
                    }
                    tuple
                }
            },
        }
    }

    fn lists<'r>(&mut self, rows: &[&'r Row<'a>]) -> Result<Lists<'r, 'a>, BoardError> {
        let count = rows.iter().map(|row| most_numbers(row)).sum();
        self.puzzle.take(bytes::<Tile>(count))?;
        let mut lists = Lists {
            tiles: Vec::with_capacity(count),
            ..Lists::default()
        };
        for &row in rows {
            let before = lists.tiles.len();
            let read = Cursor::new(&row.text).list(&mut lists.tiles, self.puzzle);
            self.puzzle.check_limits()?;
            match self.check(row, read) {
                None => lists.broken += 1,
                Some(below) => {
                    lists.rows.push((row, lists.tiles.len() - before));
                    if let Some((Number { value, from, to }, count)) = below {
                        let times = match count {
                            1 => String::new(),
                            _ => format!(" ({count} times in this row)"),
                        };
                        let message = format!("{value} stands for nothing on a map{times}");
                        let kind = mistake(message, "write -1 for food, 0 for blank");
                        self.fault(span(row, from, to), kind);
                    }
                }
            }
        }
        Ok(lists)
    }

    /// The shape of the map, if the lists agree with each other and the tuple.
    fn grid(&mut self, front: &Front, first: &Row, lists: &Lists) -> Option<Grid> {
        let (faults, count) = (self.faults.len(), lists.rows.len() + lists.broken);
        match (front.sizes, lists.rows.as_slice()) {
            _ if count == 0 => {
                let message = "no map follows this first line";
                self.fault(
                    whole(first),
                    mistake(message, "add the map's rows below it"),
                );
            }
            (Some((rows, cols)), &[(row, len)]) if count == 1 => {
                if rows.checked_mul(cols) != Some(len as u64) {
                    let sizes = format!(
                        "this list has {}, but the tuple says {rows} x {cols}",
                        numbers(len)
                    );
                    self.fault(whole(row), mistake(sizes, CORRECT));
                }
            }
            (Some((rows, cols)), _) => {
                if count as u64 != rows {
                    let sizes = format!("the tuple says {rows} rows, but the map has {count}");
                    self.fault(whole(first), mistake(sizes, CORRECT));
                }
                self.check_widths(cols, lists);
            }
            (None, _) => self.check_ragged(lists),
        }
        if lists.broken > 0 || self.faults.len() > faults {
            return None;
        }
        let cols = front
            .sizes
            .map_or(lists.rows[0].1, |(_, cols)| cols as usize);
        let grid = Grid::new(lists.tiles.len() / cols, cols);
        if grid.is_none() {
            self.fault(self.puzzle.place(), FaultKind::ManyCells(Grid::MAX_CELLS));
        }
        grid
    }

    /// Reports lists whose length differs from the tuple's.
    fn check_widths(&mut self, cols: u64, lists: &Lists) {
        for &(row, len) in lists.rows.iter().filter(|(_, len)| *len as u64 != cols) {
            let sizes = format!(
                "this list has {}, but the tuple says {cols} columns",
                numbers(len)
            );
            self.fault(whole(row), mistake(sizes, CORRECT));
        }
    }

    /// Reports lists whose length differs from the others'.
    fn check_ragged(&mut self, lists: &Lists) {
        let lengths: Vec<_> = lists.rows.iter().map(|&(_, len)| len).collect();
        let wanted = Length::of_rows(&lengths);
        for &(row, len) in &lists.rows {
            if len != wanted.cells() {
                let kind = FaultKind::Ragged {
                    len,
                    wanted,
                    empty: '0',
                };
                self.fault(ragged_end(row, wanted.cells()), kind);
            }
        }
    }

    /// Makes the map; reports every id with a second head.
    fn map(&mut self, grid: Grid, lists: Lists) -> Option<Map> {
        let Lists { tiles, rows, .. } = lists;
        let map = Map::new(grid, tiles)?;
        // The table of heads may have twice the capacity that it needs.
        let heads = 2 * bytes::<(Id, Cell)>(map.heads());
        self.puzzle.take(heads).ok()?;
        let seconds = map.second_heads_while(|| self.puzzle.work(4).is_ok());
        let known = seconds.iter().take(Faults::MOST);
        let places = places_of(&rows, known.flat_map(|second| [second.first, second.cell]));
        for second in &seconds {
            match (places.get(&second.cell), places.get(&second.first)) {
                (Some(&cell), Some(&first)) => {
                    self.fault(cell, second_head(&second.id.head(), first));
                }
                _ => self.faults.count(1),
            }
        }
        Some(map)
    }
}

const CORRECT: &str = "correct the tuple or the map";

fn numbers(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} number{plural}")
}

fn places_of(lists: &[(&Row, usize)], cells: impl Iterator<Item = Cell>) -> BTreeMap<Cell, Place> {
    // There is one list for all rows, or one for each.
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

/// The place where a list exceeds `wanted`, or ends too early.
fn ragged_end(row: &Row, wanted: usize) -> Place {
    let end = row
        .text
        .iter()
        .rposition(|&byte| byte == b']')
        .expect("a list has an end");
    match Cursor::new(&row.text).numbers().nth(wanted) {
        Some(extra) => span(row, extra.from, end),
        None => span(row, end, end + 1),
    }
}

fn whole(row: &Row) -> Place {
    span(row, 0, row.text.len())
}

fn span(row: &Row, from: usize, to: usize) -> Place {
    let chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
    let width = if row.exact {
        chars(&row.text[from..to])
    } else {
        1
    };
    Place {
        width: width as u64,
        ..row.place(chars(&row.text[..from]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{faults, numbers, read_text};
    use super::*;

    #[test]
    fn plain_lists_are_rows() {
        let written = read_text("[0, -1]\n[2, 0]\n").unwrap();
        assert_eq!(numbers(&written), [[0, -1], [2, 0]]);
        assert_eq!((written.runner, written.answer), (Id::ONE, None));
    }

    #[test]
    fn a_first_line_may_be_the_answer() {
        let written = read_text("-1\n[2]\n").unwrap();
        assert_eq!(
            (numbers(&written), written.answer),
            (vec![vec![2]], Some(-1))
        );
    }

    #[test]
    fn a_first_line_may_be_a_tuple() {
        for tuple in [
            "(3, 2, 2, 7, 0)",
            "( 3,2 ,2, 'a, (b', 0 )",
            "(3, 2, 2, ['a', (1, 2)], 0,)",
        ] {
            let written = read_text(&format!("{tuple}\n[0, -1]\n[6, 0]\n")).unwrap();
            assert_eq!(numbers(&written), [[0, -1], [6, 0]]);
            assert_eq!(
                (written.runner, written.answer),
                (Id::new(3).unwrap(), Some(0))
            );
        }
    }

    #[test]
    fn one_list_is_cut_into_rows_by_the_tuple() {
        let written = read_text("(1, 2, 3, 0, 1)\n[2, 0, -1, 3, 4, 0]\n").unwrap();
        assert_eq!(numbers(&written), [[2, 0, -1], [3, 4, 0]]);
        let row = read_text("(1, 1, 2, 0, 1)\n[2, -1]\n").unwrap();
        assert_eq!(numbers(&row), [[2, -1]]);
    }

    #[test]
    fn spaces_and_last_commas_do_not_matter() {
        let written = read_text(" [ 0,-1 ,  2 ] \n   \n\t[3 , 4, 5, ],\n").unwrap();
        assert_eq!(numbers(&written), [[0, -1, 2], [3, 4, 5]]);
    }

    #[test]
    fn the_runner_may_stand_in_a_header() {
        assert_eq!(
            read_text("; runner: 4\n[8]\n").unwrap().runner,
            Id::new(4).unwrap()
        );
        assert!(read_text("; runner: 4\n(4, 1, 1, 0, -1)\n[8]\n").is_ok());
        assert_eq!(
            faults("; runner: 4\n(3, 1, 1, 0, -1)\n[8]\n"),
            [
                "1:11:1 the tuple says that the runner's id is 3, but this header says 4 \
              | drop this header"
            ]
        );
        assert_eq!(
            faults("; runner: 0\n[8]\n"),
            ["1:11:1 `0` is not a value of `runner` | write a positive integer"]
        );
    }

    #[test]
    fn numbers_are_integers_that_stand_for_something() {
        assert_eq!(
            faults("[0, -2, 1, -99]\n[9223372036854775808, 0, 0, 0]\n[0, 1.5, 0, 0]\n[x]\n"),
            [
                "1:5:2 -2 stands for nothing on a map (2 times in this row) \
                 | write -1 for food, 0 for blank",
                "2:2:19 this integer does not fit into 64 bits | use smaller ids",
                "3:5:3 `1.5` is no integer | write integers with commas between them",
                "4:2:1 `x` is no integer | write integers with commas between them",
            ]
        );
        assert_eq!(
            numbers(&read_text("[9223372036854775807, -0]\n").unwrap()),
            [[i64::MAX, 0]]
        );
    }

    #[test]
    fn a_list_is_well_formed() {
        let integers = "write integers with commas between them";
        for (list, fault) in [
            (
                "0, 1]",
                "2:1:5 this row is no list | write a row as `[0, -1, 2]`",
            ),
            (
                "[]",
                "2:1:2 this list is empty | write a row as `[0, -1, 2]`",
            ),
            ("[,]", &format!("2:2:1 `,` is no integer | {integers}")),
            ("[0,,1]", &format!("2:4:1 `,` is no integer | {integers}")),
            ("[-]", &format!("2:2:1 `-` is no integer | {integers}")),
            (
                "[[0], [1]]",
                &format!("2:2:1 `[` is no integer | {integers}"),
            ),
            (
                "[0 1]",
                "2:4:1 there should be a comma or `]` here | write a comma, or close it with `]`",
            ),
            (
                "[0, 1",
                "2:6:0 there should be a comma or `]` here | write a comma, or close it with `]`",
            ),
            (
                "[0,",
                "2:4:0 there should be an integer or `]` here | end the list with `]`",
            ),
            (
                "[0] [1]",
                "2:5:3 there should be nothing here | write each list on a line of its own",
            ),
            (
                "é",
                "2:1:1 this row is no list | write a row as `[0, -1, 2]`",
            ),
        ] {
            assert_eq!(faults(&format!("[0, 1]\n{list}\n")), [fault]);
        }
    }

    #[test]
    fn lists_are_equally_long() {
        assert_eq!(
            faults("[0, 1, 0]\n[0, 1]\n[0]\n[0, 1, 10, 11, 12]\n"),
            [
                "2:6:1 this row has 2 cells, but the first row has 3 | fill this row up with `0`",
                "3:3:1 this row has 1 cell, but the first row has 3 | fill this row up with `0`",
                "4:12:6 this row has 5 cells, but the first row has 3 \
                 | cut this row, or fill up the others",
            ]
        );
    }

    #[test]
    fn the_tuple_holds_five_fields() {
        let help = "write `(id, rows, cols, files, answer)`";
        let wrong = |tuple: &str| faults(&format!("{tuple}\n[2]\n"));
        assert_eq!(
            wrong("(1, 1, 1, 0)"),
            [format!("1:1:12 this tuple has 4 fields, not 5 | {help}")]
        );
        assert_eq!(
            wrong("()"),
            [format!("1:1:2 this tuple has 0 fields, not 5 | {help}")]
        );
        assert_eq!(
            wrong("(1, 1, 1, 0, 0"),
            ["1:15:0 there should be a comma or `)` here | write a comma, or close it with `)`"]
        );
        assert_eq!(
            wrong("(0, -1, x, 0, 4)"),
            [
                "1:2:1 a runner's id is a positive integer | write 1 or more",
                "1:5:2 the number of rows is a positive integer | write 1 or more",
                "1:9:1 `x` is no integer | write integers with commas between them",
                "1:15:1 an answer is -1, 0, 1, 2 or 3 | write 0 up, 1 right, 2 down, 3 left, -1 none",
            ]
        );
    }

    #[test]
    fn a_lonely_first_line_is_an_answer() {
        let help = "write 0 up, 1 right, 2 down, 3 left, -1 none";
        for (text, place) in [("4", "1:1:1"), ("-2", "1:1:2")] {
            let wanted = format!("{place} an answer is -1, 0, 1, 2 or 3 | {help}");
            assert_eq!(faults(&format!("{text}\n[2]\n")), [wanted]);
        }
        assert_eq!(
            faults("2, 0\n[2]\n"),
            ["1:2:3 there should be nothing here | write each list on a line of its own"]
        );
        assert_eq!(
            faults("2\n"),
            ["1:1:1 no map follows this first line | add the map's rows below it"]
        );
    }

    #[test]
    fn the_sizes_are_those_of_the_tuple() {
        let help = "correct the tuple or the map";
        assert_eq!(
            faults("(1, 2, 3, 0, 0)\n[0, 0, 0, 0, 0]\n"),
            [format!(
                "2:1:15 this list has 5 numbers, but the tuple says 2 x 3 | {help}"
            )]
        );
        assert_eq!(
            faults("(1, 3, 2, 0, 0)\n[0, 0]\n[0]\n"),
            [
                format!("1:1:15 the tuple says 3 rows, but the map has 2 | {help}"),
                format!("3:1:3 this list has 1 number, but the tuple says 2 columns | {help}"),
            ]
        );
        let huge = i64::MAX;
        assert_eq!(
            faults(&format!("(1, {huge}, {huge}, 0, 0)\n[0]\n")),
            [format!(
                "2:1:3 this list has 1 number, but the tuple says {huge} x {huge} | {help}"
            )]
        );
    }

    #[test]
    fn no_id_has_two_heads() {
        assert_eq!(
            faults("[2, 0, 12]\n[12, 0, 2]\n"),
            [
                "2:2:2 two heads of `12`: the first stands at line 1, column 8 | keep one `12`",
                "2:9:1 two heads of `2`: the first stands at line 1, column 2 | keep one `2`",
            ]
        );
        assert_eq!(
            faults("(1, 2, 2, 0, 0)\n[0, 2, 0, 2]\n"),
            ["2:11:1 two heads of `2`: the first stands at line 2, column 5 | keep one `2`"]
        );
    }

    #[test]
    fn all_faults_come_at_once() {
        let all = faults("; runner: 2\n(1, 3, 2, 0, 9)\n[0, -5]\n[2, 2]\n");
        let places: Vec<_> = all
            .iter()
            .map(|fault| fault.split(' ').next().unwrap())
            .collect();
        assert_eq!(places, ["1:11:1", "2:1:15", "2:14:1", "3:5:2"]);
        assert_eq!(faults(&"[\n".repeat(2000)).len(), Faults::MOST);
    }

    #[test]
    fn a_list_that_can_not_be_read_counts_as_one() {
        let told = faults("(1, 2, 2, 0, 1)\n[2, 0]\n[0, x]\n");
        assert_eq!(told.len(), 1, "{told:?}");
    }
}
