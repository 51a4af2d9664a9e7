//! The results of boards, from which all output is printed.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use getaway_board::fault::{BoardError, Fault, Place};
use getaway_board::limits::Limit;
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::{Evidence, Verdict};
use getaway_ruleset::Legend;
use getaway_solvers::rulesets::find;
use serde::{Deserialize, Serialize};

use super::exit::Tally;
use super::inputs::PassedOver;
use super::job::{Job, Kept, Style};
use super::options::known_rulesets;
use super::output::measured::{self, Measure, Measured};
use super::output::{picture, text};
use getaway_solvers::answers::json::ErrorJson;
use getaway_solvers::answers::words::{count, is_count, path_name, safe};
use getaway_solvers::answers::{Answer, Evaluated, Standing, analysis, explain, json, points};

/// An error or a warning, in text that is safe to print.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    pub place: Option<(u64, u64)>,
    pub message: String,
}

impl Remark {
    fn of(fault: &Fault) -> Self {
        Self {
            place: Some((fault.place.line, fault.place.column)),
            message: safe(&fault.kind.in_full()),
        }
    }

    fn plain(message: String) -> Self {
        Self {
            place: None,
            message,
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "{}: ", Place::at(line, column))?;
        }
        f.write_str(&self.message)
    }
}

/// The result for a board or an unreadable file, in texts that are safe to print. Without a report or an analysis, the fields
/// from `ruleset` to `picture` are mostly empty.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// The board's number from 0 within its part and, after [`Part::number_from`], within its file. `None` for the file itself.
    pub board: Option<u64>,
    pub name: String,
    pub ruleset: String,
    pub verdict: String,
    pub length: Option<u64>,
    pub probability: Option<f64>,
    pub states: Option<u64>,
    pub time: Option<Duration>,
    pub standing: Standing,
    pub points: Option<f64>,
    pub faults: Vec<Remark>,
    pub remarks: Vec<Remark>,
    pub picture: String,
    /// The measures, indexed by [`Measure`]; empty without an analysis.
    pub measures: Vec<Option<Measured>>,
    /// The text after the board's address, or the JSON after its number, with a line end.
    pub output: Vec<u8>,
    pub kind: RecordKind,
    /// The warnings or the error, drawn for standard error.
    pub drawn: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecordKind {
    #[default]
    Nothing,
    Answer,
    /// A mismatch, an undecided board or an error; the options limit how many of them a run prints.
    Trouble,
    Interrupted,
}

impl Record {
    fn of(evaluated: &Evaluated) -> Self {
        let row = match &evaluated.result {
            Ok(answer) => Self::answer(answer, evaluated.standing),
            Err(error) => Self::error(error),
        };
        Self {
            time: evaluated.time,
            standing: evaluated.standing,
            points: points(evaluated.puzzle).ok(),
            ..row
        }
    }

    fn answer(answer: &Answer, standing: Standing) -> Self {
        let solution = &answer.solution;
        let plain = anstyle::Style::new();
        let message = match standing {
            Standing::Mismatched => text::mismatch(answer, plain),
            Standing::Undecided => Some(text::solution(solution, plain)),
            _ => None,
        };
        let measures = match (&answer.analysis, solution.limit()) {
            (None, _) | (_, Some(Limit::Interrupt)) => Vec::new(),
            _ => measured::all(answer),
        };
        Self {
            ruleset: answer.ruleset.unwrap_or_default().into(),
            verdict: solution.verdict().word().into(),
            length: match &solution.evidence {
                Evidence::Line(line) => Some(line.len() as u64),
                Evidence::Direction { steps, .. } => (steps.len() as u64).checked_sub(1),
                _ => None,
            },
            probability: solution.evidence.probability(),
            states: Some(solution.states),
            faults: message.map(Remark::plain).into_iter().collect(),
            remarks: answer.warnings.iter().map(Remark::of).collect(),
            measures,
            ..Self::default()
        }
    }

    fn error(error: &BoardError) -> Self {
        let more =
            (error.more > 0).then(|| format!("and {}", count(error.more as u64, "more fault")));
        let all = error.faults.iter().map(Remark::of);
        Self {
            faults: all.chain(more.map(Remark::plain)).collect(),
            standing: Standing::Error,
            ..Self::default()
        }
    }

    fn is_consistent(&self) -> bool {
        let time = self.time.map(|time| time.as_secs());
        let numbers = [self.board, self.length, self.states, time];
        numbers.into_iter().flatten().all(is_count)
    }

    pub fn size(&self) -> usize {
        let names = [&self.name, &self.ruleset, &self.verdict];
        let texts = names.into_iter().chain([&self.picture, &self.drawn]);
        let remarks = self
            .faults
            .iter()
            .chain(&self.remarks)
            .map(|remark| size_of::<Remark>() + remark.message.capacity());
        size_of::<Self>()
            + texts.map(String::capacity).sum::<usize>()
            + remarks.sum::<usize>()
            + self.output.capacity()
            + self.measures.capacity() * size_of::<Option<Measured>>()
    }

    pub fn measured(&self, measure: Measure) -> Option<Measured> {
        self.measures.get(measure as usize).copied().flatten()
    }

