use std::collections::BTreeMap;
use std::sync::Arc;

use super::graph::Countable;
use getaway_board::limits::{Bounds, Limit, Limits};
use getaway_board::rng::Rng;
use getaway_play::agent::Strategy;
use getaway_play::analysis::{Analysis, BestPlay, Section};
use getaway_play::evaluation::{Evaluation, PositionEvaluator};
use getaway_play::simulation::{Simulation, Simulator};
use getaway_play::solution::{Solution, Verdict};
use getaway_play::trace::{Ending, Ply, TraceError};
use getaway_ruleset::{Fate, Ruleset};

const GAMES: u64 = 1_000;
const TURNS: usize = 1_000;
const SEED: u64 = 0;

/// No further game begins once the games have taken this many turns together.
const TURNS_IN_ALL: usize = 30_000;

/// An evaluator that knows best play from the start of a game of chance.
pub(crate) trait BestPlayer<R: Ruleset>: PositionEvaluator<R::State> {
    /// Returns the latest limit that an evaluation reached, if any.
    fn limit(&self) -> Option<Limit>;

    /// Returns bounds on the expected turns; `None` if there are none, or no close bounds are found.
    fn expected_turns(&mut self, limits: &Limits) -> Result<Option<Bounds>, Limit>;

    fn strategy(&mut self, limits: &Limits) -> Result<Strategy<'static, R>, Limit>;
}

pub(crate) fn analysis<R: Countable>(
    rules: &Arc<R>,
    evaluator: &mut impl BestPlayer<R>,
    solution: &Solution,
    limits: &Limits,
) -> Analysis {
    let mut analysis = Analysis {
        first_moves: first_evaluation(&**rules, evaluator, limits).moves,
        ..Analysis::default()
    };
    let mut cut_short = |section, limit| analysis.cut_short.push((section, limit));
    if let Some(limit) = evaluator.limit() {
        cut_short(Section::Moves, limit);
    }
    if solution.verdict() == Verdict::Escape {
        match evaluator.expected_turns(limits) {
            Ok(turns) => analysis.expected_turns = turns,
            Err(limit) => cut_short(Section::ExpectedTurns, limit),
        }
        let games = evaluator.strategy(limits).and_then(|strategy| {
            play_games(&Simulation::new(Arc::clone(rules), strategy, *limits))
        });
        match games {
            Ok(games) => analysis.best_play = games,
            Err(limit) => cut_short(Section::BestPlay, limit),
        }
    }
    analysis
}

/// Evaluates the position before the runner's first move.
pub(crate) fn first_evaluation<R: Ruleset>(
    rules: &R,
    evaluator: &mut impl PositionEvaluator<R::State>,
    limits: &Limits,
) -> Evaluation {
    let mut at = rules.start();
    match rules.open(&mut at, &mut ()) {
        Some(outcome) => Evaluation::over(outcome),
        None => evaluator.evaluate_at(&at, limits),
    }
}

fn play_games(simulator: &dyn Simulator) -> Result<Option<BestPlay>, Limit> {
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
        max_turns: TURNS,
        escaped,
        turns: mean,
        turns_error: (variance / count).sqrt(),
        caught_by,
        open,
    }))
}
