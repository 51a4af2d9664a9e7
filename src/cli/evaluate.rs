//! Reads one board, solves it, and compares the answer with its expectation.

use std::time::{Duration, Instant};

use crate::analysis::{Analysis, Removal, Section};
use crate::expect::Expectation;
use crate::explanation::Explanation;
use crate::fault::{BoardError, Fault, FaultKind};
use crate::game::Game;
use crate::limits::{Limit, Limits};
use crate::puzzle::Puzzle;
use crate::puzzle::small::SmallBoard;
use crate::removals::that_matter;
use crate::rulesets::{Entry, decide_small};
use crate::solution::{Solution, Verdict};
use serde::{Deserialize, Serialize};

use super::answers::Claim;
use super::options::{Detail, Options, Share};
use super::panics;
use super::points::points;

#[derive(Debug)]
pub struct Evaluated<'p> {
    pub puzzle: &'p Puzzle<'p>,
    pub result: Result<Answer, BoardError>,
    pub standing: Standing,
    /// `None` if it was not measured.
    pub time: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    AsExpected,
    Mismatched,
    #[default]
    NotExpected,
    /// A limit was reached first.
    Undecided,
    /// The board is invalid or can't be solved.
    Error,
}

impl Standing {
    pub const fn word(self) -> &'static str {
        match self {
            Self::AsExpected => "as expected",
            Self::Mismatched => "mismatch",
            Self::NotExpected => "without expectation",
            Self::Undecided => "undecided",
            Self::Error => "error",
        }
    }
}

#[derive(Debug)]
pub struct Answer {
    /// `None` if a limit ended the reading before the ruleset was known.
    pub ruleset: Option<&'static str>,
    pub solution: Solution,
    pub expect: Option<Expectation>,
    /// True if an agent gave the expected answer.
    pub is_by_agent: bool,
    /// What is wrong with the line in the header `moves`, or with an agent's answer; a picture may follow on more lines.
    pub refuted: Option<String>,
    /// `false` if a limit cut short the check of the evidence.
    pub is_verified: bool,
    pub warnings: Vec<Fault>,
    pub explanation: Option<Box<Explanation>>,
    pub analysed: Option<Box<Analysed>>,
}

#[derive(Debug)]
pub struct Analysed {
    pub analysis: Analysis,
    /// Things whose removal changes the answer.
    pub removals: Vec<Removal>,
    pub cut_short: Vec<(Section, Limit)>,
}

impl Analysed {
    fn new(
        board: (&Entry, &Puzzle),
        game: &dyn Game,
        solution: &Solution,
        limits: &Limits,
    ) -> Self {
        let analysis = game.analyse(solution, limits);
        let (removals, limit) = that_matter(board, solution, limits);
        let mut cut_short = analysis.cut_short.clone();
        cut_short.extend(limit.map(|limit| (Section::Removals, limit)));
        Self {
            analysis,
            removals,
            cut_short,
        }
    }

    pub fn is_cut(&self, part: Section) -> bool {
        self.cut_short.iter().any(|(cut, _)| *cut == part)
    }
}

impl Answer {
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

    /// The answer for a board without headers.
    const fn plain(ruleset: Option<&'static str>, solution: Solution) -> Self {
        Self {
            ruleset,
            solution,
            expect: None,
            is_by_agent: false,
            refuted: None,
            is_verified: true,
            warnings: Vec::new(),
            explanation: None,
            analysed: None,
        }
    }

    /// Returns `None` if there is no expectation or its result is unknown.
    pub fn is_ok(&self) -> Option<bool> {
        if self.refuted.is_some() {
            return Some(false);
        }
        self.expect.and_then(|expect| expect.holds(&self.solution))
    }

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

/// Works within what remains of the limits after reading.
pub fn evaluate<'p>(
    options: &Options,
    puzzle: &'p Puzzle<'p>,
    (read, start): (Result<(), BoardError>, Option<Instant>),
) -> Evaluated<'p> {
    let ruleset = || options.ruleset(puzzle).ok().map(|entry| entry.name);
    let result = match read {
        Ok(()) => panics::caught(|| answer(options, puzzle))
            .unwrap_or_else(|panic| Err(internal_error(puzzle, panic)))
            .or_else(|error| Answer::of_limit(puzzle, error, ruleset)),
        // The part that was not read might have named a different ruleset.
        Err(error) => Answer::of_limit(puzzle, error, || None),
    };
    Evaluated::new(puzzle, result, start)
}

impl<'p> Evaluated<'p> {
    /// Measures the time since `start`.
    pub fn new(
        puzzle: &'p Puzzle<'p>,
        result: Result<Answer, BoardError>,
        start: Option<Instant>,
    ) -> Self {
        Self {
            puzzle,
            standing: match &result {
                Ok(answer) => answer.standing(),
                Err(error) if is_refusal_expected(puzzle, error) => Standing::AsExpected,
                Err(_) => Standing::Error,
            },
            result,
            time: start.map(|start| start.elapsed()),
        }
    }
}

fn answer(options: &Options, puzzle: &Puzzle) -> Result<Answer, BoardError> {
    panics::on_purpose(puzzle.name().unwrap_or_default());
    let (entry, game) = options.read(puzzle)?;
    let mut warnings = options.warnings(entry, puzzle)?;
    points(puzzle)?;
    let unsolvable = |why| puzzle.fault(puzzle.place(), FaultKind::Unsolvable(why));
    game.solvable().map_err(unsolvable)?;
    let limits = puzzle.limits_left();
    // The replay comes first because it takes little time and the search may use up the rest.
    let claim = match &options.agent {
        Some(agent) => agent.claim((entry, puzzle), &*game, &limits),
        None => Claim::of_headers(puzzle, &*game, &limits)?,
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
        expect: claim.expect(&solution),
        is_by_agent: options.agent.is_some(),
        refuted: claim.refuted,
        solution,
        is_verified,
        warnings,
        explanation,
        analysed,
    })
}

/// Returns `None` on any fault, limit or panic; [`evaluate`] handles those boards.
pub fn answer_at_once(options: &Options, board: &SmallBoard) -> Option<Answer> {
    /// The maximum number of states searched without checking memory and time.
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

pub fn internal_error(puzzle: &Puzzle, message: String) -> BoardError {
    let kind = FaultKind::Other {
        message,
        help: panics::ADVICE.into(),
    };
    puzzle.fault(puzzle.place(), kind).into()
}

/// Returns whether the board was refused in the way that a header expects.
fn is_refusal_expected(puzzle: &Puzzle, error: &BoardError) -> bool {
    matches!(error.first().kind, FaultKind::Unsolvable(_))
        && Expectation::of(puzzle) == Ok(Some(Expectation::Refusal))
}
