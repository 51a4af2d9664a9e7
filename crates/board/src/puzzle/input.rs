//! Boards from inputs in either format.

use std::io::{self, Read};

use memchr::memchr;

use super::stream::{ChunkError, Chunks};
use super::{Format, Puzzle, json, text};
use crate::fault::BoardError;
use crate::limits::Limits;

/// Reads the boards of a text in either format.
#[derive(Clone)]
pub enum Boards<'t> {
    /// The boards of a board file.
    Text(text::Boards<'t>),
    /// The remaining text, and the number of its first line.
    JsonLines(&'t [u8], u64),
}

impl<'t> Boards<'t> {
    /// Creates a reader of the boards in `text`, whose first line has the number `line` (from 1).
    pub fn new(text: &'t [u8], line: u64, format: Format) -> Self {
        match format {
            Format::Text => Self::Text(text::Boards::new(text, line)),
            Format::JsonLines => Self::JsonLines(text, line),
        }
    }

    /// Reads the next board into `puzzle`; returns false if there is none.
    ///
    /// # Errors
    ///
    /// Returns the faults of the board, or the limit that was reached. The next call continues after that board.
    pub fn read(&mut self, puzzle: &mut Puzzle<'t>) -> Result<bool, BoardError> {
        let (rest, number) = match self {
            Self::Text(boards) => return boards.read(puzzle),
            Self::JsonLines(rest, number) => (rest, number),
        };
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..end];
            *rest = rest.get(end + 1..).unwrap_or_default();
            *number += 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if json::read_line(line, *number - 1, puzzle)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Puzzle<'_> {
    /// Reads each board of a board file or of JSON Lines, within its own `limits`. `then` receives the board and any faults, and
    /// returns whether to continue.
    pub fn each<'l>(
        text: &str,
        limits: &'l dyn Fn() -> Limits<'l>,
        then: &mut dyn FnMut(&mut Puzzle, Result<(), BoardError>) -> bool,
    ) {
        let max = limits().max_memory.unwrap_or(u64::MAX);
        let read = each(text.as_bytes(), max, None, limits, then);
        read.expect("text in memory can be read");
    }
}

/// Receives a board and the result of reading it. Returns whether to continue.
pub type Sink<'s> = dyn FnMut(&mut Puzzle, Result<(), BoardError>) -> bool + 's;

/// Passes each board to `sink` until it returns false. Calls `limits` before each board; a chunk of the input may take
/// `max_memory` bytes.
///
/// # Errors
///
/// Returns the first error of `input`; faults go to `sink`.
pub fn each<'l>(
    input: impl Read,
    max_memory: u64,
    format: Option<Format>,
    limits: &'l dyn Fn() -> Limits<'l>,
    sink: &mut Sink,
) -> io::Result<()> {
    let chunks = Chunks::new(input, format).with_max_memory(Some(max_memory));
    for chunk in chunks {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(ChunkError::Io(error)) => return Err(error),
            Err(ChunkError::Board(error)) => {
                if sink(&mut Puzzle::empty(), Err(error)) {
                    continue;
                }
                return Ok(());
            }
        };
        let mut boards = Boards::new(chunk.text(), chunk.line, chunk.format);
        let mut puzzle = Puzzle::empty();
        loop {
            puzzle.set_limits(limits());
            let read = boards.read(&mut puzzle);
            if read == Ok(false) {
                break;
            }
            if !sink(&mut puzzle, read.map(drop)) {
                return Ok(());
            }
        }
    }
    Ok(())
}
