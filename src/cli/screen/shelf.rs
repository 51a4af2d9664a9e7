//! The boards to play or edit: those of a folder, or of a file and the files beside it, in order; those of a ruleset's
//! collection; or new ones.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow, bail};
use getaway_board::fault::{BoardError, Fault, FaultKind};
use getaway_board::puzzle::stream::{self, Boards};
use getaway_board::puzzle::{Format, Puzzle};
use getaway_generate::daily::Date;
use getaway_generate::level::Level;
use getaway_solvers::game::{Game, HeaderGame};
use getaway_solvers::rulesets::Entry;

use crate::cli::files::{folder, system_message};
use crate::cli::inputs::{self, Folders, Input, Inputs, Selector, named_format};
use crate::cli::options::Options;
use getaway_board::words::{path_name, safe};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFile {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    format: Format,
    boards: Vec<BoardSpan>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct BoardSpan {
    bytes: Range<usize>,
    line: u64,
    /// The board's id, or else its name, or else an empty text.
    id: String,
}

#[derive(Clone, Copy, Debug)]
pub struct BoardText<'f> {
    /// The text of the board up to its last row or header.
    pub text: &'f [u8],
    /// The number of the first line of `text`, counted from 1.
    pub line: u64,
    pub format: Format,
}

impl<'f> BoardText<'f> {
    /// Reads the board. An invalid board may still have rows and headers.
    pub fn read(self) -> (Puzzle<'f>, Result<(), BoardError>) {
        let mut puzzle = Puzzle::empty();
        let mut boards = Boards::new(self.text, self.line, self.format);
        let read = match boards.read(&mut puzzle) {
            Ok(true) => Ok(()),
            Ok(false) => Err(BoardError::of_line(self.line, FaultKind::NoBoard)),
            Err(error) => Err(error),
        };
        (puzzle, read)
    }
}

pub struct Opened<'f> {
    pub puzzle: Puzzle<'f>,
    pub ruleset: &'static Entry,
    pub game: Arc<dyn Game>,
    pub seed: Option<u64>,
    pub warnings: Vec<Fault>,
}

impl<'f> Opened<'f> {
    pub fn read(written: BoardText<'f>, options: &Options) -> Result<Self, BoardError> {
        let (mut puzzle, read) = written.read();
        options.apply_headers(&mut puzzle);
        read?;
        let (ruleset, game) = options.read(&puzzle)?;
        Ok(Self {
            ruleset,
            seed: HeaderGame::of(&puzzle)?.seed,
            warnings: options.warnings(ruleset, &*game, &puzzle)?,
            game: game.into(),
            puzzle,
        })
    }
}

impl BoardFile {
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(Self::of(path, inputs::read_whole(path, MAX)?))
    }

    pub fn of(path: &Path, bytes: Vec<u8>) -> Self {
        let text = stream::without_mark(&bytes);
        let format = named_format(path).or_else(|| stream::detect(text));
        let (start, format) = (bytes.len() - text.len(), format.unwrap_or(Format::Text));
        Self {
            path: path.to_owned(),
            boards: spans(&bytes, start, format),
            bytes,
            format,
        }
    }

    /// Shifts the line numbers as if the text began at `line` of a larger file.
    #[must_use]
    pub fn beginning_at(mut self, line: u64) -> Self {
        for span in &mut self.boards {
            span.line += line - 1;
        }
        self
    }

    pub fn count(&self) -> usize {
        self.boards.len()
    }

    /// Returns a board by its number from 0. A board that does not exist is empty.
    pub fn board(&self, number: usize) -> BoardText<'_> {
        let (range, line) = match self.boards.get(number) {
            Some(span) => (span.bytes.clone(), span.line),
            None => (0..0, 1),
        };
        BoardText {
            text: &self.bytes[range],
            line,
            format: self.format,
        }
    }

    /// Returns the file with new text for board `number`, and all other bytes unchanged. If there is no such board, returns only
    /// the new text.
    pub fn with_board(&self, number: usize, text: &[u8]) -> Vec<u8> {
        let span = self.boards.get(number);
        let range = span.map_or(0..self.bytes.len(), |span| span.bytes.clone());
        let (before, after) = (&self.bytes[..range.start], &self.bytes[range.end..]);
        [before, text, after].concat()
    }

    /// Returns the id of each board, or else its name, or else an empty text.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.boards.iter().map(|span| &*span.id)
    }

    pub fn find(&self, wanted: &Selector) -> Result<usize, String> {
        // A file without boards has an empty one, for a new drawing.
        let mut numbers = 0..self.count().max(1);
        numbers
            .find(|&number| wanted.has(number as u64 + 1, &self.board(number).read().0))
            .ok_or_else(|| wanted.missing(self.count() as u64).to_string())
    }

    pub fn title(&self, puzzle: &Puzzle) -> String {
        let file = self.path.file_stem().unwrap_or_default().to_string_lossy();
        safe(puzzle.name().unwrap_or(&file))
    }

    pub fn address(&self, number: usize) -> String {
        let path = path_name(&self.path);
        match self.count() {
            0 | 1 => path,
            _ => format!("{path}#{}", number + 1),
        }
    }
}

