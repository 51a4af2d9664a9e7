//! Boards drawn as text: header lines that begin with `;`, then rows, then an empty line.

use std::borrow::Cow;

use memchr::memchr;

use super::{Format, Header, Puzzle, Row};
use crate::fault::{BoardError, FaultKind, Place};

/// Reads the boards of one text, one after the other.
#[derive(Clone, Debug)]
pub struct Boards<'a> {
    rest: &'a [u8],
    line: u64,
}

impl<'a> Boards<'a> {
    /// The boards of `text`, whose first line has the number `line` (from 1).
    pub const fn new(text: &'a [u8], line: u64) -> Self {
        Self { rest: text, line }
    }

    /// Reads the next board into `puzzle`; `false` if there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with its headers; the board is passed over then.
    pub fn read(&mut self, puzzle: &mut Puzzle<'a>) -> Result<bool, BoardError> {
        let mut start = self.skip_empty_lines();
        puzzle.clear(self.line, Format::Text);
        let mut frame = Frame::None;
        while let Some((line, after)) = self.peek() {
            let number = self.line;
            if line.is_empty() {
                let goes_on = after.starts_with(b"|") && frame.takes_empty_line(puzzle);
                if goes_on && !puzzle.rows.is_empty() {
                    puzzle.rows.push(row(line, number));
                } else if puzzle.rows.is_empty() && puzzle.headers.iter().all(is_comment) {
                    // Remarks alone are no board.
                    self.advance(after);
                    start = self.skip_empty_lines();
                    puzzle.clear(self.line, Format::Text);
                    continue;
                } else {
                    break;
                }
            } else if line[0] == b';' {
                if !puzzle.rows.is_empty() {
                    break;
                }
                puzzle.headers.push(header(line, number));
            } else {
                frame = frame.after(line, puzzle.rows.is_empty());
                puzzle.rows.push(row(line, number));
            }
            self.advance(after);
        }
        puzzle.source = &start[..start.len() - self.rest.len()];
        judge(puzzle)
    }

    /// Passes over empty lines; what is left then.
    fn skip_empty_lines(&mut self) -> &'a [u8] {
        while let Some((line, after)) = self.peek() {
            if !line.is_empty() {
                break;
            }
            self.advance(after);
        }
        self.rest
    }

    /// The next line without its end, and what follows it.
    fn peek(&self) -> Option<(&'a [u8], &'a [u8])> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, after) = match memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        Some((line.strip_suffix(b"\r").unwrap_or(line), after))
    }

    fn advance(&mut self, after: &'a [u8]) {
        self.rest = after;
        self.line += 1;
    }
}

/// Whether there is a board, or else what is wrong with its headers and rows.
fn judge(puzzle: &Puzzle) -> Result<bool, BoardError> {
    if puzzle.rows.is_empty() {
        let Some(header) = puzzle.headers.iter().find(|header| !is_comment(header)) else {
            return Ok(false);
        };
        let place = Place {
            line: header.place.line,
            column: 1,
            width: 0,
        };
        return Err(puzzle.fault(place, FaultKind::NoRows).into());
    }
    if !puzzle.source.is_ascii() {
        reject_broken_rows(puzzle)?;
    }
    reject_second_headers(puzzle)?;
    Ok(true)
}

/// Whether the rows so far stand in a frame that has not been closed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    None,
    Open,
}

impl Frame {
    fn after(self, line: &[u8], is_first: bool) -> Self {
        let bar = line.iter().all(|&byte| byte == b'-');
        match (self, bar) {
            (Self::None, true) if is_first => Self::Open,
            (Self::Open, false) => Self::Open,
            _ => Self::None,
        }
    }

    /// An empty line inside a frame is a row that was spoilt, not the end of the board. Rooms of a
    /// dungeon begin like a frame, so the board must be one of the framed kind.
    fn takes_empty_line(self, puzzle: &Puzzle) -> bool {
        self == Self::Open
            && match puzzle.header("ruleset") {
                Some(header) => header.value == "baddies",
                None => puzzle
                    .rows
                    .iter()
                    .any(|row| row.text.iter().any(|b| b"H*+m~".contains(b))),
            }
    }
}

fn row(line: &[u8], number: u64) -> Row<'_> {
    Row {
        text: Cow::Borrowed(line),
        line: number,
        column: 1,
        exact: true,
    }
}

/// Reads `; key: value`; a line without a colon is a comment, with an empty key.
fn header(line: &[u8], number: u64) -> Header<'_> {
    let text = String::from_utf8_lossy(&line[1..]);
    let (key, value, skipped) = match text.split_once(':') {
        Some((key, value)) => (key.trim(), value, 1 + key.chars().count() + 1),
        None => ("", &*text, 1),
    };
    let inner = value.trim();
    let lead = value.chars().count() - value.trim_start().chars().count();
    let place = Place {
        line: number,
        column: (skipped + lead) as u64 + 1,
        width: inner.chars().count() as u64,
    };
    let (key, value) = match &text {
        Cow::Borrowed(text) => {
            // Borrow from the line itself, not from `text`.
            let slice = |part: &str| {
                let at = part.as_ptr() as usize - text.as_ptr() as usize;
                Cow::Borrowed(&text[at..at + part.len()])
            };
            (
                if key.is_empty() {
                    "".into()
                } else {
                    slice(key)
                },
                slice(inner),
            )
        }
        Cow::Owned(_) => (Cow::Owned(key.to_owned()), Cow::Owned(inner.to_owned())),
    };
    Header { key, value, place }
}

fn is_comment(header: &Header) -> bool {
    header.key.is_empty()
}

/// Rows must be UTF-8; headers are read as well as can be.
fn reject_broken_rows(puzzle: &Puzzle) -> Result<(), BoardError> {
    let fault = |row: &Row| {
        let valid = std::str::from_utf8(&row.text).err()?.valid_up_to();
        Some(puzzle.fault(row.place_of_byte(valid), FaultKind::NotUtf8))
    };
    let faults: Vec<_> = puzzle.rows.iter().filter_map(fault).collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(BoardError { faults })
    }
}

/// The headers that mean something to us.
const KNOWN: [&str; 12] = [
    "ruleset", "name", "expect", "moves", "seed", "revisit", "runner", "strategy", "radius",
    "cooldown", "speed", "drawing",
];

/// A header that means something must not stand twice, or one of the two would be lost.
pub(super) fn reject_second_headers(puzzle: &Puzzle) -> Result<(), BoardError> {
    let faults: Vec<_> = puzzle
        .headers
        .iter()
        .enumerate()
        .filter(|(at, header)| {
            KNOWN.contains(&&*header.key)
                && puzzle.headers[..*at]
                    .iter()
                    .any(|other| other.key == header.key)
        })
        .map(|(_, header)| {
            puzzle.fault(
                header.place,
                FaultKind::SecondHeader(header.key.to_string()),
            )
        })
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(BoardError { faults })
    }
}
