//! The measures of many boards, as a table, CSV, or JSON.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use crate::puzzle::written;
use clap::ValueEnum;
use console::measure_text_width;

use super::measured::{Bound, Measure, Measured, bound};
use super::table::{Side, table};
use crate::answers::words::safe;
use crate::cli::record::{Part, Record};

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
    /// Creates an empty list; `most_bytes` limits the memory for its ratings.
    pub const fn within(most_bytes: u64) -> Self {
        Self {
            rows: Vec::new(),
            first: 0,
            boards: 0,
            bytes: 0,
            most_bytes,
        }
    }

    /// Moves the ratings from a part to this list; the part keeps its errors and warnings.
    pub fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let Some(path) = &part.path else {
            return Ok(());
        };
        for record in &mut part.records {
            if record.measures.is_empty() && record.said.is_empty() {
                continue;
            }
            let rest = Record {
                warnings: mem::take(&mut record.warnings),
                error: mem::take(&mut record.error),
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
            if self.boards > 1 {
                let rows = self.rows[self.first..].iter_mut();
                rows.for_each(|row| row.is_numbered = true);
            }
            (self.first, self.boards) = (self.rows.len(), 0);
        }
        if self.bytes as u64 > self.most_bytes {
            return Err(io::Error::other(
                "there are more boards than the memory can hold to sort or align them; `--json` without \
                 `--sort` prints each as it comes",
            ));
        }
        Ok(())
    }

    pub fn rows(self) -> Vec<Row> {
        self.rows
    }
}

impl Row {
    /// Returns the value of a measure, or its bound if a limit was reached.
    fn value(&self, measure: Measure) -> Option<f64> {
        self.measured(measure).map(Measured::value)
    }

    pub fn exact(&self, measure: Measure) -> Option<f64> {
        let value = self.measured(measure);
        let value = value.filter(|value| value.bound == Bound::Exact);
        value.map(Measured::value)
    }

    /// Compares two rows for sorting; boards without a value come last.
    pub fn compare(&self, other: &Self, measure: Measure, is_descending: bool) -> Ordering {
        match (self.value(measure), other.value(measure)) {
            (Some(a), Some(b)) if is_descending => b.total_cmp(&a),
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }

    fn measured(&self, measure: Measure) -> Option<Measured> {
        self.record.measured(measure)
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

    /// Returns a table. To fit `width`, it shortens long addresses in the middle and then leaves out the least important
    /// measures, which the last line reports.
    pub fn table(rows: &[Self], width: Option<usize>) -> String {
        let has_value = |measure: &Measure| rows.iter().any(|row| row.measured(*measure).is_some());
        let mut measures: Vec<_> = Measure::value_variants().to_vec();
        measures.retain(has_value);
        if rows.is_empty() {
            return String::new();
        }
        let mut addresses: Vec<_> = rows.iter().map(Self::address).collect();
        let Some(width) = width else {
            return Self::text(rows, &addresses, &measures);
        };
        let mut left_out = Vec::new();
        loop {
            let text = Self::text(rows, &addresses, &measures);
            let excess = widest(text.lines()).saturating_sub(width);
            let longest = widest(addresses.iter().map(String::as_str));
            if excess == 0 {
                return text + &left_out_in_words(&left_out);
            } else if longest > SHORTEST {
                let most = longest.saturating_sub(excess).max(SHORTEST);
                addresses = addresses
                    .iter()
                    .map(|address| without_middle(address, most))
                    .collect();
            } else if let Some(least) = least_important(&measures) {
                measures.retain(|measure| *measure != least);
                left_out.push(least);
            } else {
                return text + &left_out_in_words(&left_out);
            }
        }
    }

    fn text(rows: &[Self], addresses: &[String], measures: &[Measure]) -> String {
        let title = |measure: &Measure| (measure.name().replace('-', "\n"), Side::Right);
        let words = ["board", "verdict"].map(|title| (title.to_owned(), Side::Left));
        let columns: Vec<_> = words
            .into_iter()
            .chain(measures.iter().map(title))
            .collect();
        let rows = rows.iter().zip(addresses).map(|(row, address)| {
            let words = [address.clone(), row.record.verdict.clone()];
            let values = measures.iter().map(|measure| {
                let value = row.measured(*measure);
                value.map_or_else(String::new, |value| value.text(*measure))
            });
            words.into_iter().chain(values).collect()
        });
        table(&columns, rows)
    }

    /// Returns CSV whose columns have the names of the JSON fields.
    pub fn csv(rows: &[Self]) -> anyhow::Result<Vec<u8>> {
        let columns: Vec<_> = Measure::value_variants().iter().flat_map(columns).collect();
        let mut csv = csv::Writer::from_writer(Vec::new());
        let names = ["path", "board", "name", "ruleset", "verdict"].map(str::to_owned);
        csv.write_record(names.iter().chain(columns.iter().map(|(name, ..)| name)))?;
        for row in rows {
            let Record {
                name,
                ruleset,
                verdict,
                ..
            } = &row.record;
            let number = row.number().to_string();
            let fields = [&*row.path, &number, name, ruleset, verdict].map(str::to_owned);
            let measures = columns.iter().map(|&(_, measure, bound)| {
                let value = row.measured(measure).filter(|value| value.bound == bound);
                value.map_or_else(String::new, Measured::plain)
            });
            csv.write_record(fields.into_iter().chain(measures))?;
        }
        Ok(csv.into_inner()?)
    }

    pub fn json_lines(rows: &[Self]) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        for row in rows {
            out.extend_from_slice(b"{\"path\":");
            written::to_writer(&mut out, &*row.path)?;
            write!(out, ",\"board\":{}", row.number())?;
            out.extend_from_slice(&row.record.said);
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
    UNIMPORTANT
        .into_iter()
        .find(|measure| measures.contains(measure))
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
    // The end of a path tells files apart better than its start, so more of the end is kept.
    let (start, end) = (kept / 3, kept - kept / 3);
    let (start, end) = (all[..start].iter(), all[all.len() - end..].iter());
    start.chain(&['.'; 3]).chain(end).collect()
}

fn left_out_in_words(measures: &[Measure]) -> String {
    let names: Vec<_> = measures.iter().map(|measure| measure.name()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "omitted to fit the width: {} (`--csv` has all)\n",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests;