    pub const fn has_failed(&self) -> bool {
        !matches!(self.standing, Standing::AsExpected | Standing::NotExpected)
    }

    pub fn number(&self) -> String {
        let number = self.board.map(|board| (board + 1).to_string());
        number.unwrap_or_else(|| "file".into())
    }

    pub fn plain_output(&self) -> String {
        let faults: Vec<_> = self.faults.iter().map(Remark::to_string).collect();
        faults.join("; ")
    }
}

#[derive(Debug)]
pub enum Problem {
    Unreadable(String),
    Board(BoardError),
}

/// The results of consecutive boards in a file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Part {
    pub path: Option<Arc<str>>,
    pub number: Option<u64>,
    pub boards: u64,
    pub tally: Tally,
    pub records: Vec<Record>,
    pub warned: u64,
    /// The number of [`RecordKind::Trouble`]s; only the first ones have records.
    pub troubles: u64,
    /// A problem after these boards that is not among the records yet.
    #[serde(skip)]
    pub problem: Option<Problem>,
    pub is_last: bool,
    pub bytes: u64,
    pub passed_over: PassedOver,
}

impl Part {
    pub fn of(path: &Arc<str>) -> Self {
        Self {
            path: Some(Arc::clone(path)),
            ..Self::default()
        }
    }

    pub fn failed(path: &Arc<str>, problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            is_last: true,
            ..Self::of(path)
        }
    }

    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or_default()
    }

    pub fn is_consistent(&self) -> bool {
        let numbers = [self.bytes, self.boards, self.warned, self.troubles]
            .into_iter()
            .chain(self.number);
        numbers.into_iter().all(is_count)
            && self.tally.is_consistent()
            && self.passed_over.is_consistent()
            && self.records.iter().all(Record::is_consistent)
    }

    pub fn size(&self) -> u64 {
        self.records.iter().map(Record::size).sum::<usize>() as u64
    }

    /// Numbers the records from `start`, the number of the part's first board.
    pub fn number_from(&mut self, start: u64) {
        for record in &mut self.records {
            record.board = record.board.map(|board| board + start);
        }
    }

    /// Drops the results: the boards count as not judged.
    pub fn discard_results(&mut self) {
        let unjudged = self.tally.boards() + self.tally.unjudged;
        self.tally = Tally::default();
        self.tally.unjudged = unjudged;
        self.records.clear();
        (self.warned, self.troubles) = (0, 0);
    }

    /// Judges the next board, whose reading began at `start`.
    pub fn judge(
        &mut self,
        job: &Job,
        puzzle: &Puzzle,
        (read, start): (Result<(), BoardError>, Option<Instant>),
    ) {
        if job.selection.is_over() || !job.selection.has(self.path(), puzzle.line) {
            self.skip(job, puzzle);
        } else {
            self.add(job, &job.evaluate(puzzle, (read, start)));
        }
    }

    pub fn skip(&mut self, job: &Job, puzzle: &Puzzle) {
        self.tally.unjudged += u64::from(job.selection.has(self.path(), puzzle.line));
        self.boards += 1;
    }

    pub fn add(&mut self, job: &Job, evaluated: &Evaluated) {
        self.tally.count(evaluated);
        let is_interrupted = evaluated.result.as_ref().is_ok_and(Answer::is_interrupted);
        if !(is_interrupted && job.report.skips_interrupted) {
            let record = self.record(job, evaluated);
            self.records.extend(record);
        }
        self.boards += 1;
    }

    fn record(&mut self, job: &Job, evaluated: &Evaluated) -> Option<Record> {
        let report = &job.report;
        let is_printed = job.selection.prints(evaluated);
        let drawn = self.drawn(job, evaluated);
        let (kind, output) = match &evaluated.result {
            _ if !is_printed => Default::default(),
            _ if report.style == Style::Json => (RecordKind::Answer, json::line(evaluated)),
            Ok(answer) => self.output(job, evaluated, answer),
            Err(_) => Default::default(),
        };
        let answer = evaluated.result.as_ref().ok();
        let has_measures = is_printed && answer.is_some_and(|answer| answer.analysis.is_some());
        let is_listed = report.kept != Kept::Printed || has_measures;
        if !is_listed && kind == RecordKind::Nothing && drawn.is_empty() {
            return None;
        }
        let mut record = if is_listed {
            Record::of(evaluated)
        } else {
            Record::default()
        };
        if report.kept == Kept::Pictures && record.has_failed() {
            record.picture = picture::of(&job.options, evaluated);
        }
        if is_listed || report.style != Style::Json {
            record.name = name(evaluated.puzzle);
        }
        Some(Record {
            board: Some(self.boards),
            standing: evaluated.standing,
            output,
            kind,
            drawn,
            ..record
        })
    }

    /// Draws the warnings or the error, unless enough have been printed.
    fn drawn(&mut self, job: &Job, evaluated: &Evaluated) -> String {
        let (selection, report) = (&job.selection, &job.report);
        match &evaluated.result {
            Err(error) => {
                let is_error = evaluated.standing == Standing::Error && selection.prints_errors();
                let is_shown = is_error && self.tally.errors() <= report.max_errors;
                let drawn = is_shown.then(|| report.diagnostics().board(self.path(), error));
                drawn.unwrap_or_default()
            }
            Ok(Answer { warnings, .. }) => {
                if warnings.is_empty() {
                    return String::new();
                }
                self.warned += 1;
                // With `--only`, the warnings of this board may be among the first ones printed.
                let is_early = self.warned <= report.max_errors || !selection.only.is_empty();
                let is_shown = is_early && selection.prints(evaluated);
                let drawn = is_shown.then(|| report.diagnostics().warnings(self.path(), warnings));
                drawn.unwrap_or_default()
            }
        }
    }

    fn output(
        &mut self,
        job: &Job,
        evaluated: &Evaluated,
        answer: &Answer,
    ) -> (RecordKind, Vec<u8>) {
        let (kind, text) = match job.report.style {
            Style::Verdicts => verdict(job, evaluated, answer),
            Style::Troubles => trouble(job, evaluated, answer),
            Style::Json | Style::Measures | Style::Nothing => Default::default(),
        };
        self.troubles += u64::from(kind == RecordKind::Trouble);
        let is_over = kind == RecordKind::Trouble && self.troubles > job.report.max_errors;
        if is_over || kind == RecordKind::Nothing {
            return Default::default();
        }
        (kind, format!("{text}\n").into_bytes())
    }

    pub fn add_problem(&mut self, job: &Job, problem: &Problem) {
        let report = &job.report;
        let (mut record, drawn, object) = match problem {
            Problem::Unreadable(message) => {
                self.tally.unreadable += 1;
                let text = format!("{}: {message}", path_name(Path::new(self.path())));
                let record = Record {
                    faults: vec![Remark::plain(safe(message))],
                    standing: Standing::Error,
                    ..Record::default()
                };
                let drawn = report.diagnostics().plain(&text, None);
                (record, drawn, ErrorJson::plain(message))
            }
            Problem::Board(error) => {
                self.tally.count_error();
                let record = Record {
                    board: Some(self.boards),
                    ..Record::error(error)
                };
                self.boards += 1;
                let drawn = report.diagnostics().board(self.path(), error);
                (record, drawn, ErrorJson::of(error))
            }
        };
        if job.selection.prints_errors() {
            record.drawn = drawn;
            if report.style == Style::Json {
                record.kind = RecordKind::Answer;
                record.output = format!("{}\n", object.object()).into_bytes();
            }
        }
        self.records.push(record);
    }

    /// Adds text that can't be read: as a problem or, at a limit, as an undecided board.
    pub fn add_unread(&mut self, job: &Job, error: BoardError) {
        if error.limit().is_some() {
            self.judge(job, &Puzzle::empty(), (Err(error), None));
        } else {
            self.problem = Some(Problem::Board(error));
        }
    }
}

