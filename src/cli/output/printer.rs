//! Prints outcomes: answers on standard output, errors and warnings on standard error.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use console::Term;
use getaway_board::fault::{BoardError, Fault};
use getaway_play::solution::Verdict;
use getaway_ruleset::Legend;
use getaway_solvers::rulesets::find;

use super::diagnostic::Diagnostics;
use super::progress::Progress;
use super::report::Reports;
use super::summary::Summary;
use super::text::{self, Colors};
use crate::cli::args::{Color, OutputArgs};
use crate::cli::exit::Tally;
use crate::cli::job::{Job, Selection};
use crate::cli::options::{colors, known_rulesets};
use crate::cli::pipeline::{FileEnd, Writer};
use getaway_solvers::answers::words::{count, path_name, safe};
use getaway_solvers::answers::{Answer, Outcome, Problem, Standing, analysis, explain, json};

/// The style of the output.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub format: Format,
    pub is_quiet: bool,
    /// True if times may be printed.
    pub is_timed: bool,
    pub has_statistics: bool,
    /// The maximum number of errors to print, and also of warnings and mismatches.
    pub max_errors: u64,
    pub colors: Colors,
    pub error_colors: Colors,
}

impl Style {
    pub fn new(args: &OutputArgs, color: Color) -> Self {
        Self {
            format: if args.json {
                Format::Json
            } else {
                Format::Text
            },
            is_quiet: args.quiet,
            is_timed: !args.timing.no_timing,
            has_statistics: false,
            max_errors: args.errors.max_errors,
            colors: colors(color, &io::stdout()),
            error_colors: colors(color, &io::stderr()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Prints outcomes, and sums them up.
pub struct Printer<'j> {
    job: &'j Job,
    pub summary: Summary<'j>,
    errors: Errors,
    answers: Box<dyn Answers + 'j>,
    pub reports: Option<Reports>,
}

pub trait Answers: Writer {
    /// Completes the output.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl<'j> Printer<'j> {
    pub fn new(
        job: &'j Job,
        style: Style,
        progress: &Progress,
        answers: impl Answers + 'j,
    ) -> Self {
        let answers: Box<dyn Answers> = if style.is_quiet && style.format == Format::Text {
            Box::new(Nothing)
        } else {
            Box::new(answers)
        };
        Self {
            job,
            summary: Summary::new(job, style.max_errors),
            errors: Errors::new(style.max_errors, style.error_colors, progress.clone()),
            answers,
            reports: None,
        }
    }

    pub fn finish(mut self) -> io::Result<Summary<'j>> {
        self.errors.finish();
        self.answers.finish()?;
        self.summary.tally.is_interrupted = self.job.options.is_stopped();
        Ok(self.summary)
    }
}

impl Writer for Printer<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        if let Some(reports) = &mut self.reports {
            reports.outcome(outcome)?;
        }
        self.summary.outcome(outcome)?;
        self.errors.outcome(outcome, &self.job.selection);
        self.answers.outcome(outcome)
    }

    fn count(&mut self, tally: &Tally) {
        self.summary.count(tally);
    }

    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()> {
        if let Some(reports) = &mut self.reports {
            reports.end_of_file(file)?;
        }
        self.summary.end_of_file(file)?;
        self.answers.end_of_file(file)
    }

    fn flush(&mut self) -> io::Result<()> {
        let (answers, progress) = (&mut self.answers, &self.errors.progress);
        progress.suspend(|| answers.flush())
    }
}

pub struct Nothing;

impl Answers for Nothing {}

impl Writer for Nothing {
    fn outcome(&mut self, _: &Outcome) -> io::Result<()> {
        Ok(())
    }

    fn end_of_file(&mut self, _: &FileEnd) -> io::Result<()> {
        Ok(())
    }
}

/// Counts problems, of which the first are printed.
#[derive(Clone, Copy, Debug, Default)]
struct PrintLimit {
    printed: u64,
    all: u64,
}

impl PrintLimit {
    /// Counts an item and returns true, unless `most` items have been printed.
    const fn take(&mut self, most: u64) -> bool {
        self.all += 1;
        self.print(most)
    }

    /// Returns whether to print an item that has been counted.
    const fn print(&mut self, most: u64) -> bool {
        let is_below = self.printed < most;
        self.printed += is_below as u64;
        is_below
    }

    const fn left_out(self) -> u64 {
        self.all - self.printed
    }

    /// Prints how many were not printed.
    fn finish(self, what: &str, rest: &str) {
        if let more @ 1.. = self.left_out() {
            print_to_stderr(&format!("... and {} {rest}\n", count(more, what)));
        }
    }
}

