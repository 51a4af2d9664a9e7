//! The answers that boards are checked against: those in their headers, or those of an agent.

use std::sync::Arc;

use crate::agents::protocol::{BoardAnswer, Message};
use crate::agents::{About, AgentPool, Command, Errors};
use crate::answers::Claim;
use crate::answers::words::safe;
use crate::fault::Fault;
use crate::game::{Game, Plan, given_plan};
use crate::limits::Limits;
use crate::play::external::AgentError;
use crate::play::trace::HalfTurn;
use crate::puzzle::{Origin, Puzzle};
use crate::rulesets::Entry;
use anyhow::{Result, anyhow};

use super::agents::{about, manner};
use super::args::agents::AgentLimitArgs;

/// An agent that answers boards.
#[derive(Clone, Debug)]
pub struct Answerer(Arc<AgentPool<'static>>);

impl Answerer {
    pub fn new(line: &str, args: &AgentLimitArgs) -> Result<Self> {
        let refused = |why| anyhow!("`--agent {}`: {why}", safe(line));
        let command = Command::parse(line).map_err(refused)?;
        // An interrupt is noticed once the answer has come or is late.
        let manner = manner(args, Errors::Kept, Limits::default());
        let pool = AgentPool::new(About::default(), vec![("board".into(), command)], manner);
        Ok(Self(Arc::new(pool)))
    }

    pub fn close(&self) {
        self.0.close();
    }

    /// Asks for the answer to a board. A program that gives none is refuted, with the reason.
    pub fn claim(&self, board: (&Entry, &Puzzle), game: &dyn Game, limits: &Limits) -> Claim {
        let answer = match self.ask(board) {
            Ok(answer) => answer,
            Err(AgentError::Forfeit(fault)) => {
                return Claim::refuted(format!("the program {}", fault.reason));
            }
            Err(AgentError::Gone(reason)) => return Claim::refuted(reason),
            Err(AgentError::Limit(limit)) => return Claim::refuted(limit.to_string()),
        };
        let mut own = board.1.clone();
        let claim = judge(answer, &mut own, game, limits);
        claim.unwrap_or_else(|fault| Claim::refuted(fault.kind.in_full()))
    }

    fn ask(&self, board: (&Entry, &Puzzle)) -> Result<BoardAnswer, AgentError> {
        let About { ruleset, settings } = about(board);
        let rows = board.1.rows.iter();
        self.0.answer(&Message::Board {
            ruleset: &ruleset,
            settings: &settings,
            rows: rows.map(|row| String::from_utf8_lossy(&row.text)).collect(),
            moves: board.1.header("moves").map(|header| &*header.value),
        })
    }
}

/// Checks an answer, which replaces headers of `board`.
fn judge(
    answer: BoardAnswer,
    board: &mut Puzzle,
    game: &dyn Game,
    limits: &Limits,
) -> Result<Claim, Fault> {
    let BoardAnswer {
        expect,
        moves,
        turns,
    } = answer;
    if expect.is_none() && moves.is_none() && turns.is_none() {
        let wanted = "the program answered nothing: write `expect`, `moves` or `turns`";
        return Ok(Claim::refuted(wanted.to_owned()));
    }
    if moves.is_some() {
        board.headers.retain(|header| header.key != "chasers");
    }
    for (key, value) in [("expect", expect), ("moves", moves)] {
        if let Some(value) = value {
            board.set_header(key, &value, Origin::Override);
        }
    }
    let mut claim = Claim::of_headers(board, game, limits)?;
    if let (None, Some(turns)) = (&claim.refuted, turns) {
        claim.refuted = wrong_turn(&given_plan(board, limits)?, game, &turns);
        claim.is_shown = claim.refuted.is_none();
    }
    Ok(claim)
}

/// Finds the first turn of the line of play after which the board differs from the one shown.
fn wrong_turn(plan: &Plan, game: &dyn Game, shown: &[Vec<String>]) -> Option<String> {
    if plan.moves.is_none() {
        return Some("there are no `moves` whose turns could be shown".into());
    }
    let mut right: Vec<Vec<String>> = Vec::new();
    let traced = game.trace(plan, &mut |half: &HalfTurn| {
        // The second half of a turn replaces the first.
        right.truncate(half.turn - 1);
        right.push(half.rows.clone());
        Ok(())
    });
    if let Err(error) = traced {
        return Some(error.to_string());
    }
    (0..right.len().max(shown.len())).find_map(|at| {
        let what = match (right.get(at), shown.get(at)) {
            (Some(right), Some(shown)) => {
                format!("is wrong in row {}", differing_row(right, shown)? + 1)
            }
            (Some(_), None) => "is missing".into(),
            _ => return Some(format!("the game is over before turn {}", at + 1)),
        };
        let picture = right[at].join("\n");
        Some(format!(
            "turn {} {what}; the board after it:\n{picture}",
            at + 1
        ))
    })
}

/// Spaces at the end of a row don't count.
fn differing_row(right: &[String], shown: &[String]) -> Option<usize> {
    let row = |rows: &[String], at: usize| rows.get(at).map(|row| row.trim_end().to_owned());
    (0..right.len().max(shown.len())).find(|&at| row(right, at) != row(shown, at))
}
