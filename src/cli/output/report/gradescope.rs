//! Results for Gradescope: a JSON object with a score and a test per board.
//!
//! All texts are declared as plain text, so names are neither HTML nor Markdown there.

use std::cell::RefCell;
use std::io::{self, Write};

use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};

use super::{Book, Section};
use crate::cli::evaluate::Standing;
use crate::cli::output::diagnostic::Colors;
use crate::cli::output::summary::Summary;
use crate::cli::points::Points;
use crate::cli::record::{Record, Timing};

#[derive(Serialize)]
pub struct Results<T> {
    pub score: f64,
    /// The time in seconds, if times are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_time: Option<f64>,
    pub output: String,
    #[serde(flatten)]
    pub manner: Manner,
    /// A sequence of [`Test`]s.
    pub tests: T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leaderboard: Vec<Rank>,
}

/// The formats of texts, and the people who see them.
#[derive(Serialize)]
pub struct Manner {
    output_format: &'static str,
    test_name_format: &'static str,
    test_output_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            output_format: "text",
            test_name_format: "text",
            test_output_format: "text",
            visibility: "visible",
            stdout_visibility: "hidden",
        }
    }
}

#[derive(Serialize)]
pub struct Test {
    name: String,
    score: f64,
    max_score: f64,
    output: String,
    visibility: &'static str,
}

impl Test {
    pub fn new(name: String, (score, max): (Points, Points), output: String) -> Self {
        Self {
            name,
            score: score.number(),
            max_score: max.number(),
            output,
            visibility: "visible",
        }
    }

    fn of(file: &Section, row: &Record) -> Self {
        let name = match (row.board, &*row.name) {
            (None, _) => file.path.clone(),
            (Some(_), "") => format!("{}#{}", file.path, row.number()),
            (Some(_), name) => format!("{name} ({}#{})", file.path, row.number()),
        };
        let output = match row.standing {
            Standing::NotExpected => "without expectation: add the header `expect`".into(),
            Standing::Mismatched => row.told(),
            standing if row.faults.is_empty() => standing.word().into(),
            standing => format!("{}: {}", standing.word(), row.told()),
        };
        Self::new(name, (row.score(), row.points), output)
    }
}

/// A value of which Gradescope makes a column of its leaderboard.
#[derive(Serialize)]
pub struct Rank {
    pub name: String,
    pub value: f64,
    pub order: &'static str,
}

/// Turns boards into tests while they are written, since there may be millions.
struct Tests<'b>(RefCell<&'b mut Book>);

impl Serialize for Tests<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tests = serializer.serialize_seq(None)?;
        let mut book = self.0.borrow_mut();
        let written = book.boards(&mut |file, row| {
            let written = tests.serialize_element(&Test::of(file, row));
            written.map_err(|error| io::Error::other(error.to_string()))
        });
        written.map_err(S::Error::custom)?;
        tests.end()
    }
}

pub(super) fn write(book: &mut Book, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let results = Results {
        score: book.score.number(),
        execution_time: (book.timing == Timing::On).then_some(book.seconds),
        output: summary.lines(Colors::Off).join("\n"),
        manner: Manner::default(),
        tests: Tests(RefCell::new(book)),
        leaderboard: Vec::new(),
    };
    results.write(out)
}

impl<T: Serialize> Results<T> {
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}
