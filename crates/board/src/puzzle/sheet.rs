//! The rows of a board as a rectangle of cells.

use std::borrow::Cow;
use std::collections::HashMap;

use super::glyphs::{BLOCK, Glyphs, SmallBoard, places};
use super::legend::{Legend, Meaning};
use super::{Columns, Puzzle, Row, characters};
use crate::bits::Bits;
use crate::fault::{BoardError, Fault, FaultKind, Faults, Length, Place};
use crate::grid::{Cell, Grid, Step};
use crate::limits::bytes;

/// A board as a rectangle of glyphs, and its faults.
#[derive(Debug)]
pub struct GlyphGrid<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    rows: Cow<'p, [Row<'a>]>,
    legend: &'p Legend,
    grid: Grid,
    glyphs: Glyphs,
    small: Option<&'p SmallBoard>,
    faults: Faults,
}

impl<'p, 'a> GlyphGrid<'p, 'a> {
    /// Reads rows drawn with the glyphs of `legend`, inside their frame, if any. [`GlyphGrid::finish`] reports unknown glyphs
    /// and, unless spaces fill up short rows, ragged rows.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no cells, or too many, a frame is incomplete, or a limit is reached.
    pub fn read(puzzle: &'p Puzzle<'a>, legend: &'p Legend) -> Result<Self, BoardError> {
        let inner = if legend.is_framed() {
            unframe(puzzle)?
        } else {
            None
        };
        let rows = inner.map_or(Cow::Borrowed(&*puzzle.rows), Cow::Owned);
        let (glyphs, small) = match rows {
            Cow::Borrowed(_) => (puzzle.glyphs(), puzzle.small()),
            Cow::Owned(_) => (puzzle.glyphs_of(&rows), None),
        };
        let grid = match small {
            Some(small) => small.grid,
            None => grid_of(puzzle, &rows)?,
        };
        let mut faults = Faults::default();
        if !glyphs.fit(legend) {
            note_unknown_glyphs(puzzle, &rows, legend, &mut faults);
        }
        if small.is_none() && legend.empty() != ' ' {
            note_ragged_rows(&rows, legend, &mut faults);
        }
        Ok(Self {
            puzzle,
            rows,
            legend,
            grid,
            glyphs,
            small,
            faults,
        })
    }

