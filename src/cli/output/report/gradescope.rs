//! Results for Gradescope: a score, and a test for each board.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Book, Section};
use crate::answers::Standing;
use crate::cli::output::diagnostic::Colors;
use crate::cli::output::summary::Summary;
use crate::cli::record::Record;

/// Writes the tests one at a time, since there may be millions.
pub(super) fn write(book: &mut Book, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let (mut total, mut separator) = (0.0, "");
    write!(out, "{{\"tests\":[")?;
    book.boards(&mut |file, row| {
        let points = row.points.unwrap_or(1.0);
        let score = match row.standing {
            Standing::AsExpected => points,
            _ => 0.0,
        };
        let test = test(&name(file, row), (score, points), &output(row));
        write!(out, "{separator}\n{test}")?;
        (total, separator) = (total + score, ",");
        Ok(())
    })?;
    let mut head = head(total, &summary.lines(Colors::Off).join("\n"));
    if book.is_timed {
        head["execution_time"] = book.seconds.into();
    }
    writeln!(out, "],\n{}", &head.to_string()[1..])
}

/// Returns the fields beside the tests. No text is HTML or Markdown.
pub fn head(total: f64, output: &str) -> Value {
    json!({
        // Rounding removes the error of adding decimals.
        "score": (total * 1e6).round() / 1e6,
        "output": output,
        "output_format": "text",
        "test_name_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
    })
}

pub fn test(name: &str, (score, points): (f64, f64), output: &str) -> Value {
    json!({
        "name": name, "score": score, "max_score": points, "output": output, "visibility": "visible"
    })
}

fn name(file: &Section, row: &Record) -> String {
    match (row.board, &*row.name) {
        (None, _) => file.path.clone(),
        (Some(_), "") => format!("{}#{}", file.path, row.number()),
        (Some(_), name) => format!("{name} ({}#{})", file.path, row.number()),
    }
}

fn output(row: &Record) -> String {
    match (row.standing, &*row.told()) {
        (Standing::NotExpected, _) => "without expectation: add the header `expect`".into(),
        (standing, "") => standing.word().into(),
        (Standing::Mismatched, told) => told.into(),
        (standing, told) => format!("{}: {told}", standing.word()),
    }
}