fn name(puzzle: &Puzzle) -> String {
    let name = puzzle.name().map(Into::into).or_else(|| puzzle.id_text());
    name.map_or_else(String::new, |name| safe(&name))
}

fn legend(answer: &Answer) -> &'static Legend {
    let ruleset = answer.ruleset.and_then(|name| find(known_rulesets(), name));
    &ruleset.expect("a solved board has a ruleset").legend
}

fn verdict(job: &Job, evaluated: &Evaluated, answer: &Answer) -> (RecordKind, String) {
    let mut output = solution(job, evaluated, answer);
    if let Some(explanation) = &answer.explanation {
        output += &explain::text(explanation, legend(answer));
    }
    if let Some(analysis) = &answer.analysis {
        output += &analysis::text(&answer.solution, analysis, legend(answer));
    }
    let kind = if answer.is_interrupted() {
        RecordKind::Interrupted
    } else {
        RecordKind::Answer
    };
    (kind, output)
}

fn solution(job: &Job, evaluated: &Evaluated, answer: &Answer) -> String {
    let style = text::style(evaluated.standing, job.report.colors);
    let output = text::solution(&answer.solution, style);
    if !job.report.statistics {
        return output;
    }
    let statistics = text::statistics(&answer.solution, evaluated.time);
    format!("{output} ({statistics})")
}

fn trouble(job: &Job, evaluated: &Evaluated, answer: &Answer) -> (RecordKind, String) {
    let style = text::style(evaluated.standing, job.report.colors);
    if evaluated.standing == Standing::Mismatched
        && let Some(why) = text::mismatch(answer, style)
    {
        let output = format!("{style}mismatch{style:#}: {why}");
        return (RecordKind::Trouble, output);
    }
    let kind = match answer.solution.verdict() {
        _ if answer.is_interrupted() => {
            let output = text::solution(&answer.solution, style);
            return (RecordKind::Interrupted, output);
        }
        _ if job.report.statistics => RecordKind::Answer,
        Verdict::Undecided => RecordKind::Trouble,
        // These boards were selected with `--only`, so they are printed.
        _ if !job.selection.only.is_empty() => RecordKind::Answer,
        _ => return Default::default(),
    };
    (kind, solution(job, evaluated, answer))
}
