//! The journal of `check --resume`. It holds the outcomes of the run, from which all output is printed at the end.

use std::borrow::Cow;
use std::io;
use std::time::{Duration, Instant};

use anyhow::Result;
use getaway_board::words::count;
use getaway_solvers::answers::Outcome;
use serde::{Deserialize, Serialize};

use super::{Journal, JournalState, RunSettings};
use crate::cli::exit::Tally;
use crate::cli::inputs::Input;
use crate::cli::job::Job;
use crate::cli::output::progress::Progress;
use crate::cli::pipeline::{self, Done, FileEnd, Writer};

/// A run whose outcomes are saved.
pub struct SavedRun {
    journal: Journal,
    done: Done,
    /// True if the run is complete.
    pub is_all: bool,
}

/// A line of the journal after the first two, which hold no results.
#[derive(Serialize, Deserialize)]
enum Step<'s> {
    Outcome(Box<Cow<'s, Outcome>>),
    EndOfFile(Cow<'s, FileEnd>),
    /// The end of an invocation: whether the run is now complete, and the time that the invocation took.
    EndOfRun {
        is_all: bool,
        time: Duration,
    },
}

impl SavedRun {
    /// Starts a run, or continues the run of the journal.
    pub fn begin(
        journal: Journal,
        question: RunSettings,
        inputs: &[Input],
        is_quiet: bool,
    ) -> Result<Self> {
        let (mut done, mut is_all) = (Done::default(), false);
        let found = journal.begin(question, inputs, &mut |step: &Step| {
            match step {
                Step::Outcome(outcome) => done.outcome(outcome),
                Step::EndOfFile(_) => done.end_of_file(),
                Step::EndOfRun { is_all: all, .. } => is_all = *all,
            }
            true
        })?;
        if found == JournalState::Damage || !(is_all || is_quiet) {
            journal.report(found, &count(done.tally.boards(), "board"));
        }
        Ok(Self {
            journal,
            done,
            is_all,
        })
    }

    /// Judges the remaining boards and saves their outcomes. Returns the number of boards judged so far.
    pub fn judge_rest(
        &mut self,
        job: &Job,
        inputs: &[Input],
        mut progress: Progress,
        start: Instant,
    ) -> Result<u64> {
        let mut saving = Saving {
            journal: &self.journal,
            job,
            tally: self.done.tally,
        };
        pipeline::run(job, inputs, self.done, &mut [&mut saving, &mut progress])?;
        let boards = saving.tally.boards();
        let (is_all, time) = (!job.options.is_stopped(), start.elapsed());
        self.journal.add(&Step::EndOfRun { is_all, time })?;
        self.journal.finish()?;
        self.is_all = is_all;
        Ok(boards)
    }

    /// Passes all outcomes and ends of files to each writer. Returns the total time of the invocations, without those that
    /// were killed.
    pub fn replay(&self, writers: &mut [&mut dyn Writer]) -> Result<Duration> {
        let mut all = Duration::ZERO;
        self.journal.replay(&mut |step| {
            let mut each = writers.iter_mut();
            match step {
                Step::Outcome(outcome) => each.try_for_each(|writer| writer.outcome(&outcome)),
                Step::EndOfFile(file) => each.try_for_each(|writer| writer.end_of_file(&file)),
                Step::EndOfRun { time, .. } => {
                    all = all.saturating_add(time);
                    Ok(())
                }
            }
        })?;
        writers.iter_mut().try_for_each(|writer| writer.finish())?;
        Ok(all)
    }
}

/// Saves outcomes in the journal, except those after an interrupt, so that the next invocation judges these boards.
struct Saving<'s> {
    journal: &'s Journal,
    job: &'s Job,
    tally: Tally,
}

impl Writer for Saving<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        if self.job.options.is_stopped() {
            return Ok(());
        }
        self.tally.count(outcome);
        self.journal
            .add(&Step::Outcome(Box::new(Cow::Borrowed(outcome))))
    }

    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()> {
        if self.job.options.is_stopped() {
            return Ok(());
        }
        self.journal.add(&Step::EndOfFile(Cow::Borrowed(file)))
    }
}
