//! What a designer wants to know of a level with one player.

use std::collections::BTreeMap;

use super::adviser::MdpAdviser;
use crate::advice::Adviser;
use crate::analysis::{Analysis, BestPlay, PATIENCE, Part};
use crate::limits::{Limit, Limits};
use crate::play::simulation::{Simulation, Simulator};
use crate::play::trace::{Ending, HalfTurn, TraceError};
use crate::rng::Rng;
use crate::rules::dungeon::Dungeon;
use crate::ruleset::Fate;
use crate::solution::{Solution, Verdict};

/// How many games are played by the best strategy at most, how long, and from which seed.
const GAMES: u64 = 1_000;
const TURNS: usize = 1_000;
const SEED: u64 = 0;

/// The most nodes of the chain that the best strategy leaves, unless another number of states was asked for.
const MOST_NODES: u64 = 10 * PATIENCE;

/// No new game is begun after so many turns in all.
const TURNS_IN_ALL: usize = 30_000;

/// What there is to know of a level of which `solution` is the answer.
pub(super) fn analysis(dungeon: &Dungeon, solution: &Solution, limits: &Limits) -> Analysis {
    let mut analysis = Analysis::default();
    let mut adviser = MdpAdviser::new(dungeon);
    if let Ok(advice) = adviser.advise("", SEED, limits) {
        if let Some(limit) = adviser.limit() {
            analysis.cut_short.push((Part::Moves, limit));
        }
        analysis.first_moves = advice.moves;
    }
    if solution.verdict() == Verdict::Escape {
        match expected_turns(&mut adviser, limits) {
            Ok(turns) => analysis.expected_turns = turns,
            Err(limit) => analysis.cut_short.push((Part::ExpectedTurns, limit)),
        }
        match best_play(dungeon, &mut adviser, limits) {
            Ok(played) => analysis.best_play = played,
            Err(limit) => analysis.cut_short.push((Part::BestPlay, limit)),
        }
    }
    analysis
}

/// Bounds on the turns of the games that escape, if the player plays by the best strategy; `None` if the equations
/// are not solved in reasonable time.
pub(super) fn expected_turns(
    adviser: &mut MdpAdviser,
    limits: &Limits,
) -> Result<Option<[f64; 2]>, Limit> {
    let nodes = Limits {
        max_states: Some(limits.max_states.unwrap_or(MOST_NODES)),
        ..*limits
    };
    let Some(chain) = adviser.chain_of_best_play(limits, &nodes)? else {
        return Ok(None);
    };
    Ok(chain.wins(limits)?.map(|wins| wins.turns))
}

/// Games by the best strategy.
fn best_play(
    dungeon: &Dungeon,
    adviser: &mut MdpAdviser,
    limits: &Limits,
) -> Result<Option<BestPlay>, Limit> {
    // Bounds everywhere may take more than best play alone does.
    let policy = match adviser.policy(limits) {
        Ok(policy) => policy,
        Err(_) => dungeon.policy(limits)?,
    };
    let simulation = Simulation::new(dungeon, policy.strategy(), *limits);
    let mut games = Games::default();
    while games.played < GAMES && games.turns_in_all < TURNS_IN_ALL {
        let game = games.played;
        let mut catcher = None;
        let mut note = |half: &HalfTurn| {
            let catch = half.events.iter().find(|event| event.fate == Fate::Catches);
            catcher = catch.map(|event| event.actor).or(catcher);
            Ok(())
        };
        match simulation.play(Rng::of_run(SEED, game), TURNS, Some(&mut note)) {
            Ok(result) => games.add(&result.ending, catcher),
            Err(TraceError::Undecided(limit)) => return Err(limit),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(games.told()))
}

/// What came of games.
#[derive(Default)]
struct Games {
    played: u64,
    turns_in_all: usize,
    escaped: u64,
    open: u64,
    caught_by: BTreeMap<char, u64>,
    /// The turns of each game that escaped, and their squares, summed.
    turns: [f64; 2],
}

impl Games {
    fn add(&mut self, ending: &Ending, catcher: Option<char>) {
        self.played += 1;
        let turns = match ending {
            Ending::Escaped { turns } => {
                self.escaped += 1;
                self.turns[0] += *turns as f64;
                self.turns[1] += (*turns * *turns) as f64;
                *turns
            }
            Ending::Caught { turns, .. } => {
                *self.caught_by.entry(catcher.unwrap_or('P')).or_default() += 1;
                *turns
            }
            Ending::Open { .. } | Ending::Forfeited { .. } | Ending::Illegal { .. } => {
                self.open += 1;
                self.turns_in_all += TURNS;
                return;
            }
        };
        self.turns_in_all += turns;
    }

    fn told(self) -> BestPlay {
        let escaped = self.escaped.max(1) as f64;
        let mean = self.turns[0] / escaped;
        let variance = (self.turns[1] / escaped - mean * mean).max(0.0);
        BestPlay {
            games: self.played,
            seed: SEED,
            most_turns: TURNS,
            escaped: self.escaped,
            turns: mean,
            turns_error: (variance / escaped).sqrt(),
            caught_by: self.caught_by.into_iter().collect(),
            open: self.open,
        }
    }
}
