//! The measures of many boards, as a table, as comma-separated values, as JSON.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::sync::Arc;

use clap::ValueEnum;

use super::rating::{Measured, Rating, is_counted};
use super::table::{Side, Table};
use super::words::safe;
use crate::cli::args::rate::Measure;
use crate::cli::batch::Part;

/// The ratings of a run, as they come.
#[derive(Debug)]
pub struct Ratings {
    rows: Vec<Row>,
    /// The boards of the file that is not at its end yet, and its first row.
    open: (u64, usize),
    bytes: usize,
    most_bytes: u64,
}

/// A rated board.
#[derive(Debug)]
pub struct Row {
    path: Arc<str>,
    /// Its number in the file, from 0.
    number: u64,
    /// Whether the file has others.
    is_numbered: bool,
    rating: Rating,
}

impl Ratings {
    /// No rating yet, and later no more than fit into so many bytes.
    pub const fn within(most_bytes: u64) -> Self {
        Self {
            rows: Vec::new(),
            open: (0, 0),
            bytes: 0,
            most_bytes,
        }
    }

    /// Takes the ratings of a part of a file.
    ///
    /// # Errors
    ///
    /// If there are too many to keep.
    pub fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let Some(path) = &part.path else {
            return Ok(());
        };
        let (boards, first) = &mut self.open;
        let start = part.number.unwrap_or(*boards);
        for rating in std::mem::take(&mut part.records.ratings) {
            self.bytes += rating.size() + size_of::<Row>();
            self.rows.push(Row {
                path: Arc::clone(path),
                number: start + rating.board,
                is_numbered: part.number.is_some(),
                rating,
            });
        }
        *boards = start + part.records.boards;
        if part.is_last {
            if *boards > 1 {
                let rows = self.rows[*first..].iter_mut();
                rows.for_each(|row| row.is_numbered = true);
            }
            self.open = (0, self.rows.len());
        }
        if self.bytes as u64 > self.most_bytes {
            return Err(io::Error::other(
                "there are more boards than the memory can hold to sort or align them; `--json` without \
                 `--sort` prints each as it comes",
            ));
        }
        Ok(())
    }

    /// All of them, in the order of the input.
    pub fn rows(self) -> Vec<Row> {
        self.rows
    }
}

impl Row {
    /// The value of a measure.
    pub fn number(&self, measure: Measure) -> Option<f64> {
        self.measured(measure).map(Measured::value)
    }

    /// Which of two comes first by a measure; without a value it comes last.
    pub fn compare(&self, other: &Self, measure: Measure, is_descending: bool) -> Ordering {
        match (self.number(measure), other.number(measure)) {
            (Some(a), Some(b)) if is_descending => b.total_cmp(&a),
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }

    fn measured(&self, measure: Measure) -> Option<Measured> {
        self.rating.measured(measure)
    }

    fn address(&self) -> String {
        let path = safe(&self.path);
        if self.is_numbered {
            format!("{path}#{}", self.number + 1)
        } else {
            path
        }
    }

    /// A line for each board, with the measures that any of them has.
    pub fn table(rows: &[Self]) -> String {
        let has_value =
            |measure: &&Measure| rows.iter().any(|row| row.measured(**measure).is_some());
        let measures: Vec<_> = Measure::value_variants().iter().filter(has_value).collect();
        if rows.is_empty() {
            return String::new();
        }
        let title = |measure: &&Measure| (measure.name().replace('-', "\n"), Side::Right);
        let words = ["board", "verdict"].map(|title| (title.to_owned(), Side::Left));
        let columns: Vec<_> = words
            .into_iter()
            .chain(measures.iter().map(title))
            .collect();
        let mut table = Table::new(&columns);
        for row in rows {
            let value = |measure: &&Measure| {
                let value = row.measured(**measure);
                value.map_or_else(String::new, |value| value.text(**measure))
            };
            let words = [row.address(), row.rating.verdict.to_owned()];
            table.row(
                words
                    .into_iter()
                    .chain(measures.iter().map(value))
                    .collect(),
            );
        }
        table.text()
    }

    /// Comma-separated values, with the names that the fields have in JSON.
    ///
    /// # Errors
    ///
    /// If they can't be written.
    pub fn csv(rows: &[Self]) -> anyhow::Result<Vec<u8>> {
        let mut names: Vec<String> = ["path", "board", "name", "ruleset", "verdict"]
            .map(Into::into)
            .into();
        for measure in Measure::value_variants() {
            let name = measure.name().replace('-', "_");
            names.push(name.clone());
            names.extend(is_counted(*measure).then(|| format!("{name}_at_least")));
        }
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(&names)?;
        for row in rows {
            csv.write_record(row.fields())?;
        }
        Ok(csv.into_inner()?)
    }

    fn fields(&self) -> Vec<String> {
        let Rating {
            name,
            ruleset,
            verdict,
            ..
        } = &self.rating;
        let mut fields = vec![
            self.path.to_string(),
            self.number.to_string(),
            name.clone(),
            (*ruleset).to_owned(),
            (*verdict).to_owned(),
        ];
        for &measure in Measure::value_variants() {
            let value = |is_at_least| {
                let value = self.measured(measure);
                value
                    .filter(|value| value.is_at_least == is_at_least)
                    .map_or_else(String::new, Measured::plain)
            };
            fields.push(value(false));
            fields.extend(is_counted(measure).then(|| value(true)));
        }
        fields
    }

    /// A JSON object for each board, one a line.
    ///
    /// # Errors
    ///
    /// If they can't be written.
    pub fn json_lines(rows: &[Self]) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        for row in rows {
            out.extend_from_slice(b"{\"path\":");
            serde_json::to_writer(&mut out, &*row.path)?;
            write!(out, ",\"board\":{}", row.number)?;
            out.extend_from_slice(&row.rating.json);
        }
        Ok(out)
    }
}