const MAX: u64 = 1 << 30;

fn spans(bytes: &[u8], start: usize, format: Format) -> Vec<BoardSpan> {
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let starts: Vec<usize> = [start].into_iter().chain(ends.map(|end| end + 1)).collect();
    let mut boards = Boards::new(&bytes[start..], 1, format);
    let mut puzzle = Puzzle::empty();
    let mut spans = Vec::new();
    while !matches!(boards.read(&mut puzzle), Ok(false)) {
        let headers = puzzle.headers.iter().map(|header| header.place.line);
        let rows = puzzle.rows.iter().map(|row| row.line);
        let last = headers.chain(rows).max().unwrap_or(puzzle.line);
        let from = starts[puzzle.line as usize - 1];
        let end = (starts[last as usize] - 1).max(from);
        let is_crlf = bytes[from..end].ends_with(b"\r");
        let name = || puzzle.name().map(Into::into);
        spans.push(BoardSpan {
            bytes: from..end - usize::from(is_crlf),
            line: puzzle.line,
            id: puzzle.id_text().or_else(name).unwrap_or_default().into(),
        });
    }
    spans
}

/// A new board that a key or an option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewBoard {
    Level(Level),
    Daily(Date),
}

impl NewBoard {
    pub fn of_key(key: char) -> Option<Self> {
        match key {
            'd' => today().map(Self::Daily),
            key => Level::of_key(key).map(Self::Level),
        }
    }
}

/// Returns the date in UTC, so that it is the same day everywhere; `None` if the clock is before 1970 or after 9999.
pub fn today() -> Option<Date> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Date::of_days((since.as_secs() / 86_400).try_into().ok()?)
}

#[derive(Debug)]
pub struct BoardList {
    files: Vec<PathBuf>,
    at: usize,
    pub file: Rc<BoardFile>,
    pub number: usize,
    pub origin: Origin,
}

