use std::hash::Hash;
use std::sync::Arc;

use super::Searches;
use super::evaluator::SearchEvaluator;
use crate::positions::Positions;
use getaway_board::limits::{Limit, Limits};
use getaway_board::rng::Rng;
use getaway_play::agent::Strategy;
use getaway_play::analysis::difficulty::{Difficulty, difficulty};
use getaway_play::analysis::{Analysis, Count, DEFAULT_MAX_STATES, Mistake, RandomPlay, Section};
use getaway_play::evaluation::{Evaluation, Lifetime, PositionEvaluator, PositionValue};
use getaway_play::simulation::{Simulation, Simulator};
use getaway_play::solution::{Simulated, Solution};
use getaway_play::trace::{Ending, TraceError};
use getaway_ruleset::{Deterministic, Playable};
use getaway_search::visited::ExactSet;

const GAMES: u64 = 2_000;
const TURNS: usize = 200;
const SEED: u64 = 0;

/// Computes design metrics. If the board has an escape, `solution` must contain a shortest one.
pub(super) fn analysis<S: Searches>(
    rules: &Arc<S::Rules>,
    solution: &Solution,
    limits: &Limits,
) -> Analysis {
    let limits = &limits.or_max_states(DEFAULT_MAX_STATES);
    let line = solution.line().unwrap_or_default();
    let mut analysis = Analysis {
        length: solution.line().map(|line| line.chars().count()),
        ..Analysis::default()
    };
    if let Some(length) = analysis.length {
        count_lines::<S>(&mut analysis, rules, length, limits);
    }
    value_moves::<S>(&mut analysis, rules, line, limits);
    explore(&mut analysis, &**rules, limits);
    if analysis.length > Some(0) && analysis.random.is_none() {
        play_at_random(&mut analysis, rules, limits);
    }
    analysis
}

/// Counts the shortest lines. If a limit is reached, notes that there is at least one, that of the solution.
fn count_lines<S: Searches>(
    analysis: &mut Analysis,
    rules: &S::Rules,
    length: usize,
    limits: &Limits,
) {
    analysis.shortest_lines = Some(match S::count_shortest(rules, length, limits) {
        Ok(u128::MAX) => Count::AtLeast(u128::MAX),
        Ok(lines) => Count::Exactly(lines),
        Err(limit) => {
            analysis.cut_short.push((Section::ShortestLines, limit));
            Count::AtLeast(1)
        }
    });
}

fn value_moves<S: Searches>(
    analysis: &mut Analysis,
    rules: &Arc<S::Rules>,
    line: &str,
    limits: &Limits,
) {
    let moves = rules.parse_moves(line).unwrap_or_default();
    let mut evaluator = SearchEvaluator::<S>::new(Arc::clone(rules));
    match evaluations_along(&mut evaluator, &**rules, &moves, limits) {
        Ok(turns) => {
            note_turns(analysis, &turns, &moves);
            if let Some(limit) = evaluator.lives_limit() {
                analysis.cut_short.push((Section::Lives, limit));
                if matches!(analysis.difficulty, Some(Difficulty::AtMost(_))) {
                    analysis.cut_short.push((Section::Difficulty, limit));
                }
            }
        }
        Err(limit) => analysis.cut_short.push((Section::Moves, limit)),
    }
}

fn note_turns<M: ToString>(analysis: &mut Analysis, turns: &[Evaluation], line: &[M]) {
    if let Some(first) = turns.first() {
        analysis.first_moves.clone_from(&first.moves);
    }
    let Some(length) = analysis.length else {
        return;
    };
    let values = |evaluation: &Evaluation| -> Vec<PositionValue> {
        evaluation.moves.iter().map(|(_, value)| *value).collect()
    };
    let all: Vec<_> = turns.iter().take(length).map(values).collect();
    analysis.difficulty = difficulty(&all);
    let is_forced = |(_, values): &(usize, &Vec<PositionValue>)| {
        values.len() > 1 && values.iter().filter(|value| !loses(value)).count() == 1
    };
    let forced = (1..).zip(&all).filter(is_forced);
    analysis.forced = Some(forced.map(|(turn, _)| turn).collect());
    let mistakes = (1..).zip(turns.iter().zip(line));
    analysis.last_mistake = mistakes
        .filter_map(|(turn, (evaluation, mv))| mistake(turn, evaluation, mv.to_string()))
        .last();
}

