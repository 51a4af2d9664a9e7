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
use super::text::{self, Colors};
use crate::cli::args::{Color, OutputArgs};
use crate::cli::exit::Tally;
use crate::cli::job::{Job, Selection};
use crate::cli::options::{colors, known_rulesets};
use crate::cli::pipeline::{FileEnd, Writer};
use getaway_board::words::{count, path_name, safe};
use getaway_solvers::answers::{Answer, CheckStatus, Outcome, Problem, analysis, explain, json};

/// The style of the output.
#[derive(Clone, Copy, Debug)]
pub struct OutputStyle {
    pub format: AnswerFormat,
    /// True if times may be printed.
    pub is_timed: bool,
    pub has_statistics: bool,
    pub listed: Listed,
    /// True if an answer is printed with its address even if it is the only one of its file.
    pub addresses_one: bool,
    /// The maximum number of errors to print. It also limits boards with warnings, and mismatches together with undecided boards.
    pub max_errors: u64,
    pub colors: Colors,
    pub error_colors: Colors,
}

impl OutputStyle {
    pub fn new(args: &OutputArgs, color: Color) -> Self {
        Self {
            format: match args {
                OutputArgs { json: true, .. } => AnswerFormat::Json,
                OutputArgs { quiet: true, .. } => AnswerFormat::Quiet,
                _ => AnswerFormat::Text,
            },
            is_timed: !args.timing.no_timing,
            has_statistics: false,
            listed: Listed::Problems,
            addresses_one: true,
            max_errors: args.errors.max_errors,
            colors: colors(color, &io::stdout()),
            error_colors: colors(color, &io::stderr()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFormat {
    Text,
    Json,
    /// No answers.
    Quiet,
}

/// Counts the problems of one kind, and those of them that were printed.
#[derive(Clone, Copy, Debug, Default)]
struct PrintLimit {
    printed: u64,
    all: u64,
}

impl PrintLimit {
    /// Counts an item. Returns whether to print it: true until `most` items have been printed.
    const fn take(&mut self, most: u64) -> bool {
        let is_below = self.printed < most;
        self.all += 1;
        self.printed += is_below as u64;
        is_below
    }

    const fn left_out(self) -> u64 {
        self.all - self.printed
    }
}

const OPTION: &str = "(`--max-errors` sets how many are shown)";

/// Prints errors and warnings on standard error, up to a maximum of each, and shows the progress there.
pub struct Errors {
    progress: Progress,
    most: u64,
    colors: Colors,
    selection: Selection,
    faults: PrintLimit,
    warnings: PrintLimit,
}

impl Errors {
    pub fn new(most: u64, colors: Colors, progress: Progress) -> Self {
        Self {
            progress,
            most,
            colors,
            selection: Selection::default(),
            faults: PrintLimit::default(),
            warnings: PrintLimit::default(),
        }
    }

    pub fn of(job: &Job, style: OutputStyle, progress: Progress) -> Self {
        Self {
            selection: job.selection.clone(),
            ..Self::new(style.max_errors, style.error_colors, progress)
        }
    }

    pub fn warnings(&mut self, path: &str, warnings: &[Fault]) {
        if !warnings.is_empty() && self.warnings.take(self.most) {
            self.print(&Diagnostics::new(self.colors).warnings(path, warnings));
        }
    }

    /// Prints the error of a board, and then a note.
    pub fn board(&mut self, path: &str, error: &BoardError, note: &str) {
        if self.faults.take(self.most) {
            self.print(&(Diagnostics::new(self.colors).board(path, error) + note));
        }
    }

    pub fn file(&mut self, path: &Path, why: &str) {
        self.error(&format!("{}: {why}", path_name(path)));
    }

    /// Prints an error that is not about a place in a file.
    pub fn error(&mut self, message: &str) {
        if self.faults.take(self.most) {
            self.print(&Diagnostics::new(self.colors).plain(message, None));
        }
    }

    /// Prints what kept games from being played out, such as a forfeit or a limit.
    pub fn line(&mut self, text: &str) {
        if self.faults.take(self.most) {
            self.print(&format!("{text}\n"));
        }
    }

    fn print(&mut self, text: &str) {
        // If standard error can't be written to, there is nowhere to report that.
        let print = || _ = io::stderr().write_all(text.as_bytes());
        self.progress.suspend(print);
    }
}

impl Writer for Errors {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let path = &*outcome.path;
        match &outcome.result {
            Ok(answer) if self.selection.prints(outcome) => self.warnings(path, &answer.warnings),
            // With `--only`, boards whose warnings are not printed are still counted.
            Ok(answer) => self.warnings.all += u64::from(!answer.warnings.is_empty()),
            Err(_) if outcome.status != CheckStatus::Error => {}
            Err(Problem::File(why)) => self.file(path.as_ref(), why),
            Err(Problem::Board(error)) if self.selection.prints_errors() => {
                self.board(path, error, "");
            }
            Err(Problem::Board(_)) => {}
        }
        Ok(())
    }

    fn advance(&mut self, bytes: u64, tally: &Tally) {
        Writer::advance(&mut self.progress, bytes, tally);
    }

    /// Ends the progress bar, and prints how many boards with warnings and how many errors were left out.
    fn finish(&mut self) -> io::Result<()> {
        self.progress.finish();
        let left_out = [
            (self.warnings, "more board", "with warnings"),
            (self.faults, "more error", OPTION),
        ];
        for (limit, what, rest) in left_out {
            if let more @ 1.. = limit.left_out() {
                self.print(&format!("... and {} {rest}\n", count(more, what)));
            }
        }
        Ok(())
    }
}

/// Returns the writer of answers in a style.
pub fn answers<'j>(
    job: &'j Job,
    style: OutputStyle,
    out: Box<dyn Write + 'j>,
) -> Box<dyn Writer + 'j> {
    match style.format {
        AnswerFormat::Json => Box::new(JsonLines::new(job, out)),
        AnswerFormat::Text => Box::new(TextLines::new(job, style, out)),
        AnswerFormat::Quiet => Box::new(NullWriter),
    }
}

struct NullWriter;

impl Writer for NullWriter {}

/// Prints each selected outcome as a line of JSON.
pub struct JsonLines<'j> {
    job: &'j Job,
    out: BufWriter<Box<dyn Write + 'j>>,
    line: Vec<u8>,
}

