//! Solved boards, compared with their expectations.

pub mod analysis;
pub mod explain;
pub mod json;
pub mod search_steps;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use crate::game::{Game, HeaderGame, refuted_moves};
use crate::removals::necessary_items;
use crate::rulesets::{self, Entry, RULESETS};
use getaway_board::fault::{BoardError, Fault, FaultKind};
use getaway_board::limits::{Decision, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::json::unquote;
use getaway_play::analysis::{Analysis, Section};
use getaway_play::expect::Expectation;
use getaway_play::explanation::Explanation;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_search::search::Order;
use serde::{Deserialize, Serialize};

/// Answers each board of a board file or of JSON Lines with one line of JSON, as `getaway check --json --no-timing -` does.
/// Calls `limits` for each board. A text without boards gives one line with an error.
///
/// ```
/// let answers = getaway_solvers::answers::check("###\n#o.\n###\n", &getaway_board::limits::Limits::default);
/// assert!(answers.contains(r#""verdict":"escape","moves":["R"]"#));
/// ```
pub fn check<'l>(text: &str, limits: &'l dyn Fn() -> Limits<'l>) -> String {
    let mut outcomes = Vec::new();
    let path = "-".into();
    Puzzle::each(text, limits, &mut |puzzle, read| {
        let answer = answer_board(&Defaults, puzzle, read);
        outcomes.push(Outcome::new(&path, puzzle, answer));
        true
    });
    if outcomes.is_empty() {
        let error = BoardError::of_line(1, FaultKind::NoBoard);
        outcomes.push(Outcome::new(&path, &Puzzle::empty(), Err(error)));
    }
    let mut out = Vec::new();
    for (number, mut outcome) in outcomes.into_iter().enumerate() {
        outcome.board = number as u64;
        json::write(&outcome, &mut out);
    }
    String::from_utf8(out).expect("JSON is text")
}

/// A board that its ruleset has read.
#[derive(Clone, Copy)]
pub struct Case<'c> {
    /// The ruleset.
    pub entry: &'static Entry,
    /// The board as written.
    pub puzzle: &'c Puzzle<'c>,
    /// The board as read.
    pub game: &'c dyn Game,
}

/// The questions to ask about each board. [`check`] uses the default methods.
pub trait Query {
    /// Returns the board's ruleset, or an error if it can't be determined.
    fn ruleset(&self, puzzle: &Puzzle) -> Result<&'static Entry, BoardError> {
        rulesets::of_board(RULESETS, puzzle)
    }

    /// Returns the board's warnings, or an error if they count as errors.
    fn warnings(&self, case: Case) -> Result<Vec<Fault>, BoardError> {
        Ok(rulesets::warnings(
            RULESETS,
            case.entry,
            case.game,
            case.puzzle,
        ))
    }

    /// Returns the claim to compare with the answer. An implementation that waits for the claim extends the deadline in `limits`
    /// by that time.
    fn claim(&self, case: Case, limits: &mut Limits) -> Result<Claim, BoardError> {
        Ok(Claim::of_headers(case.puzzle, case.game, limits)?)
    }

    /// Solves the board.
    fn solve(&self, case: Case, limits: &Limits) -> Solution {
        case.game.solve(Order::DepthFirst, limits)
    }

    /// Adds the other requested results, such as an explanation.
    fn extend(&self, answer: &mut Answer, case: Case, limits: &Limits) -> Result<(), BoardError> {
        let _ = (answer, case, limits);
        Ok(())
    }
}

struct Defaults;

impl Query for Defaults {}

/// Answers a board; `read` is the result of reading it. An error that is a limit becomes an undecided answer.
///
/// # Errors
///
/// Returns the faults that were found in the board. That it can't be solved counts as a fault.
pub fn answer_board(
    query: &impl Query,
    puzzle: &Puzzle,
    read: Result<(), BoardError>,
) -> Result<Box<Answer>, BoardError> {
    // If reading failed, the unread part might have named a different ruleset.
    let is_read = read.is_ok();
    read.and_then(|()| answer(query, puzzle)).or_else(|error| {
        let limit = error.limit().ok_or(error)?;
        let entry = is_read.then(|| query.ruleset(puzzle).ok()).flatten();
        let claim = Claim {
            expect: Expectation::of(puzzle).unwrap_or_default(),
            ..Claim::default()
        };
        let solution = Solution::undecided(limit, 0);
        Ok(Box::new(Answer::new(entry, claim, solution)))
    })
}

