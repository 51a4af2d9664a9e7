//! Reads all boards in a text as a whole or in chunks.

use std::io::Read;

use getaway_board::fault::{BoardError, Faults};
use getaway_board::puzzle::stream::{self, ChunkError, Chunks};
use getaway_board::puzzle::{Format, Puzzle, json, text};

#[derive(Debug, PartialEq)]
pub struct Board {
    headers: Vec<(String, String)>,
    pub rows: Vec<(Vec<u8>, u64)>,
    id: Option<String>,
    remarks: Faults,
}

pub type Found = Result<Board, BoardError>;

pub fn found(read: Result<bool, BoardError>, puzzle: &Puzzle) -> Option<Found> {
    let headers = || {
        let pair = |header: &getaway_board::puzzle::Header| {
            (header.key.to_string(), header.value.to_string())
        };
        puzzle.headers.iter().map(pair).collect()
    };
    let rows = || puzzle.rows.iter().map(|row| (row.text.to_vec(), row.line));
    match read {
        Ok(false) => None,
        Ok(true) => Some(Ok(Board {
            headers: headers(),
            rows: rows().collect(),
            id: puzzle.id.map(str::to_owned),
            remarks: puzzle.ignored.clone(),
        })),
        Err(error) => Some(Err(error)),
    }
}

pub fn boards((text, line, format): (&[u8], u64, Format), all: &mut Vec<Found>) {
    let mut puzzle = Puzzle::empty();
    if format == Format::JsonLines {
        for (row, line) in text.split(|&byte| byte == b'\n').zip(line..) {
            let row = row.strip_suffix(b"\r").unwrap_or(row);
            all.extend(found(json::read_line(row, line, &mut puzzle), &puzzle));
        }
        return;
    }
    let mut boards = text::Boards::new(text, line);
    loop {
        let read = boards.read(&mut puzzle);
        match found(read, &puzzle) {
            None => return,
            board => all.extend(board),
        }
    }
}

pub fn whole(text: &[u8]) -> Vec<Found> {
    let text = stream::without_mark(text);
    let format = stream::detect(text).unwrap_or(Format::Text);
    let mut all = Vec::new();
    boards((text, 1, format), &mut all);
    all
}

pub fn in_chunks<R: Read>(mut chunks: Chunks<R>) -> Vec<Found> {
    let mut all = Vec::new();
    loop {
        match chunks.read() {
            Ok(None) => return all,
            Err(ChunkError::Board(error)) => all.push(Err(error)),
            Err(ChunkError::Io(error)) => panic!("{error}"),
            Ok(Some(chunk)) => boards((chunk.text(), chunk.line, chunk.format), &mut all),
        }
    }
}
