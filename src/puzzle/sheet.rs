//! A board's rows as a grid of glyphs: what every ruleset for drawings begins with.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::{Puzzle, Row, error_at};
use crate::fault::{BoardError, Fault, FaultKind, Place};
use crate::grid::{Cell, Grid};

/// The glyphs of a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// The glyphs themselves, ASCII.
    pub glyphs: &'static str,
    /// The glyph of empty floor. If it is a space, short rows are filled up with it.
    pub empty: char,
    /// The glyphs for people, with their meaning.
    pub known: &'static str,
}

impl Alphabet {
    /// The set of the glyphs, bit `i` for the ASCII character `i`.
    pub const fn mask(&self) -> u128 {
        let glyphs = self.glyphs.as_bytes();
        let (mut mask, mut at) = (0, 0);
        while at < glyphs.len() {
            mask |= 1u128 << glyphs[at];
            at += 1;
        }
        mask
    }
}

/// The rows of a board as a rectangle of glyphs, and all that was found wrong with it so far.
#[derive(Debug)]
pub struct Sheet<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    rows: Cow<'p, [Row<'a>]>,
    alphabet: &'p Alphabet,
    grid: Grid,
    faults: Vec<Fault>,
}

impl<'p, 'a> Sheet<'p, 'a> {
    /// The board's rows as they stand, in the glyphs of `alphabet`. Unknown glyphs and ragged rows are
    /// noted, so that they are told together with what is found later.
    ///
    /// # Errors
    ///
    /// If there is no cell, or more than a grid can have.
    pub fn read(puzzle: &'p Puzzle<'a>, alphabet: &'p Alphabet) -> Result<Self, BoardError> {
        Self::of(puzzle, Cow::Borrowed(&puzzle.rows), alphabet)
    }

    /// The board's rows without the frame around them, if there is one: a first and a last line of
    /// `-`, and every other line between two `|`.
    ///
    /// # Errors
    ///
    /// As [`Sheet::read`]; and if a frame is begun and not carried through.
    pub fn read_framed(puzzle: &'p Puzzle<'a>, alphabet: &'p Alphabet) -> Result<Self, BoardError> {
        match unframe(puzzle)? {
            Some(rows) => Self::of(puzzle, Cow::Owned(rows), alphabet),
            None => Self::read(puzzle, alphabet),
        }
    }

