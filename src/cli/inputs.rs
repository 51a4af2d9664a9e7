//! Input files: those named as arguments, those found in folders, and those skipped.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::mem;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap_lex::OsStrExt;
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::limits::Limits;
use getaway_board::puzzle::stream::{self, Chunks};
use getaway_board::puzzle::{Format, Puzzle};
use walkdir::WalkDir;

use super::compression::{Compression, plain, plain_name};
use super::files::system_message;
use super::options::{Options, Share};
use super::tables::{self, TableFormat};
use getaway_board::words::{count, list_some, safe};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Stdin,
    Path(PathBuf),
    /// A board of a file: `FILE#N`, `FILE#ID`, or the first one if no board is named.
    Board(PathBuf, Selector),
    /// A file that can't be read, and why.
    Refused(PathBuf, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// All boards of a file.
    All,
    /// The first board, if no board is named.
    First,
    /// The board with this number, counted from 1; 0 is no board.
    Number(u64),
    /// The first board with this id or, if a board has no id, with this name.
    Id(String),
}

impl Input {
    /// Parses an argument; an existing path is never read as `FILE#N` or `FILE#ID`.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stdin;
        }
        let address = path.symlink_metadata().is_err().then(|| Self::board(path));
        address.flatten().unwrap_or_else(|| Self::Path(path.into()))
    }

    /// Splits `FILE#N` or `FILE#ID` at the last `#` before which there is an existing file, else at the last one of all.
    fn board(path: &Path) -> Option<Self> {
        let parts: Vec<_> = path.as_os_str().split("#").collect();
        let split = |at: usize| parts.split_at(at);
        let join = |parts: &[&OsStr]| parts.join(OsStr::new("#"));
        let is_file = |at: &usize| Path::new(&join(split(*at).0)).is_file();
        let last = parts.len() - 1;
        let (file, wanted) = split((1..=last).rev().find(is_file).unwrap_or(last));
        let wanted = Selector::of(join(wanted).to_str()?)?;
        let file = join(file);
        (!file.is_empty()).then(|| Self::Board(file.into(), wanted))
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::Path(path) | Self::Board(path, _) | Self::Refused(path, _) => path,
        }
    }

    pub const fn wanted(&self) -> &Selector {
        match self {
            Self::Board(_, wanted) => wanted,
            _ => &Selector::All,
        }
    }
}

impl Selector {
    fn of(text: &str) -> Option<Self> {
        match text.parse() {
            _ if text.is_empty() => None,
            Ok(number) => Some(Self::Number(number)),
            Err(_) => Some(Self::Id(text.to_owned())),
        }
    }

    pub fn has(&self, number: u64, puzzle: &Puzzle) -> bool {
        match self {
            Self::All => true,
            Self::First => number == 1,
            Self::Number(wanted) => number == *wanted,
            Self::Id(id) => {
                let own = puzzle.id_text().or(puzzle.name().map(Into::into));
                own.is_some_and(|own| own == *id)
            }
        }
    }

    /// Returns the error for a file of `boards` boards that lacks the wanted one.
    pub fn missing(&self, boards: u64) -> anyhow::Error {
        let number_of_boards = count(boards, "board");
        match self {
            Self::Number(0) if boards > 0 => anyhow!("there is no board 0: boards count from 1"),
            Self::Number(number) if boards > 0 => {
                anyhow!("there is no board {number}: the file has {number_of_boards}")
            }
            Self::Id(id) if boards > 0 => anyhow!(
                "there is no board with the id or name `{}` among its {number_of_boards}",
                id.escape_debug()
            ),
            _ => BoardError::of_line(1, FaultKind::NoBoard).into(),
        }
    }
}

/// The inputs that the arguments name, and the files in folders that were skipped.
#[derive(Debug, Default)]
pub struct Inputs {
    pub all: Vec<Input>,
    pub skipped_files: SkippedFiles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// Reads folders; refuses files with an unknown extension.
    Walk,
    /// Refuses folders; reads files with any extension.
    Refuse,
}

