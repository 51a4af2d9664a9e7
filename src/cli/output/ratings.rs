//! The measures of many boards, as a table, CSV, or JSON.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use clap::ValueEnum;
use console::measure_text_width;

use super::measured::{Bound, Measure, Measured, bound};
use super::table::{Side, table};
use crate::cli::record::{Part, Record};
use getaway_solvers::answers::json::head;
use getaway_solvers::answers::words::safe;

#[derive(Debug)]
pub struct Ratings {
    rows: Vec<Row>,
    first: usize,
    boards: u64,
    bytes: usize,
    most_bytes: u64,
}

#[derive(Debug)]
pub struct Row {
    path: Arc<str>,
    is_numbered: bool,
    record: Record,
}

impl Ratings {
    pub const fn within(most_bytes: u64) -> Self {
        Self {
            rows: Vec::new(),
            first: 0,
            boards: 0,
            bytes: 0,
            most_bytes,
        }
    }

    /// Moves the ratings out of a part, which keeps its errors and warnings.
    pub fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let Some(path) = &part.path else {
            return Ok(());
        };
        let is_rated =
            |record: &&mut Record| !record.measures.is_empty() || !record.output.is_empty();
        for record in part.records.iter_mut().filter(is_rated) {
            let rest = Record {
                drawn: mem::take(&mut record.drawn),
                standing: record.standing,
                ..Record::default()
            };
            let record = mem::replace(record, rest);
            self.bytes += record.size() + size_of::<Row>();
            self.rows.push(Row {
                path: Arc::clone(path),
                is_numbered: part.number.is_some(),
                record,
            });
        }
        self.boards += part.boards;
        if part.is_last {
            let rows = self.rows[self.first..].iter_mut();
            rows.for_each(|row| row.is_numbered |= self.boards > 1);
            (self.first, self.boards) = (self.rows.len(), 0);
        }
        if self.bytes as u64 > self.most_bytes {
            return Err(io::Error::other(
                "there are too many boards to sort or align in memory; `--json` without `--sort` prints each at once",
            ));
        }
        Ok(())
    }

    pub fn rows(self) -> Vec<Row> {
        self.rows
    }
}

impl Row {
    /// Compares two boards by a measure or its bound. Boards without a value come last.
    pub fn compare(&self, other: &Self, measure: Measure, is_descending: bool) -> Ordering {
        let values = [self, other].map(|row| row.record.measured(measure).map(Measured::value));
        match values {
            [Some(a), Some(b)] if is_descending => b.total_cmp(&a),
            [Some(a), Some(b)] => a.total_cmp(&b),
            [a, b] => b.is_some().cmp(&a.is_some()),
        }
    }

    fn number(&self) -> u64 {
        self.record.board.unwrap_or_default()
    }

    fn address(&self) -> String {
        let path = safe(&self.path);
        if self.is_numbered {
            format!("{path}#{}", self.number() + 1)
        } else {
            path
        }
    }

