//! Solved boards, compared with their expectations.

pub mod analysis;
pub mod explain;
pub mod json;
pub mod words;

use std::time::{Duration, Instant};

use crate::game::{Game, refuted_moves};
use crate::removals::necessary_parts;
use crate::rulesets::{self, Entry, RULESETS};
use getaway_board::fault::{BoardError, Fault, FaultKind};
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::{Puzzle, error_at};
use getaway_play::analysis::{Analysis, Section};
use getaway_play::expect::Expectation;
use getaway_play::explanation::Explanation;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_search::search::Order;
use serde::{Deserialize, Serialize};

/// Answers each board of a board file or of JSON Lines with one line of JSON, as `getaway check --json --no-timing -` does.
/// Calls `limits` for each board.
///
/// ```
/// let answers = getaway_solvers::answers::check("###\n#o.\n###\n", &getaway_board::limits::Limits::default);
/// assert!(answers.contains(r#""verdict":"escape","moves":["R"]"#));
/// ```
pub fn check<'l>(text: &str, limits: &'l dyn Fn() -> Limits<'l>) -> String {
    let mut out = Vec::new();
    let mut number = 0;
    let mut write = |evaluated: &Evaluated| {
        out.extend(format!("{{\"path\":\"-\",\"board\":{number}").into_bytes());
        out.extend(json::line(evaluated));
        number += 1;
    };
    let mut is_empty = true;
    Puzzle::each(text, limits, &mut |puzzle, read| {
        let ruleset = || rulesets::of_board(RULESETS, puzzle);
        let answer = || answer(puzzle);
        write(&Evaluated::of(puzzle, read, None, ruleset, answer));
        is_empty = false;
        true
    });
    if is_empty {
        let error = error_at(1, FaultKind::NoBoard);
        write(&Evaluated::new(&Puzzle::empty(), Err(error), None));
    }
    String::from_utf8(out).expect("JSON is text")
}

fn answer(puzzle: &Puzzle) -> Result<Answer, BoardError> {
    let entry = rulesets::of_board(RULESETS, puzzle)?;
    let game = (entry.read)(puzzle)?;
    check_solvable(&*game, puzzle)?;
    let limits = puzzle.limits_left();
    let claim = Claim::of_headers(puzzle, &*game, &limits)?;
    Ok(Answer {
        warnings: rulesets::warnings(RULESETS, entry, &*game, puzzle),
        ..Answer::new(Some(entry), claim, game.solve(Order::DepthFirst, &limits))
    })
}

pub fn check_solvable(game: &dyn Game, puzzle: &Puzzle) -> Result<(), BoardError> {
    points(puzzle)?;
    let fault = |why| puzzle.fault(puzzle.place(), FaultKind::Unsolvable(why));
    game.solvable().map_err(|why| fault(why).into())
}

#[derive(Debug, Default)]
pub struct Claim {
    pub expect: Option<Expectation>,
    /// The reason why the claim is wrong, possibly with a picture of the board.
    pub refuted: Option<String>,
    /// True if an agent showed the turns correctly.
    pub is_shown: bool,
}

impl Claim {
    pub fn of_headers(puzzle: &Puzzle, game: &dyn Game, limits: &Limits) -> Result<Self, Fault> {
        let expect = Expectation::of(puzzle)?.or_else(|| game.expectation());
        let refuted = match puzzle.header("moves") {
            Some(_) => refuted_moves(puzzle, game, expect, limits)?,
            None => None,
        };
        Ok(Self {
            expect,
            refuted,
            ..Self::default()
        })
    }

    pub fn refuted(reason: String) -> Self {
        Self {
            refuted: Some(reason),
            ..Self::default()
        }
    }

    /// Returns the expected answer, if any. If an agent only showed the turns, this is the solution's verdict.
    pub fn expect(&self, solution: &Solution) -> Option<Expectation> {
        let any = || Expectation::Verdict(solution.verdict());
        self.expect.or_else(|| self.is_shown.then(any))
    }
}

#[derive(Debug)]
pub struct Evaluated<'p> {
    pub puzzle: &'p Puzzle<'p>,
    pub result: Result<Answer, BoardError>,
    pub standing: Standing,
    pub time: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    AsExpected,
    Mismatched,
    #[default]
    NotExpected,
    Undecided,
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
    pub ruleset: Option<&'static str>,
    pub solution: Solution,
    pub expect: Option<Expectation>,
    pub is_by_agent: bool,
    pub refuted: Option<String>,
    pub is_verified: bool,
    pub warnings: Vec<Fault>,
    pub explanation: Option<Box<Explanation>>,
    pub analysis: Option<Box<Analysis>>,
}

/// Computes the design metrics of a solved board, with the items that matter.
pub fn analyse(
    entry: &Entry,
    puzzle: &Puzzle,
    game: &dyn Game,
    solution: &Solution,
    limits: &Limits,
) -> Analysis {
    let mut analysis = game.analyse(solution, limits);
    let (removals, limit) = necessary_parts(entry, puzzle, solution, limits);
    let limit = limit.map(|limit| (Section::Removals, limit));
    analysis.cut_short.extend(limit);
    let is_map = matches!(solution.evidence, Evidence::Direction { .. });
    analysis.matters = (!is_map).then_some(removals);
    analysis
}

impl Answer {
    pub fn new(entry: Option<&Entry>, claim: Claim, solution: Solution) -> Self {
        Self {
            ruleset: entry.map(|entry| entry.name),
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

    /// Returns whether the answer is as expected: `false` if the claim is refuted, `None` if nothing is expected, or a limit left
    /// the result open.
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
            None if self.solution.verdict() == Verdict::Undecided || self.expect.is_some() => {
                Standing::Undecided
            }
            None => Standing::NotExpected,
        }
    }
}

impl<'p> Evaluated<'p> {
    pub fn of(
        puzzle: &'p Puzzle<'p>,
        read: Result<(), BoardError>,
        start: Option<Instant>,
        ruleset: impl FnOnce() -> Result<&'static Entry, BoardError>,
        answer: impl FnOnce() -> Result<Answer, BoardError>,
    ) -> Self {
        // If reading failed, the unread part might have named a different ruleset.
        let ruleset = read.is_ok().then_some(ruleset);
        let result = read.and_then(|()| answer()).or_else(|error| {
            let limit = error.limit().ok_or(error)?;
            let entry = ruleset.and_then(|ruleset| ruleset().ok());
            let claim = Claim {
                expect: Expectation::of(puzzle).unwrap_or_default(),
                ..Claim::default()
            };
            Ok(Answer::new(entry, claim, Solution::undecided(limit, 0)))
        });
        Self::new(puzzle, result, start)
    }

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

fn is_refusal_expected(puzzle: &Puzzle, error: &BoardError) -> bool {
    matches!(error.first().kind, FaultKind::Unsolvable(_))
        && Expectation::of(puzzle) == Ok(Some(Expectation::Refusal))
}

pub fn points(puzzle: &Puzzle) -> Result<f64, Fault> {
    let wanted = |_: &str| "write a number from 0 to 1000000, such as `2.5`".to_owned();
    let is_possible = |points: &f64| (0.0..=1e6).contains(points) && points.is_sign_positive();
    let read = |text: &str| text.parse().ok().filter(is_possible);
    Ok(puzzle.setting("points", wanted, read)?.unwrap_or(1.0))
}
