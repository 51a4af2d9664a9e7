//! Selects boards to judge and to print.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::solution::Verdict;

use super::args::selection::{Only, Partition};
use super::exit::Tally;
use crate::answers::{Evaluated, Standing};

/// The default selects all boards.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub partition: Option<Partition>,
    /// The number of failures that ends the run.
    pub max_fail: Option<u64>,
    /// Boards to print; all if empty.
    pub only: Vec<Only>,
    /// Whether some input comes from a pipe, which may be endless.
    pub reads_pipe: bool,
    is_over: Arc<AtomicBool>,
}

impl Selection {
    /// Returns whether to judge the board at this line; line 0 stands for the file itself.
    pub fn has(&self, path: &str, line: u64) -> bool {
        self.partition.is_none_or(|part| part.has(path, line))
    }

    /// Returns whether to count things that don't belong to a file.
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

    /// Returns whether to stop reading: the remaining boards of files are counted, but not those of a pipe.
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