const OPTION: &str = "(`--max-errors` sets how many are shown)";

fn print_to_stderr(text: &str) {
    // This fails only if standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints errors and warnings on standard error, up to a maximum of each.
pub struct Errors {
    most: u64,
    diagnostics: Diagnostics,
    progress: Progress,
    faults: PrintLimit,
    warnings: PrintLimit,
}

impl Errors {
    pub fn new(most: u64, colors: Colors, progress: Progress) -> Self {
        Self {
            most,
            diagnostics: Diagnostics::new(colors),
            progress,
            faults: PrintLimit::default(),
            warnings: PrintLimit::default(),
        }
    }

    fn outcome(&mut self, outcome: &Outcome, selection: &Selection) {
        let path = &*outcome.path;
        match &outcome.result {
            Ok(answer) if selection.prints(outcome) => self.warnings(path, &answer.warnings),
            // With `--only`, warnings that are not printed are counted.
            Ok(answer) => self.warnings.all += u64::from(!answer.warnings.is_empty()),
            Err(_) if outcome.standing != Standing::Error || !selection.prints_errors() => {}
            Err(Problem::Board(error)) => self.board(path, error, ""),
            Err(Problem::File(why)) => self.file(path.as_ref(), why),
        }
    }

    pub fn warnings(&mut self, path: &str, warnings: &[Fault]) {
        if !warnings.is_empty() && self.warnings.take(self.most) {
            self.print(&self.diagnostics.warnings(path, warnings));
        }
    }

    /// Prints the error of a board, and then a note.
    pub fn board(&mut self, path: &str, error: &BoardError, note: &str) {
        if self.faults.take(self.most) {
            self.print(&(self.diagnostics.board(path, error) + note));
        }
    }

    pub fn file(&mut self, path: &Path, why: &str) {
        if self.faults.take(self.most) {
            let message = format!("{}: {why}", path_name(path));
            self.print(&self.diagnostics.plain(&message, None));
        }
    }

    /// Prints an error that has no place.
    pub fn line(&mut self, text: &str) {
        if self.faults.take(self.most) {
            self.print(&format!("{text}\n"));
        }
    }

    fn print(&self, text: &str) {
        self.progress.suspend(|| print_to_stderr(text));
    }

    pub fn finish(&self) {
        self.progress.finish();
        self.warnings.finish("more board", "with warnings");
        self.faults.finish("more error", OPTION);
    }
}

/// Prints each outcome as a line of JSON.
pub struct JsonLines<'j> {
    job: &'j Job,
    out: Box<dyn Write + 'j>,
    line: Vec<u8>,
}

impl<'j> JsonLines<'j> {
    pub fn new(job: &'j Job) -> Self {
        Self::to(Box::new(io::stdout().lock()), job)
    }

    pub fn to(out: Box<dyn Write + 'j>, job: &'j Job) -> Self {
        let out = Box::new(BufWriter::with_capacity(1 << 16, out));
        let line = Vec::new();
        Self { job, out, line }
    }
}

impl Answers for JsonLines<'_> {}

impl Writer for JsonLines<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        if !self.job.selection.prints(outcome) {
            return Ok(());
        }
        self.line.clear();
        json::write(outcome, &mut self.line);
        self.out.write_all(&self.line)
    }

    fn end_of_file(&mut self, _: &FileEnd) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The boards for which a line is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    All,
    /// All but those that an interrupt left undecided, since a later run will search them again.
    Uninterrupted,
    /// Boards that missed their expectation or are undecided, and those selected with `--only`.
    Problems,
}

/// Prints answers as text.
pub struct TextLines<'j> {
    job: &'j Job,
    style: Style,
    listed: Listed,
    out: BufWriter<Box<dyn Write + 'j>>,
    width: Option<usize>,
    /// True if an answer is printed with its address even if it is the only one of its file.
    pub addresses_one: bool,
    /// The entry of a file's first board, printed once it is known whether the file has more boards.
    pending: Option<Entry>,
    problems: PrintLimit,
    interrupted: u64,
}

struct Entry {
    path: Arc<str>,
    board: u64,
    title: Option<String>,
    kind: AnswerKind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerKind {
    Answer,
    /// A mismatch or an undecided board; the options limit how many of them a run prints.
    Problem,
    Interrupted,
}

impl<'j> TextLines<'j> {
    pub fn new(job: &'j Job, style: Style, listed: Listed) -> Self {
        Self {
            width: text::width(&Term::stdout()),
            ..Self::to(Box::new(io::stdout().lock()), job, style, listed)
        }
    }

