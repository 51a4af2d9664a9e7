//! Which boards of the input are judged, and of which the answer is printed.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use getaway::solution::Verdict;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::evaluate::{Evaluated, Standing};
use super::exit::Tally;

/// Which boards are judged, and which are printed; by default all.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only the boards of this part.
    pub partition: Option<Partition>,
    /// After so many failures no more are judged.
    pub max_fail: Option<u64>,
    /// Of these only; of all, if there is none.
    pub only: Vec<Only>,
    /// Whether some of the input comes from a pipe, whose end may be far.
    pub reads_pipe: bool,
    /// Whether there have been so many failures.
    is_over: Arc<AtomicBool>,
}

impl Selection {
    /// Whether the board that begins at this line of a file is among those to be judged; line 0 stands for the
    /// file itself.
    pub fn has(&self, path: &str, line: u64) -> bool {
        self.partition.is_none_or(|part| part.has(path, line))
    }

    /// Whether what concerns no file in particular is counted here.
    pub fn has_rest(&self) -> bool {
        self.partition.is_none_or(|part| part.number == 1)
    }

    /// Whether a board is printed.
    pub fn prints(&self, evaluated: &Evaluated) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.is(evaluated))
    }

    /// Whether errors are printed.
    pub fn prints_errors(&self) -> bool {
        self.only.is_empty() || self.only.contains(&Only::Error)
    }

    /// Whether after what these counts have, nothing more is judged.
    pub fn ends_after(&self, tally: &Tally) -> bool {
        self.max_fail.is_some_and(|most| tally.failures() >= most)
    }

    /// From now on nothing more is judged.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether nothing more is read either: what is left in files is counted, but not what is left in a pipe.
    pub fn is_finished(&self) -> bool {
        self.reads_pipe && self.is_over()
    }

    /// Whether nothing more is judged.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// One of several parts that all boards are divided into.
///
/// A board belongs to a part by the name of its file and its first line there, whatever folder the file is
/// in, so that machines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// From 1 to `of`.
    number: u64,
    of: u64,
}

impl Partition {
    fn has(self, path: &str, line: u64) -> bool {
        let name = Path::new(path).file_name();
        let name = name.map_or(path.as_bytes(), std::ffi::OsStr::as_encoded_bytes);
        xxh3_64_with_seed(name, line) % self.of == self.number - 1
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

/// What boards can be chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// The runner escapes.
    Escape,
    /// The runner is caught.
    Caught,
    /// There is food to be had.
    Food,
    /// There is none.
    NoFood,
    /// A limit came first.
    Undecided,
    /// Another answer than expected.
    Mismatch,
    /// No board, or a file that can't be read.
    Error,
}

impl Only {
    fn is(self, evaluated: &Evaluated) -> bool {
        let verdict = match self {
            Self::Mismatch => return evaluated.standing == Standing::Mismatched,
            Self::Error => return evaluated.standing == Standing::Error,
            Self::Escape => Verdict::Escape,
            Self::Caught => Verdict::Caught,
            Self::Food => Verdict::Food,
            Self::NoFood => Verdict::NoFood,
            Self::Undecided => Verdict::Undecided,
        };
        let answer = evaluated.result.as_ref();
        answer.is_ok_and(|answer| answer.solution.verdict == verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_in_one_part_wherever_its_folder_is() {
        let parts: Vec<Partition> = (1..=7)
            .map(|part| format!("{part}/7").parse().unwrap())
            .collect();
        let mut sizes = [0; 7];
        for line in 0..7000 {
            let own: Vec<_> = (0..7)
                .filter(|&part| parts[part].has("a/x.txt", line))
                .collect();
            let [part] = own[..] else {
                panic!("line {line}: {own:?}")
            };
            assert!(parts[part].has("elsewhere/x.txt", line));
            sizes[part] += 1;
        }
        assert!(
            sizes.iter().all(|size| (850..1150).contains(size)),
            "{sizes:?}"
        );
    }
}
