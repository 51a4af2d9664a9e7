use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::solution::Verdict;
use clap::ValueEnum;
use twox_hash::XxHash3_64;

use super::exit::Tally;
use crate::answers::{Evaluated, Standing};

/// One of the parts into which the boards are divided.
///
/// The name of its file and its line number determine a board's part. The folder does not matter, so all machines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The number of this part, counted from 1 to `of`.
    number: u64,
    of: u64,
}

impl Partition {
    /// Returns whether a board belongs to this part. Line 0 stands for the file itself.
    pub fn has(self, path: &str, line: u64) -> bool {
        let name = Path::new(path).file_name();
        let name = name.map_or(path.as_bytes(), std::ffi::OsStr::as_encoded_bytes);
        XxHash3_64::oneshot_with_seed(line, name) % self.of == self.number - 1
    }

    pub const fn is_first(self) -> bool {
        self.number == 1
    }
}

impl std::fmt::Display for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((number, of)) if of > 0 => Err(format!(
                "there is no part {number} of {of}; write one from 1/{of} to {of}/{of}"
            )),
            _ => Err("write I/N, as in `2/4` for the second of four parts".into()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// The runner escapes.
    Escape,
    /// The runner is caught.
    Caught,
    /// The food can be reached.
    Food,
    /// The food can't be reached.
    NoFood,
    /// A limit was reached.
    Undecided,
    /// A different answer than expected.
    Mismatch,
    /// An invalid board or an unreadable file.
    Error,
}

/// The boards to judge and to print; by default, all boards.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub partition: Option<Partition>,
    pub max_fail: Option<u64>,
    pub only: Vec<Only>,
    pub reads_pipe: bool,
    is_over: Arc<AtomicBool>,
}

impl Selection {
    /// Returns whether a board is selected. Line 0 stands for the file itself.
    pub fn has(&self, path: &str, line: u64) -> bool {
        self.partition.is_none_or(|part| part.has(path, line))
    }

    pub fn has_rest(&self) -> bool {
        self.partition.is_none_or(Partition::is_first)
    }

    pub fn prints(&self, evaluated: &Evaluated) -> bool {
        self.only.is_empty() || self.only.iter().any(|&only| is(evaluated, only))
    }

    pub fn prints_errors(&self) -> bool {
        self.only.is_empty() || self.only.contains(&Only::Error)
    }

    pub fn ends_after(&self, tally: &Tally) -> bool {
        self.max_fail.is_some_and(|most| tally.failures() >= most)
    }

    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Returns whether to stop judging. The remaining boards of files are still counted, but not those of a pipe.
    pub fn is_finished(&self) -> bool {
        self.reads_pipe && self.is_over()
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

fn is(evaluated: &Evaluated, only: Only) -> bool {
    let verdict = match only {
        Only::Mismatch => return evaluated.standing == Standing::Mismatched,
        Only::Error => return evaluated.standing == Standing::Error,
        Only::Escape => Verdict::Escape,
        Only::Caught => Verdict::Caught,
        Only::Food => Verdict::Food,
        Only::NoFood => Verdict::NoFood,
        Only::Undecided => Verdict::Undecided,
    };
    let answer = evaluated.result.as_ref();
    answer.is_ok_and(|answer| answer.solution.verdict() == verdict)
}

#[cfg(test)]
mod tests;
