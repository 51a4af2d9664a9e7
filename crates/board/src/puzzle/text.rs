//! Boards as text: header lines that begin with `;`, then rows, then an empty line.

use std::borrow::Cow;
use std::mem;

use memchr::{memchr, memchr_iter, memrchr};

use super::legend::mask_of;
use super::outline::{Line, Outline};
use super::{Columns, Format, HEADERS, Header, Origin, Puzzle, Row, SEED, characters, normal_key};
use crate::fault::{BoardError, FaultKind, Faults, Place};

/// Reads the boards of a text. Each item of this iterator is a board or its faults; [`Boards::read`] reuses the memory of one
/// board.
///
/// ```
/// use getaway_board::puzzle::text::Boards;
///
/// let boards = Boards::new(b"#o.\n\n; name: second\no\n", 1);
/// let names: Result<Vec<_>, _> = boards.map(|board| board.map(|board| board.name().map(str::to_owned))).collect();
/// assert_eq!(names?, [None, Some("second".to_owned())]);
/// # Ok::<(), getaway_board::fault::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boards<'a> {
    text: &'a [u8],
    start: usize,
    /// The end of the current line, while a board is read.
    end: usize,
    line: u64,
}

/// The ASCII characters that neither end a line nor begin a header, a code fence or a frame.
const PLAIN: u128 = !mask_of("\n\r;`~-");

/// The ASCII characters that need no further check. The others may be a fault, white space or a fence around a drawing, or JSON.
const SIMPLE: u128 = !mask_of("\0\t\r ~{");

fn end_of_line(text: &[u8], start: usize) -> usize {
    if text.get(start) == Some(&b'\n') {
        return start;
    }
    memchr(b'\n', &text[start..]).map_or(text.len(), |len| start + len)
}

impl<'a> Boards<'a> {
    /// Creates a reader of the boards in `text`, whose first line has the number `line` (from 1).
    pub const fn new(text: &'a [u8], line: u64) -> Self {
        Self {
            text,
            start: 0,
            end: 0,
            line,
        }
    }

    /// Reads the next board into `puzzle`; returns false if there is none.
    ///
    /// # Errors
    ///
    /// Returns the faults that don't depend on the ruleset, such as bytes that are not UTF-8 or a duplicate header, or the limit
    /// that was reached ([`Puzzle::set_limits`]). The next call continues after that board.
    pub fn read(&mut self, puzzle: &mut Puzzle<'a>) -> Result<bool, BoardError> {
        self.end = end_of_line(self.text, self.start);
        let (mut start, mut faults) = (self.skip_empty_lines(), Faults::default());
        puzzle.clear(self.line, Format::Text);
        if !self.read_plain_board(puzzle) {
            start = self.read_lines(puzzle, &mut faults)?;
        }
        puzzle.source = &self.text[start..self.start];
        puzzle.take(puzzle.source.len() as u64)?;
        check_text(puzzle, faults)
    }

    /// Reads the lines of a board, and returns the start of the first.
    fn read_lines(
        &mut self,
        puzzle: &mut Puzzle<'a>,
        faults: &mut Faults,
    ) -> Result<usize, BoardError> {
        puzzle.clear(self.line, Format::Text);
        let (mut start, mut outline) = (self.start, Outline::default());
        let mut fence = None;
        while let Some(line) = self.peek() {
            let kind = outline.line(line, self.after());
            let taken_in = match kind {
                Line::Header => {
                    let header = header(line, self.line);
                    outline.header(&header);
                    puzzle.add_header(header, faults);
                    Ok(())
                }
                Line::Fence | Line::LastFence => {
                    fence.get_or_insert(Row::new(line, self.line).span(0..line.len()));
                    Ok(())
                }
                Line::Row => puzzle.add_row(Row::new(line, self.line), faults),
                Line::Nothing => {
                    start = self.skip_empty_lines();
                    puzzle.clear(self.line, Format::Text);
                    (outline, *faults) = (Outline::default(), Faults::default());
                    continue;
                }
                Line::End => break,
            };
            let work = 1 + line.len() as u64;
            if let Err(limit) = taken_in.and_then(|()| puzzle.work(work)) {
                self.pass_over(outline);
                return Err(limit);
            }
            self.advance();
            if kind == Line::LastFence {
                break;
            }
        }
        if let Some(place) = fence {
            puzzle.ignore(place, "a code fence");
        }
        Ok(start)
    }

    /// Reads a small board on a fast path; returns false unless it is a rectangle of glyphs that have no meaning for the
    /// [`Outline`], and its rows fit into the list without allocating.
    fn read_plain_board(&mut self, puzzle: &mut Puzzle<'a>) -> bool {
        let (width, mut len) = (self.end - self.start, 0);
        for line in self.text[self.start..].chunks(width + 1) {
            if line[0] == b'\n' {
                break;
            }
            let number = puzzle.rows.len();
            match (line.get(..width), line.get(width)) {
                (Some(text), None | Some(b'\n')) if number < puzzle.rows.capacity() => {
                    let row = Row::new(text, self.line + number as u64);
                    puzzle.rows.push(row);
                }
                _ => return false,
            }
            len += line.len();
        }
        let is_plain = puzzle.small().is_some() && puzzle.glyphs().are_in(PLAIN);
        if is_plain {
            self.start += len;
            self.line += puzzle.rows.len() as u64;
        }
        is_plain
    }

    fn pass_over(&mut self, outline: Outline) {
        let mut outline = outline;
        while self.peek().is_some() {
            // The outline has already classified the current line.
            self.advance();
            let Some(line) = self.peek() else {
                return;
            };
            match outline.line(line, self.after()) {
                Line::End => return,
                Line::LastFence => return self.advance(),
                Line::Header => outline.header(&header(line, self.line)),
                Line::Fence | Line::Nothing | Line::Row => {}
            }
        }
    }

