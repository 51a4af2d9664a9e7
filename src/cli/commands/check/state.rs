//! What a run has done so far, in a journal: what was asked for, on which files, and each answer as it comes.
//!
//! Answers are printed only at the end, from the journal: so a run in pieces prints what one in a piece prints.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::fingerprints::{self, Fingerprint};
use crate::cli::batch::{self, Position, Sequence};
use crate::cli::exit::Tally;
use crate::cli::inputs::{Folders, Input, Unit, units};
use crate::cli::journal::{Journal, Records, Writer};
use crate::cli::output::progress::Progress;
use crate::cli::output::words::safe;
use crate::cli::record::{Job, Part};

/// What was asked for: whatever changes an answer or how it is printed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The program's version and commit.
    pub version: String,
    /// The paths, as they were typed.
    pub paths: Vec<String>,
    /// The switches, with their values.
    pub flags: Vec<String>,
}

/// A record of the journal, in the order of the variants.
#[derive(Serialize, Deserialize)]
enum Record {
    Question(Question),
    File(Fingerprint),
    /// There are no more files.
    Files,
    /// These parts of a file are done, after so much time in all.
    Parts(Duration, Vec<Part>),
    /// All of them are.
    End,
}

impl Record {
    /// Whether some run may have written it: whoever changes a state may see to it that its checksums are right.
    fn can_be(&self) -> bool {
        match self {
            Self::Parts(time, parts) => *time <= LONGEST && parts.iter().all(Part::can_be),
            _ => true,
        }
    }
}

/// A million years, of which many can be added up.
const LONGEST: Duration = Duration::from_secs(1 << 45);

/// What a run has done so far.
pub struct State {
    journal: Journal,
    end: Writer,
    done: Done,
    /// All that is checked.
    units: Vec<Unit>,
}

#[derive(Default)]
struct Done {
    position: Position,
    tally: Tally,
    bytes: u64,
    time: Duration,
    is_all: bool,
}

impl Done {
    fn add(&mut self, parts: &[Part], time: Duration) {
        for part in parts {
            self.position.pass(part);
            self.tally.add(&part.tally);
            self.bytes += part.bytes;
        }
        self.time = time;
    }
}

impl State {
    /// What the file at `path` holds; nothing yet, if there is none.
    pub fn open(
        path: &Path,
        question: &Question,
        inputs: Vec<Input>,
        sequence: &mut Sequence,
    ) -> Result<Self> {
        let is_new = !path.exists();
        let journal = Journal::open(path)?;
        // The file is there by now, and found if it lies among the boards.
        let units = units(inputs, Folders::Walk);
        let opening = Opening {
            old: journal.records()?,
            path,
        };
        let read = opening.read(question, &units, sequence);
        if read.is_err() && is_new {
            let _ = fs::remove_file(path);
        }
        let (done, end) = read?;
        Ok(Self {
            journal,
            end,
            done,
            units,
        })
    }

    /// Does what is left to do; `false` if an interrupt came first.
    pub fn go_on(
        &mut self,
        job: &Job,
        sequence: &mut Sequence,
        progress: &Progress,
    ) -> Result<bool> {
        let Self {
            done, end, units, ..
        } = self;
        if done.is_all {
            return Ok(true);
        }
        let (start, before) = (Instant::now(), done.time);
        progress.advance(done.bytes, &done.tally);
        let from = (done.position, sequence);
        batch::resume(job, std::mem::take(units), from, &mut |parts| {
            // What an interrupt broke off is not done.
            if job.options.is_stopped() {
                return Ok(());
            }
            let bytes = parts.iter().map(|part| part.bytes).sum();
            done.add(&parts, before + start.elapsed());
            progress.advance(bytes, &done.tally);
            end.add(&Record::Parts(done.time, parts))
        })?;
        progress.finish();
        if !job.options.is_stopped() {
            end.add(&Record::End)?;
            done.is_all = true;
        }
        end.finish()?;
        Ok(done.is_all)
    }