impl Inputs {
    pub fn of<P: AsRef<Path>>(paths: &[P], folders: Folders) -> Self {
        let mut inputs = Self::default();
        for path in paths {
            match Input::of(path.as_ref()) {
                Input::Path(path) if folders == Folders::Walk && path.is_dir() => {
                    inputs.walk(&path, &[]);
                }
                Input::Path(path) => inputs.all.push(match refusal(&path, folders) {
                    Some(why) => Input::Refused(path, why),
                    None => Input::Path(path),
                }),
                input => inputs.all.push(input),
            }
        }
        inputs
    }

    /// Adds the board files of a folder and its subfolders in the order of their names, and counts the files and hidden folders
    /// that it skips. Files with the endings `also` are board files, too. An entry that can't be read becomes
    /// [`Input::Refused`].
    pub fn walk(&mut self, folder: &Path, also: &[&str]) {
        let mut entries = WalkDir::new(folder)
            .follow_links(true)
            // Entries of the same folder differ only in name, so comparing complete paths is enough.
            .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()))
            .into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.all.push(unreadable_entry(&error, folder));
                    continue;
                }
            };
            let kind = entry.file_type();
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if entry.depth() > 0 && is_hidden {
                if kind.is_dir() {
                    entries.skip_current_dir();
                }
                self.skipped_files.hidden += 1;
            } else if kind.is_file() {
                match unknown_ending(Path::new(entry.file_name())) {
                    Some(ending) if !also.contains(&&ending[1..]) => {
                        *self.skipped_files.others.entry(ending).or_default() += 1;
                    }
                    _ => self
                        .all
                        .push(Input::Path(with_slashes(entry.into_path(), folder))),
                }
            } else if !kind.is_dir() {
                self.skipped_files.special += 1;
            }
        }
    }
}

/// Returns the path of a file in a folder. It is the same on every system, unless the folder was given with backslashes.
fn with_slashes(path: PathBuf, folder: &Path) -> PathBuf {
    match path.to_str() {
        Some(text) if cfg!(windows) && !folder.as_os_str().contains("\\") => {
            text.replace('\\', "/").into()
        }
        _ => path,
    }
}

fn unreadable_entry(error: &walkdir::Error, root: &Path) -> Input {
    let path = error.path().unwrap_or(root).to_owned();
    let message = match (error.loop_ancestor(), error.io_error()) {
        (Some(above), _) => format!("a link back to {}, which contains it", above.display()),
        (None, Some(error)) => system_message(error),
        (None, None) => error.to_string(),
    };
    Input::Refused(path, message)
}

fn refusal(path: &Path, folders: Folders) -> Option<String> {
    match (path.metadata(), folders) {
        (Err(error), _) => Some(system_message(&error)),
        (Ok(meta), Folders::Refuse) => meta
            .is_dir()
            .then(|| "this is a folder; `getaway check` and `getaway rate` read folders".into()),
        (Ok(_), Folders::Walk) => unknown_ending(path).map(|ending| {
            format!(
                "`{ending}` is not the ending of a board file ({}); rename it, or pipe it into `-`",
                known_endings()
            )
        }),
    }
}

const ENDINGS: [&str; 10] = [
    "txt", "jsonl", "board", "map", "maze", "level", "lvl", "grid", "puzzle", "brd",
];

/// Returns the file's extension, with its dot; `None` if board files may have it, or the file has none. For a compressed file, it
/// is the extension before `.gz` or `.zst`.
pub fn unknown_ending(path: &Path) -> Option<String> {
    let name = plain_name(path);
    let ending = name.extension()?.to_string_lossy();
    let is_one = |ending: &str| ENDINGS.contains(&ending) || TableFormat::ENDINGS.contains(&ending);
    let is_known = is_one(&ending) || is_one(&ending.to_lowercase());
    (!is_known).then(|| format!(".{ending}"))
}