fn explore<R>(analysis: &mut Analysis, rules: &R, limits: &Limits)
where
    R: Deterministic<State: Eq + Hash>,
{
    match Positions::explore(rules, ExactSet::default(), limits) {
        Ok(positions) => {
            analysis.reachable = Some(Count::Exactly(positions.len() as u64));
            if analysis.length.is_some() && !positions.is_empty() {
                match positions.dead_ends(limits) {
                    Ok(dead_ends) => analysis.dead_ends = Some(dead_ends as u64),
                    Err(limit) => analysis.cut_short.push((Section::Positions, limit)),
                }
                walk_at_random(analysis, &positions, limits);
            }
        }
        Err((limit, met)) => {
            analysis.reachable = Some(Count::AtLeast(met));
            analysis.cut_short.push((Section::Positions, limit));
        }
    }
}

fn walk_at_random(analysis: &mut Analysis, positions: &Positions, limits: &Limits) {
    // The exploration that found the positions has already kept within the limit on states.
    let limits = Limits {
        max_states: None,
        ..*limits
    };
    let (bounds, limit) = positions.random_walk(&limits);
    if bounds.width() < 1.0 {
        analysis.random = Some(RandomPlay::Exact(bounds));
        analysis
            .cut_short
            .extend(limit.map(|limit| (Section::Random, limit)));
    }
}

fn play_at_random<R>(analysis: &mut Analysis, rules: &Arc<R>, limits: &Limits)
where
    R: Deterministic + Playable + Send,
{
    let simulation = Simulation::new(Arc::clone(rules), Strategy::Random, *limits);
    let play = |game| {
        let result = simulation.play(Rng::of_run(SEED, game), TURNS, None)?;
        Ok(u64::from(matches!(result.ending, Ending::Escaped { .. })))
    };
    match (0..GAMES).map(play).sum() {
        Ok(escaped) => {
            let games = Simulated {
                escaped,
                games: GAMES,
                seed: SEED,
            };
            analysis.random = Some(RandomPlay::Played {
                games,
                turns: TURNS,
            });
        }
        Err(TraceError::Undecided(limit)) => analysis.cut_short.push((Section::Random, limit)),
        Err(_) => {}
    }
}

/// Returns the evaluation before each move of a line, or for the first position if the line is empty.
fn evaluations_along<R: Deterministic>(
    evaluator: &mut impl PositionEvaluator<R::State>,
    rules: &R,
    line: &[R::Move],
    limits: &Limits,
) -> Result<Vec<Evaluation>, Limit> {
    let mut at = match rules.opened() {
        Ok(at) => at,
        Err(outcome) => return Ok(vec![Evaluation::over(outcome)]),
    };
    let mut turns = Vec::new();
    for turn in 0..line.len().max(1) {
        limits.check_time()?;
        let evaluation = evaluator.evaluate_at(&at, limits);
        if let Some(limit) = evaluation
            .moves
            .iter()
            .find_map(|(_, value)| unknown(*value))
        {
            return Err(limit);
        }
        turns.push(evaluation);
        if let Some(&mv) = line.get(turn) {
            Deterministic::play(rules, &mut at, mv);
        }
    }
    Ok(turns)
}

const fn unknown(value: PositionValue) -> Option<Limit> {
    match value {
        PositionValue::Unknown(limit) => limit,
        _ => None,
    }
}

const fn loses(value: &PositionValue) -> bool {
    matches!(value, PositionValue::Caught { .. })
}

/// Returns the losing move after which the runner survives longest, the first one in a tie; `None` if no move loses.
fn mistake(turn: usize, evaluation: &Evaluation, instead_of: String) -> Option<Mistake> {
    let losing = evaluation
        .moves
        .iter()
        .filter_map(|(mv, value)| match value {
            PositionValue::Caught { lives } => Some((mv, *lives)),
            _ => None,
        });
    // An unknown survival counts as the longest.
    let key = |lives: Option<Lifetime>| lives.unwrap_or(Lifetime::Forever);
    let (mv, lives) = losing.reduce(|a, b| if key(b.1) > key(a.1) { b } else { a })?;
    Some(Mistake {
        turn,
        mv: mv.clone(),
        instead_of,
        lives,
    })
}
