//! The boards to play or edit: first those of a file, then those of the files beside it, in order.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::fault::{BoardError, Fault, FaultKind};
use crate::game::{Game, Given};
use crate::puzzle::{Format, Puzzle, error_at, json, text::Boards};
use crate::rulesets::Entry;

use crate::answers::words::safe;
use crate::cli::inputs::{self, Folders, Input, Unit, Wanted, named_format, unreadable};
use crate::cli::one_board::missing;
use crate::cli::options::Options;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFile {
    path: PathBuf,
    bytes: Vec<u8>,
    format: Format,
    boards: Vec<BoardSpan>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct BoardSpan {
    bytes: Range<usize>,
    line: u64,
    id: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub struct Written<'f> {
    /// The text of the board up to its last row.
    pub text: &'f [u8],
    /// The number of the first line of `text`, counted from 1.
    pub line: u64,
    pub format: Format,
}

impl<'f> Written<'f> {
    /// Reads the board. An invalid board may still have rows and headers.
    pub fn read(self) -> (Puzzle<'f>, Result<(), BoardError>) {
        let mut puzzle = Puzzle::empty();
        let read = match self.format {
            Format::Text => Boards::new(self.text, self.line).read(&mut puzzle),
            Format::JsonLines => json::read_line(self.text, self.line, &mut puzzle),
        };
        let read = match read {
            Ok(true) => Ok(()),
            Ok(false) => Err(error_at(self.line, FaultKind::NoBoard)),
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
    pub fn read(written: Written<'f>, options: &Options) -> Result<Self, BoardError> {
        let (mut puzzle, read) = written.read();
        options.apply_headers(&mut puzzle);
        read?;
        let (ruleset, game) = options.read(&puzzle)?;
        Ok(Self {
            ruleset,
            game: game.into(),
            seed: Given::of(&puzzle)?.seed,
            warnings: options.warnings(ruleset, &puzzle)?,
            puzzle,
        })
    }
}

impl BoardFile {
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            bytes
        } else {
            inputs::read_whole(path, MOST)?
        };
        Ok(Self::of(path, bytes))
    }

    pub fn of(path: &Path, bytes: Vec<u8>) -> Self {
        let start = if bytes.starts_with(MARK) {
            MARK.len()
        } else {
            0
        };
        let first = bytes[start..].trim_ascii_start().first();
        let format = named_format(path).unwrap_or(match first {
            Some(b'{') => Format::JsonLines,
            _ => Format::Text,
        });
        let boards = match format {
            Format::Text => drawn(&bytes, start),
            Format::JsonLines => listed(&bytes, start),
        };
        Self {
            path: path.to_owned(),
            bytes,
            format,
            boards,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes line numbers count as in a larger file, in which this file's text begins at `line`.
    #[must_use]
    pub fn beginning_at(mut self, line: u64) -> Self {
        self.boards
            .iter_mut()
            .for_each(|part| part.line += line - 1);
        self
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn count(&self) -> usize {
        self.boards.len()
    }

    /// Returns board `number`, counted from 0. A board that does not exist is empty.
    pub fn board(&self, number: usize) -> Written<'_> {
        let (text, line) = match self.boards.get(number) {
            Some(part) => (&self.bytes[part.bytes.clone()], part.line),
            None => (&self.bytes[..0], 1),
        };
        Written {
            text,
            line,
            format: self.format,
        }
    }

    /// Returns the file with new text for board `number`, and all other bytes unchanged.
    pub fn with_board(&self, number: usize, text: &[u8]) -> Vec<u8> {
        let range = self
            .boards
            .get(number)
            .map_or(0..self.bytes.len(), |part| part.bytes.clone());
        let mut bytes = self.bytes[..range.start].to_vec();
        bytes.extend_from_slice(text);
        bytes.extend_from_slice(&self.bytes[range.end..]);
        bytes
    }

    pub fn find(&self, wanted: &Wanted) -> Result<usize, String> {
        let number = match wanted {
            Wanted::First => Some(0),
            Wanted::Number(number) => usize::try_from(*number - 1)
                .ok()
                .filter(|&number| number < self.count().max(1)),
            Wanted::Id(id) => {
                let mut ids = self.boards.iter().map(|part| part.id.as_ref());
                ids.position(|own| own == Some(id))
            }
        };
        number.ok_or_else(|| missing(wanted, self.count() as u64).to_string())
    }

    pub fn name(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default();
        safe(&name.to_string_lossy())
    }

    pub fn address(&self, number: usize) -> String {
        let path = safe(&self.path.to_string_lossy());
        match self.count() {
            0 | 1 => path,
            _ => format!("{path}#{}", number + 1),
        }
    }
}

const MOST: u64 = 1 << 30;

/// The byte order mark that some editors write before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

fn drawn(bytes: &[u8], start: usize) -> Vec<BoardSpan> {
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let starts: Vec<usize> = [start].into_iter().chain(ends.map(|end| end + 1)).collect();
    let mut boards = Boards::new(&bytes[start..], 1);
    let mut puzzle = Puzzle::empty();
    let mut parts = Vec::new();
    while !matches!(boards.read(&mut puzzle), Ok(false)) {
        let headers = puzzle.headers.iter().map(|header| header.place.line);
        let rows = puzzle.rows.iter().map(|row| row.line);
        let last = headers.chain(rows).max().unwrap_or(puzzle.line);
        let from = starts[puzzle.line as usize - 1];
        let end = (starts[last as usize] - 1).max(from);
        let is_crlf = bytes[from..end].ends_with(b"\r");
        parts.push(BoardSpan {
            bytes: from..end - usize::from(is_crlf),
            line: puzzle.line,
            id: puzzle.name().map(str::to_owned),
        });
    }
    parts
}

fn listed(bytes: &[u8], start: usize) -> Vec<BoardSpan> {
    let mut parts = Vec::new();
    let mut from = start;
    for (text, line) in bytes[start..].split(|&byte| byte == b'\n').zip(1..) {
        let next = from + text.len() + 1;
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let mut puzzle = Puzzle::empty();
        if !matches!(json::read_line(text, line, &mut puzzle), Ok(false)) {
            let name = || puzzle.name().map(str::to_owned);
            parts.push(BoardSpan {
                bytes: from..from + text.len(),
                line,
                id: puzzle.id_text().map(String::from).or_else(name),
            });
        }
        from = next;
    }
    parts
}

#[derive(Debug)]
pub struct Shelf {
    /// The files. As long as no other file is needed, only the current one is listed.
    files: Vec<PathBuf>,
    at: usize,
    pub file: Rc<BoardFile>,
    pub number: usize,
    is_alone: bool,
    pub made: Option<&'static Entry>,
}

impl Shelf {
    pub fn made(entry: &'static Entry, first: Vec<u8>) -> Self {
        let path = PathBuf::from(format!("{}.txt", entry.name));
        Self {
            files: vec![path.clone()],
            at: 0,
            file: Rc::new(BoardFile::of(&path, first)),
            number: 0,
            is_alone: false,
            made: Some(entry),
        }
    }

    pub fn add(&mut self, text: &[u8]) {
        let blank: &[u8] = if self.file.count() == 0 { b"" } else { b"\n" };
        let bytes = [self.file.bytes(), blank, text].concat();
        self.file = Rc::new(BoardFile::of(self.file.path(), bytes));
        self.number = self.file.count().saturating_sub(1);
    }

    pub fn has_next(&self) -> bool {
        self.number + 1 < self.file.count()
    }

    /// Opens the argument of a command: a file, a single board of a file, or a folder, which opens at its first board.
    pub fn open(path: &Path) -> Result<Self, String> {
        let (path, wanted) = match Input::of(path) {
            Input::Stdin => (PathBuf::from("-"), Wanted::Number(1)),
            Input::Path(path) => (path, Wanted::Number(1)),
            Input::Board(path, wanted) => (path, wanted),
        };
        let is_folder = path.is_dir();
        let files = if is_folder {
            board_files(&path)
        } else {
            vec![path.clone()]
        };
        let Some(first) = files.first() else {
            return Err(format!(
                "{}: no board file is below this folder",
                shown(&path)
            ));
        };
        let file = Rc::new(read(first)?);
        let number = file
            .find(&wanted)
            .map_err(|why| format!("{}: {why}", shown(&path)))?;
        Ok(Self {
            files,
            at: 0,
            file,
            number,
            is_alone: !is_folder,
            made: None,
        })
    }

    pub fn next(&mut self) -> Result<bool, String> {
        if self.has_next() {
            self.number += 1;
            return Ok(true);
        }
        self.find_files();
        self.open_file(self.at + 1, |_| 0)
    }

    pub fn previous(&mut self) -> Result<bool, String> {
        if self.number > 0 {
            self.number -= 1;
            return Ok(true);
        }
        self.find_files();
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
        if self.made.is_some() && !self.file.path().exists() {
            return Ok(());
        }
        self.file = Rc::new(read(self.file.path())?);
        self.number = self.number.min(self.file.count().saturating_sub(1));
        Ok(())
    }

    fn find_files(&mut self) {
        let path = self.file.path();
        if !std::mem::take(&mut self.is_alone) || path.as_os_str() == "-" {
            return;
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let beside = |other: &PathBuf| other.parent() == Some(folder.unwrap_or(Path::new(".")));
        let mut files = board_files(folder.unwrap_or(Path::new(".")));
        files.retain(beside);
        let is_this = |other: &PathBuf| other.file_name() == path.file_name();
        if let Some(at) = files.iter().position(is_this) {
            (self.files, self.at) = (files, at);
        }
    }
}

fn read(path: &Path) -> Result<BoardFile, String> {
    BoardFile::read(path).map_err(|error| format!("{}: {}", shown(path), unreadable(&error)))
}

fn shown(path: &Path) -> String {
    safe(&path.to_string_lossy())
}

fn board_files(folder: &Path) -> Vec<PathBuf> {
    let units = inputs::units([Input::Path(folder.to_owned())], Folders::Walk);
    units
        .into_iter()
        .filter_map(|unit| match unit {
            Unit::Read(Input::Path(path)) => Some(path),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
