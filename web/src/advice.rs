//! Hints, the values of moves, and the move that lost the game.

use std::cell::RefCell;

use getaway::{Board, Evaluation, Evaluator, Limits, PositionValue};
use serde_json::{Value, json};

use crate::game::{Game, moves};
use crate::{board, text};

/// The board last asked about, with its evaluator, which caches positions.
struct LastBoard {
    text: String,
    board: Board,
    evaluator: Box<dyn Evaluator>,
}

thread_local! {
    static LAST: RefCell<Option<LastBoard>> = const { RefCell::new(None) };
}

fn with_evaluator<T>(
    of: &str,
    limits: &Limits,
    then: impl FnOnce(&Board, &mut dyn Evaluator) -> Result<T, String>,
) -> Result<T, String> {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|known| known.text != of) {
            let board = board(of)?;
            let evaluator = board.evaluator(limits).map_err(text)?;
            *last = Some(LastBoard {
                text: of.to_owned(),
                board,
                evaluator,
            });
        }
        let known = last.as_mut().expect("it was set above");
        then(&known.board, &mut *known.evaluator)
    })
}

pub fn advice(game: &Game, limits: &Limits) -> Result<Value, String> {
    with_evaluator(&game.text, limits, |board, evaluator| {
        let (session, _) = game.session(board)?;
        let line = session.line(session.now());
        let evaluation = evaluator
            .evaluate(&line, session.seed(), limits)
            .map_err(text)?;
        let moves = evaluation.moves.iter();
        let moves = moves.map(|(mv, value)| json!({ "move": mv, "value": value }));
        Ok(json!({
            "value": evaluation.value,
            "moves": moves.collect::<Value>(),
            "best": evaluation.best,
        }))
    })
}

/// Returns the value of the start, and the mistake, if there is one: the first move that lost a won game or, in a game of
/// chance, the one that lowered the probability of escape the most.
pub fn lost(game: &Game, limits: &Limits) -> Result<Value, String> {
    with_evaluator(&game.text, limits, |board, evaluator| {
        let (session, _) = game.session(board)?;
        let mut worst: Option<(f64, Value)> = None;
        let mut start = None;
        for (number, mv) in moves(&*session).iter().enumerate() {
            let line = session.line(number);
            let evaluation = evaluator
                .evaluate(&line, session.seed(), limits)
                .map_err(text)?;
            start = start.or(Some(evaluation.value));
            let Some((cost, mistake)) = mistake(number, mv, &evaluation) else {
                continue;
            };
            if worst.as_ref().is_none_or(|(most, _)| cost > *most) {
                worst = Some((cost, mistake));
            }
        }
        Ok(json!({
            "start": start,
            "isLostFromStart": start.and_then(PositionValue::probability) == Some(0.0),
            "mistake": worst.map(|(_, mistake)| mistake),
        }))
    })
}

/// A move is a mistake only if it lowers the probability of escape by more than this.
const NOTABLE: f64 = 1e-6;

fn mistake(number: usize, mv: &str, evaluation: &Evaluation) -> Option<(f64, Value)> {
    let (_, made) = evaluation.moves.iter().find(|(own, _)| own == mv)?;
    let cost = evaluation.value.probability()? - made.probability()?;
    let mistake = json!({
        "number": number + 1,
        "move": mv,
        "value": made,
        "better": evaluation.best,
        "was": evaluation.value,
    });
    (cost > NOTABLE).then_some((cost, mistake))
}
