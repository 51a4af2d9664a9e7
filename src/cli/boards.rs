//! The boards of an input, one after the other.

use std::io::{self, Read};

use crate::fault::BoardError;
use crate::puzzle::stream::{Chunk, ChunkError, Chunks};
use crate::puzzle::{Format, Puzzle, json, text};

use super::options::{Options, Share};

/// One who is shown boards, or what is wrong with them, as long as it says yes.
type Sink<'s> = dyn FnMut(Result<&mut Puzzle, BoardError>) -> bool + 's;

/// Shows all boards of an input, with the headers that were asked for.
///
/// # Errors
///
/// If the input can't be read.
pub fn each(
    input: impl Read,
    format: Option<Format>,
    options: &Options,
    sink: &mut Sink,
) -> io::Result<()> {
    let most = options.max_memory(Share::All);
    let mut chunks = Chunks::new(input, format).with_max_memory(Some(most));
    loop {
        let goes_on = match chunks.read() {
            Ok(None) => return Ok(()),
            Ok(Some(chunk)) => of_chunk(&chunk, options, sink),
            Err(ChunkError::Board(error)) => sink(Err(error)),
            Err(ChunkError::Io(error)) => return Err(error),
        };
        if !goes_on {
            return Ok(());
        }
    }
}

fn of_chunk(chunk: &Chunk, options: &Options, sink: &mut Sink) -> bool {
    let mut puzzle = Puzzle::empty();
    let mut show = |puzzle: &mut Puzzle, read: Result<bool, BoardError>| match read {
        Ok(false) => true,
        Ok(true) => {
            options.settle(puzzle);
            sink(Ok(puzzle))
        }
        Err(error) => sink(Err(error)),
    };
    match chunk.format {
        Format::JsonLines => {
            let rows = chunk.text.split(|&byte| byte == b'\n');
            rows.zip(chunk.line..).all(|(row, line)| {
                let row = row.strip_suffix(b"\r").unwrap_or(row);
                puzzle.set_limits(options.limits(Share::All));
                let read = json::read_line(row, line, &mut puzzle);
                show(&mut puzzle, read)
            })
        }
        Format::Text => {
            let mut boards = text::Boards::new(&chunk.text, chunk.line);
            loop {
                puzzle.set_limits(options.limits(Share::All));
                let read = boards.read(&mut puzzle);
                let is_end = matches!(read, Ok(false));
                if is_end || !show(&mut puzzle, read) {
                    return is_end;
                }
            }
        }
    }
}