    /// Gives all that is done to `sink`; the time that it took in all.
    pub fn replay(&self, sink: &mut dyn FnMut(Part) -> io::Result<()>) -> Result<Duration> {
        let mut records = self.journal.records()?;
        while let Some(record) = records.read(Record::can_be)? {
            if let Record::Parts(_, parts) = record {
                parts.into_iter().try_for_each(&mut *sink)?;
            }
        }
        Ok(self.done.time)
    }

    /// All that is checked.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// How many boards are done.
    pub fn boards(&self) -> u64 {
        self.done.tally.boards()
    }
}

/// A journal that is compared with what is asked for now.
struct Opening<'p> {
    old: Records,
    path: &'p Path,
}

impl Opening<'_> {
    fn read(
        mut self,
        question: &Question,
        units: &[Unit],
        sequence: &mut Sequence,
    ) -> Result<(Done, Writer)> {
        let mut files = fingerprints::all(units, self.path);
        let mut next = match self.old.read(Record::can_be)? {
            Some(Record::Question(begun)) => {
                self.compare(&begun, question)?;
                self.old.read(Record::can_be)?
            }
            _ => return self.begin(Some(question), files),
        };
        while let Some(Record::File(was)) = next {
            match files.next().transpose()? {
                Some(is) if is == was => {}
                Some(is) => return self.refuse(&was.difference(&is)),
                None => return self.refuse(&was.is_or_was("is gone")),
            }
            next = self.old.read(Record::can_be)?;
        }
        let Some(Record::Files) = next else {
            return self.begin(None, files);
        };
        match files.next().transpose()? {
            Some(is) => self.refuse(&is.is_or_was("is new")),
            None => self.done(sequence),
        }
    }

    /// Writes down what is asked for, or what is missing of it.
    fn begin(
        self,
        question: Option<&Question>,
        files: impl Iterator<Item = Result<Fingerprint>>,
    ) -> Result<(Done, Writer)> {
        let mut journal = self.old.end()?;
        if let Some(Question {
            version,
            paths,
            flags,
        }) = question
        {
            journal.add(&Record::Question(Question {
                version: version.clone(),
                paths: paths.clone(),
                flags: flags.clone(),
            }))?;
        }
        for file in files {
            journal.add(&Record::File(file?))?;
        }
        journal.add(&Record::Files)?;
        journal.finish()?;
        Ok((Done::default(), journal))
    }

    fn done(mut self, sequence: &mut Sequence) -> Result<(Done, Writer)> {
        let mut done = Done::default();
        while let Some(record) = self.old.read(Record::can_be)? {
            match record {
                Record::Parts(time, parts) => {
                    for part in &parts {
                        sequence.saw(part);
                    }
                    done.add(&parts, time);
                }
                Record::End => done.is_all = true,
                _ => break,
            }
        }
        Ok((done, self.old.end()?))
    }

    fn compare(&self, begun: &Question, now: &Question) -> Result<()> {
        let said = |words: &[String]| match words {
            [] => "no switches".to_owned(),
            words => format!("`{}`", safe(&words.join(" "))),
        };
        if begun.version != now.version {
            let (begun, now) = (safe(&begun.version), &now.version);
            return self.refuse(&format!("it is of getaway {begun}, and this is {now}"));
        }
        for (begun, now) in [(&begun.paths, &now.paths), (&begun.flags, &now.flags)] {
            if begun != now {
                return self.refuse(&format!(
                    "it was begun with {}, not with {}",
                    said(begun),
                    said(now)
                ));
            }
        }
        Ok(())
    }

    fn refuse<T>(&self, why: &str) -> Result<T> {
        bail!(
            "{} is the state of another run: {why}; name another file, or remove this one to begin anew",
            safe(&self.path.to_string_lossy())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let question = |version: &str| Question {
            version: version.into(),
            paths: vec!["boards".into()],
            flags: Vec::new(),
        };
        let opening = Opening {
            old: Journal::open(&path).unwrap().records().unwrap(),
            path: &path,
        };
        let compared = |begun, now| opening.compare(&question(begun), &question(now));
        compared("0.2.0 (abc)", "0.2.0 (abc)").unwrap();
        let error = compared("0.1.0", "0.2.0").unwrap_err().to_string();
        let why = "is the state of another run: it is of getaway 0.1.0, and this is 0.2.0; ";
        assert!(error.contains(why), "{error}");
    }
}
