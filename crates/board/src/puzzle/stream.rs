//! Reads boards from inputs of any length in either format, which are cut into chunks of complete boards.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use super::outline::{Line, Outline};
use super::{Format, Puzzle, json, text};
use crate::fault::{BoardError, FaultKind};
use crate::limits::{Limit, Limits};

/// The maximum number of bytes read at once.
pub const MAX_READ: usize = 1 << 16;

/// The maximum size of a board in bytes, including its headers and the remarks directly above it.
const MAX_BOARD: usize = 1 << 28;

/// A part of an input that begins and ends between two boards.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The text that was read at once, of which this chunk is a part.
    read: Arc<Vec<u8>>,
    range: Range<usize>,
    /// The number of the first line, from 1.
    pub line: u64,
    /// The number of line ends.
    pub lines: u64,
    /// The format of the input.
    pub format: Format,
}

impl Chunk {
    /// Returns the text, without a byte order mark.
    pub fn text(&self) -> &[u8] {
        &self.read[self.range.clone()]
    }
}

/// The approximate size in bytes of the first chunks of an input; a board is never divided. Chunks grow with the input to about
/// [`MAX_CHUNK`] bytes, so that a large input has fewer of them.
pub const SMALL_CHUNK: usize = 1 << 11;

const MAX_CHUNK: usize = 1 << 14;

fn first_cut(text: &[u8], from: usize, format: Format) -> Option<usize> {
    memchr_iter(b'\n', &text[from..]).find_map(|at| match format {
        Format::JsonLines => Some(from + at + 1),
        Format::Text => after_empty_line(text, from + at),
    })
}

/// Returns the place after the empty line that follows the row whose line ends at `at`. Returns `None` if there is no such row or
/// empty line, if nothing follows, or if a `|` below the empty line may continue a damaged frame.
fn after_empty_line(text: &[u8], at: usize) -> Option<usize> {
    let below = &text[at + 1..];
    let rest = below
        .strip_prefix(b"\n")
        .or_else(|| below.strip_prefix(b"\r\n"))?;
    let next = rest.first()?;
    // Reads only the line itself, so that a long run of empty lines takes linear time.
    let is_cut = *next != b'|' && ends_row(text, at);
    is_cut.then_some(text.len() - rest.len())
}

/// Reads an input chunk by chunk.
///
/// ```
/// use getaway_board::puzzle::stream::Chunks;
///
/// let mut chunks = Chunks::new(&b"H.*\n\nH.m*\n"[..], None);
/// let chunk = chunks.read()?.expect("there are boards");
/// assert_eq!((chunk.text(), chunk.lines), (&b"H.*\n\n"[..], 2));
/// # Ok::<(), getaway_board::puzzle::stream::ChunkError>(())
/// ```
#[derive(Debug)]
pub struct Chunks<R> {
    input: R,
    /// The maximum size of the next read. It grows with the input, so that a small file needs little memory.
    room: usize,
    /// The boards to return next, from `start` on.
    ready: Arc<Vec<u8>>,
    start: usize,
    /// The number of bytes in the chunks so far.
    passed: usize,
    /// The text that has been read but not yet cut; it begins at the start of the input or at the end of a board.
    buffer: Vec<u8>,
    /// The place in the buffer before which no board ends.
    searched: usize,
    finder: BoardFinder,
    line: u64,
    format: Option<Format>,
    stage: Stage,
    max_board: usize,
    too_large: FaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The beginning, where a byte order mark may still follow.
    Mark,
    /// The format is still unknown; the buffer begins with this many bytes of white space.
    Blank(usize),
    Boards,
    End,
}

impl<R: Read> Chunks<R> {
    /// Creates a reader. If no `format` is given, input that begins with `{`, perhaps after white space, is JSON Lines.
    pub fn new(input: R, format: Option<Format>) -> Self {
        Self {
            input,
            room: SMALL_CHUNK,
            ready: Arc::default(),
            start: 0,
            passed: 0,
            buffer: Vec::new(),
            searched: 0,
            finder: BoardFinder::default(),
            line: 1,
            format,
            stage: Stage::Mark,
            max_board: MAX_BOARD,
            too_large: FaultKind::BoardTooLarge(MAX_BOARD),
        }
    }

    /// Sets the maximum size of a board, in bytes.
    #[must_use]
    pub fn with_max_board(self, bytes: usize) -> Self {
        Self {
            max_board: bytes,
            too_large: FaultKind::BoardTooLarge(bytes),
            ..self
        }
    }

    /// Skips boards that exceed this limit, and reports each as an error. Boards of up to [`MAX_READ`] bytes never exceed it.
    #[must_use]
    pub fn with_max_memory(self, bytes: Option<u64>) -> Self {
        let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
        match bytes.map(|bytes| bytes.max(MAX_READ)) {
            Some(bytes) if bytes < self.max_board => Self {
                max_board: bytes,
                too_large: FaultKind::Limit(Limit::Memory),
                ..self
            },
            _ => self,
        }
    }

