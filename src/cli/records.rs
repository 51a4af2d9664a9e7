//! What the boards of a piece of a file came to, written down by a worker for the printer.

use std::borrow::Cow;
use std::time::Instant;

use crate::fault::BoardError;
use crate::limits::Limit;
use crate::puzzle::Puzzle;
use crate::solution::Verdict;
use serde::{Deserialize, Serialize};

use super::counts::can_be;
use super::evaluate::{Answer, Evaluated, Standing, evaluate};
use super::exit::Tally;
use super::options::{Options, Share};
use super::output::diagnostic::{Colors, Diagnostics};
use super::output::json::ErrorJson;
use super::output::words::safe;
use super::output::{analysis, explain, json, text};
use super::record::{Kept, Record};
use super::selection::Selection;

/// What is printed of boards, and how.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is printed of each board.
    pub style: Style,
    /// Whether times are taken and printed.
    pub timing: Timing,
    /// Whether statistics are printed with each verdict.
    pub statistics: bool,
    /// What is said of a board that an interrupt left undecided.
    pub interrupted: Interrupted,
    /// At most so many errors, and so many mismatches, are printed in a run.
    pub max_errors: u64,
    /// The colours of standard output.
    pub colors: Colors,
    /// How errors are drawn.
    pub diagnostics: Diagnostics,
    /// What is kept of each board, for reports or a table.
    pub kept: Kept,
}

/// What is printed of each board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line with the verdict.
    Verdicts,
    /// A line for what is not as it should be: a missed expectation, an undecided board.
    Troubles,
    /// A JSON object.
    Json,
    /// Nothing yet: it is kept to be sorted or aligned.
    Ratings,
    /// Nothing.
    Nothing,
}

/// What is said of a board that an interrupt left undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// That it is.
    Told,
    /// Nothing: it is decided anew.
    PassedOver,
}

/// Whether times are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// They are.
    On,
    /// They are not, so that the output is reproducible.
    Off,
}

impl Report {
    /// Whether the time of each board is taken.
    pub fn takes_time(&self) -> bool {
        let is_json = self.style == Style::Json || self.kept == Kept::Json;
        self.timing == Timing::On && (is_json || self.statistics || self.kept == Kept::Row)
    }
}

/// What a piece of a file came to: what is to be printed of its boards, in their order.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Records {
    /// For standard output, without the boards' addresses.
    bytes: Vec<u8>,
    items: Vec<Item>,
    /// How many boards there were.
    pub boards: u64,
    /// For standard error: the first errors, each drawn.
    pub errors: Vec<String>,
    /// And the warnings about the first boards that have any.
    pub warnings: Vec<String>,
    /// How many boards have any.
    pub warned: u64,
    /// The counts.
    pub tally: Tally,
    /// How many boards had a trouble; only so many are written down.
    pub troubles: u64,
    /// What is kept of each board.
    pub kept: Vec<Record>,
    /// What came before the last failure, up to each: after any of them the run may be over.
    #[serde(skip)]
    pub earlier: Vec<Records>,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// It can't be read.
    Unreadable(String),
    /// A part of it can't be a board.
    Board(BoardError),
}

/// Where the text of one board is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Item {
    kind: Kind,
    /// The board's number in the piece.
    board: u64,
    /// The end of the board's name, and of what comes after it.
    name: usize,
    end: usize,
}

/// What a text is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A board's answer.
    Answer,
    /// A trouble, of which only so many are printed.
    Trouble,
    /// A board that an interrupt left undecided.
    Interrupted,
}

/// The text of one board.
#[derive(Clone, Debug)]
pub struct Text<'r> {
    /// What it is about.
    pub kind: Kind,
    /// The board's number in the piece, from 0.
    pub board: u64,
    /// The board's name or id, safe to show; empty if it has none.
    pub name: Cow<'r, [u8]>,
    /// What is to be said of it, with the line end.
    pub said: Cow<'r, [u8]>,
}

