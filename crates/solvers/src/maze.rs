//! The solver for `maze`: the assignment's own search, which is part of the rules ([`getaway_rules::maze::astar`]).

mod analysis;
mod steps;

use std::io::Write;
use std::sync::Arc;

use crate::chance::evaluator::ChanceEvaluator;
use crate::game::{CertifyError, Gameplay, Plan, PositionEvaluatorOf, Solver};
use getaway_board::grid::Cell;
use getaway_board::limits::{Limit, Limits};
use getaway_play::agent::Strategy;
use getaway_play::analysis::Analysis;
use getaway_play::evaluation::{Evaluation, PositionEvaluator, PositionValue};
use getaway_play::expect::Expectation;
use getaway_play::explanation::{ExplainedSearch, Explanation, Reason, SearchStep, SearchSummary};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::TraceError;
use getaway_rules::maze::astar::{self, Distances, Event, OverwriteRule};
use getaway_rules::maze::moving::State;
use getaway_rules::maze::{Maze, Moving, MovingError, NextMoveError};
use getaway_search::search::Order;

/// The maximum number of steps in an explanation.
const EXPLAINED_STEPS: u64 = 200;

/// Solves a map by the assignment's search.
#[derive(Debug)]
pub struct ByAssignment(Arc<Maze>);

impl Solver for ByAssignment {
    /// Solves the map. `order` has no effect, since OPEN has an order of its own.
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        let next = match self.0.next_move(limits) {
            Ok(next) => next,
            Err(NextMoveError { limit, states }) => return Solution::undecided(limit, states),
        };
        let position = |&cell: &Cell| self.0.map().grid().position(cell);
        let evidence = Evidence::Direction {
            direction: next.direction(),
            steps: next.path.iter().map(position).collect(),
        };
        let verdict = if next.is_food() {
            Verdict::Food
        } else {
            Verdict::NoFood
        };
        Solution::new(verdict, next.states).with(evidence)
    }

    /// Returns the answer in the first line of a course file.
    fn expectation(&self) -> Option<Expectation> {
        self.0.expected().map(Expectation::Direction)
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        analysis::analysis(&self.0, solution, limits)
    }

    /// Explains why food can't be reached, or shows the first steps of the assignment's search.
    fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation {
        if solution.verdict() == Verdict::NoFood {
            return Explanation {
                reason: Some(match self.0.head() {
                    None => Reason::NoRunner,
                    Some(_) if self.0.map().food() == 0 => Reason::NoFood,
                    Some(_) => Reason::FoodOutOfReach,
                }),
                ..Explanation::default()
            };
        }
        let mut steps = Vec::new();
        let traced = steps::trace(&self.0, EXPLAINED_STEPS, limits, &mut |step| {
            steps.push(step);
        });
        Explanation {
            limit: traced.as_ref().err().copied(),
            search: traced.ok().flatten().map(|summary| ExplainedSearch {
                steps,
                summary: SearchSummary::AStar(summary),
            }),
            ..Explanation::default()
        }
    }

    fn trace_search(
        &self,
        max: u64,
        limits: &Limits,
        sink: &mut dyn FnMut(SearchStep),
    ) -> Result<Option<SearchSummary>, Limit> {
        let mut sink = |step| sink(SearchStep::AStar(step));
        let summary = steps::trace(&self.0, max, limits, &mut sink)?;
        Ok(summary.map(SearchSummary::AStar))
    }

    /// Writes the verdict and the direction, and then the cells with their costs, in the order in which the assignment's search
    /// takes them from OPEN.
    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), CertifyError> {
        let Evidence::Direction { direction, .. } = solution.evidence else {
            return Err(CertifyError::Undecided);
        };
        writeln!(out, "{} {direction}", solution.verdict())?;
        let map = self.0.map();
        let Some(head) = self.0.head() else {
            return Ok(());
        };
        let near = Distances::within(map, limits)?;
        let mut written = Ok(());
        let found = astar::search(
            map,
            head,
            &near,
            OverwriteRule::Assignment,
            limits,
            |event| {
                if let Event::Taken { cell, cost } = event
                    && written.is_ok()
                {
                    let (row, col) = map.grid().position(cell);
                    written = writeln!(out, "{row} {col} {cost}");
                }
            },
        );
        found.map_err(|undecided| undecided.limit)?;
        Ok(written?)
    }
}

/// The game has moving walls. It is not solved: the policy of the solver is the next move on the current map.
impl Gameplay for ByAssignment {
    type Board = Maze;
    type Rules = Moving;

    fn new(board: Arc<Maze>) -> Self {
        Self(board)
    }

    fn rules(&self, limits: &Limits) -> Result<Arc<Moving>, TraceError> {
        Ok(Arc::new(moving_within(&self.0, limits)?))
    }

    fn strategy<'g>(
        &self,
        _rules: &Arc<Moving>,
        plan: &Plan<'g>,
    ) -> Result<Strategy<'g, Moving>, TraceError> {
        // The memory is counted already, and the limit on states applies only to `solve`.
        let limits = Limits {
            max_states: None,
            max_memory: None,
            ..plan.limits
        };
        let next = move |_: &Moving, at: &_| Moving::next_move(at, &limits).ok()?.way;
        Ok(Strategy::by_position(next))
    }

    fn evaluator(&self, _rules: Arc<Moving>) -> PositionEvaluatorOf<Self> {
        Box::new(FoodEvaluator)
    }

    fn arena_evaluator(&self, rules: Arc<Moving>) -> PositionEvaluatorOf<Self> {
        Box::new(ChanceEvaluator::new(rules))
    }
}

/// Evaluates a move by the number of steps to the nearest food on the current map.
struct FoodEvaluator;

impl PositionEvaluator<State> for FoodEvaluator {
    fn evaluate_at(&mut self, at: &State, limits: &Limits) -> Evaluation {
        let to_food = analysis::steps_to_food(&at.map, at.head(), limits);
        let (value, moves) = match to_food {
            Ok(ways) => {
                let nearest = ways.iter().filter_map(|(_, steps)| *steps).min();
                let value = |(way, steps)| (way, PositionValue::Food { steps });
                (
                    PositionValue::Food { steps: nearest },
                    ways.into_iter().map(value).collect(),
                )
            }
            Err(limit) => (PositionValue::Unknown(Some(limit)), Vec::new()),
        };
        let best = Moving::next_move(at, limits).ok().and_then(|next| next.way);
        Evaluation {
            value,
            moves,
            best: best.map(|way| way.to_string()),
            line: Vec::new(),
        }
    }
}

/// Prepares the game with moving walls, and checks that the memory suffices for `limits.threads` games in parallel.
fn moving_within(maze: &Maze, limits: &Limits) -> Result<Moving, TraceError> {
    let moving = Moving::new(maze, limits).map_err(|error| match error {
        MovingError::Undecided(limit) => TraceError::Undecided(limit),
        error => TraceError::Unplayable(error.to_string()),
    })?;
    let games = limits.threads.max(1) as u64;
    limits.check_memory(games * moving.bytes())?;
    Ok(moving)
}
