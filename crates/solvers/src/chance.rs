//! Solves games of chance of any ruleset as Markov decision processes, position by position.
//!
//! This solver handles a few million positions. A ruleset with larger boards needs its own solver, as `dungeon` has.

pub(super) mod certificate;
pub(super) mod evaluator;
pub(super) mod games;
pub(super) mod graph;
mod model;

use std::io::Write;
use std::sync::Arc;

use crate::game::{CertifyError, Gameplay, Plan, PositionEvaluatorOf, Solver};
use getaway_board::limits::{Bounds, Budget, Decision, Limit, Limits};
use getaway_play::agent::Strategy;
use getaway_play::analysis::Analysis;
use getaway_play::explanation::{ExplainedTurn, Explanation};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::TraceError;
use getaway_ruleset::Outcome;
use getaway_search::search::Order;

use evaluator::ChanceEvaluator;
use games::BestPlayer;
pub use graph::Countable;
use graph::GameGraph;
use model::{explore, values};

/// Solves a board by listing all of its positions.
#[derive(Debug)]
pub struct ByChance<R>(Arc<R>);

impl<R: Countable> Solver for ByChance<R> {
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        let rules = &*self.0;
        match rules.open(&mut rules.start(), &mut ()) {
            Some(Outcome::Escaped) => {
                Solution::new(Verdict::Escape, 0).with(chance(Bounds::exact(1.0), Decision::Yes))
            }
            Some(Outcome::Caught(_)) => caught(0),
            None => solve(rules, &Budget::new(limits)),
        }
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        let mut evaluator = ChanceEvaluator::new(Arc::clone(&self.0));
        games::analysis(&self.0, &mut evaluator, solution, limits)
    }

    fn expected_turns(&self, limits: &Limits) -> Result<Option<Bounds>, Limit> {
        ChanceEvaluator::new(Arc::clone(&self.0)).expected_turns(limits)
    }

    fn explain(&self, _solution: &Solution, limits: &Limits) -> Explanation {
        let mut evaluator = ChanceEvaluator::new(Arc::clone(&self.0));
        let first = games::first_evaluation(&*self.0, &mut evaluator, limits);
        Explanation {
            turns: vec![ExplainedTurn::evaluated(first)],
            ..Explanation::default()
        }
    }

    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), CertifyError> {
        if solution.verdict() == Verdict::Undecided {
            return Err(CertifyError::Undecided);
        }
        let guess = |_: &[R::State], graph: &GameGraph, budget: &Budget| values(graph, budget);
        certificate::write(&*self.0, guess, limits, out)
    }
}

impl<R: Countable> Gameplay for ByChance<R> {
    type Board = R;
    type Rules = R;

    fn new(board: Arc<R>) -> Self {
        Self(board)
    }

    fn rules(&self, _limits: &Limits) -> Result<Arc<R>, TraceError> {
        Ok(Arc::clone(&self.0))
    }

    fn strategy<'g>(&self, rules: &Arc<R>, plan: &Plan<'g>) -> Result<Strategy<'g, R>, TraceError> {
        Ok(ChanceEvaluator::new(Arc::clone(rules)).strategy(&plan.limits)?)
    }

    fn evaluator(&self, rules: Arc<R>) -> PositionEvaluatorOf<Self> {
        Box::new(ChanceEvaluator::new(rules))
    }
}

fn solve<R: Countable>(rules: &R, budget: &Budget) -> Solution {
    let graph = match explore(rules, budget) {
        Ok((_, graph)) => graph,
        Err((limit, states)) => return undecided(limit, states),
    };
    let states = graph.len() as u64;
    let valuation = match model::solve(&graph, budget, |valuation, _| valuation) {
        Ok(valuation) => valuation,
        Err(limit) => return undecided(limit, states),
    };
    match (valuation.possible, valuation.limit) {
        (Decision::Yes, limit) => Solution::new(Verdict::Escape, states)
            .with(chance(valuation.bounds, valuation.sure.into()))
            .cut_short(limit),
        (_, None) => caught(states),
        (_, Some(limit)) => undecided(limit, states),
    }
}

pub(super) fn undecided(limit: Limit, states: u64) -> Solution {
    Solution::undecided(limit, states).with(chance(Bounds::UNKNOWN, Decision::Undecided))
}

pub(super) fn caught(states: u64) -> Solution {
    Solution::new(Verdict::Caught, states).with(chance(Bounds::exact(0.0), Decision::No))
}

const fn chance(bounds: Bounds, certain: Decision) -> Evidence {
    Evidence::Chance {
        bounds,
        certain,
        line: None,
        simulated: None,
    }
}

#[cfg(test)]
mod tests;
