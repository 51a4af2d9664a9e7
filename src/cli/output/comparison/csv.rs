//! A comparison as comma-separated values.

use anyhow::Result;

use super::{Comparison, Row};

const NAMES: [&str; 12] = [
    "path", "name", "runs", "escaped", "rate", "low", "high", "caught", "open", "turns", "best",
    "regret",
];

/// If there are several boards, adds a line without a path per entrant, for all boards together.
pub fn lines(comparison: &Comparison) -> Result<String> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(NAMES)?;
    for board in &comparison.boards {
        for row in &board.rows {
            out.write_record(record(&board.address, row))?;
        }
    }
    if comparison.boards.len() > 1 {
        for row in &comparison.all {
            out.write_record(record("", row))?;
        }
    }
    Ok(String::from_utf8(out.into_inner()?)?)
}

fn record(path: &str, row: &Row) -> [String; 12] {
    let statistics = &row.statistics;
    let known = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let [low, high] = statistics.interval;
    [
        path.to_owned(),
        row.name.clone(),
        statistics.runs.to_string(),
        statistics.escaped.to_string(),
        statistics.rate.to_string(),
        low.to_string(),
        high.to_string(),
        statistics.caught.to_string(),
        statistics.open.to_string(),
        known(statistics.turns.as_ref().map(|turns| turns.mean)),
        known(row.best),
        known(row.regret()),
    ]
}