    fn of(
        puzzle: &'p Puzzle<'a>,
        rows: Cow<'p, [Row<'a>]>,
        alphabet: &'p Alphabet,
    ) -> Result<Self, BoardError> {
        let width = rows.iter().map(|row| row.text.len()).max().unwrap_or(0);
        let glyphs = match rows {
            Cow::Borrowed(_) => puzzle.glyphs(),
            Cow::Owned(_) => Glyphs::of(&rows),
        };
        let grid = Grid::new(rows.len(), width).ok_or_else(|| {
            let kind = match width {
                0 => FaultKind::NoRows,
                _ => FaultKind::ManyCells(Grid::MAX_CELLS),
            };
            puzzle.fault(puzzle.place(), kind)
        })?;
        let mut faults = Vec::new();
        if !glyphs.fit(alphabet) {
            faults.extend(unknown_glyphs(puzzle, &rows, alphabet));
        }
        if alphabet.empty != ' ' {
            faults.extend(ragged_rows(puzzle, &rows, alphabet));
        }
        Ok(Self {
            puzzle,
            rows,
            alphabet,
            grid,
            faults,
        })
    }

    /// The shape of the board.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// All cells with their glyphs, in row-major order; fastest with `for_each`.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, u8)> {
        let (grid, empty) = (self.grid, self.alphabet.empty as u8);
        self.rows.iter().enumerate().flat_map(move |(row, text)| {
            let missing = std::iter::repeat_n(empty, grid.cols() as usize - text.text.len());
            let glyphs = text.text.iter().copied().chain(missing);
            glyphs
                .enumerate()
                .filter_map(move |(col, glyph)| Some((grid.cell(row as u32, col as u32)?, glyph)))
        })
    }

    /// The rows, each as wide as the board or, where they may be filled up, shorter.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().map(|row| &*row.text)
    }

    /// Where `cell` stands in the source.
    pub fn place(&self, cell: Cell) -> Place {
        let (row, col) = self.grid.position(cell);
        self.rows[row as usize].place_of_byte(col as usize)
    }

    /// Notes that something is wrong at `place`.
    pub fn fault(&mut self, place: Place, kind: FaultKind) {
        self.faults.push(self.puzzle.fault(place, kind));
    }

    /// Notes a fault found elsewhere, if there is one, and returns what else there is.
    pub fn check<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.faults.push(fault)).ok()
    }

    /// The one cell with this glyph; notes a fault if there is none or there are several.
    pub fn only(&mut self, glyph: char, what: &'static str, plural: &'static str) -> Option<Cell> {
        let grid = self.grid;
        let mut cells = self.rows.iter().enumerate().flat_map(|(row, text)| {
            let hits = memchr_iter(glyph as u8, &text.text);
            hits.filter_map(move |col| grid.cell(row as u32, col as u32))
        });
        let first = cells.next();
        let others: Vec<_> = cells.take(BoardError::MOST).collect();
        match first {
            None => self.missing(glyph, what),
            Some(first) => {
                for other in others {
                    let kind = FaultKind::Second {
                        plural,
                        glyph,
                        first: self.place(first),
                    };
                    self.fault(self.place(other), kind);
                }
            }
        }
        first
    }

    /// Notes that there is no `glyph` on the board.
    pub fn missing(&mut self, glyph: char, what: &'static str) {
        let place = Place {
            width: 0,
            ..self.rows[0].place(0)
        };
        self.fault(place, FaultKind::Missing { what, glyph });
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// All the faults that were noted.
    pub fn finish(self) -> Result<(), BoardError> {
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(sorted(self.faults))
        }
    }
}

fn sorted(mut faults: Vec<Fault>) -> BoardError {
    faults.sort_by_key(|fault| fault.place);
    BoardError { faults }
}

/// Which glyphs a board uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyphs {
    /// Bit `i % 64` of word `i / 64` for the byte `i`.
    bytes: [u64; 4],
}

impl Glyphs {
    /// The glyphs of these rows.
    pub fn of(rows: &[Row]) -> Self {
        let mut bytes = [0; 4];
        for row in rows {
            for &byte in &*row.text {
                bytes[usize::from(byte >> 6)] |= 1 << (byte & 63);
            }
        }
        Self { bytes }
    }

    /// All but these ASCII characters.
    #[must_use]
    pub fn without(mut self, glyphs: &[u8]) -> Self {
        for glyph in glyphs {
            self.bytes[usize::from(glyph >> 6)] &= !(1 << (glyph & 63));
        }
        self
    }

    /// Whether this ASCII character is one of them.
    pub const fn has(self, glyph: u8) -> bool {
        self.bytes[(glyph >> 6) as usize] >> (glyph & 63) & 1 == 1
    }

    /// Whether all of them belong to `alphabet`.
    pub const fn fit(self, alphabet: &Alphabet) -> bool {
        let mask = alphabet.mask();
        let unknown = (self.bytes[0] & !(mask as u64)) | (self.bytes[1] & !((mask >> 64) as u64));
        unknown | self.bytes[2] | self.bytes[3] == 0
    }
}

/// Why these rows of a board are not drawn in the glyphs of `alphabet`; empty if they are.
pub fn misfit(puzzle: &Puzzle, rows: &[Row], alphabet: &Alphabet) -> String {
    match unknown_glyphs(puzzle, rows, alphabet).first() {
        Some(Fault {
            place: Place { line, column, .. },
            kind,
            ..
        }) => {
            format!("{kind} at line {line}, column {column}")
        }
        None => String::new(),
    }
}