    /// Reads the next chunk; returns `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error of the input, or one for a board that is too large, after which reading can continue.
    pub fn read(&mut self) -> Result<Option<Chunk>, ChunkError> {
        if self.start == self.ready.len() {
            let Some(boards) = self.read_boards()? else {
                return Ok(None);
            };
            (self.ready, self.start) = (Arc::new(boards), 0);
        }
        Ok(Some(self.first_chunk()))
    }

    fn first_chunk(&mut self) -> Chunk {
        let format = self.format.unwrap_or(Format::Text);
        let rest = &self.ready[self.start..];
        let length = (self.passed / 64).clamp(SMALL_CHUNK, MAX_CHUNK);
        let cut = first_cut(rest, rest.len().min(length), format);
        let end = self.start + cut.unwrap_or(rest.len());
        let range = self.start..end;
        let chunk = Chunk {
            read: Arc::clone(&self.ready),
            line: self.line,
            lines: memchr_iter(b'\n', &self.ready[range.clone()]).count() as u64,
            format,
            range,
        };
        self.passed += end - self.start;
        self.start = end;
        self.line += chunk.lines;
        chunk
    }

    /// Reads until the buffer holds a complete board, then takes all complete boards that it finds there; at the end of the
    /// input, takes the rest. Empty lines at the beginning of the input are taken by themselves. Returns `None` if nothing is
    /// left.
    fn read_boards(&mut self) -> Result<Option<Vec<u8>>, ChunkError> {
        loop {
            if let Stage::Blank(_) = self.stage
                && let end @ 1.. = empty_lines(&self.buffer)
            {
                let lines = self.take(end);
                self.stage = Stage::Blank(self.buffer.len());
                return Ok(Some(lines));
            }
            if self.is_under_way() && self.buffer.len() > self.max_board {
                return self.first_boards().map(Some);
            }
            if self.stage == Stage::End {
                let end = self.buffer.len();
                return Ok((end > 0).then(|| self.take(end)));
            }
            if self.is_under_way()
                && let Some(cut) = self.cut()
            {
                return Ok(Some(self.take(cut)));
            }
            self.fill()?;
            self.begin();
        }
    }

    fn is_under_way(&self) -> bool {
        matches!(self.stage, Stage::Boards | Stage::End)
    }

