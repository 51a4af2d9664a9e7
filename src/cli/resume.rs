//! The state of a run that can be killed and resumed: the question, the input files, and each result. Both `check` and `census`
//! use it.

use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader};
use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::inputs::{Unit, unreadable};
use super::journal::{Journal, Records};
use crate::answers::words::{count, path_name, safe};

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

/// A record of the journal. Records come in the order of the variants.
#[derive(Serialize, Deserialize)]
enum Record<T> {
    Question(Question),
    File(Fingerprint),
    Files,
    Result(T),
}

pub struct State<T> {
    journal: Journal,
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
        let journal = Journal::open(path)?;
        // The state file exists by now, so `units` finds it if it is among the boards.
        let units = units();
        let opening = Opening {
            old: journal.records()?,
            path,
        };
        let read = opening.read(question, &units, take);
        if read.is_err() && is_new {
            let _ = fs::remove_file(path);
        }
        let state = Self {
            journal: read?,
            results: PhantomData,
        };
        Ok((state, units))
    }

    pub fn add(&self, result: &T) -> io::Result<()> {
        self.journal.add(&Record::Result(result))
    }

    pub fn finish(&self) -> io::Result<()> {
        self.journal.finish()
    }

    pub fn replay(&self, sink: &mut dyn FnMut(T) -> io::Result<()>) -> Result<()> {
        let mut records = self.journal.records()?;
        while let Some(record) = records.read(|_: &Record<T>| true)? {
            if let Record::Result(result) = record {
                sink(result)?;
            }
        }
        Ok(())
    }
}

struct Opening<'p> {
    old: Records,
    path: &'p Path,
}

impl Opening<'_> {
    fn read<T: Serialize + DeserializeOwned>(
        mut self,
        question: Question,
        units: &[Unit],
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<Journal> {
        let state = self.path.canonicalize().ok();
        let files = units.iter().filter_map(Unit::path);
        let mut files = files.map(|path| Fingerprint::of(path, state.as_deref()));
        let any = |_: &Record<T>| true;
        let mut next = match self.old.read(any)? {
            Some(Record::Question(begun)) => {
                self.compare(&begun, &question)?;
                self.old.read(any)?
            }
            _ => return self.begin::<T>(Some(question), files),
        };
        while let Some(Record::File(was)) = next {
            match files.next().transpose()? {
                Some(is) if is == was => {}
                Some(is) => return self.refuse(&was.difference(&is)),
                None => return self.refuse(&format!("{} is gone", safe(&was.path))),
            }
            next = self.old.read(any)?;
        }
        let Some(Record::Files) = next else {
            return self.begin::<T>(None, files);
        };
        if let Some(is) = files.next().transpose()? {
            return self.refuse(&format!("{} is new", safe(&is.path)));
        }
        let mut take = |record: &Record<T>| matches!(record, Record::Result(it) if take(it));
        while self.old.read(&mut take)?.is_some() {}
        self.old.end()
    }

    fn begin<T: Serialize>(
        self,
        question: Option<Question>,
        files: impl Iterator<Item = Result<Fingerprint>>,
    ) -> Result<Journal> {
        let journal = self.old.end()?;
        if let Some(question) = question {
            journal.add(&Record::<T>::Question(question))?;
        }
        for file in files {
            journal.add(&Record::<T>::File(file?))?;
        }
        journal.add(&Record::<T>::Files)?;
        journal.finish()?;
        Ok(journal)
    }

    fn compare(&self, begun: &Question, now: &Question) -> Result<()> {
        let said = |words: &[String]| match words {
            [] => "no switches".to_owned(),
            words => format!("`{}`", safe(&words.join(" "))),
        };
        for (begun, now) in [(&begun.paths, &now.paths), (&begun.flags, &now.flags)] {
            if begun != now {
                let (begun, now) = (said(begun), said(now));
                return self.refuse(&format!("it was started with {begun}, not with {now}"));
            }
        }
        if begun.version != now.version {
            let (begun, now) = (safe(&begun.version), &now.version);
            return self.refuse(&format!(
                "it was written by getaway {begun}, and this is {now}"
            ));
        }
        Ok(())
    }

    fn refuse<T>(&self, why: &str) -> Result<T> {
        bail!(
            "{} is the state of another run: {why}; name another file, or remove this one to start over",
            path_name(self.path)
        )
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
                "{}: a pipe can't be read again after a kill; `--resume` needs files",
                safe(&name)
            );
        }
        if state.is_some() && path.canonicalize().ok().as_deref() == state {
            bail!(
                "{} is the state file, and also among the boards to check: name another state file",
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
            _ if was != is => format!("{is} is in the place of {was}"),
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
        let piece = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        if piece.is_empty() {
            return Ok((size, hash.finish()));
        }
        hash.write(piece);
        let len = piece.len();
        size += len as u64;
        input.consume(len);
    }
}

#[cfg(test)]
mod tests;