fn answer(query: &impl Query, puzzle: &Puzzle) -> Result<Box<Answer>, BoardError> {
    let (entry, mut answer) = (query.ruleset(puzzle)?, None);
    (entry.with_game)(puzzle, &mut |game| {
        let case = Case {
            entry,
            puzzle,
            game,
        };
        answer = Some(answer_case(query, case));
    })?;
    answer.expect("a board that was read is passed on")
}

fn answer_case(query: &impl Query, case: Case) -> Result<Box<Answer>, BoardError> {
    let Case { entry, puzzle, .. } = case;
    let warnings = query.warnings(case)?;
    check_solvable(case.game, puzzle)?;
    let mut limits = puzzle.limits_left();
    // The claim comes first because it is fast to check, and because the search may exhaust the limits.
    let claim = query.claim(case, &mut limits)?;
    let solution = query.solve(case, &limits);
    let mut answer = Box::new(Answer::new(Some(entry), claim, solution));
    answer.warnings = warnings;
    query.extend(&mut answer, case, &limits)?;
    Ok(answer)
}

/// Checks that the header `points` is valid and that the board can be solved.
///
/// # Errors
///
/// Returns the fault, at its place in the board.
pub fn check_solvable(game: &dyn Game, puzzle: &Puzzle) -> Result<(), BoardError> {
    points(puzzle)?;
    let fault = |why| puzzle.fault(puzzle.place(), FaultKind::Unsolvable(why));
    game.solvable().map_err(|why| fault(why).into())
}

/// The answer that a board's headers or rows, or an agent, claim.
#[derive(Debug, Default)]
pub struct Claim {
    /// The expected answer.
    pub expect: Option<Expectation>,
    /// The reason why the claim is wrong, possibly with a picture of the board.
    pub refuted: Option<String>,
    /// True if an agent showed the board after each turn correctly.
    pub is_shown: bool,
}

impl Claim {
    /// Reads the headers `expect`, `moves`, `chasers` and `seed`, and replays the moves. Without `expect`, the board's rows may
    /// contain the expected answer.
    ///
    /// # Errors
    ///
    /// Returns the fault of a header.
    pub fn of_headers(puzzle: &Puzzle, game: &dyn Game, limits: &Limits) -> Result<Self, Fault> {
        // This makes large inputs faster, most of whose boards have no headers.
        if puzzle.headers.is_empty() {
            let expect = game.expectation();
            return Ok(Self {
                expect,
                ..Self::default()
            });
        }
        let claim = Self::without_replay(puzzle, game)?;
        Ok(Self {
            refuted: refuted_moves(puzzle, game, claim.expect, limits)?,
            ..claim
        })
    }

    /// Returns the claim of the headers without a replay of their moves.
    pub fn without_replay(puzzle: &Puzzle, game: &dyn Game) -> Result<Self, Fault> {
        HeaderGame::of(puzzle)?;
        Ok(Self {
            expect: Expectation::of(puzzle)?.or_else(|| game.expectation()),
            ..Self::default()
        })
    }

    /// Returns a claim that is wrong for this reason.
    pub fn refuted(reason: String) -> Self {
        Self {
            refuted: Some(reason),
            ..Self::default()
        }
    }

    /// Returns the expected answer, if any. If an agent showed the turns but named no answer, this is the solution's verdict.
    pub fn expect(&self, solution: &Solution) -> Option<Expectation> {
        let any = || Expectation::Verdict(solution.verdict());
        self.expect.or_else(|| self.is_shown.then(any))
    }
}

