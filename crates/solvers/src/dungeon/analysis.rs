use super::Policy;
use std::sync::Arc;

use super::evaluator::MdpEvaluator;
use super::solved::Solved;
use crate::chance::games::{self, Played, play_games};
use getaway_board::limits::{Limit, Limits};
use getaway_play::analysis::{Analysis, BestPlay, DEFAULT_MAX_STATES};
use getaway_play::evaluation::Evaluator;
use getaway_play::simulation::Simulation;
use getaway_play::solution::{Solution, Verdict};
use getaway_rules::dungeon::Dungeon;

const MAX_NODES: u64 = 10 * DEFAULT_MAX_STATES;

pub(super) fn analysis(dungeon: &Dungeon, solution: &Solution, limits: &Limits) -> Analysis {
    let mut evaluator = MdpEvaluator::new(dungeon);
    let evaluation = evaluator.evaluate("", 0, limits);
    let limit = evaluator.limit();
    let played = || {
        let solved = evaluator.start(limits);
        Played {
            turns: solved
                .clone()
                .and_then(|solved| expected_turns(solved.as_deref(), limits)),
            games: best_play(dungeon, solved, limits),
        }
    };
    let is_escape = solution.verdict() == Verdict::Escape;
    games::analysis(evaluation, limit, is_escape.then(played))
}

/// Returns bounds on the expected turns; `None` if the equations take too long to solve.
pub(super) fn expected_turns(
    solved: Option<&Solved>,
    limits: &Limits,
) -> Result<Option<[f64; 2]>, Limit> {
    let Some(solved) = solved else {
        return Ok(None);
    };
    let chain = solved.chain(&Limits {
        max_states: Some(limits.max_states.unwrap_or(MAX_NODES)),
        ..*limits
    })?;
    Ok(chain.wins(limits)?.map(|wins| wins.turns))
}

fn best_play(
    dungeon: &Dungeon,
    solved: Result<Option<Arc<Solved>>, Limit>,
    limits: &Limits,
) -> Result<Option<BestPlay>, Limit> {
    // Computing bounds for all nodes may take longer than finding best play alone.
    let policy = match solved {
        Ok(solved) => Policy::by(dungeon, solved),
        Err(_) => Policy::of(dungeon, limits)?,
    };
    play_games(&Simulation::new(dungeon, policy.strategy(), *limits))
}
