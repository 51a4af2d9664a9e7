//! The certificate for a level with one player: the cells that the player can reach if none of them leads out,
//! otherwise bounds for every position.
//!
//! [`crate::verify`] describes the format and why it is a proof. The inequalities alone prove the bounds, no matter
//! where the numbers come from: they start as the solver's values, and sweeps over the table weaken them until each
//! follows from the others.

mod bounds;
mod components;
mod estimate;
mod qualitative;
pub(in crate::solvers) mod table;
mod unchased;

use std::hash::Hash;
use std::io::{self, BufWriter, Write};

use crate::game::Uncertified;
use crate::limits::{Budget, Limit, Limits};
use crate::rules::dungeon::{Dungeon, State};
use crate::ruleset::Stochastic;
use crate::solution::Verdict;
use crate::solvers::certificate::closed;
use crate::verify::chance::Line;

use super::adviser::MdpAdviser;
use bounds::Bounds;
use table::GameGraph;

/// The maximum number of positions in a table, unless `max_states` is set.
pub(in crate::solvers) const POSITIONS: u64 = 1_000_000;

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
    let limits = Limits {
        max_states: Some(limits.max_states.unwrap_or(POSITIONS)),
        ..*limits
    };
    let budget = Budget::new(&limits);
    let guess =
        |positions: &[State], _: &GameGraph, budget: &Budget| guess(dungeon, positions, budget);
    let lines = lines(dungeon, guess, &budget)?;
    Ok(write_lines(&lines, out)?)
}

/// The lines for any game of one player against chance; `guess` returns the initial values.
pub(in crate::solvers) fn lines<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(
    rules: &R,
    guess: impl FnOnce(&[R::State], &GameGraph, &Budget) -> Result<Vec<f64>, Limit>,
    budget: &Budget,
) -> Result<Vec<Line>, Uncertified> {
    let (positions, table) = GameGraph::of(rules, budget).map_err(|(error, _)| error)?;
    if table.len() == 0 {
        return Ok(Vec::new());
    }
    // All positions have been counted. Draws don't count.
    let limits = Limits {
        max_states: None,
        ..*budget.limits
    };
    let taken = budget.taken();
    let budget = &Budget::new(&limits);
    budget.take(taken)?;
    let guess = guess(&positions, &table, budget)?;
    // The search stored each position twice: in the list and in the lookup table.
    budget.give_back(2 * rules.state_bytes() as u64 * positions.len() as u64);
    drop(positions);
    let bounds = Bounds::of(&table, &guess, budget)?;
    budget.free(guess);
    Ok(bounds.lines(&table, budget)?)
}

pub(in crate::solvers) fn write_lines(lines: &[Line], out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    writeln!(out, "chance\npositions: {}", lines.len())?;
    for line in lines {
        let turns = line.turns.map_or("-".to_owned(), |turns| turns.to_string());
        let (lower, upper, choice, rank) = (line.lower, line.upper, line.choice, line.rank);
        writeln!(out, "{lower} {upper} {choice} {rank} {turns}")?;
    }
    out.flush()
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

#[cfg(test)]
mod tests;