    fn to(out: Box<dyn Write + 'j>, job: &'j Job, style: Style, listed: Listed) -> Self {
        Self {
            job,
            style,
            listed,
            out: BufWriter::with_capacity(1 << 16, out),
            width: None,
            addresses_one: true,
            pending: None,
            problems: PrintLimit::default(),
            interrupted: 0,
        }
    }

    /// Returns the text for an answer; `None` if it is not listed.
    fn entry(&self, outcome: &Outcome, answer: &Answer) -> Option<(AnswerKind, String)> {
        let style = text::style(outcome.standing, self.style.colors);
        let is_listed = self.listed != Listed::Problems || self.style.has_statistics;
        Some(match answer.solution.verdict() {
            _ if self.listed == Listed::Problems && outcome.standing == Standing::Mismatched => {
                let why = text::mismatch(answer, style)?;
                (
                    AnswerKind::Problem,
                    format!("{style}mismatch{style:#}: {why}"),
                )
            }
            _ if answer.is_interrupted() => (AnswerKind::Interrupted, self.answer(outcome, answer)),
            _ if is_listed => (AnswerKind::Answer, self.answer(outcome, answer)),
            Verdict::Undecided => (AnswerKind::Problem, self.answer(outcome, answer)),
            _ if self.job.selection.only.is_empty() => return None,
            _ => (AnswerKind::Answer, self.answer(outcome, answer)),
        })
    }

    fn answer(&self, outcome: &Outcome, answer: &Answer) -> String {
        let solution = &answer.solution;
        let mut text = text::solution(solution, text::style(outcome.standing, self.style.colors));
        if self.style.has_statistics {
            let statistics = text::statistics(solution, outcome.time);
            text += &format!(" ({statistics})");
        }
        if let Some(explanation) = &answer.explanation {
            text += &explain::text(explanation, legend(answer));
        }
        if let Some(analysis) = &answer.analysis {
            text += &analysis::text(solution, analysis, legend(answer));
        }
        text
    }

    fn print_pending(&mut self, is_numbered: bool) -> io::Result<()> {
        match self.pending.take() {
            Some(entry) => self.print(&entry, is_numbered),
            None => Ok(()),
        }
    }

    fn print(&mut self, entry: &Entry, is_numbered: bool) -> io::Result<()> {
        let needs_address = self.addresses_one || is_numbered;
        match entry.kind {
            AnswerKind::Interrupted if needs_address => {
                self.interrupted += 1;
                return Ok(());
            }
            AnswerKind::Problem if !self.problems.print(self.style.max_errors) => return Ok(()),
            _ => {}
        }
        let mut text = String::new();
        if needs_address {
            text += &safe(&entry.path);
            if is_numbered {
                text += &format!("#{}", entry.board + 1);
            }
            if let Some(title) = &entry.title {
                text += &format!(" ({})", safe(title));
            }
            text += ": ";
        }
        text += &entry.text;
        text.push('\n');
        self.out
            .write_all(text::fitted(text, self.width).as_bytes())
    }
}

fn legend(answer: &Answer) -> &'static Legend {
    let name = answer.ruleset.as_deref();
    let ruleset = name.and_then(|name| find(known_rulesets(), name));
    &ruleset.expect("a solved board has a ruleset").legend
}

impl Writer for TextLines<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let is_numbered = outcome.board > 0;
        if is_numbered {
            self.print_pending(true)?;
        }
        if !self.job.selection.prints(outcome)
            || self.listed == Listed::Uninterrupted && outcome.is_interrupted()
        {
            return Ok(());
        }
        let Some(answer) = outcome.answer() else {
            return Ok(());
        };
        let Some((kind, text)) = self.entry(outcome, answer) else {
            return Ok(());
        };
        self.problems.all += u64::from(kind == AnswerKind::Problem);
        let entry = Entry {
            path: Arc::clone(&outcome.path),
            board: outcome.board,
            title: outcome.title().map(Into::into),
            kind,
            text,
        };
        if is_numbered {
            self.print(&entry, true)
        } else {
            self.pending = Some(entry);
            Ok(())
        }
    }

    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()> {
        self.print_pending(file.is_numbered)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Answers for TextLines<'_> {
    fn finish(&mut self) -> io::Result<()> {
        if let problems @ 1.. = self.problems.left_out() {
            let boards = count(problems, "more board");
            writeln!(self.out, "... and {boards} like these {OPTION}")?;
        }
        if self.interrupted > 0 && self.listed != Listed::Problems {
            let boards = count(self.interrupted, "board");
            print_to_stderr(&format!("interrupted: {boards} left undecided\n"));
        }
        self.flush()
    }
}
