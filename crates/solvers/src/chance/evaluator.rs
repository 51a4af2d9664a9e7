use std::sync::Arc;

use super::games::BestPlayer;
use super::graph::Countable;
use super::model::Solved;
use getaway_board::limits::{Bounds, Limit, Limits};
use getaway_play::agent::Strategy;
use getaway_play::evaluation::{Evaluation, PositionEvaluator, PositionValue};
use getaway_ruleset::legal;

/// A solution, which is `None` if the game ends before the first move.
type SolvedGame<S> = Result<Option<Arc<Solved<S>>>, Limit>;

/// Evaluates positions of a game of chance. Solves the game once, or tries again at the next position if a limit prevented that.
pub(crate) struct ChanceEvaluator<R: Countable> {
    rules: Arc<R>,
    solved: Option<SolvedGame<R::State>>,
}

impl<R: Countable> ChanceEvaluator<R> {
    pub(crate) const fn new(rules: Arc<R>) -> Self {
        let solved = None;
        Self { rules, solved }
    }

    fn solved(&mut self, limits: &Limits) -> SolvedGame<R::State> {
        let solve = || Ok(Solved::new(&*self.rules, limits)?.map(Arc::new));
        self.solved.get_or_insert_with(solve).clone()
    }
}

impl<R: Countable> BestPlayer<R> for ChanceEvaluator<R> {
    fn limit(&self) -> Option<Limit> {
        self.solved.as_ref()?.as_ref().err().copied()
    }

    fn expected_turns(&mut self, limits: &Limits) -> Result<Option<Bounds>, Limit> {
        let solved = self.solved(limits)?;
        solved.map_or(Ok(None), |solved| solved.expected_turns(limits))
    }

    fn strategy(&mut self, limits: &Limits) -> Result<Strategy<'static, R>, Limit> {
        let solved = self.solved(limits)?;
        let best = move |rules: &R, at: &R::State| solved.as_ref()?.best(rules, at);
        Ok(Strategy::by_position(best))
    }
}

impl<R: Countable> PositionEvaluator<R::State> for ChanceEvaluator<R> {
    fn evaluate_at(&mut self, at: &R::State, limits: &Limits) -> Evaluation {
        // A solution that a limit prevented may be within these limits.
        self.solved.take_if(|solved| solved.is_err());
        let solved = self.solved(limits).ok().flatten();
        let unknown = PositionValue::Unknown(self.limit());
        let moves = legal(&*self.rules, at);
        let values = match solved.as_ref().and_then(|solved| solved.moves(at)) {
            Some(bounds) => bounds.into_iter().map(PositionValue::Chance).collect(),
            None => vec![unknown; moves.len()],
        };
        let bounds = solved.as_ref().and_then(|solved| solved.bounds(at));
        let best = solved.and_then(|solved| solved.best(&*self.rules, at));
        Evaluation {
            value: bounds.map_or(unknown, PositionValue::Chance),
            moves: moves.iter().map(ToString::to_string).zip(values).collect(),
            best: best.map(|mv| mv.to_string()),
            line: Vec::new(),
        }
    }
}