    fn skip_empty_lines(&mut self) -> usize {
        while self.peek().is_some_and(<[u8]>::is_empty) {
            self.advance();
        }
        self.start
    }

    fn peek(&self) -> Option<&'a [u8]> {
        if self.start == self.text.len() {
            return None;
        }
        let line = &self.text[self.start..self.end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn after(&self) -> Option<u8> {
        self.text.get(self.end + 1).copied()
    }

    fn advance(&mut self) {
        self.start = (self.end + 1).min(self.text.len());
        self.end = end_of_line(self.text, self.start);
        self.line += 1;
    }
}

impl<'a> Iterator for Boards<'a> {
    type Item = Result<Puzzle<'a>, BoardError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut puzzle = Puzzle::empty();
        let read = self.read(&mut puzzle);
        read.map(|is_board| is_board.then_some(puzzle)).transpose()
    }
}

fn check_text(puzzle: &mut Puzzle, mut faults: Faults) -> Result<bool, BoardError> {
    if puzzle.headers.is_empty() && puzzle.glyphs().are_in(SIMPLE) && faults.is_empty() {
        return puzzle.check_limits().map(|()| !puzzle.rows.is_empty());
    }
    if (puzzle.glyphs().has(b'\r') || !puzzle.headers.is_empty())
        && let Some(at) = lone_return(puzzle.source)
        && memchr(0, puzzle.source).is_none()
    {
        let place = place_of_byte(puzzle, at);
        return Err(puzzle.fault(place, FaultKind::LoneReturn).into());
    }
    if puzzle.rows.is_empty() {
        let Some(header) = puzzle.headers.iter().find(|header| !header.key.is_empty()) else {
            return Ok(false);
        };
        let place = Place::of_line(header.place.line);
        return Err(puzzle.fault(place, FaultKind::NoRows).into());
    }
    if puzzle.rows[0].text.trim_ascii_start().starts_with(b"{\"") {
        let message = "this line is JSON, but the text above it is not";
        let kind = FaultKind::other(message, "remove all lines that are not JSON");
        faults.note(puzzle.rows[0].place(0), kind);
    }
    if b" \t~".iter().any(|&glyph| puzzle.glyphs().has(glyph)) {
        puzzle.work(puzzle.source.len() as u64)?;
        puzzle.unwrap_drawing(&mut faults);
    }
    let may_be_binary = puzzle.glyphs().has(0) || !puzzle.headers.is_empty();
    if may_be_binary && let Some(at) = memchr(0, puzzle.source) {
        let place = place_of_byte(puzzle, at);
        return Err(puzzle.fault(place, FaultKind::Binary).into());
    }
    if !puzzle.source.is_ascii() {
        note_broken_rows(puzzle, &mut faults);
    }
    if !puzzle.headers.is_empty() {
        note_bad_headers(puzzle, &mut faults);
    }
    puzzle.finish(faults)?;
    Ok(true)
}

fn lone_return(text: &[u8]) -> Option<usize> {
    let mut returns = memchr_iter(b'\r', text);
    returns.find(|at| text.get(at + 1).is_some_and(|&next| next != b'\n'))
}

pub(super) fn place_of_byte(puzzle: &Puzzle, at: usize) -> Place {
    let before = &puzzle.source[..at];
    let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() as u64 + 1;
    Place::at(
        puzzle.line + memchr_iter(b'\n', before).count() as u64,
        column,
    )
}

/// Reads a header `; key: value`. A line without a colon is a comment, whose key is empty.
pub(super) fn header(line: &[u8], number: u64) -> Header<'_> {
    match String::from_utf8_lossy(line) {
        Cow::Borrowed(text) => header_of(text, number),
        Cow::Owned(text) => header_of(&text, number).into_owned(),
    }
}

fn header_of(text: &str, line: u64) -> Header<'_> {
    let (_, header) = text.split_once(';').expect("a header begins with `;`");
    let (key, value) = header.split_once(':').unwrap_or(header.split_at(0));
    let key = key.trim_start().trim_end();
    let value = value.trim_start().trim_end();
    let mut columns = Columns::of(text.as_bytes());
    let mut place = |part: &str| Place {
        line,
        column: columns.of_byte(part.as_ptr() as usize - text.as_ptr() as usize),
        width: characters(part.as_bytes()) as u64,
    };
    Header {
        key_place: place(key),
        place: place(value),
        key: normal_key(key.into()),
        value: value.into(),
        origin: Origin::Written,
    }
}

fn note_broken_rows(puzzle: &Puzzle, faults: &mut Faults) {
    let is_allowed = |row: &&Row| puzzle.work(row.text.len() as u64).is_ok();
    for row in puzzle.rows.iter().take_while(is_allowed) {
        if let Err(error) = std::str::from_utf8(&row.text) {
            faults.note(row.place_of_byte(error.valid_up_to()), FaultKind::NotUtf8);
        }
    }
}

/// Reports duplicates of the common [`HEADERS`], and an invalid seed.
pub(super) fn note_bad_headers(puzzle: &Puzzle, faults: &mut Faults) {
    let mut seen = [false; HEADERS.len()];
    for header in &puzzle.headers {
        let known = HEADERS.iter().position(|key| *key == header.key);
        if known.is_some_and(|at| mem::replace(&mut seen[at], true)) {
            let kind = FaultKind::DuplicateHeader(header.key.to_string());
            faults.note(header.place, kind);
        }
    }
    if seen[SEED] {
        faults.check(puzzle.seed());
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
