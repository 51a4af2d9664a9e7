//! Compares entrants in a table, and tells which differences are significant.

pub mod csv;
pub mod gradescope;
pub mod json;
pub mod plot;

use crate::distribution::paired::{Pairs, holm};

use super::statistics::{Games, Statistics};
use super::table::{Side, Table};
use crate::answers::words::{count, grouped, safe};

const SIGNIFICANT: f64 = 0.05;

/// Games on one board.
pub struct Board {
    /// The file, with the board's number unless it is the first.
    pub address: String,
    pub points: f64,
    pub results: Vec<EntrantResult>,
}

/// An entrant's games on one board.
pub struct EntrantResult {
    pub games: Games,
    /// The sorted numbers of the games that ended in escape.
    pub escapes: Vec<u64>,
    /// The best possible rate.
    pub best: Option<f64>,
    /// The reason for the first forfeit.
    pub fault: Option<String>,
}

pub struct Comparison {
    seed: u64,
    runs: u64,
    boards: Vec<OnBoard>,
    /// Totals over all boards.
    all: Vec<Row>,
    differences: Vec<Difference>,
}

struct OnBoard {
    address: String,
    points: f64,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    statistics: Statistics,
    best: Option<f64>,
    fault: Option<String>,
}

impl Row {
    /// The difference from the best possible rate.
    fn regret(&self) -> Option<f64> {
        Some(self.best? - self.statistics.rate)
    }
}

struct Difference {
    names: [String; 2],
    pairs: Pairs,
    /// The rate of the first entrant minus that of the second.
    margin: f64,
    interval: [f64; 2],
    p_value: f64,
    /// The p-value, corrected for the number of comparisons.
    corrected: f64,
}

impl Comparison {
    pub fn new((seed, runs): (u64, u64), names: &[String], boards: Vec<Board>) -> Self {
        let differences = differences(names, runs, &boards);
        let all = (0..names.len()).map(|who| {
            let own = || boards.iter().map(|board| &board.results[who]);
            let games = own().map(|result| result.games.clone());
            let best = own().map(|result| result.best).sum::<Option<f64>>();
            Row {
                name: names[who].clone(),
                statistics: games
                    .reduce(Games::and)
                    .expect("there is a board")
                    .statistics(seed, &names[who]),
                best: best.map(|sum| sum / boards.len() as f64),
                fault: None,
            }
        });
        let all = all.collect();
        let of_board = |board: Board| {
            let results = names.iter().zip(board.results);
            let row = |(name, result): (&String, EntrantResult)| Row {
                name: name.clone(),
                statistics: result.games.statistics(seed, name),
                best: result.best,
                fault: result.fault,
            };
            OnBoard {
                address: board.address,
                points: board.points,
                rows: results.map(row).collect(),
            }
        };
        Self {
            seed,
            runs,
            boards: boards.into_iter().map(of_board).collect(),
            all,
            differences,
        }
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, {} on each, seed {}\n\n{}",
            count(self.boards.len() as u64, "board"),
            count(self.runs, "game"),
            self.seed,
            table(&self.all)
        );
        if !self.differences.is_empty() {
            text.push('\n');
        }
        for difference in &self.differences {
            text += &format!("{}\n", difference.text());
        }
        if !self.differences.is_empty() {
            text += &format!(
                "(the same luck for all, game by game; McNemar's exact test, corrected by Holm's method for {})\n",
                count(self.differences.len() as u64, "comparison")
            );
        }
        text
    }
}

fn table(rows: &[Row]) -> String {
    let has_best = rows.iter().any(|row| row.best.is_some());
    let mut columns = vec![
        ("", Side::Left),
        ("escaped", Side::Right),
        ("95 % interval", Side::Left),
        ("turns", Side::Right),
        ("lost", Side::Left),
    ];
    if has_best {
        columns.splice(3..3, [("best", Side::Right), ("regret", Side::Right)]);
    }
    let mut table = Table::new(&columns);
    for row in rows {
        table.row(cells(row, has_best));
    }
    table.text()
}

fn cells(row: &Row, has_best: bool) -> Vec<String> {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let statistics = &row.statistics;
    let [low, high] = statistics.interval.map(|share| 100.0 * share);
    let turns = statistics.turns.as_ref();
    let mut cells = vec![
        safe(&row.name),
        percent(statistics.rate),
        format!("{low:.2} to {high:.2} %"),
        turns.map_or_else(String::new, |turns| format!("{:.2}", turns.mean)),
        lost(statistics),
    ];
    if has_best {
        let known = |share: Option<f64>| share.map_or_else(String::new, percent);
        cells.splice(3..3, [known(row.best), known(row.regret())]);
    }
    cells
}

/// The reasons why games were lost, and their numbers.
fn lost(statistics: &Statistics) -> String {
    let mut lost: Vec<_> = statistics
        .causes
        .iter()
        .map(|(cause, games)| format!("{cause} {}", grouped(*games)))
        .collect();
    if statistics.open > 0 {
        lost.push(format!("unfinished {}", grouped(statistics.open)));
    }
    lost.join(", ")
}

fn differences(names: &[String], runs: u64, boards: &[Board]) -> Vec<Difference> {
    let mut all = Vec::new();
    for second in 1..names.len() {
        for first in 0..second {
            let mut pairs = Pairs::default();
            for board in boards {
                let [a, b] = [first, second].map(|who| &*board.results[who].escapes);
                let both = common(a, b);
                pairs.cases += runs;
                pairs.only_first += a.len() as u64 - both;
                pairs.only_second += b.len() as u64 - both;
            }
            let (margin, interval) = pairs.difference();
            all.push(Difference {
                names: [names[first].clone(), names[second].clone()],
                pairs,
                margin,
                interval,
                p_value: pairs.p_value(),
                corrected: 1.0,
            });
        }
    }
    let p_values: Vec<_> = all.iter().map(|one| one.p_value).collect();
    for (one, corrected) in all.iter_mut().zip(holm(&p_values)) {
        one.corrected = corrected;
    }
    all
}

/// Counts the elements that two sorted lists have in common.
fn common(a: &[u64], b: &[u64]) -> u64 {
    let is_in_b = |number: &&u64| b.binary_search(number).is_ok();
    a.iter().filter(is_in_b).count() as u64
}

impl Difference {
    fn is_significant(&self) -> bool {
        self.corrected < SIGNIFICANT
    }

    fn text(&self) -> String {
        let [first, second] = [&self.names[0], &self.names[1]].map(|name| safe(name));
        let p = match self.corrected {
            p if p < 0.0001 => "p < 0.0001".to_owned(),
            p => format!("p = {p:.4}"),
        };
        let (better, worse, [low, high]) = if self.margin < 0.0 {
            (second, first, [-self.interval[1], -self.interval[0]])
        } else {
            (first, second, self.interval)
        };
        let points = format!(
            "{:.2} points (95 % interval {:.2} to {:.2})",
            100.0 * self.margin.abs(),
            100.0 * low,
            100.0 * high
        );
        match (
            self.is_significant(),
            self.pairs.only_first == self.pairs.only_second,
        ) {
            (true, _) => format!("{better} escapes more often than {worse}: by {points}, {p}"),
            (false, false) => {
                format!(
                    "{better} escapes more often than {worse}, maybe by chance: by {points}, {p}"
                )
            }
            (false, true) => format!("{better} and {worse} escape equally often: {points}, {p}"),
        }
    }
}

#[cfg(test)]
mod tests;