    fn fill(&mut self) -> io::Result<()> {
        let len = self.buffer.len();
        self.buffer.resize(len + self.room, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[len..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        let got = *read.as_ref().unwrap_or(&0);
        self.buffer.truncate(len + got);
        read?;
        if got == 0 {
            self.stage = Stage::End;
        }
        if got == self.room {
            self.room = got.saturating_mul(4).min(MAX_READ);
        }
        Ok(())
    }

    fn begin(&mut self) {
        let may_be_mark = self.buffer.len() < MARK.len() && MARK.starts_with(&self.buffer);
        if self.stage == Stage::Mark && !may_be_mark {
            let mark = self.buffer.len() - without_mark(&self.buffer).len();
            self.buffer.drain(..mark);
            self.stage = Stage::Blank(0);
        }
        if let Stage::Blank(blank) = self.stage {
            self.format = self.format.or_else(|| detect(&self.buffer[blank..]));
            let is_known = self.format.is_some() || self.buffer.len() > self.max_board;
            self.stage = if is_known {
                Stage::Boards
            } else {
                Stage::Blank(self.buffer.len())
            };
        }
    }

    fn take(&mut self, end: usize) -> Vec<u8> {
        let rest = self.buffer[end..].to_vec();
        self.buffer.truncate(end);
        self.start_anew();
        std::mem::replace(&mut self.buffer, rest)
    }

    fn skip(&mut self, end: usize) {
        self.line += memchr_iter(b'\n', &self.buffer[..end]).count() as u64;
        self.buffer.drain(..end);
    }

    fn start_anew(&mut self) {
        self.searched = 0;
        self.finder = BoardFinder::default();
    }

    fn cut(&mut self) -> Option<usize> {
        let searched = std::mem::replace(&mut self.searched, self.buffer.len());
        if self.format == Some(Format::JsonLines) {
            return memrchr(b'\n', &self.buffer[searched..]).map(|end| searched + end + 1);
        }
        self.last_visible_cut(searched)
            .or_else(|| self.finder.last_end(&self.buffer))
    }

    fn last_visible_cut(&self, searched: usize) -> Option<usize> {
        let text = &self.buffer;
        // The line ends that precede a cut may be in the part already searched.
        let from = searched.saturating_sub(3);
        let mut end = text.len();
        while let Some(at) = memrchr(b'\n', &text[from..end]).map(|at| from + at) {
            if let Some(cut) = after_empty_line(text, at) {
                return Some(cut);
            }
            if text.get(at + 1) == Some(&b';') && ends_row(text, at) {
                return Some(at + 1);
            }
            end = at;
        }
        None
    }

    fn end_of_board(&mut self, start: usize) -> Option<usize> {
        match self.format {
            Some(Format::JsonLines) => {
                memchr(b'\n', &self.buffer[start..]).map(|end| start + end + 1)
            }
            _ => self.finder.first_end(&self.buffer),
        }
    }

    /// Returns the boards before one that is too large or unfinished; if that is the first, skips it and returns an error.
    fn first_boards(&mut self) -> Result<Vec<u8>, ChunkError> {
        let mut start = 0;
        loop {
            let end = match (self.end_of_board(start), self.stage) {
                (None, Stage::End) => Some(self.buffer.len()),
                (end, _) => end,
            };
            match end {
                Some(end) if end > start && end - start <= self.max_board => {
                    start = end;
                    self.finder = BoardFinder::at(start);
                }
                _ if start > 0 => return Ok(self.take(start)),
                end => return Err(self.drop_large_board(end)?.into()),
            }
        }
    }

    fn drop_large_board(&mut self, end: Option<usize>) -> Result<BoardError, ChunkError> {
        let error = BoardError::of_line(self.line, self.too_large.clone());
        let mut end = end;
        while end.is_none() && self.stage != Stage::End {
            let passed = self.finder.pass();
            self.skip(passed);
            BoardFinder::shorten(&mut self.buffer);
            self.fill()?;
            end = self.end_of_board(0);
        }
        self.skip(end.unwrap_or(self.buffer.len()));
        self.start_anew();
        Ok(error)
    }
}

#[derive(Debug, Default)]
struct BoardFinder {
    outline: Outline,
    start: usize,
    /// The index in the text up to which the current line has been searched for its end.
    searched: usize,
}

impl BoardFinder {
    fn at(start: usize) -> Self {
        Self {
            outline: Outline::default(),
            start,
            searched: start,
        }
    }

    /// Returns the end of the first board, or of an empty line or the remarks before it; `None` if the text does not hold that
    /// end yet. The text may have grown since the last call.
    fn first_end(&mut self, text: &[u8]) -> Option<usize> {
        while let Some(len) = memchr(b'\n', &text[self.searched..]) {
            let end = self.searched + len + 1;
            let raw = &text[self.start..end - 1];
            let line = raw.strip_suffix(b"\r").unwrap_or(raw);
            let next = text.get(end).copied();
            if next.is_none() && self.outline.needs_next(line) {
                // The line is classified once the byte after its line end has been read.
                self.searched = end - 1;
                return None;
            }
            match self.outline.line(line, next) {
                Line::End if !line.is_empty() => return Some(self.start),
                Line::End | Line::Nothing | Line::LastFence => return Some(end),
                Line::Header if memchr(b':', line).is_none() => {}
                Line::Header => self.outline.header(&text::header(line, 0)),
                Line::Fence | Line::Row => {}
            }
            (self.start, self.searched) = (end, end);
        }
        if text.get(self.start) == Some(&b';') && self.outline.has_rows() {
            // The result must not depend on how much of the next line has been read.
            return Some(self.start);
        }
        self.searched = text.len();
        None
    }

    fn last_end(&mut self, text: &[u8]) -> Option<usize> {
        let mut last = None;
        while let Some(end) = self.first_end(text) {
            last = Some(end);
            *self = Self::at(end);
        }
        last
    }

    fn pass(&mut self) -> usize {
        self.searched = 0;
        std::mem::take(&mut self.start)
    }

    /// Removes the middle of an unfinished line.
    fn shorten(text: &mut Vec<u8>) {
        // The first byte usually shows what kind of line it is, and the last may belong to the line end. Without the rest, a line
        // of any length fits into memory.
        if text.len() > 2 && !text.contains(&b'\n') {
            text.drain(1..text.len() - 1);
        }
    }
}

/// The chunks up to the end of the input or to the first error in reading it.
impl<R: Read> Iterator for Chunks<R> {
    type Item = Result<Chunk, ChunkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let chunk = self.read().transpose();
        if let Some(Err(ChunkError::Io(_))) = chunk {
            self.buffer.clear();
            self.stage = Stage::End;
        }
        chunk
    }
}

fn empty_lines(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some(next) = rest
        .strip_prefix(b"\n")
        .or_else(|| rest.strip_prefix(b"\r\n"))
    {
        rest = next;
    }
    text.len() - rest.len()
}

/// Returns whether the line that ends at `end` is clearly a row: it is not blank, and begins like neither a header nor a fence.
fn ends_row(text: &[u8], end: usize) -> bool {
    let start = memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
    let line = text[start..end].trim_ascii_start();
    !matches!(line.first(), None | Some(b';' | b'`' | b'~'))
}

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the text without a UTF-8 byte order mark at its beginning.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Detects JSON Lines by their first `{`. Returns `None` if there is only white space.
pub fn detect(text: &[u8]) -> Option<Format> {
    match text.trim_ascii_start().first()? {
        b'{' => Some(Format::JsonLines),
        _ => Some(Format::Text),
    }
}

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

/// Passes each board to `sink` until it returns false. Calls `limits` before each board. A board of more than `max_memory` bytes
/// is an error, as in [`Chunks::with_max_memory`].
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

/// The reason why a chunk could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    /// The input can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A board is too large.
    #[error(transparent)]
    Board(#[from] BoardError),
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
