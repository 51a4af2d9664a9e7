//! What a board came to, as reports and tables of measures are made from it.

use std::time::Duration;

use crate::fault::BoardError;
use crate::solution::Evidence;
use serde::{Deserialize, Serialize};

use super::args::rate::Measure;
use super::counts::can_be;
use super::evaluate::{Answer, Evaluated, Standing};
use super::output::measured::{self, Measured};
use super::output::words::safe;
use super::output::{json, text};

/// A board, or a file that can't be read. All its texts are safe to show.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The board's number, from 0; `None` for a file.
    pub board: Option<u64>,
    /// Its name or id; empty if it has none.
    pub name: String,
    /// Its ruleset; empty if that is not known.
    pub ruleset: String,
    /// Its verdict; empty if there is none.
    pub verdict: String,
    /// The moves of an escape, or the steps to the food.
    pub length: Option<u64>,
    /// The probability of escape, where chance has a part.
    pub probability: Option<f64>,
    /// The states looked at.
    pub states: Option<u64>,
    /// The time spent on it, if it was taken.
    pub time: Option<Duration>,
    /// How it counts.
    pub standing: Standing,
    /// Why it is not as it should be; empty if it is.
    pub message: String,
    /// The line and column of an error, from 1.
    pub place: Option<(u64, u64)>,
    /// Its measures, by [`Measure`], where they are wanted.
    pub measures: Vec<Option<Measured>>,
    /// Its JSON object but for the first fields, where that is wanted.
    pub json: Vec<u8>,
}

/// What is kept of each board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing.
    Nothing,
    /// What reports say of it.
    Row,
    /// Its measures.
    Measures,
    /// Its measures and its JSON object.
    Json,
}

impl Record {
    /// Whether its numbers can be those of a board.
    pub fn can_be(&self) -> bool {
        let time = self.time.map(|time| time.as_secs());
        let numbers = [self.board, self.length, self.states, time];
        numbers.into_iter().flatten().all(can_be)
    }

    /// The record of the board with this number.
    pub fn of(board: u64, evaluated: &Evaluated, kept: Kept) -> Self {
        let puzzle = evaluated.puzzle;
        let name = puzzle.name().map(Into::into).or_else(|| puzzle.id_text());
        let row = match &evaluated.result {
            Ok(answer) => Self::answer(answer, evaluated.standing),
            Err(error) => Self::error(error, evaluated.standing),
        };
        Self {
            board: Some(board),
            name: name.map_or_else(String::new, |name| safe(&name)),
            time: evaluated.time,
            measures: match &evaluated.result {
                Ok(answer) if kept != Kept::Row => measured::all(answer),
                _ => Vec::new(),
            },
            json: match kept {
                Kept::Json => json::line(evaluated),
                _ => Vec::new(),
            },
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
        Self {
            ruleset: answer.ruleset.unwrap_or_default().into(),
            verdict: solution.verdict().word().into(),
            length: length(&solution.evidence),
            probability: solution.evidence.probability(),
            states: Some(solution.states),
            message: message.unwrap_or_default(),
            ..Self::file(standing)
        }
    }

    /// The record of a part of a file that takes the place of this board.
    pub fn no_board(error: &BoardError, board: u64) -> Self {
        Self {
            board: Some(board),
            ..Self::error(error, Standing::Error)
        }
    }

    /// The record of a file that can't be read.
    pub fn unreadable(message: &str) -> Self {
        Self {
            message: safe(message),
            ..Self::file(Standing::Error)
        }
    }

    fn error(error: &BoardError, standing: Standing) -> Self {
        let fault = error.first();
        Self {
            message: safe(&fault.kind.in_full()),
            place: Some((fault.place.line, fault.place.column)),
            ..Self::file(standing)
        }
    }

    const fn file(standing: Standing) -> Self {
        Self {
            board: None,
            name: String::new(),
            ruleset: String::new(),
            verdict: String::new(),
            length: None,
            probability: None,
            states: None,
            time: None,
            standing,
            message: String::new(),
            place: None,
            measures: Vec::new(),
            json: Vec::new(),
        }
    }

    /// How much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        let texts = [&self.name, &self.ruleset, &self.verdict, &self.message];
        let texts = texts.map(String::capacity).iter().sum::<usize>() + self.json.capacity();
        size_of::<Self>() + texts + self.measures.capacity() * size_of::<Option<Measured>>()
    }

    /// The value of a measure, if it has one.
    pub fn measured(&self, measure: Measure) -> Option<Measured> {
        self.measures.get(measure as usize).copied().flatten()
    }

    /// `as expected`, `mismatch`, `undecided`, ...
    pub const fn result(&self) -> &'static str {
        match self.standing {
            Standing::AsExpected => "as expected",
            Standing::Mismatched => "mismatch",
            Standing::NotExpected => "without expectation",
            Standing::Undecided => "undecided",
            Standing::Error => "error",
        }
    }

    /// Whether it is listed among what failed.
    pub const fn has_failed(&self) -> bool {
        !matches!(self.standing, Standing::AsExpected | Standing::NotExpected)
    }

    /// The number from 1, or `file`.
    pub fn number(&self) -> String {
        self.board
            .map_or_else(|| "file".into(), |board| (board + 1).to_string())
    }

    /// The message with the place of an error in front.
    pub fn told(&self) -> String {
        match self.place {
            Some((line, column)) => format!("line {line}, column {column}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

fn length(evidence: &Evidence) -> Option<u64> {
    match evidence {
        Evidence::Line(line) => Some(line.len() as u64),
        Evidence::Direction { steps, .. } => steps.len().checked_sub(1).map(|steps| steps as u64),
        _ => None,
    }
}
