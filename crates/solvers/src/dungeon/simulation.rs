use std::sync::Arc;

use rayon::prelude::*;

use super::lucky::{LineRecord, graced};
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_models::abstraction::{Abstraction, Lower};
use getaway_play::agent::Strategy;
use getaway_play::simulation::{Simulation, Simulator};
use getaway_play::solution::{LuckyLine, Simulated};
use getaway_play::trace::Ending;
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Outcome, Ruleset, Stochastic};

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
        graced(limits),
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

/// Plays the same games until one escapes, and returns its line.
pub(super) fn escaping_line(
    dungeon: &Dungeon,
    model: &Abstraction,
    values: &[Lower],
    limits: &Limits,
) -> Option<LuckyLine> {
    let limits = graced(limits);
    let mut games = (0..GAMES).take_while(|_| limits.check_time().is_ok());
    games.find_map(|game| escape(dungeon, model, values, Rng::of_run(SEED, game)))
}

fn escape(
    dungeon: &Dungeon,
    model: &Abstraction,
    values: &[Lower],
    mut rng: Rng,
) -> Option<LuckyLine> {
    let mut record = LineRecord::new(dungeon);
    let (mut chasers, mut outcomes) = (Vec::new(), Distribution::new());
    for _ in 0..TURNS {
        let mv = model.best(values, &record.at).unwrap_or(Move::STAY);
        record.note_move(mv, true);
        match dungeon.act(&mut record.at, mv, &mut ()) {
            Some(Outcome::Escaped) => return Some(record.line),
            Some(Outcome::Caught(_)) => return None,
            None => {}
        }
        chasers.clear();
        dungeon.chasers(&record.at, &mut chasers);
        for &who in &chasers {
            outcomes.clear();
            dungeon.outcomes(&record.at, who, &mut outcomes);
            let choice = *outcomes.draw(rng.uniform());
            let probability = outcomes.iter().find(|(other, _)| *other == choice)?.1;
            record.note(who, choice, probability);
            if dungeon
                .carry_out(&mut record.at, who, &choice, &mut ())
                .is_some()
            {
                return None;
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "simulation_tests.rs"]
mod tests;
