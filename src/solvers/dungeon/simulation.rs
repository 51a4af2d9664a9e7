use rayon::prelude::*;

use super::lucky::graced;
use super::one_player::abstraction::{Abstraction, Lower};
use crate::limits::Limits;
use crate::play::agent::Strategy;
use crate::play::simulation::{Simulation, Simulator};
use crate::play::trace::Ending;
use crate::rng::Rng;
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::solution::Simulated;

const GAMES: u64 = 1_000;
const TURNS: usize = 500;
const SEED: u64 = 0;

/// Plays games by the policy that follows from `values`, for a moment even after the time limit; returns `None` if there is too
/// little time. The result does not depend on the number of threads.
pub(super) fn simulate(
    dungeon: &Dungeon,
    (model, values): (&Abstraction, &[Lower]),
    limits: &Limits,
) -> Option<Simulated> {
    let best = |_: &Dungeon, at: &State| Some(model.best(values, at).unwrap_or(Move::STAY));
    let simulation = Simulation::new(dungeon, Strategy::by_position(best), graced(limits));
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

#[cfg(test)]
#[path = "simulation_tests.rs"]
mod tests;
