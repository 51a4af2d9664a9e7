//! Advice for games of chance: solves the board once, then looks positions up.

use std::sync::Arc;

use super::Countable;
use super::model::Solved;
use crate::advice::{Advice, Adviser, Worth};
use crate::limits::{Limit, Limits};
use crate::play::session::BoardSession;
use crate::play::trace::TraceError;

pub(super) struct ChanceAdviser<'g, R: Countable> {
    rules: &'g R,
    game: Option<BoardSession<&'g R>>,
    solved: Option<Arc<Solved<R::State>>>,
    limit: Option<Limit>,
}

impl<'g, R: Countable> ChanceAdviser<'g, R> {
    pub(super) const fn new(rules: &'g R) -> Self {
        Self {
            rules,
            game: None,
            solved: None,
            limit: None,
        }
    }

    /// `None` without advice so far, and if the game ends before the first move.
    pub(super) fn solved(&self) -> Option<Arc<Solved<R::State>>> {
        self.solved.clone()
    }

    pub(super) const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn solve(&mut self, limits: &Limits) {
        if self.solved.is_none() {
            let solved = Solved::new(self.rules, limits);
            self.limit = solved.as_ref().err().copied();
            self.solved = solved.ok().flatten().map(Arc::new);
        }
    }
}

impl<R: Countable> Adviser for ChanceAdviser<'_, R> {
    fn advise_led(
        &mut self,
        game: (&str, &str),
        seed: u64,
        limits: &Limits,
    ) -> Result<Advice, TraceError> {
        let at = BoardSession::after(&mut self.game, (self.rules, seed), game)?;
        let (at, outcome) = (&at.0, at.1);
        if let Some(outcome) = outcome {
            return Ok(Advice::over(outcome));
        }
        self.solve(limits);
        let solved = self.solved.as_ref();
        let unknown = Worth::Unknown(self.limit);
        let mut moves = Vec::new();
        self.rules.moves(at, &mut moves);
        let worths = match solved.and_then(|solved| solved.moves(at)) {
            Some(bounds) => bounds.into_iter().map(worth).collect(),
            None => vec![unknown; moves.len()],
        };
        let best = solved.and_then(|solved| solved.best(self.rules, at));
        Ok(Advice {
            worth: solved
                .and_then(|solved| solved.bounds(at))
                .map_or(unknown, worth),
            moves: moves.iter().map(ToString::to_string).zip(worths).collect(),
            best: best.map(|mv| mv.to_string()),
            line: Vec::new(),
        })
    }
}

const fn worth([lower, upper]: [f64; 2]) -> Worth {
    Worth::Chance { lower, upper }
}
