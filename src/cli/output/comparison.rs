//! Comparisons of entrants as a table, CSV, JSON or grades for Gradescope.

use anyhow::Result;
use console::Alignment;
use serde::Serialize;
use serde_json::{Value, json};

use super::report::{gradescope_head, gradescope_test};
use super::statistics::{Games, Statistics, percent, percents};
use super::table::table;
use crate::cli::paired::{Pairs, holm};
use getaway_board::limits::Bounds;
use getaway_board::words::{count, grouped, list_some, safe};

const SIGNIFICANT: f64 = 0.05;
const MAX_NAMED: usize = 8;

#[derive(Serialize)]
pub struct Comparison {
    seed: u64,
    runs: u64,
    boards: Vec<BoardComparison>,
    /// The addresses of the boards whose best possible escape rate is unknown for some entrant without programs for chasers. That
    /// entrant's totals of `best` and `regret` leave them out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_best: Vec<String>,
    #[serde(rename = "entrants")]
    all: Vec<EntrantRow>,
    differences: Vec<Difference>,
}

#[derive(Serialize)]
pub struct BoardComparison {
    /// The file or board as named on the command line, with the board's number if it is a later board of a file.
    #[serde(rename = "path")]
    pub address: String,
    #[serde(skip)]
    pub points: f64,
    /// True if the best possible escape rate is unknown for an entrant without programs for chasers.
    #[serde(skip)]
    pub lacks_best: bool,
    #[serde(rename = "entrants")]
    pub rows: Vec<EntrantRow>,
}

#[derive(Serialize)]
pub struct EntrantRow {
    name: String,
    #[serde(skip)]
    games: Games,
    #[serde(flatten)]
    statistics: Statistics,
    #[serde(skip)]
    escapes: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regret: Option<f64>,
    #[serde(skip)]
    fault: Option<String>,
}

impl EntrantRow {
    pub fn new(
        name: &str,
        games: Games,
        escapes: Vec<u64>,
        best: Option<f64>,
        fault: Option<String>,
    ) -> Self {
        let statistics = games.statistics();
        Self {
            name: name.to_owned(),
            games,
            escapes,
            best,
            regret: best.map(|best| best - statistics.rate),
            statistics,
            fault,
        }
    }

    /// Returns an entrant's totals. `best` and `regret` are means over the boards where the entrant's best possible rate is
    /// known, and `None` if there are no such boards.
    fn total(boards: &[BoardComparison], who: usize) -> Self {
        let own = || boards.iter().map(|board| &board.rows[who]);
        let games = own()
            .map(|row| row.games.clone())
            .reduce(Games::and)
            .expect("there is a board");
        let mean = |of: fn(&Self) -> Option<f64>| {
            let known = own().filter_map(of);
            let count = known.clone().count();
            (count > 0).then(|| known.sum::<f64>() / count as f64)
        };
        let name = &boards[0].rows[who].name;
        Self {
            best: mean(|row| row.best),
            regret: mean(|row| row.regret),
            ..Self::new(name, games, Vec::new(), None, None)
        }
    }
}

#[derive(Serialize)]
struct Difference {
    first: String,
    second: String,
    #[serde(flatten)]
    pairs: Pairs,
    #[serde(rename = "difference")]
    margin: f64,
    interval: Bounds,
    /// The p-value.
    p: f64,
    /// The p-value, corrected for the number of comparisons.
    p_corrected: f64,
    significant: bool,
}

impl Comparison {
    /// Compares the entrants on at least one board. Each board must have a row for every entrant.
    pub fn new(seed: u64, runs: u64, boards: Vec<BoardComparison>) -> Self {
        let entrants = 0..boards[0].rows.len();
        let all: Vec<_> = entrants
            .map(|who| EntrantRow::total(&boards, who))
            .collect();
        let without_best = boards.iter().filter(|board| board.lacks_best);
        Self {
            seed,
            runs,
            without_best: without_best.map(|board| board.address.clone()).collect(),
            all,
            differences: differences(runs, &boards),
            boards,
        }
    }

