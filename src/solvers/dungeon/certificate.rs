//! The certificate of a level with one player: where he can get to, if that is nowhere out; else bounds for every position,
//! from a table of all of them.
//!
//! [`crate::verify`] has its form, and why it is a proof. With bounds that is a matter of inequalities alone, so it does not matter how
//! one comes to the numbers: the solver's own values are where it begins, and some sweeps over the table lower and raise them
//! until they bear out each other.

mod bounds;
mod components;
mod estimate;
mod qualitative;
mod table;
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
use table::Table;

/// The most positions that bounds are made of unless another number was asked for.
const POSITIONS: u64 = 1_000_000;

/// Writes the certificate of a level that is solvable, and on which this is the verdict.
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
    write_bounds(dungeon, limits, out)
}

fn write_bounds(
    dungeon: &Dungeon,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), Uncertified> {
    let limits = Limits {
        max_states: Some(limits.max_states.unwrap_or(POSITIONS)),
        ..*limits
    };
    let budget = Budget::new(&limits);
    let lines = lines(
        dungeon,
        |positions, budget| guess(dungeon, positions, budget),
        &budget,
    )?;
    Ok(write_lines(&lines, out)?)
}

/// The lines of the certificate of any game of one player against chance; `guess` has values to begin with.
fn lines<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(
    rules: &R,
    guess: impl FnOnce(&[R::State], &Budget) -> Result<Vec<f64>, Limit>,
    budget: &Budget,
) -> Result<Vec<Line>, Uncertified> {
    let (positions, table) = Table::of(rules, budget)?;
    let guess = guess(&positions, budget)?;
    // The table had them twice: in their places, and to be found again.
    budget.give_back(2 * rules.state_bytes() as u64 * positions.len() as u64);
    drop(positions);
    let bounds = Bounds::of(&table, &guess, budget)?;
    budget.free(guess);
    Ok(bounds.lines(&table, budget)?)
}

fn write_lines(lines: &[Line], out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    writeln!(out, "chance\npositions: {}", lines.len())?;
    for line in lines {
        let turns = line.turns.map_or("-".to_owned(), |turns| turns.to_string());
        let (lower, upper, choice, rank) = (line.lower, line.upper, line.choice, line.rank);
        writeln!(out, "{lower} {upper} {choice} {rank} {turns}")?;
    }
    out.flush()
}

/// What the solver says of each of these positions; 0 where it says nothing, or a limit comes first.
fn guess(dungeon: &Dungeon, positions: &[State], budget: &Budget) -> Result<Vec<f64>, Limit> {
    let mut guess = budget.filled(0.0, positions.len())?;
    let left = Limits {
        max_states: None,
        ..budget.limits.without(budget.taken())?
    };
    let mut adviser = MdpAdviser::new(dungeon);
    let known = adviser.values(positions, &left, |number, value| guess[number] = value);
    match known {
        Ok(()) | Err(Limit::Memory) => Ok(guess),
        Err(limit) => Err(limit),
    }
}

#[cfg(test)]
mod tests;
