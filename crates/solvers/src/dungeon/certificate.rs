//! The certificate for a level. If a single player has no way out even without the adversaries that can move, it lists the
//! positions that the player can reach; otherwise it has bounds for every position.

use std::io::Write;
use std::sync::Arc;

use super::evaluator::MdpEvaluator;
use crate::certificate::write_closed_set;
use crate::chance::certificate;
use crate::errors::CertifyError;
use crate::positions::Positions;
use getaway_board::limits::{Bounds, Budget, Limit, Limits};
use getaway_chance::Successor;
use getaway_play::solution::Verdict;
use getaway_rules::dungeon::{Dungeon, State};
use getaway_search::visited::ExactSet;
use getaway_verify::dungeon::WithoutChasers;

pub(super) fn write(
    dungeon: &Arc<Dungeon>,
    verdict: Verdict,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), CertifyError> {
    if verdict == Verdict::Caught
        && let Some(places) = places_without_chasers(dungeon, limits)?
    {
        writeln!(out, "caught by equality\nstart: without chasers")?;
        return write_closed_set(&places, false, limits, out);
    }
    let guess = |positions: &[State], _: &_, budget: &Budget| guess(dungeon, positions, budget);
    certificate::write(&**dungeon, guess, limits, out)
}

fn guess(dungeon: &Arc<Dungeon>, positions: &[State], budget: &Budget) -> Result<Vec<f64>, Limit> {
    let mut guess = budget.filled(0.0, positions.len())?;
    let left = budget.limits.without(budget.taken())?;
    let solved = match MdpEvaluator::new(Arc::clone(dungeon)).start(&left) {
        Err(Limit::Memory) => None,
        solved => solved?,
    };
    if let Some(solved) = solved {
        for (value, at) in guess.iter_mut().zip(positions) {
            *value = solved.bounds_of(at).map_or(0.0, Bounds::middle);
        }
    }
    Ok(guess)
}

/// Returns the positions that a single player can reach without the adversaries that can move. Returns `None` if the player can
/// escape from one of them, or if there are several players.
fn places_without_chasers(dungeon: &Dungeon, limits: &Limits) -> Result<Option<Positions>, Limit> {
    let Some(without_chasers) = WithoutChasers::new(dungeon) else {
        return Ok(None);
    };
    let explored = Positions::explore(&without_chasers, ExactSet::default(), limits);
    let places = explored.map_err(|(limit, _)| limit)?;
    let escapes = |number| places.successors(number).contains(&Successor::Won);
    let is_way_out = (0..places.len()).any(escapes);
    Ok((!is_way_out).then_some(places))
}