    /// Returns the shape of the board.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns all cells with their glyphs in row-major order; fastest with `for_each`.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, u8)> {
        let (grid, empty) = (self.grid, self.legend.empty() as u8);
        self.rows.iter().enumerate().flat_map(move |(row, text)| {
            let missing = std::iter::repeat_n(empty, grid.cols() as usize - text.text.len());
            let glyphs = text.text.iter().copied().chain(missing);
            glyphs
                .enumerate()
                .filter_map(move |(col, glyph)| Some((grid.cell(row as u32, col as u32)?, glyph)))
        })
    }

    /// Calls `each` with every cell and its glyph, in row-major order.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached first.
    pub fn visit(&self, mut each: impl FnMut(Cell, u8)) -> Result<(), BoardError> {
        let (width, empty) = (self.grid.cols() as usize, self.legend.empty() as u8);
        let mut cells = self.grid.cells();
        for row in &*self.rows {
            for piece in self.puzzle.pieces(&row.text) {
                let here = cells.by_ref().take(piece.len());
                here.zip(piece).for_each(|(cell, &glyph)| each(cell, glyph));
            }
            let missing = width - row.text.len();
            self.puzzle.work(missing as u64)?;
            cells
                .by_ref()
                .take(missing)
                .for_each(|cell| each(cell, empty));
        }
        self.puzzle.check_limits()
    }

    /// Returns the number of cells drawn with these glyphs.
    pub fn count(&self, glyphs: &[u8]) -> usize {
        let is_one = |glyph: &&u8| glyphs.contains(glyph);
        self.rows()
            .map(|row| row.iter().filter(is_one).count())
            .sum()
    }

    /// Returns the cells with this glyph; incomplete if a limit is reached.
    pub fn all(&self, glyph: char) -> Bits {
        if let Some(small) = self.small {
            return small.all(glyph as u8);
        }
        let (cols, mut cells) = (self.grid.cols() as usize, Bits::new(self.grid));
        for (row, text) in self.rows.iter().enumerate() {
            let mut start = row * cols;
            for piece in self.puzzle.pieces(&text.text) {
                for block in piece.chunks(BLOCK) {
                    cells.insert_run(start, places(block, glyph as u8));
                    start += block.len();
                }
            }
        }
        if glyph == ' ' && self.legend.empty() == ' ' {
            for (row, text) in self.rows.iter().enumerate() {
                for col in text.text.len()..cols {
                    cells.insert_run(row * cols + col, 1);
                }
            }
        }
        cells
    }

    /// Returns the rows as written inside their frame, if any, without filling up short ones.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().map(|row| &*row.text)
    }

    /// Returns the place of `cell` in the source.
    pub fn place(&self, cell: Cell) -> Place {
        let (row, col) = self.grid.position(cell);
        let row = &self.rows[row as usize];
        // A cell's column counts bytes, and a place's column counts characters.
        if self.glyphs.are_ascii() {
            row.place(col as usize)
        } else {
            row.place_of_byte(col as usize)
        }
    }

    /// Notes a fault.
    pub fn note(&mut self, place: Place, kind: FaultKind) {
        self.faults.note(place, kind);
    }

    /// Returns these faults, each at the place of its cell in the text; fastest if the cells are in row-major order.
    pub fn faults_at(&self, wrong: impl Iterator<Item = (Cell, FaultKind)>) -> Faults {
        let mut wrong = wrong;
        let mut faults = Faults::default();
        let mut columns = (None, Columns::of(&[]));
        for (cell, kind) in wrong.by_ref().take(Faults::MAX) {
            faults.note(self.place_by(&mut columns, cell), kind);
        }
        faults.count(wrong.count());
        faults
    }

    fn place_by<'s>(&'s self, columns: &mut (Option<u32>, Columns<'s>), cell: Cell) -> Place {
        if self.glyphs.are_ascii() {
            return self.place(cell);
        }
        let (number, col) = self.grid.position(cell);
        let row = &self.rows[number as usize];
        if columns.0 != Some(number) {
            *columns = (Some(number), Columns::of(&row.text));
        }
        row.place(columns.1.of_byte(col as usize) as usize - 1)
    }

    /// Notes faults found elsewhere.
    pub fn add(&mut self, faults: Faults) {
        self.faults.append(faults);
    }

    /// Notes the fault of a result, or returns its value.
    pub fn check<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        self.faults.check(result)
    }

    /// Returns the first cell with this glyph; notes a fault if there is none, or one for each further cell.
    pub fn only(&mut self, glyph: char, plural: &'static str) -> Option<Cell> {
        let cells = self.all(glyph);
        self.only_in(&cells, glyph, plural)
    }

    /// Returns the first cell with either glyph; notes a fault if there is none, or one for each further cell. The faults name
    /// the first glyph.
    pub fn only_of(&mut self, glyphs: [char; 2], plural: &'static str) -> Option<Cell> {
        let [mut cells, others] = glyphs.map(|glyph| self.all(glyph));
        cells |= &others;
        self.only_in(&cells, glyphs[0], plural)
    }

    fn only_in(&mut self, cells: &Bits, glyph: char, plural: &'static str) -> Option<Cell> {
        cells
            .only(self.grid)
            .or_else(|| self.none_or_several(cells, glyph, plural))
    }

    #[cold]
    fn none_or_several(&mut self, cells: &Bits, glyph: char, plural: &'static str) -> Option<Cell> {
        let mut cells = cells.iter(self.grid);
        let only = cells.next();
        let others: Vec<_> = cells.by_ref().take(Faults::MAX).collect();
        let more = cells.count();
        match only.map(|cell| self.place(cell)) {
            None => self.missing(glyph),
            Some(first) => {
                let kind = FaultKind::Duplicate {
                    plural: plural.into(),
                    glyph: glyph.to_string().into(),
                    first,
                };
                let others = others.into_iter().map(|cell| (cell, kind.clone()));
                self.add(self.faults_at(others));
                self.faults.count(more);
            }
        }
        only
    }

    /// Returns the only cell of each of these glyphs, and checks that no fault was noted.
    ///
    /// # Errors
    ///
    /// Returns all faults in the board, or the limit that ended the reading.
    pub fn one_each<const N: usize>(
        mut self,
        glyphs: [(char, &'static str); N],
    ) -> Result<[Cell; N], BoardError> {
        let cells = glyphs.map(|(glyph, plural)| self.only(glyph, plural));
        self.finish()?;
        Ok(cells.map(|cell| cell.expect("a missing one is a fault")))
    }

    /// Returns the drawing without its actors.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn ground(&self) -> Result<Ground, BoardError> {
        let (size, legend) = (self.grid.size(), self.legend);
        self.puzzle.take(size as u64)?;
        let mut glyphs = Vec::with_capacity(size);
        self.visit(|_, glyph| {
            glyphs.push(match legend.meaning(glyph as char) {
                Meaning::Runner | Meaning::Chaser => legend.empty() as u8,
                _ => glyph,
            });
        })?;
        let grid = self.grid;
        Ok(Ground { grid, glyphs })
    }

    /// Reports that the board has no `glyph`.
    pub fn missing(&mut self, glyph: char) {
        let what = self.legend.word(glyph);
        let place = Place {
            width: 0,
            ..self.rows[0].place(0)
        };
        self.note(place, FaultKind::Missing { what, glyph });
    }

    /// Checks that no fault was noted and no limit reached.
    ///
    /// # Errors
    ///
    /// Returns all faults, or the limit that ended the reading.
    pub fn finish(self) -> Result<(), BoardError> {
        self.puzzle.finish(self.faults)
    }
}

