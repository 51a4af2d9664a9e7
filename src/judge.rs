//! One board after the other: read, decide, compare, and write down for the output.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use getaway::engine::Limits;
use getaway::engine::search::Order;
use getaway::expect::{Expectation, refuted_moves};
use getaway::fault::{BoardError, FaultKind};
use getaway::game::Verdict;
use getaway::puzzle::{Format, Puzzle, json, text};
use getaway::rulesets::{self, Entry, RULESETS};

use crate::diagnostic::{Colors, Diagnostics};
use crate::exit::Tally;
use crate::report::{self, Answer, Judged};

/// What is to be done with boards, and how it is to be printed.
#[derive(Clone, Debug)]
pub struct Job {
    /// The ruleset that all boards are read by, if one was asked for.
    pub ruleset: Option<&'static Entry>,
    /// How to search.
    pub order: Order,
    /// The most states of a board.
    pub max_states: Option<u64>,
    /// The most bytes of memory for all searches together.
    pub max_memory: u64,
    /// How many searches there can be at once; they share the memory.
    pub workers: usize,
    /// The most time for a board.
    pub timeout: Option<Duration>,
    /// Set when everything is to stop.
    pub stop: Arc<AtomicBool>,
    /// How many threads there are for a single search.
    pub threads: usize,
    /// What is printed of each board.
    pub style: Style,
    /// Whether times are taken and printed.
    pub timing: Timing,
    /// Whether statistics are printed with each verdict.
    pub statistics: bool,
    /// The colours of standard output.
    pub colors: Colors,
    /// How errors are drawn.
    pub diagnostics: Diagnostics,
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
    /// Nothing.
    Nothing,
}

/// Whether times are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// They are.
    On,
    /// They are not, so that the output is reproducible.
    Off,
}

impl Job {
    /// The limits of a search that begins now.
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            max_states: self.max_states,
            max_memory: Some(self.max_memory / self.workers as u64),
            deadline: self
                .timeout
                .and_then(|timeout| Instant::now().checked_add(timeout)),
            stop: Some(&self.stop),
            threads: self.threads,
        }
    }

    /// The ruleset of a board.
    pub fn entry(&self, puzzle: &Puzzle) -> Result<&'static Entry, BoardError> {
        match self.ruleset {
            Some(entry) => Ok(entry),
            None => rulesets::of_board(RULESETS, puzzle),
        }
    }

    fn answer(&self, puzzle: &Puzzle) -> Result<Answer, BoardError> {
        let entry = self.entry(puzzle)?;
        let game = (entry.read)(puzzle)?;
        let unsolvable = |why| puzzle.fault(puzzle.place(), FaultKind::Unsolvable(why));
        game.solvable().map_err(unsolvable)?;
        let expect = Expectation::of(puzzle)?.or_else(|| game.expectation());
        let solution = game.solve(self.order, &self.limits());
        // What the search left of its time does not matter here.
        let refuted = refuted_moves(puzzle, &*game, expect, &self.limits())?;
        Ok(Answer {
            ruleset: entry.name,
            solution,
            expect,
            refuted,
        })
    }

    fn takes_time(&self) -> bool {
        self.timing == Timing::On && (self.style == Style::Json || self.statistics)
    }
}

/// Whether a board was refused as none to solve, and its header expects just that.
fn is_refusal_expected(puzzle: &Puzzle, error: &BoardError) -> bool {
    matches!(error.first().kind, FaultKind::Unsolvable(_))
        && Expectation::of(puzzle) == Ok(Some(Expectation::Refusal))
}

/// What a piece of a file came to: what is to be printed of its boards, in their order.
#[derive(Debug, Default)]
pub struct Records {
    /// For standard output, without the boards' names and numbers.
    bytes: Vec<u8>,
    items: Vec<Item>,
    /// How many boards there were.
    pub boards: u64,
    /// For standard error.
    pub errors: String,
    /// The counts.
    pub tally: Tally,
}

/// Where the text of one board is.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// The board's number in the piece.
    board: u64,
    /// The end of what comes before the name or number, and of what comes after it.
    head: usize,
    end: usize,
}

/// The text of one board: what comes before and after its name or number.
#[derive(Clone, Copy, Debug)]
pub struct Text<'r> {
    /// The board's number in the piece.
    pub board: u64,
    /// What comes before.
    pub head: &'r [u8],
    /// What comes after.
    pub tail: &'r [u8],
}

