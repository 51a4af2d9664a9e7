use std::ops::Deref;
use std::sync::Arc;

use super::Countable;
use super::model::Solved;
use getaway_board::limits::{Limit, Limits};
use getaway_play::evaluation::{Evaluation, Evaluator, PositionEvaluator, PositionValue};
use getaway_play::session::BoardSession;
use getaway_play::trace::TraceError;
use getaway_ruleset::legal;

/// Evaluates games of chance; `G` is the rules or a reference to them.
pub(crate) struct ChanceEvaluator<R: Countable, G: Deref<Target = R>> {
    rules: G,
    game: Option<BoardSession<G>>,
    solved: Option<Arc<Solved<R::State>>>,
    limit: Option<Limit>,
}

impl<R: Countable, G: Deref<Target = R>> ChanceEvaluator<R, G> {
    pub(crate) const fn new(rules: G) -> Self {
        Self {
            rules,
            game: None,
            solved: None,
            limit: None,
        }
    }

    /// Returns the solution; `None` if no evaluation was requested yet, a limit was reached, or the game ends before the first move.
    pub(super) fn solved(&self) -> Option<Arc<Solved<R::State>>> {
        self.solved.clone()
    }

    pub(super) const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn solve(&mut self, limits: &Limits) {
        if self.solved.is_none() {
            let solved = Solved::new(&*self.rules, limits);
            self.limit = solved.as_ref().err().copied();
            self.solved = solved.ok().flatten().map(Arc::new);
        }
    }
}

impl<R: Countable, G: Deref<Target = R> + Clone + Send> Evaluator for ChanceEvaluator<R, G> {
    fn evaluate_controlled(
        &mut self,
        line: &str,
        chasers: &str,
        seed: u64,
        limits: &Limits,
    ) -> Result<Evaluation, TraceError> {
        let (at, outcome) =
            BoardSession::after(&mut self.game, self.rules.clone(), seed, line, chasers)?;
        Ok(match outcome {
            Some(outcome) => Evaluation::over(outcome),
            None => self.evaluate_at(&at, limits),
        })
    }
}

impl<R: Countable, G: Deref<Target = R> + Send> PositionEvaluator<R::State>
    for ChanceEvaluator<R, G>
{
    fn evaluate_at(&mut self, at: &R::State, limits: &Limits) -> Evaluation {
        self.solve(limits);
        let solved = self.solved.as_ref();
        let unknown = PositionValue::Unknown(self.limit);
        let moves = legal(&*self.rules, at);
        let values = match solved.and_then(|solved| solved.moves(at)) {
            Some(bounds) => bounds.into_iter().map(chance).collect(),
            None => vec![unknown; moves.len()],
        };
        let best = solved.and_then(|solved| solved.best(&*self.rules, at));
        Evaluation {
            value: solved
                .and_then(|solved| solved.bounds(at))
                .map_or(unknown, chance),
            moves: moves.iter().map(ToString::to_string).zip(values).collect(),
            best: best.map(|mv| mv.to_string()),
            line: Vec::new(),
        }
    }
}

const fn chance([lower, upper]: [f64; 2]) -> PositionValue {
    PositionValue::Chance { lower, upper }
}
