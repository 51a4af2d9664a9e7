//! Verdicts for the page.

use getaway::play::analysis::difficulty::Difficulty;
use getaway::{Board, Evidence, Limits, Solution};
use serde_json::{Value, json};

use crate::whole;

/// Solves a board. At a limit, the answer holds the bounds known by then.
pub fn verdict(text: &str, limits: &Limits) -> Result<Value, String> {
    let board = &crate::board(text)?;
    let solution = board.solve_shortest(limits);
    let mut known = json!({
        "verdict": solution.verdict().name(),
        "line": solution.line(),
        "length": solution.line().map(|line| moves(board, line)),
        "states": solution.states,
        "limit": solution.limit().map(|limit| limit.to_string()),
        "probability": solution.evidence.probability(),
    });
    match &solution.evidence {
        Evidence::Chance {
            bounds, certain, ..
        } => {
            known["bounds"] = json!(bounds);
            known["certain"] = json!(certain);
        }
        Evidence::Survives(survives) => known["survives"] = json!(survives),
        Evidence::Direction { direction, steps } => {
            known["direction"] = json!(direction);
            known["length"] = json!(steps.len().checked_sub(1));
            known["whole"] = json!(whole::fewest_steps(text, limits));
        }
        Evidence::None | Evidence::Line(_) => {}
    }
    if solution.limit().is_none() {
        describe(board, &solution, limits, &mut known);
    }
    Ok(known)
}

fn moves(board: &Board, line: &str) -> usize {
    board
        .replay(line)
        .map_or(0, |replay| replay.ending().turns())
}

/// Adds the difficulty, or the reason why there is no escape.
fn describe(board: &Board, solution: &Solution, limits: &Limits, known: &mut Value) {
    if solution.verdict().is_success() {
        let difficulty = board.analyse(solution, limits).difficulty;
        known["bits"] = json!(difficulty.map(Difficulty::bits));
    } else {
        let reason = board.explain(solution, limits).reason;
        known["reason"] = json!(reason.map(|reason| reason.to_string()));
    }
}