    pub fn json(&self) -> serde_json::Result<String> {
        // Converting to a `Value` first sorts the fields.
        Ok(format!("{}\n", serde_json::to_value(self)?))
    }

    /// Returns comma-separated values. Totals over several boards have no path.
    pub fn csv(&self) -> Result<String> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(COLUMN_NAMES)?;
        let boards = self.boards.iter();
        let rows = boards.flat_map(|board| board.rows.iter().map(|row| (&*board.address, row)));
        let all = self.all.iter().filter(|_| self.boards.len() > 1);
        for (path, row) in rows.chain(all.map(|row| ("", row))) {
            let statistics = &row.statistics;
            let Bounds { lower, upper } = statistics.interval;
            let turns = statistics.turns.as_ref().map(|turns| turns.mean);
            out.serialize((
                (path, &row.name, statistics.runs, statistics.escaped),
                [statistics.rate, lower, upper].map(|number| number.to_string()),
                (statistics.caught, statistics.open),
                [turns, row.best, row.regret].map(|number| number.map(|it| it.to_string())),
            ))?;
        }
        Ok(String::from_utf8(out.into_inner()?)?)
    }

    /// Grades the first entrant only, since Gradescope itself compares submissions.
    pub fn gradescope(&self) -> Value {
        let first = &self.all[0];
        let score = self.boards.iter().map(BoardComparison::score).sum();
        let mut results = gradescope_head(score, &safe(&first.name));
        results["tests"] = self.boards.iter().map(BoardComparison::test).collect();
        results["leaderboard"] =
            json!([{"name": "escape rate", "value": first.statistics.rate, "order": "desc"}]);
        results
    }

    pub fn text(&self) -> String {
        let boards = count(self.boards.len() as u64, "board");
        let games = count(self.runs, "game");
        let head = format!("{boards}, {games} on each, seed {}", self.seed);
        let mut text = format!("{head}\n\n{}", entrants(&self.all));
        if self.all.iter().all(|row| row.best.is_none()) && !self.without_best.is_empty() {
            text += "(no board has a known optimum, so there is no `best` or `regret`)\n";
        } else if !self.without_best.is_empty() {
            let some = count(self.without_best.len() as u64, "board");
            let which = list_some(&self.without_best, MAX_NAMED);
            text +=
                &format!("(`best` and `regret` omit {some} without a known optimum: {which})\n");
        }
        if self.differences.is_empty() {
            return text;
        }
        let differences: String = self.differences.iter().map(Difference::text).collect();
        let comparisons = count(self.differences.len() as u64, "comparison");
        format!(
            "{text}\n{differences}(the same luck for all, game by game; McNemar's exact test, with Holm's correction for {comparisons})\n"
        )
    }
}

const COLUMN_NAMES: [&str; 12] = [
    "path", "name", "runs", "escaped", "rate", "low", "high", "caught", "open", "turns", "best",
    "regret",
];

impl BoardComparison {
    fn score(&self) -> f64 {
        self.points * self.rows[0].statistics.rate
    }

    fn test(&self) -> Value {
        let EntrantRow {
            statistics, fault, ..
        } = &self.rows[0];
        let games = count(statistics.runs, "game");
        let mut output = vec![format!("escaped in {} of {games}", statistics.escaped)];
        output.push(lost(statistics));
        output.extend(fault.clone());
        let output = output.join("\n");
        gradescope_test(&self.address, self.score(), self.points, output.trim_end())
    }
}

