//! A board's answer as JSON.

use getaway_board::fault::{BoardError, Fault};
use getaway_board::limits::{Bounds, Limit};
use getaway_board::puzzle::written;
use getaway_play::expect::Expectation;
use getaway_play::solution::{Evidence, Simulated};
use serde::Serialize;
use serde_json::Value;

use super::{Answer, CheckStatus, Outcome, Problem};

/// Writes an outcome as a line of JSON.
pub fn write(outcome: &Outcome, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"path\":");
    written::to_writer(&mut *out, &*outcome.path).expect("a string can be written as JSON");
    let mut fields = Fields(out);
    fields.add("board", Some(outcome.board));
    if let Some(id) = &outcome.id {
        fields.begin("id");
        fields
            .0
            .extend_from_slice(written::escape_controls(id).as_bytes());
    }
    fields.add("name", outcome.name.as_deref());
    let micros = outcome.time.map(|time| time.as_micros() as u64);
    match &outcome.result {
        Ok(answer) => fields.answer(answer, micros),
        Err(Problem::Board(error)) => {
            let is_expected = outcome.status == CheckStatus::AsExpected;
            fields.error(error, is_expected, micros);
        }
        Err(Problem::File(why)) => fields.add("error", Some(ErrorJson::plain(why))),
    }
    out.extend_from_slice(b"}\n");
}

struct Fields<'o>(&'o mut Vec<u8>);

impl Fields<'_> {
    fn begin(&mut self, key: &str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    fn add(&mut self, key: &str, value: Option<impl Serialize>) {
        if let Some(value) = value {
            self.begin(key);
            written::to_writer(&mut *self.0, &value).expect("an answer can be written as JSON");
        }
    }

    /// Adds the fields of an object, which must have at least one.
    fn add_fields_of(&mut self, object: &impl Serialize) {
        let object = written::to_string(object).expect("an answer can be written as JSON");
        let fields = object
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        self.0.push(b',');
        self.0
            .extend_from_slice(fields.expect("it is an object").as_bytes());
    }

    fn error(&mut self, error: &BoardError, is_expected: bool, micros: Option<u64>) {
        self.add("micros", micros);
        self.add("expect", is_expected.then_some(Expectation::REFUSAL));
        self.add("ok", is_expected.then_some(true));
        self.add("error", Some(ErrorJson::of(error)));
    }

    fn answer(&mut self, answer: &Answer, micros: Option<u64>) {
        let solution = &answer.solution;
        self.add("ruleset", answer.ruleset.as_deref());
        self.add("verdict", Some(solution.verdict().name()));
        self.evidence(&solution.evidence);
        self.add("states", Some(solution.states));
        self.add("limit", solution.limit().map(Limit::name));
        self.add("micros", micros);
        self.add("expect", answer.expect.map(expect_json));
        self.add("ok", Option::<bool>::from(answer.agreement()));
        self.add("refuted", answer.refuted.as_deref());
        self.add("verified", (!answer.is_verified).then_some(false));
        let warnings: Vec<_> = answer.warnings.iter().map(in_words).collect();
        self.add("warnings", Some(warnings).filter(|all| !all.is_empty()));
        self.add("explanation", answer.explanation.as_deref());
        if let Some(analysis) = &answer.analysis {
            self.add_fields_of(analysis);
        }
    }

    fn evidence(&mut self, evidence: &Evidence) {
        match evidence {
            Evidence::None => {}
            Evidence::Line(line) => {
                self.add("moves", Some(line.chars().collect::<Vec<_>>()));
                self.add("length", Some(line.len()));
            }
            Evidence::Survives(survives) => self.add("survives", Option::<bool>::from(*survives)),
            Evidence::Direction { direction, steps } => {
                self.add("direction", Some(*direction));
                self.add("steps", (!steps.is_empty()).then_some(steps));
            }
            Evidence::Chance {
                bounds,
                certain,
                simulated,
                ..
            } => {
                self.add("probability", evidence.probability());
                self.add("bounds", Some(bounds));
                self.add("certain", Option::<bool>::from(*certain));
                self.add(
                    "simulated",
                    simulated.map(|games| SimulatedJson {
                        games,
                        interval: games.interval(),
                    }),
                );
            }
        }
    }
}

#[derive(Serialize)]
struct SimulatedJson {
    #[serde(flatten)]
    games: Simulated,
    interval: Bounds,
}

fn in_words(warning: &Fault) -> String {
    format!("{}: {}", warning.place, warning.kind.one_line())
}

fn expect_json(expect: Expectation) -> Value {
    match expect {
        Expectation::Verdict(verdict) => verdict.name().into(),
        Expectation::Direction(direction) => direction.into(),
        Expectation::Probability(probability) => probability.into(),
        Expectation::Refusal => Expectation::REFUSAL.into(),
    }
}

#[derive(Serialize)]
struct ErrorJson {
    message: String,
    line: Option<u64>,
    column: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<ErrorJson>,
}

impl ErrorJson {
    fn of(error: &BoardError) -> Self {
        let one = |fault: &Fault| Self {
            line: Some(fault.place.line),
            column: Some(fault.place.column),
            ..Self::plain(&fault.kind.one_line())
        };
        let mut json = one(error.first());
        if error.faults.len() > 1 {
            json.faults = error.faults.iter().map(one).collect();
        }
        json
    }

    fn plain(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            line: None,
            column: None,
            faults: Vec::new(),
        }
    }
}
