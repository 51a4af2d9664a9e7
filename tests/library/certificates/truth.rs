//! Ground truth for small boards, from exhaustive play.

use std::collections::HashMap;
use std::hash::Hash;

use getaway_rules::dungeon::{Dungeon, State};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Deterministic, Outcome, Ruleset, Stochastic};

#[derive(Debug, Default)]
pub struct Truth {
    pub escapes: bool,
    /// The length of the longest play; `None` if play can go on forever.
    pub max_moves: Option<u64>,
}

pub fn of<R: Deterministic<State: Eq + Hash>>(rules: &R) -> Truth {
    let mut truth = Truth::default();
    truth.max_moves = match rules.opened() {
        Ok(first) => longest(rules, &first, &mut truth.escapes, &mut HashMap::new()),
        Err(outcome) => {
            truth.escapes = outcome == Outcome::Escaped;
            Some(0)
        }
    };
    truth
}

/// Returns the length of the longest play from `at`; `None` if it can go on forever. Positions that are
/// being explored have `None` in `known`, because a line that returns to one can be repeated.
fn longest<R: Deterministic<State: Eq + Hash>>(
    rules: &R,
    at: &R::State,
    escapes: &mut bool,
    known: &mut HashMap<R::State, Option<u64>>,
) -> Option<u64> {
    if let Some(&known) = known.get(at) {
        return known;
    }
    known.insert(at.clone(), None);
    let mut moves = Vec::new();
    rules.moves(at, &mut moves);
    let mut max = Some(0);
    for mv in moves {
        let mut then = at.clone();
        let rest = match rules.play(&mut then, mv) {
            None => longest(rules, &then, escapes, known),
            Some(outcome) => {
                *escapes |= outcome == Outcome::Escaped;
                Some(0)
            }
        };
        max = max.zip(rest).map(|(max, rest)| max.max(rest + 1));
    }
    known.insert(at.clone(), max);
    max
}

pub fn probability(level: &Dungeon) -> f64 {
    let mut values = HashMap::from([(level.start(), 0.0)]);
    for _ in 0..80 {
        let known: Vec<State> = values.keys().cloned().collect();
        for at in known {
            let mut moves = Vec::new();
            level.moves(&at, &mut moves);
            let worth = |mv| {
                let mut then = at.clone();
                if let Some(outcome) = level.act(&mut then, mv, &mut ()) {
                    return over(outcome);
                }
                let mut chasers = Vec::new();
                level.chasers(&then, &mut chasers);
                mean(level, &then, &chasers, &mut values)
            };
            let best = moves.into_iter().map(worth).fold(0.0, f64::max);
            values.insert(at, best);
        }
    }
    values[&level.start()]
}

fn over(outcome: Outcome) -> f64 {
    f64::from(u8::from(outcome == Outcome::Escaped))
}

fn mean(
    level: &Dungeon,
    at: &State,
    chasers: &[<Dungeon as Stochastic>::Chaser],
    values: &mut HashMap<State, f64>,
) -> f64 {
    let Some((&who, rest)) = chasers.split_first() else {
        return *values.entry(at.clone()).or_insert(0.0);
    };
    let mut outcomes = Distribution::new();
    level.outcomes(at, who, &mut outcomes);
    let each = outcomes.iter().map(|(choice, share)| {
        let mut then = at.clone();
        share
            * match level.carry_out(&mut then, who, choice, &mut ()) {
                Some(outcome) => over(outcome),
                None => mean(level, &then, rest, values),
            }
    });
    each.sum()
}