/// A column of the table of entrants: its title, its alignment, and a function that returns the text of a row's cell.
type Column = (&'static str, Alignment, fn(&EntrantRow) -> String);

fn entrants(rows: &[EntrantRow]) -> String {
    let all: [Column; 7] = [
        ("", Alignment::Left, |row| safe(&row.name)),
        ("escaped", Alignment::Right, |row| {
            percent(row.statistics.rate)
        }),
        ("95% CI", Alignment::Left, |row| {
            percents(row.statistics.interval)
        }),
        ("best", Alignment::Right, |row| some_percent(row.best)),
        ("regret", Alignment::Right, |row| some_percent(row.regret)),
        ("turns", Alignment::Right, |row| {
            let turns = row.statistics.turns.as_ref();
            turns.map_or_else(String::new, |turns| format!("{:.2}", turns.mean))
        }),
        ("lost", Alignment::Left, |row| lost(&row.statistics)),
    ];
    let has_best = rows.iter().any(|row| row.best.is_some());
    let mut shown = all.to_vec();
    shown.retain(|(title, ..)| has_best || !["best", "regret"].contains(title));
    let titles = shown.iter().map(|&(title, side, _)| (title, side));
    let cells = |row| shown.iter().map(|(.., cell)| cell(row)).collect();
    table(&titles.collect::<Vec<_>>(), rows.iter().map(cells))
}

fn some_percent(share: Option<f64>) -> String {
    share.map(percent).unwrap_or_default()
}

fn lost(statistics: &Statistics) -> String {
    let mut lost = statistics.causes();
    if statistics.open > 0 {
        lost.push(format!("unfinished {}", grouped(statistics.open)));
    }
    lost.join(", ")
}

fn differences(runs: u64, boards: &[BoardComparison]) -> Vec<Difference> {
    let names: Vec<_> = boards[0].rows.iter().map(|row| &row.name).collect();
    let both = (1..names.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let pairs = both.map(|(first, second)| {
        let mut pairs = Pairs::default();
        for board in boards {
            let [a, b] = [first, second].map(|who| &*board.rows[who].escapes);
            let both = common(a, b);
            pairs.cases += runs;
            pairs.only_first += a.len() as u64 - both;
            pairs.only_second += b.len() as u64 - both;
        }
        (names[first], names[second], pairs)
    });
    let pairs: Vec<_> = pairs.collect();
    let p_values: Vec<_> = pairs.iter().map(|(.., pairs)| pairs.p_value()).collect();
    pairs
        .into_iter()
        .zip(holm(&p_values))
        .map(|((first, second, pairs), p_corrected)| {
            let (margin, interval) = pairs.difference();
            Difference {
                first: first.clone(),
                second: second.clone(),
                pairs,
                margin,
                interval,
                p: pairs.p_value(),
                p_corrected,
                significant: p_corrected < SIGNIFICANT,
            }
        })
        .collect()
}

fn common(a: &[u64], b: &[u64]) -> u64 {
    // The numbers ascend, since games are passed on in order.
    let is_in_b = |number: &&u64| b.binary_search(number).is_ok();
    a.iter().filter(is_in_b).count() as u64
}

impl Difference {
    fn text(&self) -> String {
        let [first, second] = [&self.first, &self.second].map(|name| safe(name));
        let p = match self.p_corrected {
            p if p < 0.0001 => "p < 0.0001".to_owned(),
            p => format!("p = {p:.4}"),
        };
        let Bounds { lower, upper } = self.interval;
        let (better, worse, [low, high]) = if self.margin < 0.0 {
            (second, first, [-upper, -lower])
        } else {
            (first, second, [lower, upper])
        };
        let [margin, low, high] = [self.margin.abs(), low, high].map(|share| 100.0 * share);
        let points = format!("{margin:.2} points (95% confidence interval {low:.2} to {high:.2})");
        let differs = self.pairs.only_first != self.pairs.only_second;
        match (self.significant, differs) {
            (true, _) => format!("{better} escapes more often than {worse}: by {points}, {p}\n"),
            (false, true) => format!(
                "{better} escapes more often than {worse}, perhaps by chance: by {points}, {p}\n"
            ),
            (false, false) => {
                format!("{better} and {worse} escape equally often: {points}, {p}\n")
            }
        }
    }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
