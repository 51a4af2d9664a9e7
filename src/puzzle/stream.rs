//! Input of any length, cut into pieces that hold whole boards, so that it never sits in memory as a
//! whole and many can work on it.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

use super::{Format, error_at};
use crate::fault::{BoardError, FaultKind};

/// How many bytes are read at a time, if so many come.
pub const CHUNK: usize = 1 << 18;

/// The most bytes that one board may take.
pub const MAX_BOARD: usize = 1 << 28;

/// A piece of the input with whole boards.
#[derive(Debug)]
pub struct Chunk {
    /// The bytes.
    pub text: Vec<u8>,
    /// The number of the first line, from 1.
    pub line: u64,
    /// The format.
    pub format: Format,
}

/// How many bytes of a text are worth a worker's while.
pub const PIECE: usize = 1 << 11;

/// Cuts a text with whole boards, whose first line has the number `line`, into pieces of whole boards
/// of about [`PIECE`] bytes, or of one larger board.
pub fn pieces(text: &[u8], line: u64, format: Format) -> Vec<(&[u8], u64)> {
    let (mut rest, mut line) = (text, line);
    let mut pieces = Vec::with_capacity(text.len() / PIECE + 1);
    while !rest.is_empty() {
        let skip = rest.len().min(PIECE);
        let cut = first_cut(&rest[skip..], format).map_or(rest.len(), |cut| skip + cut);
        let (piece, after) = rest.split_at(cut);
        pieces.push((piece, line));
        line += memchr_iter(b'\n', piece).count() as u64;
        rest = after;
    }
    pieces
}

/// The first place in a text at which a board has surely ended.
fn first_cut(text: &[u8], format: Format) -> Option<usize> {
    memchr_iter(b'\n', text).find_map(|at| match (format, text.get(at + 1)) {
        (Format::JsonLines, _) => Some(at + 1),
        (_, Some(b'\n')) if may_begin(&text[at + 2..]) => Some(at + 2),
        (_, Some(b'\r')) if text.get(at + 2) == Some(&b'\n') && may_begin(&text[at + 3..]) => {
            Some(at + 3)
        }
        _ => None,
    })
}

/// Whether a board may begin here: after an empty line a row between bars may go on with a spoilt
/// frame.
fn may_begin(text: &[u8]) -> bool {
    text.first() != Some(&b'|')
}

/// Cuts an input into chunks.
#[derive(Debug)]
pub struct Chunks<R> {
    input: R,
    buffer: Vec<u8>,
    /// No cut is possible before this.
    searched: usize,
    line: u64,
    format: Option<Format>,
    ended: bool,
    read_any: bool,
}

impl<R: Read> Chunks<R> {
    /// The chunks of `input`; without a `format`, input that begins with `{` is JSON Lines.
    pub const fn new(input: R, format: Option<Format>) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            searched: 0,
            line: 1,
            format,
            ended: false,
            read_any: false,
        }
    }

    /// The next chunk; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`ChunkError::Io`] if the input can't be read, [`ChunkError::Board`] if a part of it can't be a
    /// board; that part is passed over, and one may go on.
    pub fn read(&mut self) -> Result<Option<Chunk>, ChunkError> {
        loop {
            if self.ended {
                let end = self.buffer.len();
                return Ok((end > 0).then(|| self.take(end)));
            }
            self.fill()?;
            if self.format.is_none() {
                self.format = detect(&self.buffer);
            }
            if !self.ended {
                if let Some(cut) = self.last_cut() {
                    return Ok(Some(self.take(cut)));
                }
                self.searched = self.buffer.len();
                if self.buffer.len() > MAX_BOARD {
                    return Err(self.drop_large_board()?.into());
                }
            }
        }
    }

    /// One read from the input, of at most a chunk.
    fn fill(&mut self) -> Result<(), ChunkError> {
        let from = self.buffer.len();
        self.buffer.resize(from + CHUNK, 0);
        let got = loop {
            match self.input.read(&mut self.buffer[from..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(from + *got.as_ref().unwrap_or(&0));
        let got = got?;
        self.ended = got == 0;
        if !self.read_any {
            self.read_any = true;
            match beginning(&self.buffer) {
                Ok(text) => self.buffer.drain(..self.buffer.len() - text.len()),
                Err(error) => {
                    self.ended = true;
                    self.buffer.clear();
                    return Err(error.into());
                }
            };
        }
        Ok(())
    }

    fn take(&mut self, end: usize) -> Chunk {
        let rest = self.buffer[end..].to_vec();
        self.buffer.truncate(end);
        let text = std::mem::replace(&mut self.buffer, rest);
        self.searched = 0;
        let chunk = Chunk {
            line: self.line,
            format: self.format.unwrap_or(Format::Text),
            text,
        };
        self.line += memchr_iter(b'\n', &chunk.text).count() as u64;
        chunk
    }

    /// The last place in the buffer at which a board is known to have ended.
    fn last_cut(&self) -> Option<usize> {
        let text = &self.buffer;
        if self.format == Some(Format::JsonLines) {
            return memrchr(b'\n', &text[self.searched..]).map(|end| self.searched + end + 1);
        }
        // A cut may straddle the part searched before by an end of line.
        let from = self.searched.saturating_sub(3);
        let mut end = text.len();
        while let Some(at) = memrchr(b'\n', &text[from..end]).map(|at| from + at) {
            match text.get(at + 1) {
                Some(b'\n') if may_begin(&text[at + 2..]) => return Some(at + 2),
                Some(b'\r') if text.get(at + 2) == Some(&b'\n') && may_begin(&text[at + 3..]) => {
                    return Some(at + 3);
                }
                Some(b';') if !starts_with_semicolon(text, at) => return Some(at + 1),
                _ => end = at,
            }
        }
        None
    }

    /// Passes over a board that is too large, to the next empty line or the end.
    fn drop_large_board(&mut self) -> Result<BoardError, ChunkError> {
        let error = error_at(self.line, FaultKind::LargeBoard(MAX_BOARD));
        loop {
            self.line += memchr_iter(b'\n', &self.buffer).count() as u64;
            let keep = self.buffer.len().saturating_sub(2);
            self.line -= memchr_iter(b'\n', &self.buffer[keep..]).count() as u64;
            self.buffer.drain(..keep);
            self.searched = 0;
            self.fill()?;
            if self.ended {
                self.buffer.clear();
                return Ok(error);
            }
            if let Some(cut) = first_cut(&self.buffer, self.format.unwrap_or(Format::Text)) {
                self.line += memchr_iter(b'\n', &self.buffer[..cut]).count() as u64;
                self.buffer.drain(..cut);
                return Ok(error);
            }
        }
    }
}

/// Whether the line that ends at `end` begins with `;`.
fn starts_with_semicolon(text: &[u8], end: usize) -> bool {
    let start = memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
    text[start] == b';'
}

/// The text without a byte order mark.
///
/// # Errors
///
/// If it is no text.
pub fn beginning(text: &[u8]) -> Result<&[u8], BoardError> {
    match memchr(0, text) {
        Some(_) => Err(error_at(1, FaultKind::Binary)),
        None => Ok(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)),
    }
}

/// The format of a text: JSON Lines begin with `{`. `None` as long as there are only spaces.
pub fn detect(text: &[u8]) -> Option<Format> {
    match text.trim_ascii_start().first()? {
        b'{' => Some(Format::JsonLines),
        _ => Some(Format::Text),
    }
}

/// Why there is no next chunk.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    /// The input can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A part of the input can't be a board.
    #[error(transparent)]
    Board(#[from] BoardError),
}
