//! Which files are read: what an argument names, the board files below a folder, and what is passed
//! over there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::puzzle::Format;
use serde::{Deserialize, Serialize};

use super::compression::{Compression, Plain, plain_name};
use super::counts::can_be;
use super::output::words::{count, list_some};
use super::tables::{self, TableFormat};

/// What an argument names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// `-`.
    Stdin,
    /// A file or folder.
    Path(PathBuf),
    /// One board of a file: `FILE#N` or `FILE#ID`.
    Board(PathBuf, Wanted),
}

/// Which board of a file is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The one of this number, from 1.
    Number(u64),
    /// The first one with this id or, where it has none, this name.
    Id(String),
}

impl Input {
    /// The input that an argument names. A path that exists is that path, whatever signs it has.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stdin;
        }
        if path.symlink_metadata().is_err()
            && let Some((file, wanted)) = path.to_str().and_then(|text| text.rsplit_once('#'))
            && let Some(wanted) = Wanted::of(wanted)
            && !file.is_empty()
        {
            return Self::Board(file.into(), wanted);
        }
        Self::Path(path.to_owned())
    }
}

impl Wanted {
    fn of(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        match text.parse() {
            Ok(0) => None,
            Ok(number) => Some(Self::Number(number)),
            Err(_) => Some(Self::Id(text.to_owned())),
        }
    }
}

/// What is read, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// One board of a file.
    Board(PathBuf, Wanted),
    /// A file or folder that is not read, and why.
    Refused(PathBuf, String),
    /// What was passed over in a folder.
    PassedOver(PassedOver),
}

impl Unit {
    /// The file that it is about; `-` for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => Some(Path::new("-")),
            Self::File(path) | Self::Board(path, _) | Self::Refused(path, _) => Some(path),
            Self::PassedOver(_) => None,
        }
    }
}

/// Whether folders are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// They are, and only files with a board file's ending are read, so that no other file passes for a board.
    Walk,
    /// They are an error, and files are read whatever their ending.
    Refuse,
}

/// All that the inputs name, folders walked.
pub fn units(inputs: Vec<Input>, folders: Folders) -> Vec<Unit> {
    let mut units = Vec::new();
    for input in inputs {
        match input {
            Input::Stdin => units.push(Unit::Stdin),
            Input::Board(path, wanted) => units.push(Unit::Board(path, wanted)),
            Input::Path(path) if folders == Folders::Walk && path.is_dir() => {
                walk(&path, &mut units);
            }
            Input::Path(path) => units.push(match refusal(&path, folders) {
                Some(why) => Unit::Refused(path, why),
                None => Unit::File(path),
            }),
        }
    }
    units
}

fn walk(folder: &Path, units: &mut Vec<Unit>) {
    let mut passed_over = PassedOver::default();
    for found in below(folder) {
        match found {
            Found::PassedOver(reason) => passed_over.count(reason),
            Found::Unreadable(path, why) => units.push(Unit::Refused(path, why)),
            Found::Board(path) => units.push(Unit::File(path)),
        }
    }
    if !passed_over.is_empty() {
        units.push(Unit::PassedOver(passed_over));
    }
}

/// Why a path that was named is not read, if it is not.
fn refusal(path: &Path, folders: Folders) -> Option<String> {
    match (path.metadata(), folders) {
        (Err(error), _) => Some(unreadable(&error)),
        (Ok(meta), Folders::Refuse) => meta
            .is_dir()
            .then(|| "this is a folder; `getaway check` goes through folders".into()),
        (Ok(_), Folders::Walk) => unknown_ending(path).map(|ending| {
            format!(
                "`{ending}` is not the ending of a board file ({}); rename it, or pipe it into `-`",
                known_endings()
            )
        }),
    }
}

/// What a board file's name may end in.
const ENDINGS: [&str; 10] = [
    "txt", "jsonl", "board", "map", "maze", "level", "lvl", "grid", "puzzle", "brd",
];

/// An entry of a folder.
#[derive(Debug)]
pub enum Found {
    /// A board file.
    Board(PathBuf),
    /// Something that is not looked into.
    PassedOver(Reason),
    /// Something that can't be read, and why.
    Unreadable(PathBuf, String),
}

/// Why a file or folder is passed over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// Its name ends like no board file's: with this, dot included.
    Ending(String),
    /// Its name begins with a dot.
    Hidden,
    /// It is a pipe, a socket or a device.
    Special,
}

/// What is below a folder, by name; hidden folders are not entered.
pub fn below(folder: &Path) -> impl Iterator<Item = Found> + use<> {
    let root = folder.to_owned();
    let mut entries = walkdir::WalkDir::new(folder)
        .follow_links(true)
        // Those of one folder differ in nothing but their names, and need not be taken apart.
        .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()))
        .into_iter();
    std::iter::from_fn(move || {
        loop {
            let entry = match entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(unreadable_entry(&error, &root)),
            };
            let is_folder = entry.file_type().is_dir();
            if entry.depth() > 0 && is_hidden(entry.file_name()) {
                if is_folder {
                    entries.skip_current_dir();
                }
                return Some(Found::PassedOver(Reason::Hidden));
            }
            if !is_folder {
                return Some(file(entry));
            }
        }
    })
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn file(entry: walkdir::DirEntry) -> Found {
    if !entry.file_type().is_file() {
        return Found::PassedOver(Reason::Special);
    }
    match unknown_ending(Path::new(entry.file_name())) {
        Some(ending) => Found::PassedOver(Reason::Ending(ending)),
        None => Found::Board(entry.into_path()),
    }
}

