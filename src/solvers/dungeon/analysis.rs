//! Design metrics for a level with one player.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::adviser::MdpAdviser;
use super::solved::Solved;
use crate::advice::Adviser;
use crate::analysis::{Analysis, BestPlay, PATIENCE, Section};
use crate::limits::{Limit, Limits};
use crate::play::simulation::{Simulation, Simulator};
use crate::play::trace::{Ending, HalfTurn, TraceError};
use crate::rng::Rng;
use crate::rules::dungeon::Dungeon;
use crate::ruleset::Fate;
use crate::solution::{Solution, Verdict};

const GAMES: u64 = 1_000;
const TURNS: usize = 1_000;
const SEED: u64 = 0;

const TURNS_IN_ALL: usize = 30_000;

/// The maximum number of nodes in the chain under best play, unless `max_states` is set.
const MOST_NODES: u64 = 10 * PATIENCE;

pub(super) fn analysis(dungeon: &Dungeon, solution: &Solution, limits: &Limits) -> Analysis {
    let mut analysis = Analysis::default();
    let mut adviser = MdpAdviser::new(dungeon);
    if let Ok(advice) = adviser.advise("", SEED, limits) {
        if let Some(limit) = adviser.limit() {
            analysis.cut_short.push((Section::Moves, limit));
        }
        analysis.first_moves = advice.moves;
    }
    if solution.verdict() == Verdict::Escape {
        let solved = adviser.start(limits);
        match solved
            .clone()
            .and_then(|solved| expected_turns(solved.as_deref(), limits))
        {
            Ok(turns) => analysis.expected_turns = turns,
            Err(limit) => analysis.cut_short.push((Section::ExpectedTurns, limit)),
        }
        match best_play(dungeon, solved, limits) {
            Ok(played) => analysis.best_play = played,
            Err(limit) => analysis.cut_short.push((Section::BestPlay, limit)),
        }
    }
    analysis
}

/// Bounds on the number of turns in games that end in escape under best play; `None` if the equations take too long to
/// solve.
pub(super) fn expected_turns(
    solved: Option<&Solved>,
    limits: &Limits,
) -> Result<Option<[f64; 2]>, Limit> {
    let Some(solved) = solved else {
        return Ok(None);
    };
    let chain = solved.chain(&Limits {
        max_states: Some(limits.max_states.unwrap_or(MOST_NODES)),
        ..*limits
    })?;
    Ok(chain.wins(limits)?.map(|wins| wins.turns))
}

fn best_play(
    dungeon: &Dungeon,
    solved: Result<Option<Arc<Solved>>, Limit>,
    limits: &Limits,
) -> Result<Option<BestPlay>, Limit> {
    // Bounds for all nodes may take longer than best play alone.
    let policy = match solved {
        Ok(solved) => dungeon.policy_by(solved),
        Err(_) => dungeon.policy(limits)?,
    };
    play_games(&Simulation::new(dungeon, policy.strategy(), *limits))
}

pub(in crate::solvers) fn play_games(simulator: &dyn Simulator) -> Result<Option<BestPlay>, Limit> {
    let (mut games, mut escaped, mut open) = (0, 0_u64, 0);
    let mut caught_by = BTreeMap::<char, u64>::new();
    let (mut sum, mut squares, mut turns_in_all) = (0.0, 0.0, 0);
    while games < GAMES && turns_in_all < TURNS_IN_ALL {
        let mut catcher = None;
        let mut note = |half: &HalfTurn| {
            let catch = half.events.iter().find(|event| event.fate == Fate::Catches);
            catcher = catch.map(|event| event.actor).or(catcher);
            Ok(())
        };
        let result = simulator.play(Rng::of_run(SEED, games), TURNS, Some(&mut note));
        let ending = match result {
            Ok(result) => result.ending,
            Err(TraceError::Undecided(limit)) => return Err(limit),
            Err(_) => return Ok(None),
        };
        games += 1;
        turns_in_all += match ending {
            Ending::Escaped { turns } => {
                escaped += 1;
                sum += turns as f64;
                squares += (turns * turns) as f64;
                turns
            }
            Ending::Caught { turns, .. } => {
                *caught_by.entry(catcher.unwrap_or('P')).or_default() += 1;
                turns
            }
            Ending::Open { .. } | Ending::Forfeited { .. } | Ending::Illegal { .. } => {
                open += 1;
                TURNS
            }
        };
    }
    let count = escaped.max(1) as f64;
    let mean = sum / count;
    let variance = (squares / count - mean * mean).max(0.0);
    Ok(Some(BestPlay {
        games,
        seed: SEED,
        most_turns: TURNS,
        escaped,
        turns: mean,
        turns_error: (variance / count).sqrt(),
        caught_by: caught_by.into_iter().collect(),
        open,
    }))
}