/// The answer to a board, or the reason why there is none, with everything that reports print.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The file, as the user named it.
    pub path: Arc<str>,
    /// The board's number in its file, from 0.
    pub board: u64,
    /// The number of the board's first line, from 1. It is 0 if the file can't be read.
    pub line: u64,
    /// The board's id, as JSON.
    pub id: Option<Box<str>>,
    /// The board's name.
    pub name: Option<Box<str>>,
    /// The answer, or the reason why there is none.
    pub result: Result<Box<Answer>, Problem>,
    /// The comparison with the expected answer.
    pub status: CheckStatus,
    /// The points for the board, from the header `points`; 1 by default, and `None` if the file can't be read or the header is
    /// invalid.
    pub points: Option<f64>,
    /// The time taken, if it was measured.
    pub time: Option<Duration>,
    /// A small picture of the board, as SVG.
    pub picture: Option<String>,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Problem {
    /// The board is invalid, or can't be solved.
    Board(BoardError),
    /// The file can't be read.
    File(String),
}

/// The comparison of an answer with the expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckStatus {
    /// The answer is the expected one, or the board can't be solved, as expected.
    AsExpected,
    /// The answer differs from the expected one, or a claim in the headers or by an agent is wrong.
    Mismatched,
    /// No answer is expected.
    #[default]
    NotExpected,
    /// A limit, or bounds on the probability that are too wide, left open the answer, or whether it is the expected one.
    Undecided,
    /// There is no answer, and that was not expected.
    Error,
}

impl CheckStatus {
    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsExpected => "as expected",
            Self::Mismatched => "mismatch",
            Self::NotExpected => "without expectation",
            Self::Undecided => "undecided",
            Self::Error => "error",
        }
    }
}

/// The answer to a board, with the claim about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The ruleset's name; `None` if a limit was reached before it was certain, or the board was skipped.
    pub ruleset: Option<Cow<'static, str>>,
    /// The solution.
    pub solution: Solution,
    /// The expected answer.
    pub expect: Option<Expectation>,
    /// True if the claim comes from an agent, not from the board.
    pub is_by_agent: bool,
    /// The reason why the claim is wrong.
    pub refuted: Option<String>,
    /// False if the certificate should have been verified but a limit prevented that.
    pub is_verified: bool,
    /// The board's warnings.
    pub warnings: Vec<Fault>,
    /// The explanation, if requested.
    // Only commands whose runs can't be resumed explain and analyse.
    #[serde(skip)]
    pub explanation: Option<Box<Explanation>>,
    /// The design metrics, if requested.
    #[serde(skip)]
    pub analysis: Option<Box<Analysis>>,
}

/// Computes the design metrics of a solved board, with the items that matter.
pub fn analyse(case: Case, solution: &Solution, limits: &Limits) -> Analysis {
    let mut analysis = case.game.analyse(solution, limits);
    let (removals, limit) = necessary_items(case.entry, case.puzzle, solution, limits);
    let limit = limit.map(|limit| (Section::Removals, limit));
    analysis.cut_short.extend(limit);
    // In a `maze`, the question of which items matter does not apply.
    let is_map = matches!(solution.evidence, Evidence::Direction { .. });
    analysis.matters = (!is_map).then_some(removals);
    analysis
}

impl Answer {
    /// Creates an answer without warnings.
    pub fn new(entry: Option<&Entry>, claim: Claim, solution: Solution) -> Self {
        Self {
            ruleset: entry.map(|entry| entry.name.into()),
            expect: claim.expect(&solution),
            solution,
            is_by_agent: false,
            refuted: claim.refuted,
            is_verified: true,
            warnings: Vec::new(),
            explanation: None,
            analysis: None,
        }
    }

    /// Returns the answer to a board that is counted but not solved.
    pub fn skipped() -> Self {
        Self::new(None, Claim::default(), Solution::unsolvable())
    }

    /// Decides whether the answer is as expected. If the claim is refuted, it is not. The result is undecided without an
    /// expectation, or if the solution leaves open whether the expectation holds.
    pub(crate) fn agreement(&self) -> Decision {
        if self.refuted.is_some() {
            return Decision::No;
        }
        self.expect
            .map_or(Decision::Undecided, |expect| expect.holds(&self.solution))
    }