fn unreadable_entry(error: &walkdir::Error, root: &Path) -> Found {
    let path = error.path().unwrap_or(root).to_owned();
    let message = match (error.loop_ancestor(), error.io_error()) {
        (Some(above), _) => format!("a link back to {}, which is above it", above.display()),
        (None, Some(error)) => unreadable(error),
        (None, None) => error.to_string(),
    };
    Found::Unreadable(path, message)
}

/// The ending of this file's name, dot included, if it is that of no board file.
pub fn unknown_ending(path: &Path) -> Option<String> {
    let name = plain_name(path);
    let ending = name.extension()?.to_string_lossy();
    let is_one = |ending: &str| ENDINGS.contains(&ending) || TableFormat::ENDINGS.contains(&ending);
    let is_known = is_one(&ending) || is_one(&ending.to_lowercase());
    (!is_known).then(|| format!(".{ending}"))
}

/// The endings of board files, for people.
pub fn known_endings() -> String {
    let all = ENDINGS.iter().chain(&TableFormat::ENDINGS);
    let endings: Vec<_> = all.map(|ending| format!(".{ending}")).collect();
    format!("{}; also with .gz or .zst", endings.join(", "))
}

/// Whether a file holds boards as they are, so that it can be read at once: it is neither compressed nor a table.
pub fn is_plain(path: &Path) -> bool {
    Compression::named(path).is_none() && TableFormat::named(path).is_none()
}

/// The format that a file's name tells.
pub fn named_format(path: &Path) -> Option<Format> {
    let is_lines = plain_name(path)
        .extension()
        .is_some_and(|ending| ending == "jsonl");
    (is_lines || TableFormat::named(path).is_some()).then_some(Format::JsonLines)
}

/// Opens a file; `-` is standard input. A table is read as JSON Lines.
///
/// # Errors
///
/// Those of the system; and if it is a folder.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("this is a folder; name one board file"));
    }
    match TableFormat::named(path) {
        Some(_) if Compression::named(path).is_some() => Err(io::Error::other(
            "a table is compressed inside; unpack it first",
        )),
        Some(format) => tables::read(file, format),
        None => Ok(Box::new(file)),
    }
}

/// All that a file holds, without its compression.
///
/// # Errors
///
/// Those of reading, and what is wrong with compressed data; and if it is more than `max_memory` bytes.
pub fn read_whole(path: &Path, max_memory: u64) -> io::Result<Vec<u8>> {
    if is_plain(path) {
        return std::fs::read(path);
    }
    read_to_end(Plain::new(open(path)?, path, max_memory), max_memory)
}

/// All that an input holds.
///
/// # Errors
///
/// Those of reading; and if it is more than `max_memory` bytes.
pub fn read_to_end(input: impl Read, max_memory: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(max_memory).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == max_memory {
        let message = "it holds more than the memory there is; raise `--max-memory`";
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, message));
    }
    Ok(bytes)
}

/// What the system says, without its number for it.
pub fn unreadable(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or(&text)
        .to_lowercase()
}

/// How many files and folders were passed over, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver(BTreeMap<Reason, u64>);

impl PassedOver {
    /// Counts one.
    pub fn count(&mut self, reason: Reason) {
        *self.0.entry(reason).or_default() += 1;
    }

    /// Whether these can be counts.
    pub fn can_be(&self) -> bool {
        self.0.values().all(|&count| can_be(count))
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        for (reason, count) in other.0 {
            *self.0.entry(reason).or_default() += count;
        }
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `passed over: 2 hidden, 3 of other kinds (.md, .png)`
    pub fn text(&self) -> String {
        let (mut others, mut endings, mut parts) = (0, Vec::new(), Vec::new());
        for (reason, &number) in &self.0 {
            match reason {
                Reason::Ending(ending) => {
                    others += number;
                    endings.push(super::output::words::safe(ending));
                }
                Reason::Hidden => parts.push(format!("{number} hidden")),
                Reason::Special => parts.push(count(number, "pipe or device")),
            }
        }
        if others > 0 {
            let endings = list_some(&endings, 5);
            parts.insert(0, format!("{} ({endings})", count(others, "other file")));
        }
        format!("passed over: {}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_file_and_a_number_or_an_id() {
        let board = |file: &str, wanted| Input::Board(file.into(), wanted);
        for (text, input) in [
            ("-", Input::Stdin),
            ("no/such.txt", Input::Path("no/such.txt".into())),
            ("no/such.txt#12", board("no/such.txt", Wanted::Number(12))),
            ("a#b#left", board("a#b", Wanted::Id("left".into()))),
            ("-#2", board("-", Wanted::Number(2))),
            // Boards are counted from 1.
            ("a#0", Input::Path("a#0".into())),
            ("a#", Input::Path("a#".into())),
            ("#1", Input::Path("#1".into())),
        ] {
            assert_eq!(Input::of(Path::new(text)), input, "{text}");
        }
    }

    #[test]
    fn a_file_that_exists_is_no_address() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board#1");
        std::fs::write(&path, "").unwrap();
        assert_eq!(Input::of(&path), Input::Path(path));
    }
}
