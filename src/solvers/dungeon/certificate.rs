//! The certificate for a level with one player. It lists the cells that the player can reach if none of them leads out; otherwise
//! it has bounds for every position.

mod unchased;

use std::io::Write;

use super::adviser::MdpAdviser;
use crate::game::Uncertified;
use crate::limits::{Budget, Limit, Limits};
use crate::rules::dungeon::{Dungeon, State};
use crate::solution::Verdict;
use crate::solvers::certificate::closed;
use crate::solvers::chance::certificate;

pub(super) fn write(
    dungeon: &Dungeon,
    verdict: Verdict,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), Uncertified> {
    if verdict == Verdict::Caught
        && let Some(places) = unchased::places(dungeon, limits)?
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
