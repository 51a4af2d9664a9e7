//! Certificates for games of chance: bounds for every position.
//!
//! [`getaway_verify`] describes the format and explains why it is a proof. The inequalities alone prove the bounds, no
//! matter where the numbers come from: they start as the solver's values, sweeps over the graph turn these into bounds,
//! and further sweeps weaken the bounds until each follows from the others.

mod bounds;
mod components;
mod estimate;

use std::hash::Hash;
use std::io::{self, BufWriter, Write};

use super::graph::GameGraph;
use crate::errors::CertifyError;
use bounds::InductiveBounds;
use getaway_board::limits::{Budget, Limit, Limits};
use getaway_ruleset::Stochastic;
use getaway_verify::chance::Line;

/// The maximum number of positions in a certificate, unless `max_states` is set.
const POSITIONS: u64 = 1_000_000;

/// Writes bounds for every position; `guess` returns the initial values.
pub(crate) fn write<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(
    rules: &R,
    guess: impl FnOnce(&[R::State], &GameGraph, &Budget) -> Result<Vec<f64>, Limit>,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), CertifyError> {
    let limits = limits.or_max_states(POSITIONS);
    let lines = lines(rules, guess, &Budget::new(&limits))?;
    Ok(write_lines(&lines, out)?)
}

fn lines<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(
    rules: &R,
    guess: impl FnOnce(&[R::State], &GameGraph, &Budget) -> Result<Vec<f64>, Limit>,
    budget: &Budget,
) -> Result<Vec<Line>, CertifyError> {
    let (positions, graph) =
        GameGraph::of(rules, usize::MAX, budget).map_err(|(error, _)| error)?;
    if graph.len() == 0 {
        return Ok(Vec::new());
    }
    // All positions have been counted, and draws do not count as states.
    let limits = Limits {
        max_states: None,
        ..*budget.limits
    };
    let taken = budget.taken();
    let budget = &Budget::new(&limits);
    budget.take(taken)?;
    let guess = guess(&positions, &graph, budget)?;
    // The search stored each position twice: in the list and in the lookup table.
    budget.give_back(2 * rules.state_bytes() as u64 * positions.len() as u64);
    drop(positions);
    let bounds = InductiveBounds::of(&graph, &guess, budget)?;
    budget.free(guess);
    Ok(bounds.lines(&graph, budget)?)
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

#[cfg(test)]
mod tests;
