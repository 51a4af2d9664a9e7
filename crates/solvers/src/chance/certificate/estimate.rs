//! Floating-point bounds with a margin, which still prove each other after rounding to the numbers in a certificate.
//!
//! The values of best play prove each other without any margin, so rounding could violate some inequality. So the bounds
//! are the values of a slightly harder or easier game, in which each turn loses or gains a share of the value; the
//! margin is nearly that share. In the harder game waiting never helps, so each value rests on a way to escape.

use super::super::graph::{GameGraph, Nearest, best};
use super::components::{Components, NONE};
use getaway_board::limits::{Budget, Limit};

/// The share of the value lost or gained with each turn; far above floating-point precision.
const SHARE: f64 = 1.0 / (1_u64 << 34) as f64;

/// The amount lost or gained each turn in addition to the share; far above the rounding errors of a turn in multiples of 2^-60.
const LEAST: f64 = 1.0 / (1_u64 << 54) as f64;

const SWEEPS: u64 = 20_000;

fn is_near(value: f64, before: f64) -> bool {
    (value - before).abs() <= 0.5 * (SHARE * before + LEAST)
}

/// Returns the values of a harder game, starting from `guess`.
pub fn lower(
    graph: &GameGraph,
    guess: &[f64],
    sure: &[bool],
    budget: &Budget,
) -> Result<Vec<f64>, Limit> {
    sweeps(
        graph,
        guess,
        |position| position,
        budget,
        |position, values, drawn| {
            if sure[position] {
                return 1.0;
            }
            let best = best::<Nearest>(graph.moves(position).iter(), values, drawn);
            best * (1.0 - SHARE) - LEAST
        },
    )
}

/// Returns the values of an easier game, starting from `guess`.
///
/// Within an end component, bounds that follow from each other would never fall. So all positions of a component have the bound
/// of its best way out.
pub fn upper(
    graph: &GameGraph,
    guess: &[f64],
    can_win: &[bool],
    budget: &Budget,
) -> Result<Vec<f64>, Limit> {
    let components = Components::new(graph, budget)?;
    let leader = |position: usize| match components.of[position] {
        NONE => position,
        first => first,
    };
    let values = sweeps(graph, guess, leader, budget, |position, values, drawn| {
        if !can_win[position] {
            return 0.0;
        }
        let moves = graph.moves(position).iter();
        let leaving = moves.filter(|mv| !components.is_inner(position, **mv));
        (best::<Nearest>(leaving, values, drawn) * (1.0 + SHARE) + LEAST).min(1.0)
    })?;
    components.free(budget);
    Ok(values)
}

/// Sweeps until no value changes much, at most [`SWEEPS`] times. Positions with the same `leader` share their highest value.
fn sweeps(
    graph: &GameGraph,
    guess: &[f64],
    leader: impl Fn(usize) -> usize,
    budget: &Budget,
    update: impl Fn(usize, &[f64], &[f64]) -> f64,
) -> Result<Vec<f64>, Limit> {
    let mut values = budget.with_capacity(graph.len())?;
    values.extend_from_slice(guess);
    let mut next: Vec<f64> = budget.filled(0.0, graph.len())?;
    let mut drawn = graph.draw_buffer(budget)?;
    let mut clock = budget.clock();
    for _ in 0..SWEEPS {
        graph.draw::<Nearest>(&values, &mut drawn);
        clock.work(16 * drawn.len() as u64)?;
        next.fill(0.0);
        for position in 0..graph.len() {
            clock.work(64)?;
            let best = &mut next[leader(position)];
            *best = best.max(update(position, &values, &drawn));
        }
        let mut is_done = true;
        for (position, value) in values.iter_mut().enumerate() {
            let next = next[leader(position)];
            is_done &= is_near(next, *value);
            *value = next;
        }
        if is_done {
            break;
        }
    }
    budget.free(drawn);
    budget.free(next);
    Ok(values)
}
