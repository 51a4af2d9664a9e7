//! The measures of many boards, as a table, CSV, or JSON.

use std::cmp::Ordering;
use std::io;
use std::sync::Arc;

use clap::ValueEnum;
use console::{Alignment, measure_text_width};

use super::measured::{self, Bound, Measure, Measured, bound};
use super::table::table;
use super::text::fitted;
use crate::cli::pipeline::{FileEnd, Writer};
use getaway_board::words::safe;
use getaway_solvers::answers::{Answer, Outcome, json};

/// Holds the ratings until all are known.
#[derive(Default)]
pub struct Ratings {
    pub rows: Vec<Rating>,
    /// The index of the current file's first row.
    first: usize,
    bytes: usize,
    max_total_bytes: u64,
}

#[derive(Debug)]
pub struct Rating {
    path: Arc<str>,
    number: u64,
    is_numbered: bool,
    title: String,
    ruleset: String,
    verdict: &'static str,
    /// The measures, indexed by [`Measure`]; empty for a board that can't be read, or if an interrupt ended its search.
    measures: Vec<Option<Measured>>,
    json: Vec<u8>,
}

impl Ratings {
    pub fn new(max_total_bytes: u64) -> Self {
        Self {
            max_total_bytes,
            ..Self::default()
        }
    }
}

impl Writer for Ratings {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let row = Rating::of(outcome);
        self.bytes +=
            size_of::<Rating>() + row.title.len() + row.json.len() + size_of_val(&*row.measures);
        self.rows.push(row);
        if self.bytes as u64 > self.max_total_bytes {
            return Err(io::Error::other(
                "there are too many boards to sort or align in memory; `--json` without `--sort` prints each at once",
            ));
        }
        Ok(())
    }

    fn end_of_file(&mut self, file: &FileEnd) -> io::Result<()> {
        let rows = self.rows[self.first..].iter_mut();
        rows.for_each(|row| row.is_numbered = file.is_numbered);
        self.first = self.rows.len();
        Ok(())
    }
}

impl Rating {
    fn of(outcome: &Outcome) -> Self {
        let answer = outcome.answer();
        let is_rated = |answer: &&Answer| !answer.is_interrupted();
        let mut json = Vec::new();
        json::write(outcome, &mut json);
        let title = outcome.title();
        Self {
            path: Arc::clone(&outcome.path),
            number: outcome.board,
            is_numbered: false,
            title: title.map_or_else(String::new, |title| safe(&title)),
            ruleset: outcome.ruleset().into(),
            verdict: outcome.verdict_name(),
            measures: answer.filter(is_rated).map_or_else(Vec::new, measured::all),
            json,
        }
    }

    pub fn is_rated(&self) -> bool {
        !self.measures.is_empty()
    }

    fn measured(&self, measure: Measure) -> Option<Measured> {
        self.measures.get(measure as usize).copied().flatten()
    }

    /// Compares two boards by a measure or its bound. Boards without a value come last.
    pub fn compare(&self, other: &Self, measure: Measure, is_descending: bool) -> Ordering {
        let values = [self, other].map(|row| row.measured(measure).map(Measured::value));
        match values {
            [Some(a), Some(b)] if is_descending => b.total_cmp(&a),
            [Some(a), Some(b)] => a.total_cmp(&b),
            [a, b] => b.is_some().cmp(&a.is_some()),
        }
    }

    fn address(&self) -> String {
        let path = &self.path;
        if self.is_numbered {
            format!("{path}#{}", self.number + 1)
        } else {
            path.to_string()
        }
    }