    /// Returns a table. A narrow one shortens long addresses and then leaves out the least important measures.
    pub fn table(rows: &[Self], width: Option<usize>) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let mut measures = Measure::value_variants().to_vec();
        measures.retain(|&measure| {
            rows.iter()
                .any(|row| row.record.measured(measure).is_some())
        });
        let mut addresses: Vec<_> = rows.iter().map(Self::address).collect();
        let mut left_out = Vec::new();
        loop {
            let text = Self::text(rows, &addresses, &measures);
            let width = width.unwrap_or(usize::MAX);
            let excess = widest(text.lines()).saturating_sub(width);
            let longest = widest(addresses.iter().map(String::as_str));
            match least_important(&measures) {
                least if excess == 0 || longest <= SHORTEST && least.is_none() => {
                    return text + &left_out_in_words(&left_out);
                }
                Some(least) if longest <= SHORTEST => {
                    measures.retain(|measure| *measure != least);
                    left_out.push(least.name());
                }
                _ => {
                    let most = longest.saturating_sub(excess).max(SHORTEST);
                    let shorten = |address: &mut String| *address = without_middle(address, most);
                    addresses.iter_mut().for_each(shorten);
                }
            }
        }
    }

    fn text(rows: &[Self], addresses: &[String], measures: &[Measure]) -> String {
        let title = |measure: &Measure| (measure.name().replace('-', "\n"), Side::Right);
        let words = ["board", "verdict"].map(|title| (title.to_owned(), Side::Left));
        let titles = measures.iter().map(title);
        let columns: Vec<_> = words.into_iter().chain(titles).collect();
        let rows = rows.iter().zip(addresses).map(|(row, address)| {
            let words = [address.clone(), row.record.verdict.clone()];
            let values = measures.iter().map(|&measure| {
                let value = row.record.measured(measure);
                value.map_or_else(String::new, |value| value.text(measure))
            });
            words.into_iter().chain(values).collect()
        });
        table(&columns, rows)
    }

    pub fn csv(rows: &[Self]) -> anyhow::Result<Vec<u8>> {
        let columns: Vec<_> = Measure::value_variants().iter().flat_map(columns).collect();
        let mut csv = csv::Writer::from_writer(Vec::new());
        let names = ["path", "board", "name", "ruleset", "verdict"].map(str::to_owned);
        csv.write_record(names.iter().chain(columns.iter().map(|(name, ..)| name)))?;
        for row in rows {
            let (record, number) = (&row.record, row.number().to_string());
            let (name, ruleset, verdict) = (&record.name, &record.ruleset, &record.verdict);
            let fields = [&*row.path, &number, name, ruleset, verdict].map(str::to_owned);
            let measures = columns.iter().map(|&(_, measure, bound)| {
                record
                    .measured(measure)
                    .filter(|value| value.bound == bound)
                    .map_or_else(String::new, Measured::plain)
            });
            csv.write_record(fields.into_iter().chain(measures))?;
        }
        Ok(csv.into_inner()?)
    }

    pub fn json_lines(rows: &[Self]) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        for row in rows {
            out.extend_from_slice(&head(&row.path));
            write!(out, "{}", row.number())?;
            out.extend_from_slice(&row.record.output);
        }
        Ok(out)
    }
}

fn columns(measure: &Measure) -> impl Iterator<Item = (String, Measure, Bound)> {
    let (name, measure) = (measure.name().replace('-', "_"), *measure);
    let end = bound(measure).map(|(bound, end)| (format!("{name}{end}"), measure, bound));
    [(name, measure, Bound::Exact)].into_iter().chain(end)
}

const SHORTEST: usize = 24;

/// The measures that a narrow table leaves out, the least important first.
const UNIMPORTANT: [Measure; 12] = [
    Measure::States,
    Measure::DeadEnds,
    Measure::LastMistake,
    Measure::Reachable,
    Measure::Forced,
    Measure::Matters,
    Measure::ShortestLines,
    Measure::Turns,
    Measure::Random,
    Measure::FirstMoves,
    Measure::Probability,
    Measure::Length,
];

fn least_important(measures: &[Measure]) -> Option<Measure> {
    let mut all = UNIMPORTANT.into_iter();
    all.find(|measure| measures.contains(measure))
}

fn widest<'t>(lines: impl Iterator<Item = &'t str>) -> usize {
    lines.map(measure_text_width).max().unwrap_or(0)
}

fn without_middle(text: &str, most: usize) -> String {
    if measure_text_width(text) <= most {
        return text.to_owned();
    }
    let all: Vec<char> = text.chars().collect();
    let kept = most.saturating_sub(3);
    // The end of a path tells files apart better than its start.
    let (start, end) = (kept / 3, kept - kept / 3);
    let (start, end) = (all[..start].iter(), all[all.len() - end..].iter());
    start.chain(&['.'; 3]).chain(end).collect()
}

fn left_out_in_words(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names = names.join(", ");
    format!("omitted to fit the width: {names} (`--csv` shows all)\n")
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;
