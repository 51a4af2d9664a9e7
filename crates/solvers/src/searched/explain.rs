use std::sync::Arc;

use super::evaluator::{Choice, SearchEvaluator};
use super::{MoveOf, Searches, StateOf};
use getaway_board::limits::Limits;
use getaway_play::analysis::DEFAULT_MAX_STATES;
use getaway_play::evaluation::{Lifetime, PositionValue};
use getaway_play::explanation::{ExplainedMove, ExplainedTurn, Explanation, Loss, Reason};
use getaway_play::solution::{Solution, Verdict};
use getaway_ruleset::{Cause, Deterministic, Event, Fate, Outcome, Playable, legal};
use getaway_search::search::Order;
use getaway_search::survival::Survival;

pub(super) fn explanation<S: Searches>(
    rules: &Arc<S::Rules>,
    solution: &Solution,
    limits: &Limits,
) -> Explanation {
    let limits = &limits.or_max_states(DEFAULT_MAX_STATES);
    let mut explanation = Explanation::default();
    let Ok(mut at) = rules.opened() else {
        let is_lost = solution.verdict() == Verdict::Caught;
        explanation.reason = is_lost.then_some(Reason::BeforeFirstMove);
        return explanation;
    };
    let mut explainer = Explainer {
        rules,
        evaluator: SearchEvaluator::<S>::new(Arc::clone(rules)),
        limits,
    };
    let Some(line) = solution.line() else {
        let turn = explainer.turn(&at, None);
        if solution.verdict() == Verdict::Caught {
            explanation.reason = explainer.reason(&turn);
        }
        explanation.turns.push(turn);
        return explanation;
    };
    for mv in rules.parse_moves(line).unwrap_or_default() {
        explanation.limit = limits.check_time().err();
        if explanation.limit.is_some() {
            break;
        }
        explanation.turns.push(explainer.turn(&at, Some(mv)));
        Deterministic::play(&**rules, &mut at, mv);
    }
    explanation
}

struct Explainer<'a, S: Searches> {
    rules: &'a Arc<S::Rules>,
    evaluator: SearchEvaluator<S>,
    limits: &'a Limits<'a>,
}

impl<S: Searches> Explainer<'_, S> {
    fn turn(&mut self, at: &StateOf<S>, mv: Option<MoveOf<S>>) -> ExplainedTurn {
        let choices = self.evaluator.choices(at);
        let (_, values) = self.evaluator.values(at, &choices, self.limits);
        let explained = |(choice, value): (&Choice<S>, PositionValue)| ExplainedMove {
            mv: choice.0.to_string(),
            value,
            end: self.end(at, choice, value),
        };
        ExplainedTurn {
            mv: mv.map(|mv| mv.to_string()),
            moves: choices.iter().zip(values).map(explained).collect(),
        }
    }

    fn end(&self, at: &StateOf<S>, (mv, then): &Choice<S>, value: PositionValue) -> Option<Loss> {
        let PositionValue::Caught {
            lives: Some(Lifetime::Moves(_)),
        } = value
        else {
            return None;
        };
        let mut line = vec![*mv];
        if let Ok(then) = then {
            match self.evaluator.survival(then, self.limits) {
                Survival::Mortal { line: rest } => line.extend(rest),
                Survival::Forever { .. } | Survival::Unknown { .. } => return None,
            }
        }
        end_of(&**self.rules, at.clone(), &line)
    }

    /// Returns the reason why the runner can't escape; `None` if no reason can be proved.
    fn reason(&self, turn: &ExplainedTurn) -> Option<Reason> {
        if turn.moves.is_empty() {
            return Some(Reason::NoMove);
        }
        let solution = self.shortest(&self.rules.without_chasers()?);
        match (solution.verdict(), solution.line()) {
            (Verdict::Caught, _) => Some(Reason::WalledIn),
            (Verdict::Escape, Some(line)) => {
                let alone = line.chars().count();
                Some(self.blocked_by_edge().unwrap_or(Reason::Outrun { alone }))
            }
            _ => None,
        }
    }

    fn shortest(&self, rules: &S::Rules) -> Solution {
        S::decide(rules, Order::Shortest, self.limits)
    }

    fn blocked_by_edge(&self) -> Option<Reason> {
        let solution = self.shortest(&self.rules.widened()?);
        let moves = solution.line()?.chars().count();
        (solution.verdict() == Verdict::Escape).then_some(Reason::BlockedByEdge { moves })
    }
}

fn end_of<R: Deterministic + Playable>(
    rules: &R,
    mut at: R::State,
    line: &[R::Move],
) -> Option<Loss> {
    for &mv in line {
        let mut events = Vec::new();
        let outcome = rules.act(&mut at, mv, &mut events);
        match outcome.or_else(|| rules.chase(&mut at, &mut events)) {
            None => {}
            Some(Outcome::Escaped) => return None,
            Some(Outcome::Caught(cause)) => {
                let catch = events.iter().find(|event| event.fate == Fate::Catches);
                let by = |event: &Event| (event.actor, rules.grid().position(event.to));
                return Some(Loss {
                    cause,
                    by: catch.map(by),
                });
            }
        }
    }
    legal(rules, &at).is_empty().then_some(Loss {
        cause: Cause::Trapped,
        by: None,
    })
}