    /// Returns a table of the measures that some board has, or an empty text if there are no boards. To fit `width`, shortens
    /// long addresses and then leaves out the least important measures.
    pub fn table(rows: &[Self], width: Option<usize>) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let mut measures = Measure::value_variants().to_vec();
        measures.retain(|&measure| rows.iter().any(|row| row.measured(measure).is_some()));
        let folder = common_folder(rows);
        let address = |row: &Self| safe(&row.address()[folder.len()..]);
        let mut addresses: Vec<_> = rows.iter().map(address).collect();
        let mut left_out = Vec::new();
        loop {
            let text = Self::text(rows, &addresses, &measures);
            let excess = widest(text.lines()).saturating_sub(width.unwrap_or(usize::MAX));
            let longest = widest(addresses.iter().map(String::as_str));
            match least_important(&measures) {
                least if excess == 0 || longest <= MIN_ADDRESS_WIDTH && least.is_none() => {
                    return text + &fitted(left_out_in_words(&left_out), width);
                }
                Some(least) if longest <= MIN_ADDRESS_WIDTH => {
                    measures.retain(|measure| *measure != least);
                    left_out.push(least.name());
                }
                _ => {
                    let most = longest.saturating_sub(excess).max(MIN_ADDRESS_WIDTH);
                    let shorten = |address: &mut String| *address = without_middle(address, most);
                    addresses.iter_mut().for_each(shorten);
                }
            }
        }
    }

    fn text(rows: &[Self], addresses: &[String], measures: &[Measure]) -> String {
        let title = |measure: &Measure| (measure.name().replace('-', "\n"), Alignment::Right);
        let board = match safe(common_folder(rows)) {
            folder if folder.is_empty() => "board".into(),
            folder => format!("{folder}\nboard"),
        };
        let words = [board, "verdict".into()].map(|title| (title, Alignment::Left));
        let titles = measures.iter().map(title);
        let columns: Vec<_> = words.into_iter().chain(titles).collect();
        let rows = rows.iter().zip(addresses).map(|(row, address)| {
            let words = [address.clone(), row.verdict.into()];
            let values = measures.iter().map(|&measure| {
                let value = row.measured(measure);
                value.map_or_else(String::new, |value| value.text(measure))
            });
            words.into_iter().chain(values).collect()
        });
        table(&columns, rows)
    }

    pub fn csv(rows: &[Self]) -> io::Result<Vec<u8>> {
        let columns: Vec<_> = Measure::value_variants().iter().flat_map(columns).collect();
        let mut csv = csv::Writer::from_writer(Vec::new());
        let names = ["path", "board", "name", "ruleset", "verdict"].map(str::to_owned);
        csv.write_record(names.iter().chain(columns.iter().map(|(name, ..)| name)))?;
        for row in rows {
            let number = row.number.to_string();
            let fields = [&*row.path, &number, &row.title, &row.ruleset, row.verdict];
            let fields = fields.map(str::to_owned);
            let measures = columns.iter().map(|&(_, measure, bound)| {
                row.measured(measure)
                    .filter(|value| value.bound == bound)
                    .map_or_else(String::new, Measured::plain)
            });
            csv.write_record(fields.into_iter().chain(measures))?;
        }
        csv.into_inner().map_err(csv::IntoInnerError::into_error)
    }

    pub fn json_lines(rows: &[Self]) -> Vec<u8> {
        rows.iter().flat_map(|row| &row.json).copied().collect()
    }
}

fn columns(measure: &Measure) -> impl Iterator<Item = (String, Measure, Bound)> {
    let (name, measure) = (measure.name().replace('-', "_"), *measure);
    let end = bound(measure).map(|(bound, end)| (format!("{name}{end}"), measure, bound));
    [(name, measure, Bound::Exact)].into_iter().chain(end)
}

/// Returns the innermost folder that contains all files, with a slash at its end, or an empty text if there is none.
fn common_folder(rows: &[Rating]) -> &str {
    let first = rows.first().map_or("", |row| &row.path);
    let mut ends = first.rmatch_indices('/').map(|(at, _)| &first[..=at]);
    ends.find(|folder| rows.iter().all(|row| row.path.starts_with(folder)))
        .unwrap_or_default()
}

const MIN_ADDRESS_WIDTH: usize = 24;

/// The measures that a narrow table may leave out, the least important first.
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
