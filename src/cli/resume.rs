//! The saved state of a run that can be killed and resumed: `check --resume` and `census --resume`.
//!
//! The state is an append-only file of records: a length and a content, each followed by a checksum of all bytes up to there.
//! The first damage ends what is used: the file is cut there.

use std::cell::Cell;
use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::inputs::{Unit, failed, named, unreadable};
use getaway_solvers::answers::words::{count, path_name, safe};

const MARK: &[u8] = b"getaway journal 4\n";

/// All that affects a result or its output, except the contents of the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub version: String,
    /// The paths as the user typed them.
    pub paths: Vec<String>,
    pub flags: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Fingerprint {
    path: String,
    /// The file's size and checksum, or the reason why the file can't be read.
    content: Result<(u64, u64), String>,
}

/// The first record, before those of the results.
type Start = (Question, Vec<Fingerprint>);

pub struct State {
    path: PathBuf,
    file: File,
    is_new: bool,
    /// The file's length before this run.
    len: u64,
    /// The last checksum in the file.
    checksum: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    Nothing,
    Results,
    /// Bytes that are no results had to be cut off.
    Damage,
}

/// A place between two records, and the checksum of the bytes before it.
#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    checksum: u64,
}

const FIRST: Place = Place {
    offset: MARK.len() as u64,
    checksum: 0,
};

impl State {
    /// Opens the state at `path`, or creates an empty one. Call [`State::begin`] next.
    pub fn open(path: &Path) -> Result<Self> {
        let is_new = !path.exists();
        let (file, len) = open(path).map_err(|error| failed(path, &error))?;
        let state = Self {
            path: path.to_owned(),
            file,
            is_new,
            len,
            checksum: Cell::default(),
        };
        match state.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another run is using it", path_name(path)),
            Err(TryLockError::Error(error)) => return Err(failed(path, &error)),
        }
        state.check_mark()?;
        Ok(state)
    }

    fn check_mark(&self) -> Result<()> {
        let mut start = Vec::new();
        let mut head = (&self.file).take(MARK.len() as u64);
        head.read_to_end(&mut start)
            .map_err(|error| failed(&self.path, &error))?;
        if start == MARK {
            return Ok(());
        }
        if !MARK.starts_with(&start) {
            bail!(
                "{} is not a `--resume` file: name another file, or remove this one to start over",
                path_name(&self.path)
            );
        }
        self.cut(Place { offset: 0, ..FIRST })?;
        (&self.file)
            .write_all(MARK)
            .map_err(|error| failed(&self.path, &error))
    }

    /// Starts a new state, or passes the saved results to `take`. At the first result that `take` rejects, drops this result and
    /// all later ones. Fails unless the state belongs to this question and these files.
    pub fn begin<T: DeserializeOwned>(
        &self,
        question: Question,
        units: &[Unit],
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<Found> {
        let read = self.read(question, units, take);
        if read.is_err() && self.is_new {
            let _ = fs::remove_file(&self.path);
        }
        read
    }

    fn read<T: DeserializeOwned>(
        &self,
        question: Question,
        units: &[Unit],
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<Found> {
        let mut records = self.records()?;
        let begun: Option<Start> = records.next()?;
        if let Some((begun, _)) = &begun {
            self.compare(begun, &question)?;
        }
        let own = self.path.canonicalize().ok();
        let files = units
            .iter()
            .filter_map(Unit::path)
            .map(|path| Fingerprint::of(path, own.as_deref()))
            .collect::<Result<Vec<_>>>()?;
        let Some((_, begun)) = begun else {
            let found = self.cut(FIRST)?;
            self.add(&(question, files))?;
            self.finish()?;
            return Ok(found);
        };
        self.compare_files(&begun, &files)?;
        let mut end = records.place;
        while let Some(result) = records.next()?
            && take(&result)
        {
            end = records.place;
        }
        self.cut(end)
    }

    /// Prints on standard error from where the run continues.
    pub fn report(&self, found: Found, done: &str) {
        let damage = match found {
            Found::Nothing => return,
            Found::Results => "",
            Found::Damage => " is damaged",
        };
        let path = path_name(&self.path);
        let _ = writeln!(io::stderr(), "{path}{damage}: continuing after {done}");
    }

    fn compare(&self, begun: &Question, now: &Question) -> Result<()> {
        let listed = |words: &[String]| match words {
            [] => "no options".to_owned(),
            words => format!("`{}`", safe(&words.join(" "))),
        };
        for (begun, now) in [(&begun.paths, &now.paths), (&begun.flags, &now.flags)] {
            if begun != now {
                let (begun, now) = (listed(begun), listed(now));
                return self.refuse(&format!("it was started with {begun}, not with {now}"));
            }
        }
        if begun.version == now.version {
            return Ok(());
        }
        let (begun, now) = (safe(&begun.version), &now.version);
        self.refuse(&format!(
            "it was written by getaway {begun}, and this is {now}"
        ))
    }

    fn compare_files(&self, begun: &[Fingerprint], now: &[Fingerprint]) -> Result<()> {
        if let Some((was, is)) = begun.iter().zip(now).find(|(was, is)| was != is) {
            return self.refuse(&was.difference(is));
        }
        match (begun.get(now.len()), now.get(begun.len())) {
            (Some(gone), _) => self.refuse(&format!("{} is missing", safe(&gone.path))),
            (_, Some(new)) => self.refuse(&format!("{} is new", safe(&new.path))),
            (None, None) => Ok(()),
        }
    }

    fn refuse(&self, why: &str) -> Result<()> {
        bail!(
            "{} is the state of another run: {why}; name another file, or remove this one to start over",
            path_name(&self.path)
        )
    }

    fn records(&self) -> Result<Records<'_>> {
        let start = (&self.file).seek(SeekFrom::Start(FIRST.offset));
        start.map_err(|error| failed(&self.path, &error))?;
        Ok(Records {
            state: self,
            input: BufReader::with_capacity(1 << 16, &self.file),
            place: FIRST,
        })
    }

    /// Cuts the file, and returns what it held at the beginning of this run.
    fn cut(&self, end: Place) -> Result<Found> {
        self.checksum.set(end.checksum);
        self.file
            .set_len(end.offset)
            .and_then(|()| (&self.file).seek(SeekFrom::Start(end.offset)))
            .map_err(|error| failed(&self.path, &error))?;
        Ok(match self.len {
            0 => Found::Nothing,
            len if len == end.offset => Found::Results,
            _ => Found::Damage,
        })
    }

    /// Adds a record, which only a crash of the system can lose.
    pub fn add(&self, record: &impl Serialize) -> io::Result<()> {
        let record = postcard::to_stdvec(record).map_err(io::Error::other)?;
        let len =
            u32::try_from(record.len()).map_err(|_| io::Error::from(ErrorKind::FileTooLarge))?;
        let mut sealed = Vec::new();
        for bytes in [&len.to_le_bytes()[..], &record] {
            let checksum = XxHash3_64::oneshot_with_seed(self.checksum.get(), bytes);
            self.checksum.set(checksum);
            sealed.extend_from_slice(bytes);
            sealed.extend_from_slice(&checksum.to_le_bytes());
        }
        // The record is written without a buffer, since the next board may take hours.
        (&self.file)
            .write_all(&sealed)
            .map_err(|error| named(&self.path, &error))
    }

    pub fn finish(&self) -> io::Result<()> {
        let written = self.file.sync_data();
        written.map_err(|error| named(&self.path, &error))
    }

    /// Passes all results to `sink`. Fails if the file was damaged during the run.
    pub fn replay<T: DeserializeOwned>(
        &self,
        sink: &mut dyn FnMut(T) -> io::Result<()>,
    ) -> Result<()> {
        let mut records = self.records()?;
        records.next::<Start>()?;
        while let Some(result) = records.next()? {
            sink(result)?;
        }
        let len = self.file.metadata()?.len();
        if records.place.offset != len {
            bail!("{} was damaged during the run", path_name(&self.path));
        }
        Ok(())
    }
}

