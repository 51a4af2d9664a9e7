//! What is wrong with a file, put into words by those who know it, for the printer.

use crate::puzzle::written;
use serde::{Deserialize, Serialize};

use super::json::ErrorJson;
use super::records::Report;
use super::words::safe;
use crate::cli::batch::Problem;
use crate::cli::exit::Tally;

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
        let (is_board, drawn) = match problem {
            Problem::Unreadable(message) => {
                let text = format!("{}: {message}", safe(path));
                (false, diagnostics.plain(&text, None))
            }
            Problem::Board(error) => (true, diagnostics.board(path, error)),
        };
        let error = written::to_string(&error_json(problem));
        let error = error.expect("an error is text and numbers");
        Self {
            is_board,
            drawn,
            json: format!(",\"error\":{error}}}\n"),
        }
    }

    /// Counts it.
    pub fn count(&self, tally: &mut Tally) {
        if self.is_board {
            tally.count_error();
        } else {
            tally.unreadable += 1;
        }
    }
}

/// The JSON for what is wrong with a file.
pub fn error_json(problem: &Problem) -> ErrorJson {
    match problem {
        Problem::Unreadable(message) => ErrorJson::plain(message.clone()),
        Problem::Board(error) => ErrorJson::of(error),
    }
}
