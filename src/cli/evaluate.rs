//! One board: read, decided, and compared with what it expects.

use std::time::{Duration, Instant};

use crate::analysis::{Analysis, Part, Removal};
use crate::expect::Expectation;
use crate::explanation::Explanation;
use crate::fault::{BoardError, Fault, FaultKind};
use crate::game::{Game, refuted_moves};
use crate::limits::{Limit, Limits};
use crate::puzzle::Puzzle;
use crate::puzzle::small::SmallBoard;
use crate::removals::that_matter;
use crate::rulesets::{Entry, decide_small};
use crate::solution::{Solution, Verdict};
use serde::{Deserialize, Serialize};

use super::options::{Detail, Options, Share};
use super::panics;

/// What became of a board.
#[derive(Debug)]
pub struct Evaluated<'p> {
    /// The board as it was written.
    pub puzzle: &'p Puzzle<'p>,
    /// The answer, or what was wrong with the board.
    pub result: Result<Answer, BoardError>,
    /// How it counts.
    pub standing: Standing,
    /// The time spent on it, if it was taken.
    pub time: Option<Duration>,
}

/// How a board counts in the summary of a run: each in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It had an expectation, which held.
    AsExpected,
    /// It had an expectation, which did not hold.
    Mismatched,
    /// It was decided, and nothing was expected.
    NotExpected,
    /// A limit left it undecided.
    Undecided,
    /// It is no board, or none to solve.
    Error,
}

/// A board's answer.
#[derive(Debug)]
pub struct Answer {
    /// The name of its ruleset, unless a limit was reached before it was known.
    pub ruleset: Option<&'static str>,
    /// The solution.
    pub solution: Solution,
    /// What was expected.
    pub expect: Option<Expectation>,
    /// Why the line of play in its header is wrong, if it is.
    pub refuted: Option<String>,
    /// Whether its evidence was judged, if that was asked for.
    pub is_verified: bool,
    /// What is odd about its headers, or missing.
    pub warnings: Vec<Fault>,
    /// Why this is the answer, if that was asked for.
    pub explanation: Option<Box<Explanation>>,
    /// What a designer wants to know, if that was asked for.
    pub analysed: Option<Box<Analysed>>,
}

/// What a designer wants to know of a board.
#[derive(Debug)]
pub struct Analysed {
    /// What there is to know.
    pub analysis: Analysis,
    /// The things without which the verdict would be another one.
    pub removals: Vec<Removal>,
    /// The limit that was reached before all of them were tried.
    removals_limit: Option<Limit>,
}

impl Analysed {
    fn new(
        (entry, puzzle): (&Entry, &Puzzle),
        game: &dyn Game,
        solution: &Solution,
        limits: &Limits,
    ) -> Self {
        let analysis = game.analyse(solution, limits);
        let (removals, removals_limit) = that_matter((entry, puzzle), solution, limits);
        Self {
            analysis,
            removals,
            removals_limit,
        }
    }

    /// All that was cut short, and by which limit.
    pub fn cut_short(&self) -> Vec<(Part, Limit)> {
        let removals = self.removals_limit.map(|limit| (Part::Removals, limit));
        let others = self.analysis.cut_short.iter().copied();
        others.chain(removals).collect()
    }
}

impl Answer {
    /// The answer of a board that could not be read, if that is because of a limit.
    fn of_limit(
        puzzle: &Puzzle,
        error: BoardError,
        ruleset: impl Fn() -> Option<&'static str>,
    ) -> Result<Self, BoardError> {
        let limit = error.limit().ok_or(error)?;
        Ok(Self {
            expect: Expectation::of(puzzle).unwrap_or_default(),
            ..Self::plain(ruleset(), Solution::undecided(limit, 0))
        })
    }

    /// An answer of which nothing else was asked or expected.
    const fn plain(ruleset: Option<&'static str>, solution: Solution) -> Self {
        Self {
            ruleset,
            solution,
            expect: None,
            refuted: None,
            is_verified: true,
            warnings: Vec::new(),
            explanation: None,
            analysed: None,
        }
    }

    /// Whether what was expected holds; `None` if nothing was, or nobody knows.
    pub fn is_ok(&self) -> Option<bool> {
        if self.refuted.is_some() {
            return Some(false);
        }
        self.expect.and_then(|expect| expect.holds(&self.solution))
    }

    /// Whether an interrupt left it undecided.
    pub fn is_interrupted(&self) -> bool {
        self.solution.verdict() == Verdict::Undecided
            && self.solution.limit() == Some(Limit::Interrupt)
    }

