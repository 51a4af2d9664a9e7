//! The measures of boards, as a table, as comma-separated values, as JSON.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::sync::Arc;

use clap::ValueEnum;
use getaway::advice::Worth;
use getaway::analysis::{Count, RandomPlay};
use getaway::limits::Limit;

use super::json;
use super::table::{Side, Table};
use super::words::{grouped, safe};
use crate::cli::args::rate::Measure;
use crate::cli::batch::Part;
use crate::cli::evaluate::{Answer, Evaluated};

/// What a board came to.
#[derive(Debug)]
pub struct Rating {
    /// Its number in its piece of the file, from 0.
    pub board: u64,
    name: String,
    ruleset: &'static str,
    verdict: &'static str,
    /// By [`Measure`].
    values: Vec<Option<Measured>>,
    /// Its JSON object but for the first fields, where that is wanted.
    json: Vec<u8>,
}

/// A measure's value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    number: Number,
    /// Whether it could be more.
    is_at_least: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Whole(u128),
    Real(f64),
}

impl Measured {
    const fn real(number: f64) -> Self {
        Self {
            number: Number::Real(number),
            is_at_least: false,
        }
    }

    fn whole(number: impl TryInto<u128>) -> Self {
        Self {
            number: Number::Whole(number.try_into().unwrap_or(u128::MAX)),
            is_at_least: false,
        }
    }

    fn counted<N: TryInto<u128>>(count: Count<N>) -> Self {
        let (number, is_at_least) = match count {
            Count::Exactly(number) => (number, false),
            Count::AtLeast(number) => (number, true),
        };
        Self {
            is_at_least,
            ..Self::whole(number)
        }
    }

    fn value(self) -> f64 {
        match self.number {
            Number::Whole(number) => number as f64,
            Number::Real(number) => number,
        }
    }

    /// For people.
    fn text(self, measure: Measure) -> String {
        let text = match self.number {
            Number::Whole(number) => {
                u64::try_from(number).map_or_else(|_| number.to_string(), grouped)
            }
            Number::Real(number) if is_share(measure) => format!("{number:.6}"),
            Number::Real(number) => format!("{number:.2}"),
        };
        let sign = if self.is_at_least { ">=" } else { "" };
        format!("{sign}{text}")
    }

    /// For programs.
    fn plain(self) -> String {
        match self.number {
            Number::Whole(number) => number.to_string(),
            Number::Real(number) => format!("{}", (number * 1e6).round() / 1e6),
        }
    }
}

/// Whether it lies between 0 and 1.
const fn is_share(measure: Measure) -> bool {
    matches!(measure, Measure::Random | Measure::Probability)
}

/// Whether a limit can leave it at "so many and perhaps more".
const fn is_counted(measure: Measure) -> bool {
    matches!(measure, Measure::ShortestLines | Measure::Reachable)
}

impl Rating {
    /// What a board came to; `None` where there is nothing to say of it.
    pub fn of(board: u64, evaluated: &Evaluated, has_json: bool) -> Option<Self> {
        let mut text = Vec::new();
        if has_json {
            json::json(evaluated, &mut text);
            text.push(b'\n');
        }
        let puzzle = evaluated.puzzle;
        let name = puzzle.name().map(Into::into).or_else(|| puzzle.id_text());
        let (ruleset, verdict, values) = match &evaluated.result {
            Ok(answer) if answer.solution.limit == Some(Limit::Interrupt) => return None,
            Ok(answer) => {
                let measured = |measure: &Measure| measured(*measure, answer);
                let values = Measure::value_variants().iter().map(measured).collect();
                let verdict = answer.solution.verdict.word();
                (answer.ruleset.unwrap_or_default(), verdict, values)
            }
            // Errors are drawn elsewhere.
            Err(_) if !has_json => return None,
            Err(_) => ("", "", vec![None; Measure::value_variants().len()]),
        };
        Some(Self {
            board,
            name: name.map_or_else(String::new, |name| safe(&name)),
            ruleset,
            verdict,
            values,
            json: text,
        })
    }

    /// How much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        let heap = self.name.capacity() + self.json.capacity();
        size_of::<Self>() + heap + self.values.capacity() * size_of::<Option<Measured>>()
    }
}

fn measured(measure: Measure, answer: &Answer) -> Option<Measured> {
    let solution = &answer.solution;
    let analysed = answer.analysed.as_ref()?;
    let analysis = &analysed.analysis;
    let is_chance = solution.evidence.probability().is_some();
    match measure {
        Measure::Length => {
            let line = solution.line().map(|line| line.chars().count());
            analysis.length.or(line).map(Measured::whole)
        }
        Measure::ShortestLines => analysis.shortest_lines.map(Measured::counted),
        Measure::FirstMoves => {
            let leads_out = |(_, worth): &&(String, Worth)| match worth {
                Worth::Escape { .. } => true,
                Worth::Chance { lower, .. } => *lower > 0.0,
                _ => false,
            };
            let moves = &analysis.first_moves;
            let all = moves.iter().filter(leads_out).count();
            (!moves.is_empty()).then(|| Measured::whole(all))
        }
        Measure::Forced => analysis
            .forced
            .as_ref()
            .map(|turns| Measured::whole(turns.len())),
        Measure::LastMistake => {
            let mistake = analysis.last_mistake.as_ref();
            mistake.map(|mistake| Measured::whole(mistake.turn))
        }
        Measure::Reachable => analysis.reachable.map(Measured::counted),
        Measure::DeadEnds => analysis.dead_ends.map(Measured::whole),
        Measure::Random => analysis.random.map(|play| Measured::real(random(play))),
        Measure::Difficulty => analysis.difficulty.map(Measured::real),
        Measure::Matters => (!is_chance).then(|| Measured::whole(analysed.removals.len())),
        Measure::Probability => solution.evidence.probability().map(Measured::real),
        Measure::Turns => analysis
            .best_play
            .as_ref()
            .map(|play| Measured::real(play.turns)),
        Measure::States => Some(Measured::whole(solution.states)),
    }
}

fn random(play: RandomPlay) -> f64 {
    match play {
        RandomPlay::Exact([lower, upper]) => f64::midpoint(lower, upper),
        RandomPlay::Played { escaped, games, .. } => escaped as f64 / games.max(1) as f64,
    }
}

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
        self.rating.values[measure as usize]
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
