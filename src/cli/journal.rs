//! An append-only file of records. However a run ends, the file stays intact up to its last complete record.
//!
//! A length and a checksum precede each record, so that truncated or lost records are detected and cut off.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use twox_hash::XxHash3_64;

use super::inputs::{failed, named};
use crate::answers::words::path_name;

const MARK: &[u8] = b"getaway journal 2\n";
/// The number of bytes before a record, for its length and checksum.
const HEAD: usize = 4 + 8;

#[derive(Clone, Debug)]
pub struct Journal {
    path: PathBuf,
    file: Arc<File>,
}

impl Journal {
    pub fn open(path: &Path) -> Result<Self> {
        let journal = Self {
            path: path.to_owned(),
            file: Arc::new(open(path).map_err(|error| failed(path, &error))?),
        };
        match journal.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another run is using it", path_name(path)),
            Err(TryLockError::Error(error)) => return Err(failed(path, &error)),
        }
        journal.begin()?;
        Ok(journal)
    }

    fn begin(&self) -> Result<()> {
        let mut start = Vec::new();
        let mut head = (&*self.file).take(MARK.len() as u64);
        head.read_to_end(&mut start).map_err(|e| self.failed(&e))?;
        if start == MARK {
            return Ok(());
        }
        if !MARK.starts_with(&start) {
            bail!(
                "{} is not a `--resume` file: name another file, or remove this one to start over",
                path_name(&self.path)
            );
        }
        let write = || {
            self.cut(0)?;
            (&*self.file).write_all(MARK)
        };
        write().map_err(|error| self.failed(&error))
    }

    fn cut(&self, end: u64) -> io::Result<()> {
        self.file.set_len(end)?;
        (&*self.file).seek(SeekFrom::Start(end)).map(drop)
    }

    pub fn records(&self) -> Result<Records> {
        let start = MARK.len() as u64;
        let open = || {
            (&*self.file).seek(SeekFrom::Start(start))?;
            self.file.metadata()
        };
        let meta = open().map_err(|error| self.failed(&error))?;
        Ok(Records {
            journal: self.clone(),
            input: BufReader::with_capacity(1 << 16, Arc::clone(&self.file)),
            end: start,
            len: meta.len(),
        })
    }

    fn failed(&self, error: &io::Error) -> anyhow::Error {
        failed(&self.path, error)
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

#[derive(Debug)]
pub struct Records {
    journal: Journal,
    input: BufReader<Arc<File>>,
    end: u64,
    len: u64,
}

impl Records {
    /// Reads the next record; returns `None` if it is missing or incomplete, or if it is not accepted.
    pub fn read<T: DeserializeOwned>(
        &mut self,
        is_accepted: impl FnMut(&T) -> bool,
    ) -> Result<Option<T>> {
        let read = self.frame().map_err(|error| self.journal.failed(&error))?;
        let Some(record) = read else {
            return Ok(None);
        };
        let decoded = postcard::from_bytes(&record).ok().filter(is_accepted);
        if decoded.is_some() {
            self.end += (HEAD + record.len()) as u64;
        }
        Ok(decoded)
    }

    fn frame(&mut self) -> io::Result<Option<Vec<u8>>> {
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
        let is_whole = XxHash3_64::oneshot(&record) == u64::from_le_bytes(checksum);
        Ok(is_whole.then_some(record))
    }

    /// Cuts off the part that was not read, so that records can be added.
    pub fn end(self) -> Result<Journal> {
        let journal = self.journal;
        let cut = journal.cut(self.end);
        cut.map_err(|error| journal.failed(&error))?;
        Ok(journal)
    }
}

impl Journal {
    /// Adds a record, which only a crash of the system can lose.
    pub fn add(&self, record: &impl Serialize) -> io::Result<()> {
        let record = postcard::to_stdvec(record).map_err(io::Error::other)?;
        self.write(&record)
            .map_err(|error| named(&self.path, &error))
    }

    fn write(&self, record: &[u8]) -> io::Result<()> {
        let len = u32::try_from(record.len());
        let len = len.map_err(|_| io::Error::from(ErrorKind::FileTooLarge))?;
        let checksum = XxHash3_64::oneshot(record);
        // The record is written without a buffer, since the next board may take hours.
        let frame = [&len.to_le_bytes()[..], &checksum.to_le_bytes(), record].concat();
        (&*self.file).write_all(&frame)
    }

    pub fn finish(&self) -> io::Result<()> {
        let written = self.file.sync_data();
        written.map_err(|error| named(&self.path, &error))
    }
}

#[cfg(test)]
mod tests;
