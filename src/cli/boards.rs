//! Reads the boards of an input one by one.

use std::cell::OnceCell;
use std::io::{self, Read};
use std::path::Path;

use crate::fault::{BoardError, FaultKind};
use crate::limits::Limits;
use crate::puzzle::small::SmallBoard;
use crate::puzzle::stream::{ChunkError, Chunks};
use crate::puzzle::{Format, Puzzle, error_at, json, text};
use anyhow::{Result, anyhow};
use memchr::memchr;

use super::inputs::{Wanted, named_format, open, unreadable};
use super::options::{Options, Share};
use super::output::words::count;

#[derive(Clone)]
pub enum Boards<'t> {
    Text(text::Boards<'t>),
    JsonLines(Lines<'t>),
}

impl<'t> Boards<'t> {
    /// `line` counts from 1.
    pub fn new(text: &'t [u8], line: u64, format: Format) -> Self {
        match format {
            Format::Text => Self::Text(text::Boards::new(text, line)),
            Format::JsonLines => Self::JsonLines(Lines {
                rest: Some(text),
                line,
            }),
        }
    }

    /// Returns `false` at the end.
    pub fn read(&mut self, puzzle: &mut Puzzle<'t>) -> Result<bool, BoardError> {
        match self {
            Self::Text(boards) => boards.read(puzzle),
            Self::JsonLines(lines) => {
                for (row, line) in lines.by_ref() {
                    if json::read_line(row, line, puzzle)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Returns `None` if the board is large or has headers; [`Boards::read`] handles such boards.
    pub fn read_small(&mut self, puzzle: &mut Puzzle<'t>) -> Option<SmallBoard> {
        match self {
            Self::Text(boards) => boards.read_small(puzzle),
            Self::JsonLines(lines) => {
                let (row, line) = lines.next()?;
                json::read_small(row, line, puzzle)
            }
        }
    }
}

#[derive(Clone)]
pub struct Lines<'t> {
    rest: Option<&'t [u8]>,
    line: u64,
}

impl<'t> Iterator for Lines<'t> {
    type Item = (&'t [u8], u64);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        let row = match memchr(b'\n', rest) {
            Some(end) => {
                self.rest = Some(&rest[end + 1..]);
                &rest[..end]
            }
            None => self.rest.take()?,
        };
        self.line += 1;
        Some((row.strip_suffix(b"\r").unwrap_or(row), self.line - 1))
    }
}

/// Returns whether to continue.
type Sink<'s> = dyn FnMut(&mut Puzzle, Result<(), BoardError>) -> bool + 's;

/// Reads each board within the limits that apply at that moment; the input may take `max_memory` bytes.
pub fn each<'l>(
    (input, max_memory): (impl Read, u64),
    format: Option<Format>,
    limits: &'l dyn Fn() -> Limits<'l>,
    sink: &mut Sink,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, format).with_max_memory(Some(max_memory));
    loop {
        let chunk = match chunks.read() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(()),
            Err(ChunkError::Io(error)) => return Err(error),
            Err(ChunkError::Board(error)) => {
                if sink(&mut Puzzle::empty(), Err(error)) {
                    continue;
                }
                return Ok(());
            }
        };
        let mut boards = Boards::new(&chunk.text, chunk.line, chunk.format);
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
}

/// The number of boards at which [`find`] stops counting.
pub const MOST_COUNTED: u64 = 10_000;

/// Finds one board, ignoring faults in the others. Passes on its number, counted from 0; the time limit starts at
/// the first byte. Returns the number of boards read: up to the board, or all of them for [`Wanted::First`]. Returns a
/// [`BoardError`] if the board itself is at fault.
pub fn find(
    path: &Path,
    wanted: &Wanted,
    (options, share): (&Options, Share),
    then: &mut dyn FnMut(&Puzzle, u64),
) -> Result<u64> {
    let begun = OnceCell::new();
    let limits = || *begun.get_or_init(|| options.limits(share));
    let max_memory = options.max_memory(share);
    let input = Interruptible {
        input: open(path, max_memory).map_err(|error| anyhow!(unreadable(&error)))?,
        limits: &limits,
        has_begun: false,
    };
    let (mut boards, mut found) = (0, None);
    let (input, format) = ((input, max_memory), named_format(path));
    let read = each(input, format, &limits, &mut |puzzle, read| {
        boards += 1;
        if found.is_none() && is_wanted(wanted, boards, puzzle) {
            found = Some(read.map(|()| {
                options.apply_headers(puzzle);
                then(puzzle, boards - 1);
            }));
        }
        found.is_none() || *wanted == Wanted::First && boards < MOST_COUNTED
    });
    match (found, read) {
        (Some(found), _) => Ok(found.map(|()| boards)?),
        (None, Ok(())) => Err(missing(wanted, boards)),
        (None, Err(error)) => Err(match error.downcast::<BoardError>() {
            Ok(limit) => limit.into(),
            Err(error) => anyhow!(unreadable(&error)),
        }),
    }
}

/// `number` counts from 1.
fn is_wanted(wanted: &Wanted, number: u64, puzzle: &Puzzle) -> bool {
    match wanted {
        Wanted::First => number == 1,
        Wanted::Number(wanted) => number == *wanted,
        Wanted::Id(id) => {
            let own = puzzle.id_text().or(puzzle.name().map(Into::into));
            own.is_some_and(|own| own == *id)
        }
    }
}

pub fn missing(wanted: &Wanted, boards: u64) -> anyhow::Error {
    match wanted {
        Wanted::Number(number) if boards > 0 => anyhow!(
            "there is no board {number}: the file has {}",
            count(boards, "board")
        ),
        Wanted::Id(id) if boards > 0 => anyhow!(
            "there is no board with the id or name `{}` among its {}",
            id.escape_debug(),
            count(boards, "board")
        ),
        _ => error_at(1, FaultKind::NoBoard).into(),
    }
}

/// An input that fails once a limit is reached.
struct Interruptible<'l, R> {
    input: R,
    /// The time limit starts at the first call.
    limits: &'l dyn Fn() -> Limits<'l>,
    has_begun: bool,
}

impl<R: Read> Read for Interruptible<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // The time spent waiting for the first byte does not count.
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let reached = if is_first {
            None
        } else {
            (self.limits)().check_time().err()
        };
        match reached {
            Some(limit) => Err(io::Error::other(error_at(1, FaultKind::Limit(limit)))),
            None => self.input.read(room),
        }
    }
}
