//! Which boards of the input are judged, and of which the answer is printed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::solution::Verdict;

use super::args::selection::{Only, Partition};
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

    /// Whether every board is judged.
    pub const fn judges_all(&self) -> bool {
        self.partition.is_none() && self.max_fail.is_none()
    }

    /// Whether what concerns no file in particular is counted here.
    pub fn has_rest(&self) -> bool {
        self.partition.is_none_or(Partition::is_first)
    }

    /// Whether a board is printed.
    pub fn prints(&self, evaluated: &Evaluated) -> bool {
        self.only.is_empty() || self.only.iter().any(|&only| is(evaluated, only))
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

/// Whether this is a board of those.
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
