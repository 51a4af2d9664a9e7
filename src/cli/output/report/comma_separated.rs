//! A report as comma-separated values, with the names that the fields have in JSON.

use std::io::{self, Read, Write};

use super::row::Row;
use super::{End, Layout, Section};

/// A line for each board.
pub struct Csv;

const NAMES: [&str; 13] = [
    "path",
    "board",
    "name",
    "ruleset",
    "verdict",
    "length",
    "probability",
    "states",
    "micros",
    "result",
    "message",
    "line",
    "column",
];

impl Layout for Csv {
    fn row(&self, path: &str, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let number = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        record(
            out,
            &[
                path.to_owned(),
                number(row.board),
                row.name.clone(),
                row.ruleset.clone(),
                row.verdict.clone(),
                number(row.length),
                row.probability.map_or_else(String::new, |p| p.to_string()),
                number(row.states),
                number(row.time.map(|time| time.as_micros() as u64)),
                row.result().to_owned(),
                row.message.clone(),
                number(row.place.map(|(line, _)| line)),
                number(row.place.map(|(_, column)| column)),
            ],
        )
    }

    fn failure(&self, _: &Row, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn section(&self, _: &Section, rows: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
        io::copy(rows, out).map(drop)
    }

    fn failures(&self, _: &Section, _: &mut dyn Read, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn page(&self, _: &End, [rows, _]: [&mut dyn Read; 2], out: &mut dyn Write) -> io::Result<()> {
        record(out, &NAMES)?;
        io::copy(rows, out).map(drop)
    }
}

fn record(out: &mut dyn Write, fields: &[impl AsRef<[u8]>; 13]) -> io::Result<()> {
    let mut csv = csv::WriterBuilder::new()
        .buffer_capacity(256)
        .from_writer(out);
    csv.write_record(fields)?;
    csv.flush()
}
