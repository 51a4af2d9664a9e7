//! Hints, the values of moves, and the move that lost the game.

use std::cell::RefCell;

use getaway::{Advice, Adviser, Board, Limits, PositionValue};
use serde_json::{Value, json};

use crate::game::{Game, moves};
use crate::{board, text};

/// The board last asked about, with its adviser, which caches positions.
struct Advised {
    text: String,
    board: &'static Board,
    adviser: Box<dyn Adviser>,
}

thread_local! {
    static LAST: RefCell<Option<Advised>> = const { RefCell::new(None) };
}

fn with_adviser<T>(
    of: &str,
    limits: &Limits,
    then: impl FnOnce(&Board, &mut dyn Adviser) -> Result<T, String>,
) -> Result<T, String> {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|known| known.text != of) {
            // An adviser borrows its board, so the board is leaked. The page ends its worker before it asks about another board,
            // which frees the memory.
            let board: &Board = Box::leak(Box::new(board(of)?));
            let adviser = board.adviser(limits).map_err(text)?;
            *last = Some(Advised {
                text: of.to_owned(),
                board,
                adviser,
            });
        }
        let known = last.as_mut().expect("it was set above");
        then(known.board, &mut *known.adviser)
    })
}

pub fn advice(game: &Game, limits: &Limits) -> Result<Value, String> {
    with_adviser(&game.text, limits, |board, adviser| {
        let (session, _) = game.session(board)?;
        let line = session.line(session.now());
        let advice = adviser
            .advise(&line, session.seed(), limits)
            .map_err(text)?;
        let moves = advice.moves.iter();
        let moves = moves.map(|(mv, worth)| json!({ "move": mv, "worth": worth.to_string() }));
        Ok(json!({
            "worth": advice.worth.to_string(),
            "moves": Value::from_iter(moves),
            "best": advice.best,
        }))
    })
}

/// Returns the first move that lost a won game or, in a game of chance, the one that lowered the probability of escape the most.
pub fn lost(game: &Game, limits: &Limits) -> Result<Value, String> {
    with_adviser(&game.text, limits, |board, adviser| {
        let (session, _) = game.session(board)?;
        let mut worst: Option<(f64, Value)> = None;
        let mut start = None;
        for (number, mv) in moves(&*session).iter().enumerate() {
            let line = session.line(number);
            let advice = adviser
                .advise(&line, session.seed(), limits)
                .map_err(text)?;
            start = start.or(Some(advice.worth));
            let Some((cost, mistake)) = mistake(number, mv, &advice) else {
                continue;
            };
            if worst.as_ref().is_none_or(|(most, _)| cost > *most) {
                worst = Some((cost, mistake));
            }
        }
        Ok(json!({
            "start": start.map(|worth| worth.to_string()),
            "isLostFromStart": start.and_then(PositionValue::probability) == Some(0.0),
            "mistake": worst.map(|(_, mistake)| mistake),
        }))
    })
}

/// The smallest loss of probability that counts.
const NOTABLE: f64 = 1e-6;

fn mistake(number: usize, mv: &str, advice: &Advice) -> Option<(f64, Value)> {
    let (_, made) = advice.moves.iter().find(|(own, _)| own == mv)?;
    let cost = advice.worth.probability()? - made.probability()?;
    let mistake = json!({
        "number": number + 1,
        "move": mv,
        "worth": made.to_string(),
        "better": advice.best,
        "was": advice.worth.to_string(),
    });
    (cost > NOTABLE).then_some((cost, mistake))
}
