//! The boards of an input, one after the other.

use std::io::{self, Read};

use crate::fault::BoardError;
use crate::puzzle::stream::{Chunk, ChunkError, Chunks};
use crate::puzzle::{Format, Puzzle, json, text};

use crate::limits::Limits;

/// Takes boards, and what is wrong with them, as long as it says yes.
type Sink<'s> = dyn FnMut(&mut Puzzle, Result<(), BoardError>) -> bool + 's;

/// Shows all boards of an input, which may take so much memory, each read within the limits that there are then.
///
/// # Errors
///
/// If the input can't be read.
pub fn each<'l>(
    (input, max_memory): (impl Read, u64),
    format: Option<Format>,
    limits: &'l dyn Fn() -> Limits<'l>,
    sink: &mut Sink,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, format).with_max_memory(Some(max_memory));
    loop {
        let goes_on = match chunks.read() {
            Ok(None) => return Ok(()),
            Ok(Some(chunk)) => of_chunk(&chunk, limits, sink),
            Err(ChunkError::Board(error)) => sink(&mut Puzzle::empty(), Err(error)),
            Err(ChunkError::Io(error)) => return Err(error),
        };
        if !goes_on {
            return Ok(());
        }
    }
}

fn of_chunk<'l>(chunk: &Chunk, limits: &'l dyn Fn() -> Limits<'l>, sink: &mut Sink) -> bool {
    let mut puzzle = Puzzle::empty();
    let mut show = |puzzle: &mut Puzzle, read: Result<bool, BoardError>| match read {
        Ok(false) => true,
        read => sink(puzzle, read.map(drop)),
    };
    match chunk.format {
        Format::JsonLines => {
            let rows = chunk.text.split(|&byte| byte == b'\n');
            rows.zip(chunk.line..).all(|(row, line)| {
                let row = row.strip_suffix(b"\r").unwrap_or(row);
                puzzle.set_limits(limits());
                let read = json::read_line(row, line, &mut puzzle);
                show(&mut puzzle, read)
            })
        }
        Format::Text => {
            let mut boards = text::Boards::new(&chunk.text, chunk.line);
            loop {
                puzzle.set_limits(limits());
                let read = boards.read(&mut puzzle);
                let is_end = matches!(read, Ok(false));
                if is_end || !show(&mut puzzle, read) {
                    return is_end;
                }
            }
        }
    }
}
