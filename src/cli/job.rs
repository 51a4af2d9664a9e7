//! The task of a run: what to ask about each board, which boards to select, and what to print.

use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::ValueEnum;
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::Verdict;
use getaway_search::search::Order;
use getaway_solvers::answers::{Answer, Claim, Evaluated, Standing, analyse, check_solvable};
use getaway_solvers::game::shortened;
use twox_hash::XxHash3_64;

use super::args::{Color, HowArgs, OutputArgs};
use super::exit::Tally;
use super::options::{Detail, Options, Share, colors};
use super::output::diagnostic::{Colors, Diagnostics};
use super::panics;

#[derive(Clone, Debug)]
pub struct Job {
    pub options: Options,
    pub share: Share,
    /// If true, each board is a part of its own, so that it is printed or saved at once, and can end the run.
    pub is_per_board: bool,
    pub report: Report,
    pub selection: Selection,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub style: Style,
    pub is_timed: bool,
    pub statistics: bool,
    /// If true, boards that an interrupt left undecided are left out, since a later run will search them again.
    pub skips_interrupted: bool,
    /// The maximum number of errors to print, and also of warnings and mismatches.
    pub max_errors: u64,
    pub colors: Colors,
    pub error_colors: Colors,
    pub kept: Kept,
}

impl Report {
    pub fn diagnostics(&self) -> Diagnostics {
        Diagnostics::new(self.error_colors)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Only the fields that are printed at once.
    Printed,
    /// The fields that a report prints for all boards.
    Rows,
    /// The fields of a report, and pictures of the boards that failed.
    Pictures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line for each board, with its verdict.
    Verdicts,
    /// A line for each board that missed its expectation or is undecided.
    Troubles,
    Json,
    /// A table row, printed once all rows are known.
    Measures,
    Nothing,
}

impl Job {
    pub fn new(args: &HowArgs, how: (Style, Color)) -> anyhow::Result<Self> {
        let mut options = Options::new(&args.search, args.output.threads.threads)?;
        options.width = args.precision.precision;
        Ok(Self::with(options, &args.output, how))
    }

    pub fn with(options: Options, output: &OutputArgs, (style, color): (Style, Color)) -> Self {
        let style = match output {
            OutputArgs { json: true, .. } => Style::Json,
            OutputArgs { quiet: true, .. } => Style::Nothing,
            _ => style,
        };
        Self {
            options,
            share: Share::Equal,
            is_per_board: false,
            report: Report {
                style,
                is_timed: !output.timing.no_timing,
                statistics: false,
                skips_interrupted: false,
                max_errors: output.errors.max_errors,
                colors: colors(color, &io::stdout()),
                error_colors: colors(color, &io::stderr()),
                kept: Kept::Printed,
            },
            selection: Selection::default(),
        }
    }

    pub fn start(&self) -> Option<Instant> {
        let report = &self.report;
        let is_reported =
            report.style == Style::Json || report.statistics || report.kept != Kept::Printed;
        (report.is_timed && is_reported).then(Instant::now)
    }

    pub fn evaluate<'p>(
        &self,
        puzzle: &'p Puzzle<'p>,
        (read, start): (Result<(), BoardError>, Option<Instant>),
    ) -> Evaluated<'p> {
        let options = &self.options;
        let answer = || {
            let answer = panics::caught(|| answer(options, puzzle));
            answer.unwrap_or_else(|message| Err(internal_error(puzzle, message)))
        };
        Evaluated::of(puzzle, read, start, || options.ruleset(puzzle), answer)
    }
}