/// A drawing without its actors.
#[derive(Clone, Debug)]
pub struct Ground {
    grid: Grid,
    glyphs: Vec<u8>,
}

impl Ground {
    /// Returns the shape of the board.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the glyph of a cell.
    pub fn glyph(&self, cell: Cell) -> char {
        self.glyphs[cell.index()] as char
    }

    /// Returns the cell that a step leads to; `None` if it is off the board or has the glyph `wall`.
    pub fn step(&self, from: Cell, step: Step, wall: char) -> Option<Cell> {
        let to = step.0.map_or(Some(from), |dir| self.grid.step(from, dir));
        to.filter(|&to| self.glyph(to) != wall)
    }
}

fn grid_of(puzzle: &Puzzle, rows: &[Row]) -> Result<Grid, Fault> {
    let width = rows.iter().map(|row| row.text.len()).max().unwrap_or(0);
    Grid::new(rows.len(), width).ok_or_else(|| {
        let kind = match width {
            0 => FaultKind::NoRows,
            _ => FaultKind::TooManyCells(Grid::MAX_CELLS),
        };
        puzzle.fault(puzzle.place(), kind)
    })
}

/// Returns whether the board begins with a frame, even a faulty one, around glyphs of `legend` and a `runner`.
pub fn fits_framed(puzzle: &Puzzle, legend: &Legend, runner: u8) -> bool {
    let glyphs = puzzle.glyphs();
    glyphs.has(runner) && is_bar(&puzzle.rows[0]) && glyphs.without("-|").fit(legend)
}

fn is_bar(row: &Row) -> bool {
    !row.text.is_empty() && row.text.iter().all(|&byte| byte == b'-')
}

/// Returns the rows without their frame, if they have a complete one.
pub fn unframed<'p, 'a>(puzzle: &'p Puzzle<'a>) -> Cow<'p, [Row<'a>]> {
    match unframe(puzzle) {
        Ok(Some(rows)) => Cow::Owned(rows),
        _ => Cow::Borrowed(&puzzle.rows),
    }
}

