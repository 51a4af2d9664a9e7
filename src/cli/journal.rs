//! The journal of a run that can be killed and resumed: `check --resume` and `census --resume`.
//!
//! A journal is JSON Lines. The first line identifies the format. Each later line ends with a checksum of the text before it,
//! seeded with the checksum of the previous line. So a damaged line makes all later checksums wrong, and a resumed run cuts the
//! file before the damaged line.

pub mod run;

use std::cell::Cell;
use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::files::{failed, named, system_message};
use super::inputs::Input;
use getaway_board::words::{count, path_name, safe};

const MARK: &[u8] = b"{\"journal\":\"getaway 5\"}\n";

/// All that affects a result or its output, except the contents of the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSettings {
    pub version: String,
    pub paths: Vec<String>,
    pub flags: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Fingerprint {
    path: String,
    /// The file's size and checksum, or the reason why the file can't be read.
    content: Result<(u64, u64), String>,
}

/// The second line, before the results.
#[derive(Serialize, Deserialize)]
struct Start {
    question: RunSettings,
    files: Vec<Fingerprint>,
}

pub struct Journal {
    path: PathBuf,
    file: File,
    is_new: bool,
    /// The file's length when it was opened.
    len: u64,
    /// The last checksum in the file.
    checksum: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalState {
    Nothing,
    Results,
    /// The end of the file was cut off, since it was damaged or its results were rejected.
    Damage,
}

/// The end of a line, as an offset in the file, and the checksum in this line; 0 for the first line, which has none.
#[derive(Clone, Copy)]
struct End {
    offset: u64,
    checksum: u64,
}

const FIRST: End = End {
    offset: MARK.len() as u64,
    checksum: 0,
};

/// The end of a line after its fields: the text before the checksum, and the text after it.
const SEAL: [&str; 2] = [",\"checksum\":\"", "\"}\n"];
const DIGITS: usize = 16;

impl Journal {
    /// Opens the journal at `path`, or creates an empty one. Fails if the file is not a journal, or if another run is using it.
    /// Call [`Journal::begin`] next.
    pub fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            bail!("`--resume -` has no state to continue from: name a file");
        }
        let is_new = !path.exists();
        let (file, len) = open(path).map_err(|error| failed(path, &error))?;
        let journal = Self {
            path: path.to_owned(),
            file,
            is_new,
            len,
            checksum: Cell::default(),
        };
        match journal.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another run is using it", path_name(path)),
            Err(TryLockError::Error(error)) => return Err(failed(path, &error)),
        }
        journal.check_mark()?;
        Ok(journal)
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
        self.cut(End { offset: 0, ..FIRST })?;
        (&self.file)
            .write_all(MARK)
            .map_err(|error| failed(&self.path, &error))
    }

    /// Starts a new journal, or passes the saved results to `take`. At the first result that `take` rejects, drops this result
    /// and all later ones. Returns what the file held when it was opened. Fails if the journal was started with other settings
    /// than `question`, or if an input file has changed since, can be read only once, or is the journal itself.
    pub fn begin<T: DeserializeOwned>(
        &self,
        question: RunSettings,
        inputs: &[Input],
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<JournalState> {
        let read = self.read(question, inputs, take);
        if read.is_err() && self.is_new {
            let _ = fs::remove_file(&self.path);
        }
        read
    }

    fn read<T: DeserializeOwned>(
        &self,
        question: RunSettings,
        inputs: &[Input],
        take: &mut dyn FnMut(&T) -> bool,
    ) -> Result<JournalState> {
        let mut lines = self.lines()?;
        let begun: Option<Start> = lines.next()?;
        if let Some(begun) = &begun {
            self.compare(&begun.question, &question)?;
        }
        let own = self.path.canonicalize().ok();
        let files = inputs
            .iter()
            .map(|input| Fingerprint::of(input.path(), own.as_deref()))
            .collect::<Result<Vec<_>>>()?;
        let Some(begun) = begun else {
            let found = self.cut(FIRST)?;
            self.add(&Start { question, files })?;
            self.finish()?;
            return Ok(found);
        };
        self.compare_files(&begun.files, &files)?;
        let mut end = lines.end;
        while let Some(result) = lines.next()?
            && take(&result)
        {
            end = lines.end;
        }
        self.cut(end)
    }

    /// Prints on standard error where the run continues. Prints nothing if the journal was empty.
    pub fn report(&self, found: JournalState, done: &str) {
        let damage = match found {
            JournalState::Nothing => return,
            JournalState::Results => "",
            JournalState::Damage => " is damaged",
        };
        let path = path_name(&self.path);
        let _ = writeln!(io::stderr(), "{path}{damage}: continuing after {done}");
    }

    fn compare(&self, begun: &RunSettings, now: &RunSettings) -> Result<()> {
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

    fn lines(&self) -> Result<Lines<'_>> {
        let start = (&self.file).seek(SeekFrom::Start(FIRST.offset));
        start.map_err(|error| failed(&self.path, &error))?;
        Ok(Lines {
            journal: self,
            input: BufReader::with_capacity(1 << 16, &self.file),
            end: FIRST,
        })
    }

    /// Cuts the file after the line that ends at `end`, and returns what the file held when it was opened.
    fn cut(&self, end: End) -> Result<JournalState> {
        self.checksum.set(end.checksum);
        self.file
            .set_len(end.offset)
            .and_then(|()| (&self.file).seek(SeekFrom::Start(end.offset)))
            .map_err(|error| failed(&self.path, &error))?;
        Ok(match self.len {
            0 => JournalState::Nothing,
            len if len == end.offset => JournalState::Results,
            _ => JournalState::Damage,
        })
    }

    /// Adds a result, which is then lost only if the system crashes.
    pub fn add(&self, result: &impl Serialize) -> io::Result<()> {
        let fields = serde_json::to_string(result)?;
        let fields = fields.strip_suffix('}').expect("a result has fields");
        let [before, after] = SEAL;
        let line = format!("{fields}{before}");
        let checksum = XxHash3_64::oneshot_with_seed(self.checksum.get(), line.as_bytes());
        self.checksum.set(checksum);
        // The line is written without a buffer, since the next board may take hours.
        (&self.file)
            .write_all(format!("{line}{checksum:0DIGITS$x}{after}").as_bytes())
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
        let mut lines = self.lines()?;
        lines.next::<Start>()?;
        while let Some(result) = lines.next()? {
            sink(result)?;
        }
        let len = self.file.metadata()?.len();
        if lines.end.offset != len {
            bail!("{} was damaged during the run", path_name(&self.path));
        }
        Ok(())
    }
}

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

