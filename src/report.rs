//! A board's answer as text and as JSON.

use std::fmt::{Display, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use getaway::engine::Limit;
use getaway::expect::Expectation;
use getaway::fault::{BoardError, Fault};
use getaway::game::{Evidence, Solution, Verdict};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::diagnostic::Colors;

/// What became of a board.
#[derive(Debug)]
pub struct Judged<'a> {
    /// Its name, from the header.
    pub name: Option<&'a str>,
    /// Its `id`, as raw JSON.
    pub id: Option<&'a str>,
    /// The answer, or what was wrong with the board.
    pub result: Result<Answer, BoardError>,
    /// Whether the board is none to solve, and its header expects just that.
    pub is_refusal_expected: bool,
    /// The time spent on it, if it was taken.
    pub time: Option<Duration>,
}

/// A board's answer.
#[derive(Debug)]
pub struct Answer {
    /// The name of its ruleset.
    pub ruleset: &'static str,
    /// The solution.
    pub solution: Solution,
    /// What was expected.
    pub expect: Option<Expectation>,
    /// Why the line of play in its header is wrong, if it is.
    pub refuted: Option<String>,
    /// What is odd about its headers.
    pub warnings: Vec<Fault>,
}

impl Answer {
    /// Whether what was expected holds; `None` if nothing was, or nobody knows.
    pub fn is_ok(&self) -> Option<bool> {
        if self.refuted.is_some() {
            return Some(false);
        }
        self.expect.and_then(|expect| expect.holds(&self.solution))
    }
}

/// The colour of a verdict.
pub fn style(verdict: Verdict, colors: Colors) -> Style {
    let color = match verdict {
        Verdict::Escape | Verdict::Food => AnsiColor::Green,
        Verdict::Caught | Verdict::NoFood => AnsiColor::Red,
        Verdict::Undecided => AnsiColor::Yellow,
    };
    match colors {
        Colors::On => color.on_default().bold(),
        Colors::Off => Style::new(),
    }
}

/// The text of a solution; it begins with the verdict.
pub fn solution(solution: &Solution, colors: Colors) -> String {
    let style = style(solution.verdict, colors);
    let mut text = format!("{style}{}{style:#}", solution.verdict);
    match &solution.evidence {
        Evidence::None => {}
        Evidence::Line(line) => push(&mut text, way_out(line)),
        Evidence::Survives(Some(true)) => push(&mut text, ", but the hero can survive for ever"),
        Evidence::Survives(Some(false)) => push(&mut text, ", and the hero can't survive"),
        Evidence::Survives(None) => push(&mut text, ", survival undecided"),
        Evidence::Direction { direction, steps } => {
            push(&mut text, next_move(*direction, steps.len()));
        }
        Evidence::Chance {
            lower,
            upper,
            certain,
        } => {
            push(&mut text, chance(*lower, *upper, *certain));
        }
    }
    if let Some(limit) = solution.limit {
        push(
            &mut text,
            format_args!(": {limit} after {}", count(solution.states, "state")),
        );
    }
    text
}

fn push(text: &mut String, more: impl Display) {
    write!(text, "{more}").expect("writing to a string does not fail");
}

fn way_out(line: &str) -> String {
    match line.len() {
        0 => " in 0 moves".into(),
        turns => format!(" in {}: {line}", count(turns as u64, "move")),
    }
}

fn next_move(direction: i8, cells: usize) -> String {
    let name = match direction {
        0 => "up",
        1 => "right",
        2 => "down",
        3 => "left",
        _ => "nowhere to go",
    };
    match cells {
        0 => format!(", direction {direction} ({name})"),
        _ => format!(
            " in {}, direction {direction} ({name})",
            count(cells as u64 - 1, "step")
        ),
    }
}

fn chance(lower: f64, upper: f64, certain: bool) -> String {
    let middle = f64::midpoint(lower, upper);
    match certain {
        true => ", certain".into(),
        // There is no chance at all.
        false if upper == 0.0 => String::new(),
        false if upper - lower > 1e-6 => format!(", probability {lower:.6} to {upper:.6}"),
        false if middle > 1.0 - 5e-7 => ", probability 1, though not certain".into(),
        false => format!(", probability {middle:.6}"),
    }
}

/// `3 moves`, `1 move`; with commas in large numbers.
pub fn count(number: u64, what: &str) -> String {
    format!(
        "{} {what}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

/// A number with a comma after each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The statistics of a search: the states looked at, the time, and how far a probability is known.
pub fn statistics(solution: &Solution, time: Option<Duration>) -> String {
    let mut text = count(solution.states, "state");
    if let Some(time) = time {
        push(&mut text, format_args!(", {}", duration(time)));
    }
    if let Evidence::Chance { lower, upper, .. } = solution.evidence {
        push(
            &mut text,
            format_args!(", probability from {lower:.9} to {upper:.9}"),
        );
    }
    text
}

/// A time as people say it.
pub fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} us", s * 1e6),
    }
}

/// Text from a file, safe to show: control characters, and those that turn the direction of writing,
/// are escaped.
pub fn safe(text: &str) -> String {
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || turns(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

/// The JSON object of a board, without its first fields `path` and `board`; it begins with a comma.
pub fn json(judged: &Judged, out: &mut Vec<u8>) {
    let start = out.len();
    serde_json::to_writer(&mut *out, &Json::of(judged)).expect("an answer can be written as JSON");
    // The object's own brace gives way to the comma after the fields in front.
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
    error: Option<ErrorJson>,
}

impl<'a> Json<'a> {
    fn of(judged: &'a Judged) -> Self {
        let json = match &judged.result {
            Ok(answer) => Self::answer(answer),
            Err(error) => Self::error(error, judged.is_refusal_expected),
        };
        Self {
            id: judged.id.and_then(|id| serde_json::from_str(id).ok()),
            name: judged.name,
            micros: judged.time.map(|time| time.as_micros() as u64),
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
        } = answer;
        let json = Self {
            ruleset: Some(ruleset),
            verdict: Some(solution.verdict.word()),
            states: Some(solution.states),
            limit: solution.limit.map(Limit::word),
            expect: expect.map(ExpectJson),
            ok: answer.is_ok(),
            refuted: refuted.as_deref(),
            warnings: warnings.iter().map(in_words).collect(),
            ..Self::default()
        };
        match &solution.evidence {
            Evidence::None => json,
            Evidence::Line(line) => Self {
                moves: Some(Moves(line)),
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
            } => Self {
                probability: Some(f64::midpoint(*lower, *upper)),
                bounds: solution.limit.map(|_| [*lower, *upper]),
                certain: Some(*certain),
                ..json
            },
        }
    }
}

/// A warning in one line, with its place and what to do about it.
fn in_words(warning: &Fault) -> String {
    let Fault { place, kind, .. } = warning;
    format!(
        "line {}, column {}: {kind}; {}",
        place.line,
        place.column,
        kind.mend()
    )
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
            message: format!("{}; {}", fault.kind, fault.kind.mend()),
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