impl<'j> JsonLines<'j> {
    pub fn new(job: &'j Job, out: Box<dyn Write + 'j>) -> Self {
        let out = BufWriter::with_capacity(1 << 16, out);
        let line = Vec::new();
        Self { job, out, line }
    }
}

impl Writer for JsonLines<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        if !self.job.selection.prints(outcome) {
            return Ok(());
        }
        self.line.clear();
        json::write(outcome, &mut self.line);
        self.out.write_all(&self.line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The boards for which a line is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    All,
    /// All but those that an interrupt left undecided, since the next round of `solve --watch` searches them again.
    Uninterrupted,
    /// Boards that missed their expectation or are undecided, and those selected with `--only`; all boards with `--verbose`.
    Problems,
}

/// Prints answers as text.
pub struct TextLines<'j> {
    job: &'j Job,
    style: OutputStyle,
    out: BufWriter<Box<dyn Write + 'j>>,
    width: Option<usize>,
    /// The entry of a file's first board, printed once it is known whether the file has more boards.
    pending: Option<ListedAnswer>,
    problems: PrintLimit,
    interrupted: u64,
}

struct ListedAnswer {
    path: Arc<str>,
    board: u64,
    title: Option<String>,
    kind: AnswerKind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerKind {
    Answer,
    /// Under [`Listed::Problems`], a mismatch or, without `--verbose`, an undecided board; `--max-errors` limits how many of them
    /// are printed.
    Problem,
    Interrupted,
}

impl<'j> TextLines<'j> {
    fn new(job: &'j Job, style: OutputStyle, out: Box<dyn Write + 'j>) -> Self {
        Self {
            job,
            style,
            out: BufWriter::with_capacity(1 << 16, out),
            width: text::width(&Term::stdout()),
            pending: None,
            problems: PrintLimit::default(),
            interrupted: 0,
        }
    }

    /// Returns the kind and the text of an answer; `None` if it is not listed.
    fn entry(&self, outcome: &Outcome, answer: &Answer) -> Option<(AnswerKind, String)> {
        let style = text::style(outcome.status, self.style.colors);
        let lists_problems = self.style.listed == Listed::Problems;
        if lists_problems && outcome.status == CheckStatus::Mismatched {
            let why = text::mismatch(answer, style)?;
            let text = format!("{style}mismatch{style:#}: {why}");
            return Some((AnswerKind::Problem, text));
        }
        let kind = match answer.solution.verdict() {
            _ if answer.is_interrupted() => AnswerKind::Interrupted,
            _ if !lists_problems || self.style.has_statistics => AnswerKind::Answer,
            Verdict::Undecided => AnswerKind::Problem,
            _ if self.job.selection.only.is_empty() => return None,
            _ => AnswerKind::Answer,
        };
        Some((kind, self.answer(outcome, answer)))
    }

    fn answer(&self, outcome: &Outcome, answer: &Answer) -> String {
        let solution = &answer.solution;
        let mut text = text::solution(solution, text::style(outcome.status, self.style.colors));
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
        let pending = self.pending.take();
        pending.map_or(Ok(()), |entry| self.print(&entry, is_numbered))
    }

    fn print(&mut self, entry: &ListedAnswer, is_numbered: bool) -> io::Result<()> {
        let needs_address = self.style.addresses_one || is_numbered;
        match entry.kind {
            AnswerKind::Interrupted if needs_address => {
                self.interrupted += 1;
                return Ok(());
            }
            AnswerKind::Problem if !self.problems.take(self.style.max_errors) => return Ok(()),
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
            || self.style.listed == Listed::Uninterrupted && outcome.is_interrupted()
        {
            return Ok(());
        }
        let entry = |answer| self.entry(outcome, answer);
        let Some((kind, text)) = outcome.answer().and_then(entry) else {
            return Ok(());
        };
        let entry = ListedAnswer {
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

    fn finish(&mut self) -> io::Result<()> {
        if let problems @ 1.. = self.problems.left_out() {
            let boards = count(problems, "more board");
            writeln!(self.out, "... and {boards} like these {OPTION}")?;
        }
        if self.interrupted > 0 && self.style.listed != Listed::Problems {
            let boards = count(self.interrupted, "board");
            // If standard error can't be written to, there is nowhere to report that.
            let _ = writeln!(io::stderr(), "interrupted: {boards} left undecided");
        }
        self.flush()
    }
}
