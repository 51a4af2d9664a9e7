//! Finds one board of an input.

use std::cell::OnceCell;
use std::io::{self, Read};
use std::path::Path;

use crate::answers::words::count;
use crate::fault::{BoardError, FaultKind};
use crate::limits::Limits;
use crate::puzzle::{Puzzle, error_at, input};
use anyhow::{Result, anyhow};

use super::inputs::{Wanted, named_format, open, unreadable};
use super::options::{Options, Share};

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
    let read = input::each(input, format, &limits, &mut |puzzle, read| {
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