    /// Returns whether an interrupt left the verdict undecided.
    pub fn is_interrupted(&self) -> bool {
        self.solution.verdict() == Verdict::Undecided
            && self.solution.limit() == Some(Limit::Interrupt)
    }

    fn status(&self) -> CheckStatus {
        match self.agreement() {
            Decision::Yes => CheckStatus::AsExpected,
            Decision::No => CheckStatus::Mismatched,
            Decision::Undecided
                if self.solution.verdict() == Verdict::Undecided || self.expect.is_some() =>
            {
                CheckStatus::Undecided
            }
            Decision::Undecided => CheckStatus::NotExpected,
        }
    }
}

impl Outcome {
    /// Creates the outcome of a board, numbered 0 and without time and picture.
    pub fn new(path: &Arc<str>, puzzle: &Puzzle, result: Result<Box<Answer>, BoardError>) -> Self {
        Self {
            path: Arc::clone(path),
            board: 0,
            line: puzzle.line,
            id: puzzle.id.map(Into::into),
            name: puzzle.name().map(Into::into),
            status: match &result {
                Ok(answer) => answer.status(),
                Err(error) if is_refusal_expected(puzzle, error) => CheckStatus::AsExpected,
                Err(_) => CheckStatus::Error,
            },
            result: result.map_err(Problem::Board),
            points: points(puzzle).ok(),
            time: None,
            picture: None,
        }
    }

    /// Returns the outcome of a file that can't be read.
    pub fn unreadable(path: &Arc<str>, why: String) -> Self {
        Self {
            path: Arc::clone(path),
            board: 0,
            line: 0,
            id: None,
            name: None,
            result: Err(Problem::File(why)),
            status: CheckStatus::Error,
            points: None,
            time: None,
            picture: None,
        }
    }

    /// Returns the answer, if there is one.
    pub fn answer(&self) -> Option<&Answer> {
        self.result.as_deref().ok()
    }

    /// Returns the name of the ruleset, or an empty text.
    pub fn ruleset(&self) -> &str {
        let ruleset = self.answer().and_then(|answer| answer.ruleset.as_deref());
        ruleset.unwrap_or_default()
    }

    /// Returns the name of the verdict, or an empty text.
    pub fn verdict_name(&self) -> &'static str {
        let verdict = |answer: &Answer| answer.solution.verdict().name();
        self.answer().map_or("", verdict)
    }

    /// Returns whether this is about a board, not about a file that can't be read.
    pub const fn is_of_board(&self) -> bool {
        !matches!(self.result, Err(Problem::File(_)))
    }

    /// Returns whether the board counts as a failure: its status is mismatched, undecided or an error.
    pub const fn has_failed(&self) -> bool {
        !matches!(
            self.status,
            CheckStatus::AsExpected | CheckStatus::NotExpected
        )
    }

    /// Returns whether an interrupt left the verdict undecided.
    pub fn is_interrupted(&self) -> bool {
        self.answer().is_some_and(Answer::is_interrupted)
    }

    /// Returns the board's name or else its id.
    pub fn title(&self) -> Option<Cow<'_, str>> {
        let id = || {
            let id = self.id.as_deref()?;
            Some(unquote(id).unwrap_or(id.into()))
        };
        self.name.as_deref().map(Cow::from).or_else(id)
    }
}

fn is_refusal_expected(puzzle: &Puzzle, error: &BoardError) -> bool {
    matches!(error.first().kind, FaultKind::Unsolvable(_))
        && Expectation::of(puzzle) == Ok(Some(Expectation::Refusal))
}

/// Returns the points for a board, from the header `points`; 1 by default.
///
/// # Errors
///
/// Returns the fault of the header.
pub fn points(puzzle: &Puzzle) -> Result<f64, Fault> {
    let expected = |_: &str| "write a number from 0 to 1000000, such as `2.5`".to_owned();
    let is_possible = |points: &f64| (0.0..=1e6).contains(points) && points.is_sign_positive();
    let read = |text: &str| text.parse().ok().filter(is_possible);
    Ok(puzzle.setting("points", expected, read)?.unwrap_or(1.0))
}