pub fn known_endings() -> String {
    let all = ENDINGS.iter().chain(&TableFormat::ENDINGS);
    let endings: Vec<_> = all.map(|ending| format!(".{ending}")).collect();
    format!("{}; also with .gz or .zst", endings.join(", "))
}

pub fn named_format(path: &Path) -> Option<Format> {
    let is_lines = plain_name(path)
        .extension()
        .is_some_and(|ending| ending == "jsonl");
    (is_lines || TableFormat::named(path).is_some()).then_some(Format::JsonLines)
}

/// Opens and decompresses a file; `-` is standard input. Tables become JSON Lines. Reading a file fails if it changes in the
/// meantime, unless it is a table.
pub fn open(path: &Path, max_memory: u64) -> io::Result<Box<dyn Read + Send>> {
    if path.as_os_str() == "-" {
        return plain(io::stdin(), path, max_memory);
    }
    // Windows can't open folders.
    if path.is_dir() {
        return Err(io::Error::other("this is a folder; name one board file"));
    }
    let file = File::open(path)?;
    let meta = file.metadata()?;
    match TableFormat::named(path) {
        Some(_) if Compression::named(path).is_some() => Err(io::Error::other(
            "tables are compressed internally; unpack this file first",
        )),
        Some(format) => tables::read(file, format),
        None => plain(UnchangedFile::new(file, meta), path, max_memory),
    }
}

/// Opens an input to read it in small chunks of complete boards.
pub fn chunks(path: &Path, max_memory: u64) -> io::Result<Chunks<Box<dyn Read + Send>>> {
    let chunks = Chunks::new(open(path, max_memory)?, named_format(path));
    Ok(chunks.with_max_memory(Some(max_memory)))
}

/// Receives a board, its number from 1, and the result of reading it. Returns whether to continue.
pub type Sink<'s> = dyn FnMut(&mut Puzzle, u64, Result<(), BoardError>) -> bool + 's;

pub const MAX_COUNTED: u64 = 10_000;

/// Passes the wanted boards of an input to `sink`, after setting the headers given on the command line. Returns the number of
/// boards read; for [`Selector::First`], the others are counted up to [`MAX_COUNTED`]. If only one board is wanted, faults in
/// other boards are ignored, and the time limit starts at the first byte. Fails if the wanted board is missing.
pub fn for_each_board(
    input: &Input,
    options: &Options,
    share: Share,
    sink: &mut Sink,
) -> Result<u64> {
    for_each_board_as(named_format(input.path()), input, options, share, sink)
}

/// Does the same as [`for_each_board`], for a format that differs from the one that the file's name stands for.
pub fn for_each_board_as(
    format: Option<Format>,
    input: &Input,
    options: &Options,
    share: Share,
    sink: &mut Sink,
) -> Result<u64> {
    if let Input::Refused(_, why) = input {
        bail!("{why}");
    }
    let (begun, wanted) = (OnceCell::new(), input.wanted());
    let limits = || match wanted {
        Selector::All => options.limits(share),
        _ => *begun.get_or_init(|| options.limits(share)),
    };
    let max_memory = options.max_memory(share);
    let text = Interruptible {
        input: open(input.path(), max_memory).map_err(|error| anyhow!(system_message(&error)))?,
        // If all boards are wanted, the time limit applies to each board, not to the whole input.
        limits: &|| match wanted {
            Selector::All => Limits::default(),
            _ => limits(),
        },
        has_begun: false,
    };
    select(wanted, options, sink, |sink| {
        stream::each(text, max_memory, format, &limits, sink)
    })
}

