//! Solves games of chance of any ruleset as Markov decision processes, position by position.
//!
//! This solver handles a few million positions. A ruleset with larger boards needs its own solver, as `dungeon` has.

pub(super) mod certificate;
pub(super) mod evaluator;
pub(super) mod games;
pub(super) mod graph;
mod model;

use std::hash::Hash;
use std::io::Write;
use std::sync::Arc;

use crate::game::{Game, NoModel, Plan, Uncertified};
use getaway_board::limits::{Budget, Limit, Limits};
use getaway_play::agent::Strategy;
use getaway_play::analysis::Analysis;
use getaway_play::arena::{Arena, Field};
use getaway_play::evaluation::Evaluator;
use getaway_play::explanation::{Explanation, Turn};
use getaway_play::session::{BoardSession, Session};
use getaway_play::simulation::{Simulation, Simulator};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::TraceError;
use getaway_ruleset::{Outcome, Playable, Stochastic};
use getaway_search::search::Order;

use super::drn;
use evaluator::ChanceEvaluator;
use games::{Played, play_games};
use graph::GameGraph;
use model::{Solved, explore, values};

pub trait Countable:
    Stochastic<State: Eq + Hash, Chaser: Eq + Hash> + Playable + Send + 'static
{
}

impl<R> Countable for R where
    R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash> + Playable + Send + 'static
{
}

#[derive(Clone, Debug)]
pub struct ByChance<R>(pub Arc<R>);

impl<R: Countable> Game for ByChance<R> {
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        let rules = &*self.0;
        match rules.open(&mut rules.start(), &mut ()) {
            Some(Outcome::Escaped) => Solution::escape(0).with(chance([1.0, 1.0], Some(true))),
            Some(Outcome::Caught(_)) => caught(0),
            None => solve(rules, &Budget::new(limits)),
        }
    }

    fn simulator<'g>(&'g self, plan: &Plan<'g>) -> Result<Box<dyn Simulator + 'g>, TraceError> {
        plan.simulator(&*self.0, |rules| {
            let solved = Solved::new(rules, &plan.limits)?;
            Ok(best_play(solved.map(Arc::new)))
        })
    }

    fn session<'g>(
        &'g self,
        seed: u64,
        _limits: &Limits,
    ) -> Result<Box<dyn Session + 'g>, TraceError> {
        Ok(Box::new(BoardSession::new(&*self.0, seed)))
    }

    fn evaluator<'g>(&'g self, _limits: &Limits) -> Result<Box<dyn Evaluator + 'g>, TraceError> {
        Ok(Box::new(ChanceEvaluator::new(&*self.0)))
    }

    fn arena(self: Arc<Self>) -> Result<Arc<dyn Arena>, TraceError> {
        let evaluator = ChanceEvaluator::new(Arc::clone(&self.0));
        Ok(Arc::new(Field::new(Arc::clone(&self.0), evaluator)))
    }

    fn write_model(&self, limits: &Limits, out: &mut dyn Write) -> Result<(), NoModel> {
        drn::write(&*self.0, limits, out)
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        let mut evaluator = ChanceEvaluator::new(&*self.0);
        let evaluation = evaluator.evaluate("", 0, limits);
        let played = || {
            let solved = evaluator
                .limit()
                .map_or_else(|| Ok(evaluator.solved()), Err);
            Played {
                turns: solved
                    .clone()
                    .and_then(|solved| expected_turns(solved.as_deref(), limits)),
                games: solved.and_then(|solved| {
                    play_games(&Simulation::new(&*self.0, best_play(solved), *limits))
                }),
            }
        };
        let is_escape = solution.verdict() == Verdict::Escape;
        games::analysis(evaluation, evaluator.limit(), is_escape.then(played))
    }

    fn expected_turns(&self, limits: &Limits) -> Result<Option<[f64; 2]>, Limit> {
        expected_turns(Solved::new(&*self.0, limits)?.as_ref(), limits)
    }

    fn explain(&self, _solution: &Solution, limits: &Limits) -> Explanation {
        let mut explanation = Explanation::default();
        if let Ok(evaluation) = ChanceEvaluator::new(&*self.0).evaluate("", 0, limits) {
            explanation.turns.push(Turn::advised(evaluation));
        }
        explanation
    }

    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), Uncertified> {
        if solution.verdict() == Verdict::Undecided {
            return Err(Uncertified::Undecided);
        }
        let guess = |_: &[R::State], graph: &GameGraph, budget: &Budget| values(graph, budget);
        certificate::write(&*self.0, guess, limits, out)
    }
}

fn best_play<'g, R: Countable>(solved: Option<Arc<Solved<R::State>>>) -> Strategy<'g, R> {
    Strategy::by_position(move |rules, at| solved.as_ref()?.best(rules, at))
}

fn expected_turns<S: Clone + Eq + Hash + Sync>(
    solved: Option<&Solved<S>>,
    limits: &Limits,
) -> Result<Option<[f64; 2]>, Limit> {
    solved.map_or(Ok(None), |solved| solved.expected_turns(limits))
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
    let solution = match (valuation.is_possible, valuation.limit) {
        (true, _) => Solution::escape(states).with(chance(
            [valuation.lower, valuation.upper],
            Some(valuation.sure),
        )),
        (false, None) => return caught(states),
        (false, Some(limit)) => return undecided(limit, states),
    };
    match valuation.limit {
        Some(limit) => solution.cut_short(limit),
        None => solution,
    }
}

pub(super) fn undecided(limit: Limit, states: u64) -> Solution {
    Solution::undecided(limit, states).with(chance([0.0, 1.0], None))
}

pub(super) fn caught(states: u64) -> Solution {
    Solution::caught(states).with(chance([0.0, 0.0], Some(false)))
}

const fn chance([lower, upper]: [f64; 2], certain: Option<bool>) -> Evidence {
    Evidence::Chance {
        lower,
        upper,
        certain,
        line: None,
        simulated: None,
    }
}

#[cfg(test)]
mod tests;