    fn standing(&self) -> Standing {
        match self.is_ok() {
            Some(true) => Standing::AsExpected,
            Some(false) => Standing::Mismatched,
            None if self.solution.verdict() == Verdict::Undecided => Standing::Undecided,
            None => Standing::NotExpected,
        }
    }
}

/// Decides a board that was read, or failed to be, from `start` on, within what reading left of its
/// limits.
pub fn evaluate<'p>(
    options: &Options,
    puzzle: &'p Puzzle<'p>,
    (read, start): (Result<(), BoardError>, Option<Instant>),
) -> Evaluated<'p> {
    // Of a board that was not read to its end it is not known what it would have been.
    let ruleset = || options.ruleset(puzzle).ok().map(|entry| entry.name);
    let result = match read {
        Ok(()) => panics::caught(|| answer(options, puzzle))
            .unwrap_or_else(|panic| Err(internal_error(puzzle, panic)))
            .or_else(|error| Answer::of_limit(puzzle, error, ruleset)),
        Err(error) => Answer::of_limit(puzzle, error, || None),
    };
    let standing = match &result {
        Ok(answer) => answer.standing(),
        Err(error) if is_refusal_expected(puzzle, error) => Standing::AsExpected,
        Err(_) => Standing::Error,
    };
    Evaluated {
        puzzle,
        result,
        standing,
        time: start.map(|start| start.elapsed()),
    }
}

/// What became of a board that was answered at once ([`answer_at_once`]).
pub fn evaluated<'p>(
    puzzle: &'p Puzzle<'p>,
    answer: Answer,
    start: Option<Instant>,
) -> Evaluated<'p> {
    Evaluated {
        puzzle,
        standing: answer.standing(),
        result: Ok(answer),
        time: start.map(|start| start.elapsed()),
    }
}

fn answer(options: &Options, puzzle: &Puzzle) -> Result<Answer, BoardError> {
    panics::on_purpose(puzzle.name().unwrap_or_default());
    let (entry, game) = options.read(puzzle)?;
    let mut warnings = options.warnings(entry, puzzle)?;
    let unsolvable = |why| puzzle.fault(puzzle.place(), FaultKind::Unsolvable(why));
    game.solvable().map_err(unsolvable)?;
    let expect = Expectation::of(puzzle)?.or_else(|| game.expectation());
    let limits = puzzle.limits_left();
    // The replay comes first: it takes little of the time, and none may be left after the search.
    let refuted = match puzzle.header("moves") {
        Some(_) => refuted_moves(puzzle, &*game, expect, &limits)?,
        None => None,
    };
    let solution = game.solve(options.order, &limits);
    let evidence = &options.evidence;
    let missing = evidence.of((entry, puzzle), (&*game, &solution), &limits)?;
    let is_verified = missing.is_none();
    warnings.extend(missing);
    let analysed = (options.detail == Detail::Analysis)
        .then(|| Box::new(Analysed::new((entry, puzzle), &*game, &solution, &limits)));
    let explanation =
        (options.detail == Detail::Explanation).then(|| Box::new(game.explain(&solution, &limits)));
    Ok(Answer {
        ruleset: Some(entry.name),
        solution,
        expect,
        refuted,
        is_verified,
        warnings,
        explanation,
        analysed,
    })
}

/// The answer to a small board without headers, if it is found at once and without any fault, limit or panic; else it
/// is left to [`evaluate`].
pub fn answer_at_once(options: &Options, board: &SmallBoard) -> Option<Answer> {
    /// A search of more states is left to those who count memory and time.
    const MOST_STATES: u64 = 1 << 12;
    let limits = Limits {
        max_states: Some(MOST_STATES),
        ..options.limits(Share::Equal)
    };
    let decided = panics::caught(|| decide_small(board, options.order, &limits));
    let (ruleset, solution) = decided.ok()??;
    let is_decided = solution.verdict() != Verdict::Undecided;
    is_decided.then(|| Answer::plain(Some(ruleset), solution))
}

/// A panic while a board was looked at, as an error of that board.
pub fn internal_error(puzzle: &Puzzle, message: String) -> BoardError {
    let kind = FaultKind::Other {
        message,
        help: panics::ADVICE.into(),
    };
    puzzle.fault(puzzle.place(), kind).into()
}

/// Whether a board was refused as none to solve, and its header expects just that.
fn is_refusal_expected(puzzle: &Puzzle, error: &BoardError) -> bool {
    matches!(error.first().kind, FaultKind::Unsolvable(_))
        && Expectation::of(puzzle) == Ok(Some(Expectation::Refusal))
}