/// Whether the board begins a frame, and is drawn in the glyphs of `alphabet` inside it, with a
/// `runner`. The frame need not be in order: that is told when the board is read.
pub fn fits_framed(puzzle: &Puzzle, alphabet: &Alphabet, runner: u8) -> bool {
    let glyphs = puzzle.glyphs();
    is_bar(&puzzle.rows[0]) && glyphs.has(runner) && glyphs.without(b"-|").fit(alphabet)
}

fn is_bar(row: &Row) -> bool {
    !row.text.is_empty() && row.text.iter().all(|&byte| byte == b'-')
}

/// The rows of a board without the frame around them, if it stands in a proper one.
pub fn unframed<'p, 'a>(puzzle: &'p Puzzle<'a>) -> Cow<'p, [Row<'a>]> {
    match unframe(puzzle) {
        Ok(Some(rows)) => Cow::Owned(rows),
        _ => Cow::Borrowed(&puzzle.rows),
    }
}

/// The rows inside the frame; `None` if the board begins with none.
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
        return Err(error_at(puzzle.line, FaultKind::NoRows));
    }
    let mut rows = Vec::with_capacity(inner.len());
    let mut faults = Vec::new();
    for row in inner {
        match inside(&row.text) {
            Some(text) => rows.push(Row {
                text,
                column: row.column + 1,
                ..row.clone()
            }),
            None => faults.push(puzzle.fault(row.place(0), FaultKind::BrokenFrame)),
        }
    }
    if faults.is_empty() {
        Ok(Some(rows))
    } else {
        Err(BoardError { faults })
    }
}

fn inside<'a>(text: &Cow<'a, [u8]>) -> Option<Cow<'a, [u8]>> {
    let strip = |text: &'_ [u8]| {
        (text.len() >= 2 && text.starts_with(b"|") && text.ends_with(b"|"))
            .then(|| 1..text.len() - 1)
    };
    let range = strip(text)?;
    Some(match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_vec()),
    })
}

/// A fault for each glyph that `alphabet` lacks, at the first place where it stands.
fn unknown_glyphs(puzzle: &Puzzle, rows: &[Row], alphabet: &Alphabet) -> Vec<Fault> {
    let mut unknown: Vec<(char, Place, usize)> = Vec::new();
    for row in rows {
        for (at, glyph) in String::from_utf8_lossy(&row.text).chars().enumerate() {
            if alphabet.glyphs.contains(glyph) {
                continue;
            }
            match unknown.iter_mut().find(|(known, ..)| *known == glyph) {
                Some((.., count)) => *count += 1,
                None => unknown.push((glyph, row.place(at), 1)),
            }
        }
    }
    let fault = |(glyph, place, count)| {
        puzzle.fault(
            place,
            FaultKind::UnknownGlyph {
                glyph,
                count,
                known: alphabet.known,
            },
        )
    };
    unknown
        .into_iter()
        .take(BoardError::MOST)
        .map(fault)
        .collect()
}

/// A fault for each row of another length than the first.
fn ragged_rows(puzzle: &Puzzle, rows: &[Row], alphabet: &Alphabet) -> Vec<Fault> {
    let length = |row: &Row| String::from_utf8_lossy(&row.text).chars().count();
    let Some(bytes) = rows.first().map(|row| row.text.len()) else {
        return Vec::new();
    };
    if rows.iter().all(|row| row.text.len() == bytes) {
        return Vec::new();
    }
    let first = length(&rows[0]);
    rows.iter()
        .filter(|row| length(row) != first)
        .take(BoardError::MOST)
        .map(|row| {
            let len = length(row);
            let width = len.saturating_sub(first) as u64;
            let place = Place {
                width,
                ..row.place(len.min(first))
            };
            puzzle.fault(
                place,
                FaultKind::Ragged {
                    len,
                    first,
                    empty: alphabet.empty,
                },
            )
        })
        .collect()
}