impl Records {
    /// The texts, in the order of the boards.
    pub fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        let starts = std::iter::once(0).chain(self.items.iter().map(|item| item.end));
        starts.zip(&self.items).map(|(start, item)| Text {
            board: item.board,
            head: &self.bytes[start..item.head],
            tail: &self.bytes[item.head..item.end],
        })
    }

    /// Judges all boards of a text whose first line has the number `line`.
    pub fn judge(&mut self, job: &Job, path: &str, (text, line, format): (&[u8], u64, Format)) {
        match format {
            Format::Text => self.judge_text(job, path, (text, line)),
            Format::JsonLines => self.judge_json(job, path, (text, line)),
        }
    }

    fn judge_text(&mut self, job: &Job, path: &str, (text, line): (&[u8], u64)) {
        let mut boards = text::Boards::new(text, line);
        let mut puzzle = Puzzle::empty();
        loop {
            let start = job.takes_time().then(Instant::now);
            match boards.read(&mut puzzle) {
                Ok(false) => break,
                Ok(true) => self.board(job, path, &puzzle, (Ok(()), start)),
                Err(error) => self.board(job, path, &puzzle, (Err(error), start)),
            }
        }
    }

    fn judge_json(&mut self, job: &Job, path: &str, (text, mut line): (&[u8], u64)) {
        let mut puzzle = Puzzle::empty();
        for row in text.split(|&byte| byte == b'\n') {
            let start = job.takes_time().then(Instant::now);
            match json::read_line(row.strip_suffix(b"\r").unwrap_or(row), line, &mut puzzle) {
                Ok(false) => {}
                Ok(true) => self.board(job, path, &puzzle, (Ok(()), start)),
                Err(error) => self.board(job, path, &puzzle, (Err(error), start)),
            }
            line += 1;
        }
    }

    fn board(
        &mut self,
        job: &Job,
        path: &str,
        puzzle: &Puzzle,
        (read, start): (Result<(), BoardError>, Option<Instant>),
    ) {
        let result = read.and_then(|()| job.answer(puzzle));
        let time = start.map(|start| start.elapsed());
        let judged = Judged {
            name: puzzle.name(),
            id: puzzle.id,
            is_refusal_expected: matches!(&result, Err(error) if is_refusal_expected(puzzle, error)),
            result,
            time,
        };
        self.count(&judged);
        self.write(job, path, &judged);
        self.boards += 1;
    }

    fn count(&mut self, judged: &Judged) {
        match &judged.result {
            Err(_) if judged.is_refusal_expected => self.tally.as_expected += 1,
            Err(_) => self.tally.errors += 1,
            Ok(answer) => {
                self.tally.count(answer.solution.verdict);
                self.tally.states += answer.solution.states;
                match answer.is_ok() {
                    Some(true) => self.tally.as_expected += 1,
                    Some(false) => self.tally.mismatches += 1,
                    None => {}
                }
            }
        }
    }

    fn write(&mut self, job: &Job, path: &str, judged: &Judged) {
        if let Err(error) = &judged.result
            && !judged.is_refusal_expected
        {
            self.errors.push_str(&job.diagnostics.board(path, error));
        }
        match (job.style, &judged.result) {
            (Style::Json, _) => {
                // Its path and number stand in front of everything.
                let head = self.bytes.len();
                report::json(judged, &mut self.bytes);
                self.bytes.push(b'\n');
                self.items.push(Item {
                    board: self.boards,
                    head,
                    end: self.bytes.len(),
                });
            }
            (Style::Verdicts, Ok(answer)) => self.write_verdict(job, judged, answer),
            (Style::Troubles, Ok(answer)) => self.write_trouble(job, judged, answer),
            _ => {}
        }
    }

    fn write_verdict(&mut self, job: &Job, judged: &Judged, answer: &Answer) {
        let mut text = report::solution(&answer.solution, job.colors);
        if job.statistics {
            let statistics = report::statistics(&answer.solution, judged.time);
            text = format!("{text} ({statistics})");
        }
        // A board without a name goes by its id.
        let name = judged.name.or(judged.id.map(|id| id.trim_matches('"')));
        self.push(&name.map(report::safe).unwrap_or_default(), &text);
    }

    fn write_trouble(&mut self, job: &Job, judged: &Judged, answer: &Answer) {
        let solution = report::solution(&answer.solution, job.colors);
        let trouble = match (answer.is_ok(), &answer.refuted, answer.expect) {
            (Some(false), Some(refuted), _) => format!("mismatch, {}", report::safe(refuted)),
            (Some(false), None, Some(expect)) => format!("mismatch, expected {expect}: {solution}"),
            _ if job.statistics => {
                let statistics = report::statistics(&answer.solution, judged.time);
                format!("{solution} ({statistics})")
            }
            _ if answer.solution.verdict == Verdict::Undecided => solution,
            _ => return,
        };
        let name = judged.name.map(|name| format!(" ({})", report::safe(name)));
        self.push("", &format!("{}: {trouble}", name.unwrap_or_default()));
    }

    fn push(&mut self, head: &str, tail: &str) {
        self.bytes.extend_from_slice(head.as_bytes());
        let head = self.bytes.len();
        self.bytes.extend_from_slice(tail.as_bytes());
        self.bytes.push(b'\n');
        self.items.push(Item {
            board: self.boards,
            head,
            end: self.bytes.len(),
        });
    }
}
