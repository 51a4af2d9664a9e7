//! The certificate for a level with one player. If there is no way out even without adversaries, it lists the positions that the
//! player can reach; otherwise it has bounds for every position.

use std::io::Write;

use super::adviser::MdpAdviser;
use crate::engine::Model;
use crate::engine::mdp::Successor;
use crate::engine::positions::Positions;
use crate::engine::visited::ExactSet;
use crate::game::Uncertified;
use crate::limits::{Budget, Limit, Limits};
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::Outcome;
use crate::solution::Verdict;
use crate::solvers::certificate::closed;
use crate::solvers::chance::certificate;
use crate::verify::dungeon::{Place, Unchased};

pub(super) fn write(
    dungeon: &Dungeon,
    verdict: Verdict,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), Uncertified> {
    if verdict == Verdict::Caught
        && let Some(places) = unchased_places(dungeon, limits)?
    {
        writeln!(out, "caught by equality\nstart: without chasers")?;
        return closed(&places, false, limits, out);
    }
    let guess = |positions: &[State], _: &_, budget: &Budget| guess(dungeon, positions, budget);
    certificate::write(dungeon, guess, limits, out)
}

fn guess(dungeon: &Dungeon, positions: &[State], budget: &Budget) -> Result<Vec<f64>, Limit> {
    let mut guess = budget.filled(0.0, positions.len())?;
    let left = budget.limits.without(budget.taken())?;
    let solved = match MdpAdviser::new(dungeon).start(&left) {
        Err(Limit::Memory) => None,
        solved => solved?,
    };
    if let Some(solved) = solved {
        for (value, at) in guess.iter_mut().zip(positions) {
            let [lower, upper] = solved.bounds_of(at).unwrap_or_default();
            *value = f64::midpoint(lower, upper);
        }
    }
    Ok(guess)
}

/// Returns the positions that the player can reach without adversaries; `None` if the player can escape from one of them.
fn unchased_places(dungeon: &Dungeon, limits: &Limits) -> Result<Option<Positions>, Limit> {
    let Some(unchased) = Unchased::new(dungeon) else {
        return Ok(None);
    };
    let explored = Positions::explore(&unchased, ExactSet::default(), limits);
    let places = explored.map_err(|(limit, _)| limit)?;
    let escapes = |number| places.successors(number).contains(&Successor::Won);
    let is_way_out = (0..places.len()).any(escapes);
    Ok((!is_way_out).then_some(places))
}

impl Model for Unchased {
    type State = Place;
    type Move = Move;

    fn opened(&self) -> Result<Place, Outcome> {
        Ok(self.first())
    }

    fn moves(&self, at: &Place, out: &mut Vec<Move>) {
        Self::moves(self, at, out);
    }

    fn play(&self, at: &mut Place, mv: Move) -> Option<Outcome> {
        Self::play(self, at, mv)
    }
}
