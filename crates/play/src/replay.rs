//! Replays check lines of play against the rules alone, so they can confirm the results of searches and models.

use super::trace::Ending;
use getaway_ruleset::{Cause, Deterministic, Outcome, Playable, Ruleset, legal};

/// Plays `moves` from `start`, as [`Deterministic::opened`] returns it, and returns the ending. A failure of `before_move`,
/// called before each move, ends the replay.
pub fn replay_while<R: Deterministic + Playable, E>(
    rules: &R,
    start: Result<R::State, Outcome>,
    moves: &[R::Move],
    mut before_move: impl FnMut() -> Result<(), E>,
) -> Result<Ending, E> {
    let mut at = match start {
        Ok(at) => at,
        Err(outcome) => return Ok(ending_of_line(outcome, 0, moves)),
    };
    for (turns, &mv) in moves.iter().enumerate() {
        before_move()?;
        if rules.refusal(&at, mv).is_some() {
            return Ok(illegal(rules, &at, mv, turns));
        }
        if let Some(outcome) = rules.play(&mut at, mv) {
            return Ok(ending_of_line(outcome, turns + 1, moves));
        }
    }
    Ok(open_or_trapped(rules, &at, moves.len()))
}

#[inline]
fn ending_of_line<M: ToString>(outcome: Outcome, turns: usize, moves: &[M]) -> Ending {
    let ending = ending(outcome, turns);
    match moves.get(turns) {
        Some(mv) => move_after_end(ending, mv.to_string()),
        None => ending,
    }
}

pub(crate) const fn ending(outcome: Outcome, turns: usize) -> Ending {
    match outcome {
        Outcome::Escaped => Ending::Escaped { turns },
        Outcome::Caught(cause) => Ending::Caught { turns, cause },
    }
}

/// Returns the ending of a line that goes on with `mv` after `ending`. If the runner escaped or was caught, the move is illegal.
/// Any other ending is returned unchanged.
pub fn move_after_end(ending: Ending, mv: String) -> Ending {
    let (turns, how) = match &ending {
        Ending::Escaped { turns } => (*turns, "escaped".into()),
        Ending::Caught { turns, cause } => (*turns, cause.to_string()),
        Ending::Open { .. } | Ending::Forfeited { .. } | Ending::Illegal { .. } => return ending,
    };
    let when = match turns {
        0 => "before the first move".into(),
        _ => format!("after move {turns}"),
    };
    Ending::Illegal {
        turn: turns + 1,
        mv,
        reason: format!("the game is over {when} ({how}), but the moves continue"),
        legal: Vec::new(),
    }
}

/// Returns the ending of a line that stops at `at`: caught if no move is legal there.
pub(crate) fn open_or_trapped<R: Ruleset>(rules: &R, at: &R::State, turns: usize) -> Ending {
    if legal(rules, at).is_empty() {
        Ending::Caught {
            turns,
            cause: Cause::Trapped,
        }
    } else {
        Ending::open(turns)
    }
}

pub(crate) fn illegal<R: Playable>(rules: &R, at: &R::State, mv: R::Move, turns: usize) -> Ending {
    Ending::Illegal {
        turn: turns + 1,
        mv: mv.to_string(),
        reason: rules.refusal(at, mv).unwrap_or_default().into_owned(),
        legal: legal(rules, at).iter().map(ToString::to_string).collect(),
    }
}