impl Text<'_> {
    /// The same, to be kept.
    pub fn into_owned(self) -> Text<'static> {
        Text {
            kind: self.kind,
            board: self.board,
            name: self.name.into_owned().into(),
            said: self.said.into_owned().into(),
        }
    }
}

/// How boards are evaluated, and written down.
#[derive(Clone, Debug)]
pub struct Job {
    /// How they are read and searched.
    pub options: Options,
    /// What a search may use.
    pub share: Share,
    /// What is printed.
    pub report: Report,
    /// Which boards are judged, and which are printed.
    pub selection: Selection,
}

impl Job {
    /// Whether small boards without headers can be answered at once.
    pub fn are_plain(&self) -> bool {
        self.options.are_plain() && self.selection.judges_all()
    }
}

impl Records {
    /// The texts, in the order of the boards.
    pub fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        let starts = std::iter::once(0).chain(self.items.iter().map(|item| item.end));
        starts.zip(&self.items).map(|(start, item)| Text {
            kind: item.kind,
            board: item.board,
            name: self.bytes[start..item.name].into(),
            said: self.bytes[item.name..item.end].into(),
        })
    }

    /// Whether its numbers can be those of a piece of a file.
    pub fn can_be(&self) -> bool {
        let counts = [self.boards, self.warned, self.troubles];
        let ends = self.items.iter().flat_map(|item| [item.name, item.end]);
        ends.chain([self.bytes.len()]).is_sorted()
            && self.items.iter().all(|item| item.board <= self.boards)
            && counts.into_iter().all(can_be)
            && self.tally.can_be()
            && self.kept.iter().all(Record::can_be)
    }

    /// The same boards, none of them judged.
    pub fn unjudged(self) -> Self {
        let mut unjudged = Self {
            boards: self.boards,
            ..Self::default()
        };
        unjudged.tally.unjudged = self.tally.boards() + self.tally.unjudged;
        unjudged
    }

    /// Adds what the boards right after these came to, of which none may end the run.
    pub fn append(&mut self, next: Self) {
        let (start, boards) = (self.bytes.len(), self.boards);
        self.bytes.extend(next.bytes);
        self.items.extend(next.items.into_iter().map(|item| Item {
            board: item.board + boards,
            name: item.name + start,
            end: item.end + start,
            ..item
        }));
        self.boards += next.boards;
        self.errors.extend(next.errors);
        self.warnings.extend(next.warnings);
        self.warned += next.warned;
        self.tally.add(&next.tally);
        self.troubles += next.troubles;
        for mut record in next.kept {
            record.board = record.board.map(|board| board + boards);
            self.kept.push(record);
        }
    }

    /// How much memory they take, in bytes.
    pub fn size(&self) -> u64 {
        let drawn = self.errors.iter().chain(&self.warnings);
        let drawn: usize = drawn.map(String::capacity).sum();
        let items = self.items.capacity() * size_of::<Item>();
        let kept: usize = self.kept.iter().map(Record::size).sum();
        let earlier: u64 = self.earlier.iter().map(Self::size).sum();
        earlier + (self.bytes.capacity() + items + drawn + kept) as u64
    }

    /// Evaluates a board that was read, or failed to be, from `start` on.
    pub fn board(
        &mut self,
        job: &Job,
        path: &str,
        puzzle: &Puzzle,
        read: (Result<(), BoardError>, Option<Instant>),
    ) {
        let selection = &job.selection;
        if !selection.has(path, puzzle.line) {
            self.boards += 1;
            return;
        }
        if self.is_over(selection) {
            self.boards += 1;
            self.tally.unjudged += 1;
            return;
        }
        let evaluated = evaluate(&job.options, puzzle, read);
        self.take_down(job, path, &evaluated);
        if selection.max_fail.is_some() && self.tally.failures() > 0 {
            let mut earlier = std::mem::take(&mut self.earlier);
            earlier.push(std::mem::take(self));
            self.earlier = earlier;
        }
    }

    /// Counts a board that was evaluated, and writes down what is to be told of it.
    pub fn take_down(&mut self, job: &Job, path: &str, evaluated: &Evaluated) {
        self.tally.count(evaluated);
        self.tell(job, path, evaluated);
        self.boards += 1;
    }

    /// Writes down what is to be told of a board.
    fn tell(&mut self, job: &Job, path: &str, evaluated: &Evaluated) {
        let is_interrupted = evaluated.result.as_ref().is_ok_and(Answer::is_interrupted);
        if is_interrupted && job.report.interrupted == Interrupted::PassedOver {
            return;
        }
        self.draw(job, path, evaluated);
        if job.selection.prints(evaluated) {
            self.write(job, evaluated);
        }
        if job.report.kept == Kept::Row {
            self.keep(evaluated, Kept::Row);
        }
    }

    /// Takes down what is wrong with a file after these boards, or with a part of it that takes the place of a board.
    pub fn problem(&mut self, job: &Job, path: &str, problem: &Problem) {
        let report = &job.report;
        let (record, drawn, error) = match problem {
            Problem::Unreadable(message) => {
                self.tally.unreadable += 1;
                let text = format!("{}: {message}", safe(path));
                let drawn = report.diagnostics.plain(&text, None);
                (
                    Record::unreadable(message),
                    drawn,
                    ErrorJson::plain(message),
                )
            }
            Problem::Board(error) => {
                self.tally.count_error();
                let record = Record::no_board(error, self.boards);
                let drawn = report.diagnostics.board(path, error);
                (record, drawn, ErrorJson::of(error))
            }
        };
        let prints = job.selection.prints_errors();
        match report.kept {
            Kept::Row => self.kept.push(record),
            Kept::Json if prints => self.kept.push(Record {
                board: Some(self.boards),
                json: format!("{}\n", error.object()).into_bytes(),
                ..record
            }),
            _ => {}
        }
        if prints {
            self.errors.push(drawn);
        }
        if prints && report.style == Style::Json {
            self.push_json(|out| out.extend_from_slice(error.object().as_bytes()));
        }
        self.boards += u64::from(matches!(problem, Problem::Board(_)));
    }

    /// Whether nothing more is judged: each of those before had a failure.
    fn is_over(&self, selection: &Selection) -> bool {
        let most = selection.max_fail;
        most.is_some_and(|most| self.earlier.len() as u64 >= most) || selection.is_over()
    }

    fn write(&mut self, job: &Job, evaluated: &Evaluated) {
        let report = &job.report;
        match (report.style, &evaluated.result) {
            (Style::Json, _) => self.push_json(|out| json::json(evaluated, out)),
            (Style::Ratings, Ok(answer)) if !is_cut_short(answer) => {
                self.keep(evaluated, report.kept);
            }
            (Style::Ratings, Err(_)) if report.kept == Kept::Json => {
                self.keep(evaluated, Kept::Json);
            }
            (Style::Verdicts, Ok(answer)) => self.write_verdict(report, evaluated, answer),
            (Style::Troubles, Ok(answer)) => self.write_trouble(job, evaluated, answer),
            _ => {}
        }
    }

    fn keep(&mut self, evaluated: &Evaluated, kept: Kept) {
        self.kept.push(Record::of(self.boards, evaluated, kept));
    }

    /// Draws what is wrong or odd about a board, unless it is not to be printed or enough of that has been
    /// drawn.
    fn draw(&mut self, job: &Job, path: &str, evaluated: &Evaluated) {
        let Job {
            report, selection, ..
        } = job;
        let diagnostics = &report.diagnostics;
        match (evaluated.standing, &evaluated.result) {
            (Standing::Error, Err(error))
                if is_below(&self.errors, report) && selection.prints_errors() =>
            {
                self.errors.push(diagnostics.board(path, error));
            }
            (_, Ok(Answer { warnings, .. })) if !warnings.is_empty() => {
                self.warned += 1;
                if is_below(&self.warnings, report) && selection.prints(evaluated) {
                    self.warnings.push(diagnostics.warnings(path, warnings));
                }
            }
            _ => {}
        }
    }

    /// The path and number of a board stand in front of its JSON.
    fn push_json(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let name = self.bytes.len();
        write(&mut self.bytes);
        self.bytes.push(b'\n');
        self.items.push(Item {
            kind: Kind::Answer,
            board: self.boards,
            name,
            end: self.bytes.len(),
        });
    }

    fn write_verdict(&mut self, report: &Report, evaluated: &Evaluated, answer: &Answer) {
        let kind = if answer.is_interrupted() {
            Kind::Interrupted
        } else {
            Kind::Answer
        };
        let mut said = text::solution(&answer.solution, style(report, evaluated));
        if report.statistics {
            let statistics = text::statistics(&answer.solution, evaluated.time);
            said = format!("{said} ({statistics})");
        }
        if let Some(explanation) = &answer.explanation {
            said += &explain::text(explanation);
        }
        if let Some(analysed) = &answer.analysed {
            said += &analysis::text(&answer.solution, analysed);
        }
        self.push(kind, evaluated, &said);
    }

    fn write_trouble(&mut self, job: &Job, evaluated: &Evaluated, answer: &Answer) {
        let report = &job.report;
        let Some((kind, said)) = trouble(job, evaluated, answer) else {
            return;
        };
        if kind == Kind::Trouble {
            self.troubles += 1;
            if self.troubles > report.max_errors {
                return;
            }
        }
        self.push(kind, evaluated, &said);
    }

    fn push(&mut self, kind: Kind, evaluated: &Evaluated, said: &str) {
        let puzzle = evaluated.puzzle;
        // A board without a name goes by its id.
        if let Some(name) = puzzle.name().map(Into::into).or_else(|| puzzle.id_text()) {
            self.bytes.extend_from_slice(safe(&name).as_bytes());
        }
        let name = self.bytes.len();
        self.bytes.extend_from_slice(said.as_bytes());
        self.bytes.push(b'\n');
        self.items.push(Item {
            kind,
            board: self.boards,
            name,
            end: self.bytes.len(),
        });
    }
}

