//! A board's answer as JSON.

use getaway::expect::Expectation;
use getaway::fault::{BoardError, Fault};
use getaway::limits::Limit;
use getaway::solution::{Evidence, Simulated};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{analysis, explain};

use crate::cli::batch::Problem;
use crate::cli::evaluate::{Answer, Evaluated, Standing};

/// The JSON object of a board, without its first fields `path` and `board`; it begins with a comma.
pub fn json(evaluated: &Evaluated, out: &mut Vec<u8>) {
    let start = out.len();
    serde_json::to_writer(&mut *out, &Json::of(evaluated))
        .expect("an answer can be written as JSON");
    // The object's own brace gives way to the comma after the fields in front.
    out[start] = b',';
    if let Ok(Answer {
        solution,
        analysed: Some(analysed),
        ..
    }) = &evaluated.result
    {
        append(&analysis::fields(solution, analysed), out);
    }
}

/// Adds fields to the object that was written last.
fn append(fields: &Map<String, Value>, out: &mut Vec<u8>) {
    if fields.is_empty() {
        return;
    }
    let end = out.pop();
    debug_assert_eq!(end, Some(b'}'));
    let start = out.len();
    serde_json::to_writer(&mut *out, fields).expect("fields can be written as JSON");
    out[start] = b',';
}

#[derive(Default, Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruleset: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Moves<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    survives: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a [(u32, u32)]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<SimulatedJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    micros: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expect: Option<ExpectJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refuted: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
}

impl<'a> Json<'a> {
    fn of(evaluated: &'a Evaluated) -> Self {
        let json = match &evaluated.result {
            Ok(answer) => Self::answer(answer),
            Err(error) => Self::error(error, evaluated.standing == Standing::AsExpected),
        };
        Self {
            id: evaluated
                .puzzle
                .id
                .and_then(|id| serde_json::from_str(id).ok()),
            name: evaluated.puzzle.name(),
            micros: evaluated.time.map(|time| time.as_micros() as u64),
            ..json
        }
    }

    fn error(error: &BoardError, is_expected: bool) -> Self {
        Self {
            expect: is_expected.then_some(ExpectJson(Expectation::Refusal)),
            ok: is_expected.then_some(true),
            error: Some(ErrorJson::of(error)),
            ..Self::default()
        }
    }

    fn answer(answer: &'a Answer) -> Self {
        let Answer {
            ruleset,
            solution,
            expect,
            refuted,
            warnings,
            explanation,
            analysed: _,
        } = answer;
        let json = Self {
            ruleset: *ruleset,
            verdict: Some(solution.verdict.word()),
            states: Some(solution.states),
            limit: solution.limit.map(Limit::word),
            expect: expect.map(ExpectJson),
            ok: answer.is_ok(),
            refuted: refuted.as_deref(),
            warnings: warnings.iter().map(in_words).collect(),
            explanation: explanation.as_deref().map(explain::json),
            ..Self::default()
        };
        match &solution.evidence {
            Evidence::None => json,
            Evidence::Line(line) => Self {
                moves: Some(Moves(line)),
                length: Some(line.len()),
                ..json
            },
            Evidence::Survives(survives) => Self {
                survives: *survives,
                ..json
            },
            Evidence::Direction { direction, steps } => Self {
                direction: Some(*direction),
                steps: (!steps.is_empty()).then_some(steps),
                ..json
            },
            Evidence::Chance {
                lower,
                upper,
                certain,
                simulated,
                ..
            } => Self {
                probability: solution.evidence.probability(),
                bounds: Some([*lower, *upper]),
                certain: Some(*certain),
                simulated: simulated.as_ref().map(SimulatedJson::of),
                ..json
            },
        }
    }
}

/// What a policy reached in games, which no bound rests on.
#[derive(Serialize)]
struct SimulatedJson {
    escaped: u64,
    games: u64,
    seed: u64,
    /// At 95 %.
    interval: [f64; 2],
}

impl SimulatedJson {
    fn of(simulated: &Simulated) -> Self {
        Self {
            escaped: simulated.escaped,
            games: simulated.games,
            seed: simulated.seed,
            interval: simulated.interval(),
        }
    }
}

/// A warning in one line, with its place and what to do about it.
fn in_words(warning: &Fault) -> String {
    let Fault { place, kind, .. } = warning;
    let (line, column) = (place.line, place.column);
    format!("line {line}, column {column}: {}", kind.in_full())
}

/// A line of play as an array, a string for each move.
struct Moves<'a>(&'a str);

impl Serialize for Moves<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.chars().map(Letter))
    }
}

struct Letter(char);

impl Serialize for Letter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0)
    }
}

struct ExpectJson(Expectation);

impl Serialize for ExpectJson {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Expectation::Verdict(verdict) => serializer.serialize_str(verdict.word()),
            Expectation::Direction(direction) => serializer.serialize_i8(direction),
            Expectation::Refusal => serializer.serialize_str(Expectation::REFUSAL),
        }
    }
}

/// What was wrong, as in `{"message", "line", "column"}`; `faults` holds them all.
#[derive(Serialize)]
pub struct ErrorJson {
    message: String,
    line: Option<u64>,
    column: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<ErrorJson>,
}

impl ErrorJson {
    /// The JSON for a board's faults: the first, and all of them where there are several.
    pub fn of(error: &BoardError) -> Self {
        let one = |fault: &getaway::fault::Fault| Self {
            message: fault.kind.in_full(),
            line: Some(fault.place.line),
            column: Some(fault.place.column),
            faults: Vec::new(),
        };
        let all: Vec<_> = match error.faults.as_slice() {
            [_] => Vec::new(),
            faults => faults.iter().map(one).collect(),
        };
        Self {
            faults: all,
            ..one(error.first())
        }
    }

    /// The JSON for what is wrong with a file.
    pub fn of_problem(problem: &Problem) -> Self {
        match problem {
            Problem::Unreadable(message) => Self::plain(message.clone()),
            Problem::Board(error) => Self::of(error),
        }
    }

    /// The JSON for an error without a place.
    pub const fn plain(message: String) -> Self {
        Self {
            message,
            line: None,
            column: None,
            faults: Vec::new(),
        }
    }
}