/// Opens a file, and returns it with its length.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let meta = file.metadata()?;
    if meta.is_file() {
        Ok((file, meta.len()))
    } else {
        Err(io::Error::other("this is not a regular file"))
    }
}

struct Records<'s> {
    state: &'s State,
    input: BufReader<&'s File>,
    /// The end of the last record that was read.
    place: Place,
}

impl Records<'_> {
    /// Reads the next record; returns `None` if it is missing, incomplete or invalid.
    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        match self.bytes() {
            Ok(record) => Ok(postcard::from_bytes(&record).ok()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(failed(&self.state.path, &error)),
        }
    }

    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut end = self.place;
        let len = self
            .sealed(size_of::<u32>(), &mut end)?
            .iter()
            .rev()
            .fold(0, |len, &byte| len << 8 | usize::from(byte));
        let record = self.sealed(len, &mut end)?;
        self.place = end;
        Ok(record)
    }

    /// Reads the next `len` bytes and their checksum, and moves `place` behind them.
    fn sealed(&mut self, len: usize, place: &mut Place) -> io::Result<Vec<u8>> {
        let (mut bytes, mut checksum) = (vec![0; len], [0; 8]);
        self.input.read_exact(&mut bytes)?;
        self.input.read_exact(&mut checksum)?;
        let expected = XxHash3_64::oneshot_with_seed(place.checksum, &bytes);
        if expected != u64::from_le_bytes(checksum) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        place.offset += (bytes.len() + checksum.len()) as u64;
        place.checksum = expected;
        Ok(bytes)
    }
}

impl Fingerprint {
    /// Returns the fingerprint of a file. Fails if the file is `state` or can be read only once.
    fn of(path: &Path, state: Option<&Path>) -> Result<Self> {
        let name = path.to_string_lossy().into_owned();
        let is_pipe = || {
            path.metadata()
                .is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
        };
        if name == "-" || is_pipe() {
            bail!(
                "{}: a pipe can't be read again after an interruption; `--resume` needs files",
                safe(&name)
            );
        }
        if state.is_some() && path.canonicalize().ok().as_deref() == state {
            bail!(
                "{} is both the state file and an input: name another state file",
                safe(&name)
            );
        }
        Ok(Self {
            path: name,
            content: content(path).map_err(|error| unreadable(&error)),
        })
    }

    fn difference(&self, other: &Self) -> String {
        let (was, is) = (safe(&self.path), safe(&other.path));
        match (&self.content, &other.content) {
            _ if was != is => format!("{is} has replaced {was}"),
            (Ok((before, _)), Ok((now, _))) if before != now => {
                let (before, now) = (count(*before, "byte"), count(*now, "byte"));
                format!("{is} had {before}, and now has {now}")
            }
            (Ok(_), Err(error)) => format!("{is} can no longer be read: {error}"),
            (Err(_), Ok(_)) => format!("{is} could not be read before, but can be now"),
            _ => format!("the content of {is} has changed"),
        }
    }
}

fn content(path: &Path) -> io::Result<(u64, u64)> {
    let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let (mut size, mut hash) = (0, XxHash3_64::new());
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok((size, hash.finish()));
        }
        hash.write(bytes);
        let len = bytes.len();
        size += len as u64;
        input.consume(len);
    }
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
