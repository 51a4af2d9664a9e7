mod analysis;
mod answer;
mod certificate;
mod evaluator;
mod explain;
mod lucky;
mod simulation;
mod solved;
mod way_out;
mod witness;

use std::io::Write;
use std::sync::Arc;

use crate::drn;
use crate::game::{Game, NoModel, Plan, Uncertified};
use evaluator::MdpEvaluator;
use getaway_board::fault::Faults;
use getaway_board::limits::{Budget, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_chance::{Mdp, Wanted};
use getaway_models::{NoMdp, OnePlayerMdp};
use getaway_play::agent::Strategy;
use getaway_play::analysis::Analysis;
use getaway_play::arena::{Arena, Field};
use getaway_play::evaluation::Evaluator;
use getaway_play::explanation::Explanation;
use getaway_play::session::{BoardSession, Session};
use getaway_play::simulation::Simulator;
use getaway_play::solution::{Solution, Verdict};
use getaway_play::trace::{Ending, TraceError, TraceSink};
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::Ruleset;
use getaway_search::search::Order;
use solved::Solved;

#[derive(Debug)]
pub struct Policy {
    dungeon: Dungeon,
    /// The solution; `None` if there is no way out even when no adversary moves.
    solved: Option<Arc<Solved>>,
}

impl Policy {
    /// Finds best play on this level.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached first.
    ///
    /// # Panics
    ///
    /// Panics if the level doesn't have exactly one player.
    pub fn of(dungeon: &Dungeon, limits: &Limits) -> Result<Self, Limit> {
        let budget = Budget::new(limits);
        let solved = match OnePlayerMdp::new(dungeon, &budget) {
            Err(NoMdp::NoWayOut { .. }) => None,
            Err(NoMdp::Limit(limit)) => return Err(limit),
            Ok(mdp) => {
                let mdp = Arc::new(mdp);
                if limits.gauge.is_some() {
                    // The search for a way out reports the verdict long before the policy is known.
                    way_out::way_out(dungeon, &mdp, &budget);
                }
                let solved = Solved::new(&mdp, mdp.initial(), Wanted::Choices, &budget);
                Some(Arc::new(solved.map_err(|(limit, _)| limit)?))
            }
        };
        Ok(Self::by(dungeon, solved))
    }

    fn by(dungeon: &Dungeon, solved: Option<Arc<Solved>>) -> Self {
        Self {
            dungeon: dungeon.clone(),
            solved,
        }
    }

    /// Returns the best move in this state.
    ///
    /// With such moves the player escapes surely or almost surely if possible, otherwise with the highest known probability. If
    /// there is no escape, or no game reaches the state, the player moves as far from the adversaries as possible.
    pub fn best(&self, at: &State) -> Move {
        let best = self.solved.as_ref().and_then(|solved| solved.best(at));
        best.unwrap_or_else(|| flight(&self.dungeon, at))
    }

    fn strategy<'g>(self) -> Strategy<'g, Dungeon> {
        Strategy::by_position(move |_, at| Some(self.best(at)))
    }
}

/// Returns the move that ends farthest from the adversaries; the first one in a tie.
fn flight(dungeon: &Dungeon, at: &State) -> Move {
    let mut moves = Vec::new();
    dungeon.moves(at, &mut moves);
    let others = at.adversaries.iter().map(|other| other.cell);
    let safety = |mv: &Move| {
        let mut then = at.clone();
        match dungeon.act(&mut then, *mv, &mut ()) {
            None => dungeon
                .level
                .nearest(*then.players.first()?, others.clone()),
            Some(_) => None,
        }
    };
    moves
        .into_iter()
        .rev()
        .max_by_key(safety)
        .unwrap_or_default()
}

impl Game for Dungeon {
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        if self.solvable().is_err() {
            return Solution::unasked();
        }
        answer::answer(self, &Budget::new(limits))
    }

    fn solvable(&self) -> Result<(), String> {
        match self.players.len() {
            1 => Ok(()),
            0 => Err("this level has no player (`P`), and `solve` needs one".into()),
            count => Err(format!(
                "`solve` needs exactly one player (`P`), not {count}"
            )),
        }
    }

    fn warnings(&self, puzzle: &Puzzle) -> Faults {
        self.openings(puzzle)
    }

    /// Simulates best play, which is the solver's policy. On a level without players there is nothing to decide.
    fn simulator<'g>(&'g self, plan: &Plan<'g>) -> Result<Box<dyn Simulator + 'g>, TraceError> {
        plan.simulator(self, |level| {
            if level.players.is_empty() {
                return Ok(Strategy::by_position(|_, _| Some(Move::STAY)));
            }
            level.solvable().map_err(|why| {
                let help =
                    "give the moves to play (`--moves`), or use a policy other than `solver`";
                TraceError::Unplayable(format!("{why}: {help}"))
            })?;
            Ok(Policy::of(level, &plan.limits)?.strategy())
        })
    }

    fn trace(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        let why = match self.simulator(plan) {
            Err(why @ TraceError::Undecided(_)) => why,
            simulator => return plan.play(&*simulator?, sink),
        };
        let turns = plan.turns.unwrap_or(usize::MAX);
        let limits = &lucky::graced(&plan.limits);
        match lucky::line(self, limits) {
            Some(line) => lucky::play(self, &line, turns, limits, sink),
            None => Err(why),
        }
    }

    fn session<'g>(
        &'g self,
        seed: u64,
        _limits: &Limits,
    ) -> Result<Box<dyn Session + 'g>, TraceError> {
        Ok(Box::new(BoardSession::new(self, seed)))
    }

    fn arena(self: Arc<Self>) -> Result<Arc<dyn Arena>, TraceError> {
        let evaluator = MdpEvaluator::new(Arc::clone(&self));
        Ok(Arc::new(Field::new(self, evaluator)))
    }

    fn write_model(&self, limits: &Limits, out: &mut dyn Write) -> Result<(), NoModel> {
        drn::write(self, limits, out)
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        analysis::analysis(self, solution, limits)
    }

    fn expected_turns(&self, limits: &Limits) -> Result<Option<[f64; 2]>, Limit> {
        let solved = MdpEvaluator::new(self).start(limits)?;
        analysis::expected_turns(solved.as_deref(), limits)
    }

    fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation {
        explain::explanation(self, solution, limits)
    }

    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), Uncertified> {
        match solution.verdict() {
            verdict @ (Verdict::Escape | Verdict::Caught) => {
                certificate::write(self, verdict, limits, out)
            }
            _ => Err(Uncertified::Undecided),
        }
    }

    fn evaluator<'g>(&'g self, _limits: &Limits) -> Result<Box<dyn Evaluator + 'g>, TraceError> {
        Ok(Box::new(MdpEvaluator::new(self)))
    }
}
