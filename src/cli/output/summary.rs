//! The summary of a run.

use std::io;
use std::mem;
use std::time::Duration;

use getaway_play::expect::Expectation;
use getaway_play::solution::Verdict;

use super::text::{self, Colors};
use crate::cli::exit::Tally;
use crate::cli::inputs::{Inputs, SkippedFiles};
use crate::cli::job::Job;
use crate::cli::pipeline::{FileEnd, Writer};
use getaway_board::words::{count, duration, grouped, safe};
use getaway_solvers::answers::{CheckStatus, Outcome};

/// The totals of a run.
pub struct Summary<'j> {
    job: &'j Job,
    pub tally: Tally,
    /// The number of files, without those that belong to other parts of the run.
    pub files: u64,
    /// The number of files for which [`Writer::end_of_file`] was called.
    pub ended: usize,
    is_read: bool,
    pub warned: u64,
    pub skipped_files: SkippedFiles,
    /// The tally of the current file.
    file: Tally,
    /// The maximum number of files in `problem_files`.
    most: u64,
    /// The lines of the files with problems.
    problem_files: Vec<String>,
    more_problem_files: u64,
}

/// Counts mismatches, undecided boards (without interrupted ones) and errors, in words.
fn problems(file: &Tally) -> String {
    let mismatches = file.status(CheckStatus::Mismatched);
    let (undecided, errors) = (file.undecided() - file.interrupted, file.errors());
    let parts = [
        (mismatches, count(mismatches, "mismatch")),
        (undecided, format!("{} undecided", grouped(undecided))),
        (errors, count(errors, "error")),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(_, words)| words).collect::<Vec<_>>().join(", ")
}

impl Writer for Summary<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.tally.count(outcome);
        self.file.count(outcome);
        let answer = outcome.answer();
        self.warned += u64::from(answer.is_some_and(|answer| !answer.warnings.is_empty()));
        Ok(())
    }

    fn count(&mut self, tally: &Tally) {
        self.tally.add(tally);
        self.file.add(tally);
    }

    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()> {
        self.tally.unjudged += file.unjudged;
        self.ended += 1;
        self.files += u64::from(self.job.selection.has(&file.path, 0));
        let problems = problems(&mem::take(&mut self.file));
        if problems.is_empty() {
            return Ok(());
        }
        if (self.problem_files.len() as u64) < self.most {
            let line = format!("  {}: {problems}\n", safe(&file.path));
            self.problem_files.push(line);
        } else {
            self.more_problem_files += 1;
        }
        Ok(())
    }
}

impl<'j> Summary<'j> {
    /// Creates an empty summary, which will list at most `most` files with problems.
    pub fn new(job: &'j Job, most: u64) -> Self {
        Self {
            job,
            tally: Tally::default(),
            files: 0,
            ended: 0,
            is_read: false,
            warned: 0,
            skipped_files: SkippedFiles::default(),
            file: Tally::default(),
            most,
            problem_files: Vec::new(),
            more_problem_files: 0,
        }
    }

    /// Notes whether all inputs were read, and which files were skipped. Only the first part of a run counts the skipped files.
    pub fn note_inputs(&mut self, inputs: &Inputs) {
        self.is_read = self.ended == inputs.all.len();
        if self.job.selection.counts_skipped_files() {
            self.skipped_files = inputs.skipped_files.clone();
        }
    }

    pub fn text(&self, colors: Colors, is_timed: bool, time: Duration) -> String {
        let mut text = self.recap();
        let lines = self.lines(colors).into_iter();
        text.extend(lines.map(|line| line + "\n"));
        if is_timed {
            let rate = self.tally.boards() as f64 / time.as_secs_f64();
            let (rate, time) = (grouped(rate as u64), duration(time));
            text += &format!("{rate} boards per second ({time})\n");
        }
        text
    }

    pub fn lines(&self, colors: Colors) -> Vec<String> {
        let tally = &self.tally;
        let some = |number: u64, what: &str, end: &str| {
            (number > 0).then(|| format!("{} {end}", count(number, what)))
        };
        let lines = [
            self.job.selection.partition.map(|part| {
                format!("part {part}: each board and each file counts in only one part")
            }),
            Some(self.verdicts()),
            Some(self.statuses(colors)),
            some(self.warned, "board", "with warnings"),
            some(
                tally.unverified,
                "answer",
                "not verified: a limit was reached",
            ),
            some(tally.unreadable, "file", "could not be read"),
            (!self.skipped_files.is_empty()).then(|| self.skipped_files.text()),
            self.stopped(),
            self.interrupted(),
        ];
        lines.into_iter().flatten().collect()
    }

    fn interrupted(&self) -> Option<String> {
        let undecided = count(self.tally.interrupted, "board");
        self.tally.is_interrupted.then(|| match self.is_read {
            false => "interrupted: the rest was skipped".into(),
            true if self.tally.interrupted == 0 => "interrupted after the last board".into(),
            true => format!("interrupted: {undecided} left undecided"),
        })
    }

    fn stopped(&self) -> Option<String> {
        let selection = &self.job.selection;
        let failures = count(self.tally.failures(), "failure");
        let boards = count(self.tally.unjudged, "board");
        selection.ends_after(&self.tally).then(|| {
            if selection.reads_pipe {
                format!("stopped after {failures}: the rest was not checked")
            } else {
                format!("stopped after {failures}: {boards} not checked")
            }
        })
    }

    pub fn has_failures(&self) -> bool {
        self.tally.failures() + self.tally.undecided() > 0
    }

    fn recap(&self) -> String {
        if self.tally.boards() <= 1 || self.problem_files.is_empty() {
            return String::new();
        }
        let mut text = format!("by file:\n{}", self.problem_files.concat());
        if self.more_problem_files > 0 {
            let more = count(self.more_problem_files, "more file");
            text += &format!("  ... and {more}\n");
        }
        text
    }

    fn verdicts(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| (self.tally.of(verdict), verdict.name()));
        let unsolvable = (self.tally.unsolvable(), Expectation::REFUSAL);
        let counts = counts.into_iter().chain([unsolvable]);
        let verdicts: Vec<_> = counts
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{} {what}", grouped(number)))
            .collect();
        let boards = count(self.tally.boards(), "board");
        let text = format!("{boards} in {}", count(self.files, "file"));
        match verdicts.as_slice() {
            [] => text,
            verdicts => format!("{text}: {}", verdicts.join(", ")),
        }
    }

    fn statuses(&self, colors: Colors) -> String {
        let errors = match self.tally.status(CheckStatus::Error) {
            1 => "error",
            _ => "errors",
        };
        let parts = [
            (CheckStatus::AsExpected, "as expected"),
            (CheckStatus::Mismatched, "mismatched"),
            (CheckStatus::NotExpected, "without expectation"),
            (CheckStatus::Undecided, "undecided"),
            (CheckStatus::Error, errors),
        ];
        let parts = parts.map(|(status, words)| {
            let number = self.tally.status(status);
            let style = match number {
                0 => anstyle::Style::new(),
                _ => text::style(status, colors),
            };
            format!("{style}{} {words}{style:#}", grouped(number))
        });
        parts.join(", ")
    }
}
