use std::collections::BTreeMap;

use getaway_board::limits::Limit;
use getaway_board::rng::Rng;
use getaway_play::analysis::{Analysis, BestPlay, Section};
use getaway_play::evaluation::Evaluation;
use getaway_play::simulation::Simulator;
use getaway_play::trace::{Ending, Ply, TraceError};
use getaway_ruleset::Fate;

const GAMES: u64 = 1_000;
const TURNS: usize = 1_000;
const SEED: u64 = 0;

const TURNS_IN_ALL: usize = 30_000;

/// The results of best play, or the limits that ended their computation.
pub(crate) struct Played {
    pub(crate) turns: Result<Option<[f64; 2]>, Limit>,
    pub(crate) games: Result<Option<BestPlay>, Limit>,
}

/// Analyses a game of chance. `limit` is the limit that ended the computation of the first moves' values.
pub(crate) fn analysis(
    evaluation: Result<Evaluation, TraceError>,
    limit: Option<Limit>,
    played: Option<Played>,
) -> Analysis {
    let mut analysis = Analysis::default();
    let mut cut_short = |section, limit| analysis.cut_short.push((section, limit));
    if let Some(limit) = limit {
        cut_short(Section::Moves, limit);
    }
    if let Some(Played { turns, games }) = played {
        let turns = turns.map_err(|limit| cut_short(Section::ExpectedTurns, limit));
        let games = games.map_err(|limit| cut_short(Section::BestPlay, limit));
        analysis.expected_turns = turns.ok().flatten();
        analysis.best_play = games.ok().flatten();
    }
    analysis.first_moves = evaluation
        .map(|evaluation| evaluation.moves)
        .unwrap_or_default();
    analysis
}

pub(crate) fn play_games(simulator: &dyn Simulator) -> Result<Option<BestPlay>, Limit> {
    let (mut games, mut escaped, mut open) = (0, 0_u64, 0);
    let mut caught_by = BTreeMap::<char, u64>::new();
    let (mut sum, mut squares, mut turns_in_all) = (0.0, 0.0, 0);
    while games < GAMES && turns_in_all < TURNS_IN_ALL {
        let mut catcher = None;
        let mut note = |ply: &Ply| {
            let catch = ply.events.iter().find(|event| event.fate == Fate::Catches);
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