/// The source of the boards of a list.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    Files,
    /// New boards of a ruleset, and the kind of the next one.
    Made(&'static Entry, NewBoard),
    /// Boards of a ruleset that are the same for everyone. The best results are kept.
    Kept(&'static Entry),
}

/// The graded collection: the name of each ruleset, and its boards in order of difficulty.
const COLLECTION: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/collection.rs"));

impl BoardList {
    /// Returns a list of boards that are in no file.
    pub fn of_ruleset(entry: &'static Entry, text: &str) -> Self {
        let path = PathBuf::from(format!("{}.txt", entry.name));
        Self {
            files: vec![path.clone()],
            at: 0,
            file: Rc::new(BoardFile::of(&path, text.into())),
            number: 0,
            origin: Origin::Kept(entry),
        }
    }

    /// Returns the graded collection of a ruleset, if it has one.
    pub fn collection(entry: &'static Entry) -> Option<Self> {
        let mut all = COLLECTION.iter();
        let (_, text) = all.find(|(ruleset, _)| *ruleset == entry.name)?;
        Some(Self::of_ruleset(entry, text))
    }

    pub fn add(&mut self, text: &str) {
        let blank = if self.file.count() == 0 { "" } else { "\n" };
        let bytes = [&*self.file.bytes, blank.as_bytes(), text.as_bytes()].concat();
        self.file = Rc::new(BoardFile::of(&self.file.path, bytes));
        self.number = self.file.count().saturating_sub(1);
    }

    /// Returns a message that this is the first or last board, as `which` says, or the only one.
    pub fn end(&self, which: &str) -> String {
        let is_alone = self.files.len() <= 1 && self.file.count() <= 1;
        let which = if is_alone { "only" } else { which };
        format!("this is the {which} board")
    }

    pub fn has_next(&self) -> bool {
        self.number + 1 < self.file.count()
    }

    /// Opens a file or a folder at its first board, or a file at a given board.
    pub fn open(path: &Path) -> Result<Self> {
        let input = Input::of(path);
        let path = input.path();
        let files = if path.is_dir() {
            board_files(path)
        } else {
            beside(path)
        };
        let at = files.iter().position(|file| file == path).unwrap_or(0);
        let Some(first) = files.get(at) else {
            bail!("{}: this folder has no board files", path_name(path));
        };
        let file = Rc::new(read(first).map_err(|why| anyhow!(why))?);
        let number = file
            .find(input.wanted())
            .map_err(|why| anyhow!("{}: {why}", path_name(path)))?;
        Ok(Self {
            files,
            at,
            file,
            number,
            origin: Origin::Files,
        })
    }

    pub fn next(&mut self) -> Result<bool, String> {
        if self.has_next() {
            self.number += 1;
            return Ok(true);
        }
        self.open_file(self.at + 1, |_| 0)
    }

    pub fn previous(&mut self) -> Result<bool, String> {
        if self.number > 0 {
            self.number -= 1;
            return Ok(true);
        }
        let last = |file: &BoardFile| file.count().saturating_sub(1);
        self.open_file(self.at.wrapping_sub(1), last)
    }

    fn open_file(&mut self, at: usize, number: fn(&BoardFile) -> usize) -> Result<bool, String> {
        let Some(path) = self.files.get(at) else {
            return Ok(false);
        };
        self.file = Rc::new(read(path)?);
        (self.at, self.number) = (at, number(&self.file));
        Ok(true)
    }

    /// Reads the file again after an edit. New boards that are not saved are kept.
    pub fn read_again(&mut self) -> Result<(), String> {
        if !matches!(self.origin, Origin::Files) && !self.file.path.exists() {
            return Ok(());
        }
        self.file = Rc::new(read(&self.file.path)?);
        self.number = self.number.min(self.file.count().saturating_sub(1));
        Ok(())
    }
}

fn read(path: &Path) -> Result<BoardFile, String> {
    BoardFile::read(path)
        .map_err(|error| format!("{}: {}", path_name(path), system_message(&error)))
}

fn board_files(folder: &Path) -> Vec<PathBuf> {
    let inputs = Inputs::of(&[folder], Folders::Walk).all.into_iter();
    let path = |input| match input {
        Input::Path(path) => Some(path),
        _ => None,
    };
    inputs.filter_map(path).collect()
}

/// Returns the board files in the folder of this file, in order, or only this file if it is not one of them.
fn beside(path: &Path) -> Vec<PathBuf> {
    let entries = folder(path).read_dir().into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.file_name())
        .filter(|name| !name.as_encoded_bytes().starts_with(b"."))
        .map(|name| path.with_file_name(name))
        .filter(|file| file.is_file() && inputs::unknown_ending(file).is_none())
        .collect();
    files.sort();
    if !files.iter().any(|other| other == path) {
        return vec![path.to_owned()];
    }
    files
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
