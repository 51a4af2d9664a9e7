//! The solver for `maze`: the assignment's own search, which is part of the rules ([`getaway_rules::maze::astar`]).

mod analysis;

use std::io::Write;
use std::sync::Arc;

use crate::chance::evaluator::ChanceEvaluator;
use crate::drn;
use crate::game::{Game, NoModel, Plan, Uncertified};
use getaway_board::grid::Cell;
use getaway_board::limits::Limits;
use getaway_play::agent::Strategy;
use getaway_play::analysis::Analysis;
use getaway_play::arena::{Arena, Field};
use getaway_play::evaluation::{Evaluation, Evaluator, PositionValue};
use getaway_play::expect::Expectation;
use getaway_play::explanation::{Explanation, Reason};
use getaway_play::session::{BoardSession, Session};
use getaway_play::simulation::Simulator;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::TraceError;
use getaway_rules::maze::astar::{self, Distances};
use getaway_rules::maze::{Immovable, Maze, Moving, Undecided};
use getaway_search::search::Order;

impl Game for Maze {
    /// Solves the map. `order` has no effect, since OPEN has an order of its own.
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        let next = match self.next_move(limits) {
            Ok(next) => next,
            Err(Undecided { limit, states }) => return Solution::undecided(limit, states),
        };
        let position = |&cell: &Cell| self.map().grid().position(cell);
        let evidence = Evidence::Direction {
            direction: next.direction(),
            steps: next.path.iter().map(position).collect(),
        };
        Solution::food(next.is_food(), next.states).with(evidence)
    }

    /// Returns the answer in the first line of a course file.
    fn expectation(&self) -> Option<Expectation> {
        self.expected().map(Expectation::Direction)
    }

    /// Simulates games in which walls move by chance. The solver's policy is the next move on the current map.
    fn simulator<'g>(&'g self, plan: &Plan<'g>) -> Result<Box<dyn Simulator + 'g>, TraceError> {
        let moving = moving_within(self, &plan.limits)?;
        // The memory is counted already, and the limit on states applies only to `solve`.
        let limits = Limits {
            max_states: None,
            max_memory: None,
            ..plan.limits
        };
        let evaluation = move |_: &Moving, at: &_| Moving::next_move(at, &limits).ok()?.way;
        plan.simulator(Box::new(moving), |_| Ok(Strategy::by_position(evaluation)))
    }

    fn session<'g>(
        &'g self,
        seed: u64,
        limits: &Limits,
    ) -> Result<Box<dyn Session + 'g>, TraceError> {
        Ok(Box::new(BoardSession::new(
            Box::new(moving_within(self, limits)?),
            seed,
        )))
    }

    /// Prepares the game with moving walls, in which the runner may make any legal move.
    fn arena(self: Arc<Self>) -> Result<Arc<dyn Arena>, TraceError> {
        let moving = Arc::new(moving_within(&self, &Limits::default())?);
        let evaluator = ChanceEvaluator::new(Arc::clone(&moving));
        Ok(Arc::new(Field::new(moving, evaluator)))
    }

    fn write_model(&self, limits: &Limits, out: &mut dyn Write) -> Result<(), NoModel> {
        drn::write(&moving_within(self, limits)?, limits, out)
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        analysis::analysis(self, solution, limits)
    }

    /// Explains why food can't be reached. If it can, the runner follows the assignment's search, which needs no explanation.
    fn explain(&self, solution: &Solution, _limits: &Limits) -> Explanation {
        let reason = match () {
            () if self.map().head(self.runner()).is_none() => Reason::NoRunner,
            () if self.map().food() == 0 => Reason::NoFood,
            () => Reason::FoodOutOfReach,
        };
        Explanation {
            reason: (solution.verdict() == Verdict::NoFood).then_some(reason),
            ..Explanation::default()
        }
    }

    /// Writes the cells in the order in which the assignment's search takes them from OPEN.
    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), Uncertified> {
        let Evidence::Direction { direction, .. } = solution.evidence else {
            return Err(Uncertified::Undecided);
        };
        writeln!(out, "{} {direction}", solution.verdict())?;
        let Some(head) = self.head() else {
            return Ok(());
        };
        let near = Distances::within(self.map(), limits)?;
        let mut written = Ok(());
        let (found, _) = astar::observed_search(self.map(), head, &near, limits, |cell, cost| {
            let (row, col) = self.map().grid().position(cell);
            if written.is_ok() {
                written = writeln!(out, "{row} {col} {cost}");
            }
        });
        found?;
        Ok(written?)
    }

    fn evaluator<'g>(&'g self, limits: &Limits) -> Result<Box<dyn Evaluator + 'g>, TraceError> {
        Ok(Box::new(OwnWay {
            moving: Arc::new(moving_within(self, limits)?),
            game: None,
        }))
    }
}

/// Evaluates the next move. The game with moving walls is not solved: the value of a move is the number of steps to the nearest
/// food on the current map.
struct OwnWay {
    moving: Arc<Moving>,
    game: Option<BoardSession<Arc<Moving>>>,
}

impl Evaluator for OwnWay {
    fn evaluate_controlled(
        &mut self,
        line: &str,
        chasers: &str,
        seed: u64,
        limits: &Limits,
    ) -> Result<Evaluation, TraceError> {
        let rules = Arc::clone(&self.moving);
        let at = BoardSession::after(&mut self.game, rules, seed, line, chasers)?;
        let (at, outcome) = (&at.0, at.1);
        if let Some(outcome) = outcome {
            return Ok(Evaluation::over(outcome));
        }
        let best = match Moving::next_move(at, limits) {
            Ok(next) => Ok(next.way),
            Err(Undecided { limit, .. }) => Err(limit),
        };
        let to_food = analysis::steps_to_food(&at.map, at.runner.head(), limits);
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
        Ok(Evaluation {
            value,
            moves,
            best: best.ok().flatten().map(|way| way.to_string()),
            line: Vec::new(),
        })
    }
}

/// Prepares the game with moving walls, and checks that the memory suffices for `limits.threads` games in parallel.
fn moving_within(maze: &Maze, limits: &Limits) -> Result<Moving, TraceError> {
    let moving = Moving::new(maze.map(), maze.runner(), limits).map_err(|error| match error {
        Immovable::Undecided(limit) => TraceError::Undecided(limit),
        error => TraceError::Unplayable(error.to_string()),
    })?;
    let games = limits.threads.max(1) as u64;
    limits.check_memory(games * moving.bytes())?;
    Ok(moving)
}
