//! Reports for programs: `JUnit` XML with a suite for each file, comma-separated values, and marks for Gradescope.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{FileTotals, ReportData, faults, faults_in_words, length, number, states, title};
use crate::cli::exit::Tally;
use crate::cli::output::summary::Summary;
use crate::cli::output::text::Colors;
use getaway_render::markup::escaped;
use getaway_solvers::answers::{CheckStatus, Outcome};

pub(super) fn junit(
    data: &mut ReportData,
    summary: &Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_timed = data.is_timed;
    let time = |seconds: f64| {
        let time = is_timed.then(|| format!(" time=\"{seconds:.6}\""));
        time.unwrap_or_default()
    };
    let (counts_of_all, time_of_all) = (counts(&summary.tally), time(data.seconds));
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"getaway check\"{counts_of_all}{time_of_all}>"
    )?;
    let (files, mut rows) = data.files()?;
    for file in files {
        let (path, counts) = (escaped(&file.path), counts(&file.tally));
        let time_of_file = time(file.seconds);
        writeln!(out, "<testsuite name=\"{path}\"{counts}{time_of_file}>")?;
        for row in rows.by_ref().take(file.rows) {
            let row = row?;
            let (name, result) = (escaped(&case_name(&row)), result(&row));
            let time = row.time.map(|it| time(it.as_secs_f64()));
            let start = format!("<testcase name=\"{name}\" classname=\"{path}\"");
            let time = time.unwrap_or_default();
            writeln!(out, "{start}{time}>{result}</testcase>")?;
        }
        writeln!(out, "</testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn case_name(row: &Outcome) -> String {
    let title = title(row);
    match &*title {
        _ if !row.is_of_board() => "file".into(),
        "" => format!("#{}", number(row)),
        title => format!("#{} {title}", number(row)),
    }
}

fn result(row: &Outcome) -> String {
    let name = match row.status {
        CheckStatus::Mismatched => "failure",
        CheckStatus::Undecided | CheckStatus::Error => "error",
        CheckStatus::AsExpected | CheckStatus::NotExpected => {
            return format!("<system-out>{}</system-out>", escaped(row.verdict_name()));
        }
    };
    let faults = faults(row);
    let first = faults.first().map_or("", |fault| &fault.message);
    let (result, message) = (row.status.name(), escaped(first));
    let output = escaped(&faults_in_words(row));
    format!("<{name} type=\"{result}\" message=\"{message}\">{output}</{name}>")
}

fn counts(tally: &Tally) -> String {
    let tests = tally.boards() + tally.unreadable;
    let failures = tally.status(CheckStatus::Mismatched);
    let errors = tally.failures() - failures + tally.undecided();
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
}

pub(super) fn csv(data: &mut ReportData, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMN_NAMES.split(','))?;
    for board in data.boards()? {
        let (FileTotals { path, .. }, row) = board?;
        let faults = faults(&row);
        let fault = faults.first();
        let place = fault.and_then(|fault| fault.place);
        let (line, column) = place.map(|place| (place.line, place.column)).unzip();
        let answer = row.answer();
        let probability = answer.and_then(|answer| answer.solution.evidence.probability());
        csv.serialize((
            path,
            row.is_of_board().then_some(row.board),
            title(&row),
            row.ruleset(),
            row.verdict_name(),
            length(&row),
            probability.map(|probability| probability.to_string()),
            states(&row),
            row.time.map(|time| time.as_micros() as u64),
            row.status.name(),
            fault.map(|fault| &fault.message),
            line,
            column,
        ))?;
    }
    csv.flush()
}

const COLUMN_NAMES: &str =
    "path,board,name,ruleset,verdict,length,probability,states,micros,result,message,line,column";

/// Writes the results for Gradescope, one test at a time, since there may be millions.
pub(super) fn gradescope(
    data: &mut ReportData,
    summary: &Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mut total, mut separator) = (0.0, "");
    write!(out, "{{\"tests\":[")?;
    for board in data.boards()? {
        let (file, row) = board?;
        let points = row.points.unwrap_or(1.0);
        let score = match row.status {
            CheckStatus::AsExpected => points,
            _ => 0.0,
        };
        let test = gradescope_test(&test_name(file, &row), score, points, &output(&row));
        write!(out, "{separator}\n{test}")?;
        (total, separator) = (total + score, ",");
    }
    let mut head = gradescope_head(total, &summary.lines(Colors::Off).join("\n"));
    if data.is_timed {
        head["execution_time"] = data.seconds.into();
    }
    writeln!(out, "],\n{}", &head.to_string()[1..])
}

/// Returns the fields of Gradescope's results that every report has, except the tests. All texts are plain.
pub fn gradescope_head(total: f64, output: &str) -> Value {
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

pub fn gradescope_test(name: &str, score: f64, points: f64, output: &str) -> Value {
    json!({
        "name": name, "score": score, "max_score": points, "output": output, "visibility": "visible"
    })
}

fn test_name(file: &FileTotals, row: &Outcome) -> String {
    match &*title(row) {
        _ if !row.is_of_board() => file.path.clone(),
        "" => format!("{}#{}", file.path, number(row)),
        title => format!("{title} ({}#{})", file.path, number(row)),
    }
}

fn output(row: &Outcome) -> String {
    match (row.status, &*faults_in_words(row)) {
        (CheckStatus::NotExpected, _) => "without expectation: add the header `expect`".into(),
        (status, "") => status.name().into(),
        (CheckStatus::Mismatched, output) => output.into(),
        (status, output) => format!("{}: {output}", status.name()),
    }
}