fn answer(options: &Options, puzzle: &Puzzle) -> Result<Answer, BoardError> {
    panics::on_purpose(puzzle.name().unwrap_or_default());
    let (entry, game) = options.read(puzzle)?;
    let mut warnings = options.warnings(entry, &*game, puzzle)?;
    check_solvable(&*game, puzzle)?;
    let mut limits = puzzle.limits_left();
    // The replay comes first because it is fast, and because the search may exhaust the limits.
    let claim = match &options.agent {
        Some(agent) => agent.claim((entry, puzzle), &*game, &mut limits)?,
        None => Claim::of_headers(puzzle, &*game, &limits)?,
    };
    let mut solution = game.solve(options.order, &limits);
    if options.shortens {
        let cells = puzzle.rows.iter().map(|row| row.text.len() as u64).sum();
        solution = shortened(solution, cells, &limits, |few| {
            game.solve(Order::Shortest, few)
        });
    }
    // Later searches don't use the gauge, which would then show their numbers of states.
    solution.note(limits.gauge.take());
    let missing = match &options.evidence {
        Some(evidence) if solution.verdict() != Verdict::Undecided => {
            evidence.of((entry, puzzle), (&*game, &solution), &limits)?
        }
        _ => None,
    };
    let is_verified = missing.is_none();
    warnings.extend(missing);
    let analysis = (options.detail == Detail::Analysis)
        .then(|| Box::new(analyse(entry, puzzle, &*game, &solution, &limits)));
    let explanation =
        (options.detail == Detail::Explanation).then(|| Box::new(game.explain(&solution, &limits)));
    Ok(Answer {
        is_by_agent: options.agent.is_some(),
        is_verified,
        warnings,
        explanation,
        analysis,
        ..Answer::new(Some(entry), claim, solution)
    })
}

fn internal_error(puzzle: &Puzzle, message: String) -> BoardError {
    let kind = FaultKind::other(message, panics::ADVICE);
    puzzle.fault(puzzle.place(), kind).into()
}

/// One of the parts into which the boards are divided.
///
/// The name of its file and its line number determine a board's part. The folder does not matter, so all machines agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The number of this part, counted from 1 to `of`.
    number: u64,
    of: u64,
}

impl Partition {
    /// Returns whether a board belongs to this part. Line 0 stands for the file itself.
    pub fn has(self, path: &str, line: u64) -> bool {
        let name = Path::new(path)
            .file_name()
            .map_or(path.as_bytes(), std::ffi::OsStr::as_encoded_bytes);
        XxHash3_64::oneshot_with_seed(line, name) % self.of == self.number - 1
    }

    pub const fn is_first(self) -> bool {
        self.number == 1
    }
}

impl std::fmt::Display for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((number, of)) if of > 0 => Err(format!(
                "there is no part {number} of {of}; write one from 1/{of} to {of}/{of}"
            )),
            _ => Err("write I/N, as in `2/4` for the second of four parts".into()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// The runner escapes.
    Escape,
    /// The runner is caught.
    Caught,
    /// The food can be reached.
    Food,
    /// The food can't be reached.
    NoFood,
    /// A limit was reached.
    Undecided,
    /// A different answer than expected.
    Mismatch,
    /// An invalid board or an unreadable file.
    Error,
}

/// The boards to judge and to print; by default, all boards.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub partition: Option<Partition>,
    pub max_fail: Option<u64>,
    pub only: Vec<Only>,
    pub reads_pipe: bool,
    is_over: Arc<AtomicBool>,
}

impl Selection {
    pub fn has(&self, path: &str, line: u64) -> bool {
        self.partition.is_none_or(|part| part.has(path, line))
    }

    pub fn has_rest(&self) -> bool {
        self.partition.is_none_or(Partition::is_first)
    }

    pub fn prints(&self, evaluated: &Evaluated) -> bool {
        self.only.is_empty() || self.only.iter().any(|&only| is(evaluated, only))
    }

    pub fn prints_errors(&self) -> bool {
        self.only.is_empty() || self.only.contains(&Only::Error)
    }

    pub fn ends_after(&self, tally: &Tally) -> bool {
        self.max_fail.is_some_and(|most| tally.failures() >= most)
    }

    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Returns whether to stop reading. Boards left in files are still counted, but not those of a pipe.
    pub fn is_finished(&self) -> bool {
        self.reads_pipe && self.is_over()
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

fn is(evaluated: &Evaluated, only: Only) -> bool {
    let verdict = match only {
        Only::Mismatch => return evaluated.standing == Standing::Mismatched,
        Only::Error => return evaluated.standing == Standing::Error,
        Only::Escape => Verdict::Escape,
        Only::Caught => Verdict::Caught,
        Only::Food => Verdict::Food,
        Only::NoFood => Verdict::NoFood,
        Only::Undecided => Verdict::Undecided,
    };
    let answer = evaluated.result.as_ref();
    answer.is_ok_and(|answer| answer.solution.verdict() == verdict)
}

#[cfg(test)]
#[path = "job_tests.rs"]
mod tests;
