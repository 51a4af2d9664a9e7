//! A board's answer as JSON.

use crate::expect::Expectation;
use crate::fault::{BoardError, Fault};
use crate::limits::Limit;
use crate::puzzle::written;
use crate::solution::{Evidence, Simulated};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{analysis, explain};

use crate::answers::{Answer, Evaluated, Standing};

/// Returns all fields after `path` and `board`, each after a comma.
pub fn line(evaluated: &Evaluated) -> Vec<u8> {
    let puzzle = evaluated.puzzle;
    let mut out = Vec::with_capacity(256);
    let mut fields = Fields(&mut out);
    if let Some(id) = puzzle.id {
        fields.begin("id");
        fields.0.extend_from_slice(written::shown(id).as_bytes());
    }
    fields.add("name", puzzle.name());
    let micros = evaluated.time.map(|time| time.as_micros() as u64);
    match &evaluated.result {
        Ok(answer) => fields.answer(answer, micros),
        Err(error) => {
            let is_expected = evaluated.standing == Standing::AsExpected;
            fields.error(error, is_expected, micros);
        }
    }
    out.push(b'}');
    if let Ok(Answer {
        solution,
        analysed: Some(analysed),
        ..
    }) = &evaluated.result
    {
        append(&analysis::fields(solution, analysed), &mut out);
    }
    out.push(b'\n');
    out
}

fn append(fields: &Map<String, Value>, out: &mut Vec<u8>) {
    if fields.is_empty() {
        return;
    }
    let end = out.pop();
    debug_assert_eq!(end, Some(b'}'));
    let start = out.len();
    written::to_writer(&mut *out, fields).expect("fields can be written as JSON");
    out[start] = b',';
}

struct Fields<'o>(&'o mut Vec<u8>);

impl Fields<'_> {
    fn begin(&mut self, key: &'static str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    fn add(&mut self, key: &'static str, value: Option<impl Serialize>) {
        if let Some(value) = value {
            self.begin(key);
            written::to_writer(&mut *self.0, &value).expect("an answer can be written as JSON");
        }
    }

    fn word(&mut self, key: &'static str, word: &'static str) {
        self.begin(key);
        self.0.push(b'"');
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(b'"');
    }

    fn moves(&mut self, line: &str) {
        self.begin("moves");
        self.0.push(b'[');
        for (number, letter) in line.chars().enumerate() {
            let before: &[u8] = if number == 0 { b"\"" } else { b",\"" };
            self.0.extend_from_slice(before);
            self.0
                .extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            self.0.push(b'"');
        }
        self.0.push(b']');
    }

    fn error(&mut self, error: &BoardError, is_expected: bool, micros: Option<u64>) {
        self.add("micros", micros);
        self.add(
            "expect",
            is_expected.then_some(ExpectJson(Expectation::Refusal)),
        );
        self.add("ok", is_expected.then_some(true));
        self.add("error", Some(ErrorJson::of(error)));
    }

    fn answer(&mut self, answer: &Answer, micros: Option<u64>) {
        let Answer {
            ruleset,
            solution,
            expect,
            is_by_agent: _,
            refuted,
            is_verified,
            warnings,
            explanation,
            analysed: _,
        } = answer;
        if let Some(ruleset) = ruleset {
            self.word("ruleset", ruleset);
        }
        self.word("verdict", solution.verdict().word());
        self.evidence(&solution.evidence);
        self.add("states", Some(solution.states));
        self.add("limit", solution.limit().map(Limit::word));
        self.add("micros", micros);
        self.add("expect", expect.map(ExpectJson));
        self.add("ok", answer.is_ok());
        self.add("refuted", refuted.as_deref());
        self.add("verified", (!is_verified).then_some(false));
        if !warnings.is_empty() {
            let warnings: Vec<_> = warnings.iter().map(in_words).collect();
            self.add("warnings", Some(warnings));
        }
        self.add("explanation", explanation.as_deref().map(explain::json));
    }

    fn evidence(&mut self, evidence: &Evidence) {
        match evidence {
            Evidence::None => {}
            Evidence::Line(line) => {
                self.moves(line);
                self.add("length", Some(line.len()));
            }
            Evidence::Survives(survives) => self.add("survives", *survives),
            Evidence::Direction { direction, steps } => {
                self.add("direction", Some(*direction));
                self.add("steps", (!steps.is_empty()).then_some(steps));
            }
            Evidence::Chance {
                lower,
                upper,
                certain,
                simulated,
                ..
            } => {
                self.add("probability", evidence.probability());
                self.add("bounds", Some([*lower, *upper]));
                self.add("certain", *certain);
                self.add("simulated", simulated.as_ref().map(SimulatedJson::of));
            }
        }
    }
}

#[derive(Serialize)]
struct SimulatedJson {
    escaped: u64,
    games: u64,
    seed: u64,
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

fn in_words(warning: &Fault) -> String {
    let Fault { place, kind, .. } = warning;
    format!("{place}: {}", kind.in_full())
}

struct ExpectJson(Expectation);

impl Serialize for ExpectJson {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Expectation::Verdict(verdict) => serializer.serialize_str(verdict.word()),
            Expectation::Direction(direction) => serializer.serialize_i8(direction),
            Expectation::Probability(probability) => serializer.serialize_f64(probability),
            Expectation::Refusal => serializer.serialize_str(Expectation::REFUSAL),
        }
    }
}

#[derive(Serialize)]
pub struct ErrorJson {
    message: String,
    line: Option<u64>,
    column: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<ErrorJson>,
}

impl ErrorJson {
    pub fn of(error: &BoardError) -> Self {
        let one = |fault: &crate::fault::Fault| Self {
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

    /// Returns the field `error` after a comma, and the end of the object.
    pub fn object(&self) -> String {
        let error = written::to_string(self).expect("an error is text and numbers");
        format!(",\"error\":{error}}}")
    }

    pub fn plain(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            line: None,
            column: None,
            faults: Vec::new(),
        }
    }
}