/// Returns the cell of a character on a board that may have a frame, as a row and column from 0; `None` if the character belongs
/// to the frame.
pub fn cell_in_frame(puzzle: &Puzzle, row: u32, col: u32) -> Option<(u32, u32)> {
    let Cow::Owned(inner) = unframed(puzzle) else {
        return Some((row, col));
    };
    let (row, col) = (row.checked_sub(1)?, col.checked_sub(1)?);
    let width = inner.get(row as usize)?.text.len();
    ((col as usize) < width).then_some((row, col))
}

fn unframe<'a>(puzzle: &Puzzle<'a>) -> Result<Option<Vec<Row<'a>>>, BoardError> {
    let [first, inner @ .., last] = puzzle.rows.as_slice() else {
        return Ok(None);
    };
    if !is_bar(first) {
        return Ok(None);
    }
    if !is_bar(last) {
        let place = last.place(0);
        return Err(puzzle.fault(place, FaultKind::OpenFrame).into());
    }
    if inner.is_empty() {
        return Err(BoardError::of_line(puzzle.line, FaultKind::NoRows));
    }
    puzzle.take(bytes::<Row>(inner.len()))?;
    let mut rows = Vec::with_capacity(inner.len());
    let mut faults = Faults::default();
    for row in inner {
        match inside(&row.text) {
            Some(text) => rows.push(Row {
                text,
                column: row.column + 1,
                ..*row
            }),
            None => faults.note(row.place(0), FaultKind::BrokenFrame),
        }
    }
    puzzle.finish(faults)?;
    Ok(Some(rows))
}

fn inside<'a>(text: &Cow<'a, [u8]>) -> Option<Cow<'a, [u8]>> {
    match text {
        Cow::Borrowed(text) => between_bars(text).map(Cow::Borrowed),
        Cow::Owned(text) => between_bars(text).map(|text| text.to_vec().into()),
    }
}

fn between_bars(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"|")?.strip_suffix(b"|")
}

fn note_unknown_glyphs(puzzle: &Puzzle, rows: &[Row], legend: &Legend, faults: &mut Faults) {
    // Each unknown glyph with its first place and number of occurrences.
    let mut unknown = Vec::new();
    let mut numbers = HashMap::new();
    let is_allowed = |row: &&Row| puzzle.work(4 * row.text.len() as u64).is_ok();
    for row in rows.iter().take_while(is_allowed) {
        let text = String::from_utf8_lossy(&row.text);
        for (at, glyph) in text.chars().enumerate().filter(|(_, c)| !legend.has(*c)) {
            let number = *numbers.entry(glyph).or_insert_with(|| {
                unknown.push((glyph, row.place(at), 0));
                unknown.len() - 1
            });
            unknown[number].2 += 1;
        }
    }
    for (glyph, place, count) in unknown {
        faults.note(place, legend.unknown(glyph, count));
    }
}

fn note_ragged_rows(rows: &[Row], legend: &Legend, faults: &mut Faults) {
    let Some(bytes) = rows.first().map(|row| row.text.len()) else {
        return;
    };
    if rows.iter().all(|row| row.text.len() == bytes) {
        return;
    }
    let lengths: Vec<_> = rows.iter().map(|row| characters(&row.text)).collect();
    let expected = Length::of_rows(&lengths);
    for (row, &len) in rows.iter().zip(&lengths) {
        if len != expected.cells() {
            let place = Place {
                width: len.saturating_sub(expected.cells()) as u64,
                ..row.place(len.min(expected.cells()))
            };
            let empty = legend.empty();
            faults.note(
                place,
                FaultKind::RaggedRow {
                    len,
                    expected,
                    empty,
                },
            );
        }
    }
}

#[cfg(test)]
#[path = "sheet_tests.rs"]
mod tests;