struct Lines<'j> {
    journal: &'j Journal,
    input: BufReader<&'j File>,
    /// The end of the last line that was read.
    end: End,
}

impl Lines<'_> {
    /// Reads the next line; returns `None` if it is missing, incomplete or invalid.
    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        let mut line = Vec::new();
        let read = self.input.read_until(b'\n', &mut line);
        read.map_err(|error| failed(&self.journal.path, &error))?;
        Ok(self.unsealed(&line).map(|(result, end)| {
            self.end = end;
            result
        }))
    }

    fn unsealed<T: DeserializeOwned>(&self, line: &[u8]) -> Option<(T, End)> {
        let [before, after] = SEAL.map(str::as_bytes);
        let (sealed, digits) = line.strip_suffix(after)?.split_last_chunk::<DIGITS>()?;
        let checksum = XxHash3_64::oneshot_with_seed(self.end.checksum, sealed);
        if *digits != *format!("{checksum:0DIGITS$x}").as_bytes() {
            return None;
        }
        let fields = [sealed.strip_suffix(before)?, b"}"].concat();
        let end = End {
            offset: self.end.offset + line.len() as u64,
            checksum,
        };
        Some((serde_json::from_slice(&fields).ok()?, end))
    }
}

impl Fingerprint {
    /// Returns the fingerprint of a file. Fails if the file is the journal `own` or can be read only once.
    fn of(path: &Path, own: Option<&Path>) -> Result<Self> {
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
        if own.is_some() && path.canonicalize().ok().as_deref() == own {
            bail!(
                "{} is both the state file and an input: name another state file",
                safe(&name)
            );
        }
        Ok(Self {
            path: name,
            content: content(path).map_err(|error| system_message(&error)),
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
#[path = "journal_tests.rs"]
mod tests;
