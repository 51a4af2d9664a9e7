//! Answers of agents, checked against the rules.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use getaway_board::fault::{BoardError, Fault, FaultKind};
use getaway_board::limits::{Instant, Limit, Limits};
use getaway_board::puzzle::legend::Legend;
use getaway_board::puzzle::{Origin, Puzzle};
use getaway_board::words::safe;
use getaway_play::agents::protocol::{BoardAnswer, Message};
use getaway_play::agents::{AgentCommand, AgentPool, BoardInfo};
use getaway_play::expect::Expectation;
use getaway_play::explanation::{SearchStep, SearchSummary};
use getaway_play::external::AgentError;
use getaway_play::solution::Verdict;
use getaway_play::trace::{Ply, TraceError};
use getaway_solvers::answers::search_steps;
use getaway_solvers::answers::{Case, Claim};
use getaway_solvers::game::{Plan, given_plan, refuted_moves};

use super::agents::{AgentLimitArgs, agent_limits, board_info};

#[derive(Clone, Debug)]
pub struct Answerer(Arc<AgentPool<'static>>);

impl Answerer {
    pub fn new(line: &str, args: &AgentLimitArgs) -> Result<Self> {
        let refused = |why| anyhow!("`--agent {}`: {why}", safe(line));
        let command = AgentCommand::parse(line).map_err(refused)?;
        // The default limits have no stop flag, so an interrupt takes effect only after the agent's answer or timeout.
        let agent_limits = agent_limits(args, Limits::default());
        let pool = AgentPool::new(
            BoardInfo::default(),
            vec![("board".into(), command)],
            agent_limits,
        );
        Ok(Self(Arc::new(pool)))
    }

    pub fn close(&self) {
        self.0.close();
    }

    /// Asks the agent about a board, and judges its answer. If the agent fails, its claim is refuted. The agent's time does not
    /// count against `limits`.
    pub fn claim(&self, case: Case, limits: &mut Limits) -> Result<Claim, BoardError> {
        let start = Instant::now();
        let answer = self.ask(case);
        let deadline = limits.deadline;
        limits.deadline = deadline.and_then(|deadline| deadline.checked_add(start.elapsed()));
        match answer {
            Ok(answer) => judge(answer, case, limits),
            Err(AgentError::Forfeit(fault)) => {
                Ok(Claim::refuted(format!("the program {}", fault.reason)))
            }
            Err(AgentError::Gone(reason)) => Ok(Claim::refuted(reason)),
            Err(AgentError::Limit(limit)) => Err(reached(case.puzzle, limit)),
        }
    }

    fn ask(&self, case: Case) -> Result<BoardAnswer, AgentError> {
        let BoardInfo { ruleset, settings } = board_info(case.entry, case.puzzle);
        let rows = case.puzzle.rows.iter();
        self.0.answer(&Message::Board {
            ruleset: &ruleset,
            settings: &settings,
            rows: rows.map(|row| String::from_utf8_lossy(&row.text)).collect(),
            moves: case.puzzle.header("moves").map(|header| &*header.value),
        })
    }
}

/// Checks an answer. With `moves` but without `expect`, it claims an escape. Its `turns` must be the boards after each turn of
/// these moves or, without `moves`, of the board's own moves. Its `taken` must be the cells that the search in the rules takes
/// out of OPEN.
fn judge(answer: BoardAnswer, case: Case, limits: &Limits) -> Result<Claim, BoardError> {
    let Case { puzzle, game, .. } = case;
    let asked = Expectation::of(puzzle)?.or_else(|| game.expectation());
    let mut own = puzzle.clone();
    let replaced: &[&str] = match (&answer.moves, &answer.turns) {
        (None, Some(_)) => &["expect"],
        _ => &["expect", "moves", "chasers"],
    };
    own.headers
        .retain(|header| !replaced.contains(&&*header.key));
    let gave_moves = answer.moves.is_some();
    for (key, value) in [("expect", answer.expect), ("moves", answer.moves)] {
        if let Some(value) = value {
            own.set_header(key, &value, Origin::Override);
        }
    }
    let refuted = |fault: Fault| Ok(Claim::refuted(fault.kind.one_line()));
    let expect = match Expectation::of(&own) {
        Ok(expect) => expect,
        Err(fault) => return refuted(fault),
    };
    let implied = gave_moves.then_some(Expectation::Verdict(Verdict::Escape));
    let expect = expect.or(implied);
    let expected = match (expect, asked) {
        (None, _) if answer.turns.is_none() => {
            Some("the program's answer is empty: write `expect`, `moves` or `turns`")
        }
        (Some(Expectation::Verdict(Verdict::Undecided)), _) => Some("`undecided` is not an answer"),
        (Some(Expectation::Verdict(_)), Some(Expectation::Direction(_))) => {
            Some("the program's answer has no direction: write `expect` as a number from -1 to 3")
        }
        (Some(Expectation::Verdict(_)), Some(Expectation::Probability(_))) => Some(
            "the program's answer has no probability: write `expect` as a number from 0.0 to 1.0",
        ),
        _ => None,
    };
    if let Some(expected) = expected {
        return Ok(Claim::refuted(expected.into()));
    }
    let mut claim = Claim {
        expect,
        ..Claim::default()
    };
    if gave_moves {
        match refuted_moves(&own, game, expect, limits) {
            Ok(reason) => claim.refuted = reason,
            Err(fault) => return refuted(fault),
        }
    }
    if let (None, Some(turns)) = (&claim.refuted, answer.turns) {
        claim.refuted = wrong_turn(&given_plan(&own, limits)?, case, &turns)?;
        claim.is_shown = claim.refuted.is_none();
    }
    if let (None, Some(taken)) = (&claim.refuted, answer.taken) {
        claim.refuted = wrong_step(case, &taken, limits)?;
    }
    Ok(claim)
}

/// Compares `taken`, the cells that a program's search took out of OPEN, with those of the rules' pseudocode. Returns the first
/// difference in words, or the reason why there is no such search to compare with; `None` if there is no difference.
fn wrong_step(
    case: Case,
    taken: &[(u32, u32)],
    limits: &Limits,
) -> Result<Option<String>, BoardError> {
    let mut rest = taken.iter().copied();
    let (mut number, mut wrong) = (0, None);
    let traced = case.game.trace_search(u64::MAX, limits, &mut |step| {
        let SearchStep::AStar(step) = step else {
            return;
        };
        number += 1;
        let difference =
            || search_steps::difference(number, &step, rest.next(), &case.entry.legend);
        wrong = wrong.take().or_else(difference);
    });
    let traced = traced.map_err(|limit| reached(case.puzzle, limit))?;
    Ok(match (traced, rest.next()) {
        (None | Some(SearchSummary::DepthFirst(_)), _) => {
            Some("`taken` needs a `maze` with a head".into())
        }
        (Some(_), Some(_)) if wrong.is_none() => Some(format!(
            "the search is over after step {number}, and the program took more cells"
        )),
        _ => wrong,
    })
}

fn reached(puzzle: &Puzzle, limit: Limit) -> BoardError {
    puzzle.fault(puzzle.place(), FaultKind::Limit(limit)).into()
}

fn wrong_turn(
    plan: &Plan,
    case: Case,
    shown: &[Vec<String>],
) -> Result<Option<String>, BoardError> {
    if plan.moves.is_none() {
        let expected = "`turns` needs `moves`";
        return Ok(Some(expected.into()));
    }
    let mut right: Vec<Vec<String>> = Vec::new();
    let traced = case.game.trace(plan, &mut |ply: &Ply| {
        // The board after the last ply of a turn replaces those after the turn's earlier plies.
        right.truncate(ply.turn - 1);
        right.push(ply.rows.clone());
        Ok(())
    });
    match traced {
        Ok(_) => {}
        Err(TraceError::Undecided(limit)) => return Err(reached(case.puzzle, limit)),
        Err(error) => return Ok(Some(error.to_string())),
    }
    let wrong = (0..right.len().max(shown.len())).find_map(|at| {
        let turn = at + 1;
        let what = match (right.get(at), shown.get(at)) {
            (Some(right), Some(shown)) => {
                let row = differing_row(right, shown, &case.entry.legend)?;
                format!("is wrong in row {}", row + 1)
            }
            (Some(_), None) => "is missing".into(),
            _ => return Some(format!("the game is over before turn {turn}")),
        };
        let picture = right[at].join("\n");
        Some(format!(
            "turn {turn} {what}; the board after it:\n{picture}"
        ))
    });
    Ok(wrong)
}

/// Finds the first row that differs between two boards. Empty cells at the ends of rows and empty rows at the end of a board
/// don't count, and all glyphs for empty cells are equal.
fn differing_row(right: &[String], shown: &[String], legend: &Legend) -> Option<usize> {
    let empties = &*legend.empties();
    let row = |rows: &[String], at: usize| {
        let row = rows.get(at)?.replace(empties, " ");
        Some(row.trim_end().to_owned()).filter(|row| !row.is_empty())
    };
    (0..right.len().max(shown.len())).find(|&at| row(right, at) != row(shown, at))
}
