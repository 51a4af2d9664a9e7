//! The saved state of a run that can be killed and resumed: `check --resume` and `census --resume`.
//!
//! The state is an append-only file of records. However a run ends, the file stays intact up to its last complete record. A length
//! and a checksum precede each record, so that truncated or lost records are detected and cut off.

use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::inputs::{Unit, failed, named, unreadable};
use crate::answers::words::{count, path_name, safe};

const MARK: &[u8] = b"getaway journal 2\n";
/// The number of bytes before a record, for its length and checksum.
const HEAD: usize = 4 + 8;

/// All settings that affect a result or its output, except the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub version: String,
    /// The paths as the user typed them.
    pub paths: Vec<String>,
    /// The switches and their values.
    pub flags: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Fingerprint {
    path: String,
    /// The file's size and checksum, or the reason why the file can't be read.
    content: Result<(u64, u64), String>,
}

/// The records come in the order of these variants.
#[derive(Serialize, Deserialize)]
enum Record<T> {
    Question(Question),
    File(Fingerprint),
    /// Marks the end of the files.
    Files,
    Result(T),
}

pub struct State<T> {
    path: PathBuf,
    file: File,
    results: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> State<T> {
    /// Opens the state at `path`, or creates an empty one, and passes its results to `take`. At the first result that `take`
    /// rejects, drops this result and all later ones.
    ///
    /// Returns the result of `units`. Fails unless the state belongs to this question and these files.
    pub fn open(
        path: &Path,
        question: Question,
        units: impl FnOnce() -> Vec<Unit>,
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<(Self, Vec<Unit>)> {
        let is_new = !path.exists();
        let state = Self {
            path: path.to_owned(),
            file: open(path).map_err(|error| failed(path, &error))?,
            results: PhantomData,
        };
        state.lock()?;
        state.check_mark()?;
        // The state file exists by now, so `units` finds it if it is among the boards.
        let units = units();
        let read = state.read(question, &units, take);
        if read.is_err() && is_new {
            let _ = fs::remove_file(path);
        }
        read?;
        Ok((state, units))
    }

    fn lock(&self) -> Result<()> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                bail!("{}: another run is using it", path_name(&self.path))
            }
            Err(TryLockError::Error(error)) => Err(failed(&self.path, &error)),
        }
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
        self.cut(0)?;
        (&self.file)
            .write_all(MARK)
            .map_err(|error| failed(&self.path, &error))
    }

    fn read(
        &self,
        question: Question,
        units: &[Unit],
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<()> {
        let own = self.path.canonicalize().ok();
        let files = units.iter().filter_map(Unit::path);
        let files = files.map(|path| Fingerprint::of(path, own.as_deref()));
        let mut records = self.records()?;
        let Some(begun) = self.header(&mut records)? else {
            return self.begin(question, files);
        };
        self.compare(&begun, &question, files)?;
        let mut end = records.end;
        while let Some(Record::Result(result)) = self.next(&mut records)?
            && take(&result)
        {
            end = records.end;
        }
        self.cut(end)
    }

    fn begin(
        &self,
        question: Question,
        files: impl Iterator<Item = Result<Fingerprint>>,
    ) -> Result<()> {
        self.cut(MARK.len() as u64)?;
        self.append(&Record::Question(question))?;
        for file in files {
            self.append(&Record::File(file?))?;
        }
        self.append(&Record::Files)?;
        Ok(self.finish()?)
    }

    fn header(&self, records: &mut Records) -> Result<Option<(Question, Vec<Fingerprint>)>> {
        let Some(Record::Question(question)) = self.next(records)? else {
            return Ok(None);
        };
        let mut files = Vec::new();
        loop {
            match self.next(records)? {
                Some(Record::File(file)) => files.push(file),
                Some(Record::Files) => return Ok(Some((question, files))),
                _ => return Ok(None),
            }
        }
    }

    fn compare(
        &self,
        (question, begun): &(Question, Vec<Fingerprint>),
        now: &Question,
        mut files: impl Iterator<Item = Result<Fingerprint>>,
    ) -> Result<()> {
        let said = |words: &[String]| match words {
            [] => "no options".to_owned(),
            words => format!("`{}`", safe(&words.join(" "))),
        };
        for (begun, now) in [(&question.paths, &now.paths), (&question.flags, &now.flags)] {
            if begun != now {
                let (begun, now) = (said(begun), said(now));
                return self.refuse(&format!("it was started with {begun}, not with {now}"));
            }
        }
        if question.version != now.version {
            let (begun, now) = (safe(&question.version), &now.version);
            return self.refuse(&format!(
                "it was written by getaway {begun}, and this is {now}"
            ));
        }
        for was in begun {
            match files.next().transpose()? {
                Some(is) if is == *was => {}
                Some(is) => return self.refuse(&was.difference(&is)),
                None => return self.refuse(&format!("{} is missing", safe(&was.path))),
            }
        }
        match files.next().transpose()? {
            Some(is) => self.refuse(&format!("{} is new", safe(&is.path))),
            None => Ok(()),
        }
    }

    fn refuse(&self, why: &str) -> Result<()> {
        bail!(
            "{} is the state of another run: {why}; name another file, or remove this one to start over",
            path_name(&self.path)
        )
    }

    fn records(&self) -> Result<Records<'_>> {
        let end = MARK.len() as u64;
        let open = || {
            (&self.file).seek(SeekFrom::Start(end))?;
            self.file.metadata()
        };
        let meta = open().map_err(|error| failed(&self.path, &error))?;
        Ok(Records {
            input: BufReader::with_capacity(1 << 16, &self.file),
            end,
            len: meta.len(),
        })
    }

    /// Reads the next record; returns `None` if it is missing, incomplete or invalid.
    fn next(&self, records: &mut Records) -> Result<Option<Record<T>>> {
        let record = records.next().map_err(|error| failed(&self.path, &error))?;
        Ok(record.and_then(|record| postcard::from_bytes(&record).ok()))
    }

    fn cut(&self, end: u64) -> Result<()> {
        self.file
            .set_len(end)
            .and_then(|()| (&self.file).seek(SeekFrom::Start(end)).map(drop))
            .map_err(|error| failed(&self.path, &error))
    }

    /// Adds a result, which only a crash of the system can lose.
    pub fn add(&self, result: T) -> io::Result<()> {
        self.append(&Record::Result(result))
    }

    fn append(&self, record: &Record<T>) -> io::Result<()> {
        let record = postcard::to_stdvec(record).map_err(io::Error::other)?;
        let len = u32::try_from(record.len());
        let len = len.map_err(|_| io::Error::from(ErrorKind::FileTooLarge))?;
        let checksum = XxHash3_64::oneshot(&record);
        // The record is written without a buffer, since the next board may take hours.
        let frame = [&len.to_le_bytes()[..], &checksum.to_le_bytes(), &record].concat();
        (&self.file)
            .write_all(&frame)
            .map_err(|error| named(&self.path, &error))
    }

    pub fn finish(&self) -> io::Result<()> {
        let written = self.file.sync_data();
        written.map_err(|error| named(&self.path, &error))
    }

    pub fn replay(&self, sink: &mut dyn FnMut(T) -> io::Result<()>) -> Result<()> {
        let mut records = self.records()?;
        self.header(&mut records)?;
        while let Some(Record::Result(result)) = self.next(&mut records)? {
            sink(result)?;
        }
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("this is not a regular file"))
    }
}

struct Records<'f> {
    input: BufReader<&'f File>,
    /// The end of the last record that was read.
    end: u64,
    len: u64,
}

impl Records<'_> {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let left = self.len - self.end;
        if left < HEAD as u64 {
            return Ok(None);
        }
        let (mut len, mut checksum) = ([0; 4], [0; 8]);
        self.input.read_exact(&mut len)?;
        self.input.read_exact(&mut checksum)?;
        let len = u32::from_le_bytes(len);
        if u64::from(len) > left - HEAD as u64 {
            return Ok(None);
        }
        let mut record = vec![0; len as usize];
        self.input.read_exact(&mut record)?;
        self.end += (HEAD + record.len()) as u64;
        let is_whole = XxHash3_64::oneshot(&record) == u64::from_le_bytes(checksum);
        Ok(is_whole.then_some(record))
    }
}

impl Fingerprint {
    /// Describes a file. Fails if the file is `state` or can be read only once.
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
    let mut file = File::open(path)?;
    let (mut size, mut hash, mut room) = (0, XxHash3_64::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut room) {
            Ok(0) => return Ok((size, hash.finish())),
            Ok(got) => {
                hash.write(&room[..got]);
                size += got as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests;