/// Passes the wanted boards, among those that `read` reads, to `sink`. Returns the number of boards read, as [`for_each_board`]
/// does.
pub fn select(
    wanted: &Selector,
    options: &Options,
    sink: &mut Sink,
    read: impl FnOnce(&mut stream::Sink) -> io::Result<()>,
) -> Result<u64> {
    let (mut boards, mut is_found) = (0, *wanted == Selector::All);
    let read = read(&mut |puzzle, read| {
        boards += 1;
        if !wanted.has(boards, puzzle) {
            return !is_found || boards < MAX_COUNTED;
        }
        is_found = true;
        if read.is_ok() {
            options.apply_headers(puzzle);
        }
        sink(puzzle, boards, read) && matches!(wanted, Selector::All | Selector::First)
    });
    match read {
        Ok(()) if !is_found => Err(wanted.missing(boards)),
        Err(error) if !is_found || *wanted == Selector::All => {
            let error = error.downcast::<BoardError>();
            Err(error.map_or_else(|error| anyhow!(system_message(&error)), Into::into))
        }
        _ => Ok(boards),
    }
}

/// An input whose reads fail once a limit is reached.
struct Interruptible<'l, R> {
    input: R,
    /// Returns the limits. The first call starts the time limit.
    limits: &'l dyn Fn() -> Limits<'l>,
    has_begun: bool,
}

impl<R: Read> Read for Interruptible<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // The wait for the first byte does not count towards the time limit.
        if mem::replace(&mut self.has_begun, true)
            && let Err(limit) = (self.limits)().check_time()
        {
            let kind = FaultKind::Limit(limit);
            return Err(io::Error::other(BoardError::of_line(1, kind)));
        }
        self.input.read(room)
    }
}

/// Returns whether an input is a file on a disk, which can be read without waiting.
pub fn is_regular(path: &Path) -> bool {
    path.as_os_str() != "-" && path.metadata().is_ok_and(|meta| meta.is_file())
}

/// A file whose last read fails if the file has changed since it was opened.
struct UnchangedFile {
    file: File,
    /// The metadata when the file was opened; `None` for a pipe or a device.
    was: Option<Metadata>,
}

impl UnchangedFile {
    fn new(file: File, meta: Metadata) -> Self {
        let was = meta.is_file().then_some(meta);
        Self { file, was }
    }

    fn has_changed(&self) -> io::Result<bool> {
        let Some(was) = &self.was else {
            return Ok(false);
        };
        let is = self.file.metadata()?;
        Ok(is.len() != was.len() || is.modified().ok() != was.modified().ok())
    }
}

impl Read for UnchangedFile {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read(room)?;
        if got == 0 && !room.is_empty() && self.has_changed()? {
            return Err(io::Error::other("it changed while it was being read"));
        }
        Ok(got)
    }
}

/// Reads a file. Fails unless it has fewer than `max_memory` bytes.
pub fn read_whole(path: &Path, max_memory: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = open(path, max_memory)?.take(max_memory);
    input.read_to_end(&mut bytes)?;
    if bytes.len() as u64 == max_memory {
        let message = "it does not fit in memory; raise `--max-memory`";
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, message));
    }
    Ok(bytes)
}

/// The numbers of files in folders that were skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedFiles {
    /// Those with an unknown extension, by the extension with its dot.
    others: BTreeMap<String, u64>,
    hidden: u64,
    /// Pipes, sockets and devices.
    special: u64,
}

impl SkippedFiles {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn text(&self) -> String {
        let others = self.others.values().sum();
        let endings: Vec<_> = self.others.keys().map(|ending| safe(ending)).collect();
        let endings = list_some(&endings, 5);
        let parts = [
            (
                others,
                format!("{} ({endings})", count(others, "other file")),
            ),
            (self.hidden, format!("{} hidden", self.hidden)),
            (self.special, count(self.special, "special file")),
        ];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0);
        let parts: Vec<_> = parts.map(|(_, words)| words).collect();
        format!("skipped: {}", parts.join(", "))
    }
}

#[cfg(test)]
#[path = "inputs_tests.rs"]
mod tests;
