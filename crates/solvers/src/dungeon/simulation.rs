use std::sync::Arc;

use rayon::prelude::*;

use super::line_record;
use super::lucky::with_grace;
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_models::abstraction::{Abstraction, Lower};
use getaway_play::agent::Strategy;
use getaway_play::simulation::{Simulation, Simulator};
use getaway_play::solution::{LuckyLine, Simulated};
use getaway_play::trace::Ending;
use getaway_rules::dungeon::{Dungeon, Move, State};

const GAMES: u64 = 1_000;
const TURNS: usize = 500;
const SEED: u64 = 0;

/// Plays games by the policy that follows from `values`, for a moment even after the time limit; returns `None` if there is too
/// little time. The result does not depend on the number of threads.
pub(super) fn simulate(
    dungeon: &Arc<Dungeon>,
    model: &Abstraction,
    values: &[Lower],
    limits: &Limits,
) -> Option<Simulated> {
    let best = |_: &Dungeon, at: &State| Some(model.best(values, at).unwrap_or(Move::STAY));
    let simulation = Simulation::new(
        Arc::clone(dungeon),
        Strategy::by_position(best),
        with_grace(limits),
    );
    let wins = |game| {
        let result = simulation.play(Rng::of_run(SEED, game), TURNS, None);
        let is_escape = matches!(result.ok()?.ending, Ending::Escaped { .. });
        Some(u64::from(is_escape))
    };
    let escaped = if limits.threads > 1 {
        let games = (0..GAMES).into_par_iter();
        games.map(wins).sum::<Option<u64>>()
    } else {
        (0..GAMES).map(wins).sum()
    };
    Some(Simulated {
        escaped: escaped?,
        games: GAMES,
        seed: SEED,
    })
}

/// Returns the line of the first game that escapes, among those that [`simulate`] plays.
pub(super) fn escaping_line(
    dungeon: &Dungeon,
    model: &Abstraction,
    values: &[Lower],
    limits: &Limits,
) -> Option<LuckyLine> {
    let best = |at: &State| model.best(values, at).unwrap_or(Move::STAY);
    line_record::escaping_line(dungeon, best, GAMES, TURNS, &with_grace(limits))
}

#[cfg(test)]
#[path = "simulation_tests.rs"]
mod tests;
