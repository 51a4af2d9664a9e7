//! The job of a run: what to ask about each board, and which boards to select.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::ValueEnum;
use getaway_board::fault::{BoardError, Fault, FaultKind};
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::{Solution, Verdict};
use getaway_search::search::Order;
use getaway_solvers::answers::{
    Answer, Case, CheckStatus, Claim, Outcome, Query, analyse, answer_board,
};
use getaway_solvers::game::shorten_line;
use getaway_solvers::rulesets::Entry;
use twox_hash::XxHash3_64;

use super::args::{HowArgs, OutputArgs};
use super::exit::Tally;
use super::options::{Detail, Options};
use super::output::picture;
use super::panics;

#[derive(Clone, Debug)]
pub struct Job {
    pub options: Options,
    pub selection: Selection,
    /// True if the time of each board is printed.
    pub is_timed: bool,
    pub delivery: Delivery,
    /// True if a report shows pictures of the boards that failed.
    pub has_pictures: bool,
}

/// The way in which outcomes reach the writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Outcomes of several boards at a time.
    Together,
    /// Each immediately, since it is saved or can end the run.
    Prompt,
    /// Only those with problems; the others are counted.
    Problems,
}

impl Job {
    pub fn new(args: &HowArgs) -> anyhow::Result<Self> {
        let mut options = Options::new(&args.search, args.output.threads.threads)?;
        options.precision = args.precision.precision;
        Ok(Self::with(options, &args.output))
    }

    pub fn with(options: Options, output: &OutputArgs) -> Self {
        Self {
            options,
            selection: Selection::default(),
            is_timed: output.json && !output.timing.no_timing,
            delivery: Delivery::Together,
            has_pictures: false,
        }
    }

    pub fn start(&self) -> Option<Instant> {
        self.is_timed.then(Instant::now)
    }

    /// Returns whether to stop reading, because of an interrupt or because the rest of a pipe is not needed.
    pub fn ends_reading(&self) -> bool {
        self.options.is_stopped() || self.selection.is_finished()
    }

    /// Returns whether nothing is printed about a board, so that it is only counted.
    pub fn only_counts(&self, outcome: &Outcome) -> bool {
        let is_plain = |answer: &Answer| {
            answer.warnings.is_empty() && answer.solution.verdict() != Verdict::Undecided
        };
        self.delivery == Delivery::Problems
            && !outcome.has_failed()
            && outcome.answer().is_some_and(is_plain)
    }

    /// Answers a board; `read` is the result of reading it. A panic becomes an error of the board. Once the run is over, returns
    /// some outcome quickly, since the board is then only counted.
    pub fn answer_board(
        &self,
        path: &Arc<str>,
        puzzle: &Puzzle,
        read: Result<(), BoardError>,
    ) -> Outcome {
        let answer = panics::caught(|| {
            if self.selection.is_over() {
                return Ok(Box::new(Answer::skipped()));
            }
            panics::on_purpose(puzzle.name().unwrap_or_default());
            answer_board(&self.options, puzzle, read)
        });
        let answer = answer.unwrap_or_else(|message| {
            let kind = FaultKind::other(message, panics::ADVICE);
            Err(puzzle.fault(puzzle.place(), kind).into())
        });
        let mut outcome = Outcome::new(path, puzzle, answer);
        if self.has_pictures && outcome.has_failed() {
            outcome.picture = Some(picture::of(&self.options, puzzle, &outcome));
        }
        outcome
    }
}

impl Query for Options {
    fn ruleset(&self, puzzle: &Puzzle) -> Result<&'static Entry, BoardError> {
        self.ruleset(puzzle)
    }

    fn warnings(&self, case: Case) -> Result<Vec<Fault>, BoardError> {
        self.warnings(case.entry, case.game, case.puzzle)
    }

    fn claim(&self, case: Case, limits: &mut Limits) -> Result<Claim, BoardError> {
        Ok(match &self.agent {
            Some(agent) => agent.claim(case, limits)?,
            None if self.compares => Claim::of_headers(case.puzzle, case.game, limits)?,
            None => Claim::without_replay(case.puzzle, case.game)?,
        })
    }

    fn solve(&self, case: Case, limits: &Limits) -> Solution {
        let mut solution = case.game.solve(self.order, limits);
        if self.shortens {
            let rows = case.puzzle.rows.iter();
            let cells = rows.map(|row| row.text.len() as u64).sum();
            solution = shorten_line(solution, cells, limits, |few| {
                case.game.solve(Order::Shortest, few)
            });
        }
        solution
    }

    fn extend(&self, answer: &mut Answer, case: Case, limits: &Limits) -> Result<(), BoardError> {
        answer.solution.note(limits.progress);
        answer.is_by_agent = self.agent.is_some();
        let solution = &answer.solution;
        if let Some(evidence) = &self.evidence
            && solution.verdict() != Verdict::Undecided
        {
            limits.note_task("certifying");
            if let Some(missing) = evidence.of(case, solution, limits)? {
                answer.is_verified = false;
                answer.warnings.push(missing);
            }
        }
        let solution = &answer.solution;
        match self.detail {
            Detail::Answer => {}
            Detail::Explanation => {
                limits.note_task("explaining");
                let explanation = case.game.explain(solution, limits);
                answer.explanation = Some(Box::new(explanation));
            }
            Detail::Analysis => {
                limits.note_task("analysing");
                let analysis = analyse(case, solution, limits);
                answer.analysis = Some(Box::new(analysis));
            }
        }
        Ok(())
    }
}

/// One of the parts into which the boards are divided.
///
/// A board's file name and line number determine its part. The folder does not matter, so all machines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The number of this part, counted from 1 to `of`.
    number: u64,
    of: u64,
}

impl Partition {
    /// Returns whether a board belongs to this part. Line 0 stands for the file itself.
    pub fn has(self, path: &str, line: u64) -> bool {
        let name = Path::new(path)
            .file_name()
            .map_or(path.as_bytes(), std::ffi::OsStr::as_encoded_bytes);
        XxHash3_64::oneshot_with_seed(line, name) % self.of == self.number - 1
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
    pub fn has(&self, path: &str, line: u64) -> bool {
        self.partition.is_none_or(|part| part.has(path, line))
    }

    pub fn counts_skipped_files(&self) -> bool {
        self.partition.is_none_or(|part| part.number == 1)
    }

    pub fn prints(&self, outcome: &Outcome) -> bool {
        self.only.is_empty() || self.only.iter().any(|&only| is_selected(outcome, only))
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

    /// Returns whether to stop reading. Boards left in files are still counted, but not those of a pipe.
    pub fn is_finished(&self) -> bool {
        self.reads_pipe && self.is_over()
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

fn is_selected(outcome: &Outcome, only: Only) -> bool {
    let verdict = match only {
        Only::Mismatch => return outcome.status == CheckStatus::Mismatched,
        Only::Error => return outcome.status == CheckStatus::Error,
        Only::Escape => Verdict::Escape,
        Only::Caught => Verdict::Caught,
        Only::Food => Verdict::Food,
        Only::NoFood => Verdict::NoFood,
        Only::Undecided => Verdict::Undecided,
    };
    let answer = outcome.answer();
    answer.is_some_and(|answer| answer.solution.verdict() == verdict)
}

#[cfg(test)]
#[path = "job_tests.rs"]
mod tests;
