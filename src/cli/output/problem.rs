//! What is wrong with a file, put into words by those who know it, for the printer.

use serde::{Deserialize, Serialize};

use super::json::ErrorJson;
use super::records::Report;
use super::words::safe;
use crate::cli::batch::{Part, Problem};

/// What is wrong with a file, or with a part of it that takes the place of a board.
#[derive(Debug, Serialize, Deserialize)]
pub struct DrawnProblem {
    /// Whether it takes the place of a board.
    pub is_board: bool,
    /// For standard error.
    pub drawn: String,
    /// The end of its JSON object, with the line end; the fields `path` and `board` stand in front.
    pub json: String,
}

impl DrawnProblem {
    /// What is to be said of a problem with the file at `path`.
    pub fn of(report: &Report, path: &str, problem: &Problem) -> Self {
        let diagnostics = &report.diagnostics;
        let (is_board, drawn, error) = match problem {
            Problem::Unreadable(message) => {
                let text = format!("{}: {message}", safe(path));
                let error = ErrorJson::plain(message.clone());
                (false, diagnostics.plain(&text, None), error)
            }
            Problem::Board(error) => {
                let drawn = diagnostics.board(path, error);
                (true, drawn, ErrorJson::of(error))
            }
        };
        let error = serde_json::to_string(&error).expect("an error can be written as JSON");
        Self {
            is_board,
            drawn,
            json: format!(",\"error\":{error}}}\n"),
        }
    }
}

impl Part {
    /// The same part with its problem put into words.
    pub fn drawn(self, report: &Report) -> Part<DrawnProblem> {
        let path = self.path.as_deref().unwrap_or_default();
        let problem = self.problem.as_ref();
        Part {
            problem: problem.map(|problem| DrawnProblem::of(report, path, problem)),
            path: self.path,
            number: self.number,
            records: self.records,
            is_last: self.is_last,
            bytes: self.bytes,
            passed_over: self.passed_over,
        }
    }
}