/// Whether an interrupt cut the search or the analysis short.
fn is_cut_short(answer: &Answer) -> bool {
    answer.solution.limit() == Some(Limit::Interrupt)
}

fn is_below(drawn: &[String], report: &Report) -> bool {
    (drawn.len() as u64) < report.max_errors
}

fn style(report: &Report, evaluated: &Evaluated) -> anstyle::Style {
    text::style(evaluated.standing, report.colors)
}

/// What `check` says of a board, if anything.
fn trouble(job: &Job, evaluated: &Evaluated, answer: &Answer) -> Option<(Kind, String)> {
    let Job {
        report, selection, ..
    } = job;
    let style = style(report, evaluated);
    let solution = || text::solution(&answer.solution, style);
    if evaluated.standing == Standing::Mismatched
        && let Some(why) = text::mismatch(answer, style)
    {
        return Some((Kind::Trouble, format!("{style}mismatch{style:#}: {why}")));
    }
    match answer.solution.verdict() {
        _ if answer.is_interrupted() => Some((Kind::Interrupted, solution())),
        _ if report.statistics => {
            let statistics = text::statistics(&answer.solution, evaluated.time);
            Some((Kind::Answer, format!("{} ({statistics})", solution())))
        }
        Verdict::Undecided => Some((Kind::Trouble, solution())),
        // Who asks for some boards wants to see them.
        _ if !selection.only.is_empty() => Some((Kind::Answer, solution())),
        _ => None,
    }
}
