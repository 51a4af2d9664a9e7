//! Solves `dungeon` as a Markov decision process, in stages from cheap to exact.

mod answer;
mod certificate;
mod evaluator;
mod explain;
mod line_record;
mod lucky;
mod simulation;
mod solved;
mod way_out;
mod witness;

use std::io::Write;
use std::sync::Arc;

use crate::chance::games::{self, BestPlayer};
use crate::game::{CertifyError, Game, Gameplay, Plan, PositionEvaluatorOf, Solver};
use evaluator::MdpEvaluator;
use getaway_board::fault::Faults;
use getaway_board::limits::{Bounds, Budget, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_chance::{Mdp, StrategyScope};
use getaway_models::{DungeonMdp, MAX_PLAYERS, MdpError};
use getaway_play::agent::Strategy;
use getaway_play::analysis::Analysis;
use getaway_play::explanation::Explanation;
use getaway_play::solution::{Solution, Verdict};
use getaway_play::trace::{Ending, TraceError, TraceSink};
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::{Ruleset, legal};
use getaway_search::search::Order;
use solved::Solved;

/// The solver's policy for a level of `dungeon`.
#[derive(Debug)]
pub struct LevelPolicy {
    dungeon: Arc<Dungeon>,
    /// The solution; `None` if there is no way out even without the adversaries that can move.
    solved: Option<Arc<Solved>>,
}

impl LevelPolicy {
    /// Finds best play on this level.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached first.
    ///
    /// # Panics
    ///
    /// Panics if the level has no player. May panic if it has more than [`MAX_PLAYERS`].
    pub fn of(dungeon: &Arc<Dungeon>, limits: &Limits) -> Result<Self, Limit> {
        let budget = Budget::new(limits);
        let solved = match DungeonMdp::new(dungeon, &budget) {
            Err(MdpError::NoWayOut { .. }) => None,
            Err(MdpError::Limit(limit)) => return Err(limit),
            Ok(mdp) => {
                let mdp = Arc::new(mdp);
                if limits.progress.is_some() {
                    // The search for a way out reports the verdict long before the policy is known.
                    way_out::way_out(dungeon, &mdp, &budget);
                }
                let solved = Solved::new(&mdp, mdp.initial(), StrategyScope::Choices, &budget);
                Some(Arc::new(solved.map_err(|(limit, _)| limit)?))
            }
        };
        Ok(Self::by(dungeon, solved))
    }

    fn by(dungeon: &Arc<Dungeon>, solved: Option<Arc<Solved>>) -> Self {
        let dungeon = Arc::clone(dungeon);
        Self { dungeon, solved }
    }

    /// Returns the best move in this state.
    ///
    /// With such moves the player escapes surely or almost surely if possible, otherwise with the highest known probability. If
    /// there is no escape, or no move was computed because best play never reaches the state, the move keeps as many players as
    /// possible on the board, as far as possible from the nearest adversary.
    pub fn best(&self, at: &State) -> Move {
        let best = self.solved.as_ref().and_then(|solved| solved.best(at));
        best.unwrap_or_else(|| fleeing_move(&self.dungeon, at))
    }

    fn strategy<'g>(self) -> Strategy<'g, Dungeon> {
        Strategy::by_position(move |_, at| Some(self.best(at)))
    }
}

/// Returns the move that leaves the most players on the board and, among such moves, the nearest adversary farthest from them;
/// the first one in a tie. Moves that end the game come last.
fn fleeing_move(dungeon: &Dungeon, at: &State) -> Move {
    let others = at.adversaries.iter().map(|other| other.cell);
    let safety = |mv: &Move| {
        let mut then = at.clone();
        let goes_on = dungeon.act(&mut then, *mv, &mut ()).is_none();
        goes_on.then(|| {
            let players = then.players.iter();
            let distances = players.map(|&player| dungeon.level.nearest(player, others.clone()));
            (then.players.len(), distances.min())
        })
    };
    // `max_by_key` returns the last maximum.
    let moves = legal(dungeon, at).into_iter();
    moves.rev().max_by_key(safety).unwrap_or_default()
}

/// Solves a level as a Markov decision process.
#[derive(Debug)]
pub struct ByModel(Arc<Dungeon>);

impl Solver for ByModel {
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        if self.solvable().is_err() {
            return Solution::unsolvable();
        }
        answer::answer(&self.0, &Budget::new(limits))
    }

    fn solvable(&self) -> Result<(), String> {
        solvable(&self.0)
    }

    fn warnings(&self, puzzle: &Puzzle) -> Faults {
        self.0.openings(puzzle)
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        let mut evaluator = MdpEvaluator::new(Arc::clone(&self.0));
        games::analysis(&self.0, &mut evaluator, solution, limits)
    }

    fn expected_turns(&self, limits: &Limits) -> Result<Option<Bounds>, Limit> {
        MdpEvaluator::new(Arc::clone(&self.0)).expected_turns(limits)
    }

    fn explain(&self, solution: &Solution, limits: &Limits) -> Explanation {
        explain::explanation(&self.0, solution, limits)
    }

    fn certify(
        &self,
        solution: &Solution,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), CertifyError> {
        match solution.verdict() {
            verdict @ (Verdict::Escape | Verdict::Caught) => {
                certificate::write(&self.0, verdict, limits, out)
            }
            _ => Err(CertifyError::Undecided),
        }
    }
}

fn solvable(dungeon: &Dungeon) -> Result<(), String> {
    match dungeon.players.len() {
        1..=MAX_PLAYERS => Ok(()),
        0 => Err("this level has no player (`P`), and `solve` needs one".into()),
        count => Err(format!(
            "`solve` needs at most {MAX_PLAYERS} players (`P`), not {count}"
        )),
    }
}

impl Gameplay for ByModel {
    type Board = Dungeon;
    type Rules = Dungeon;

    fn new(board: Arc<Dungeon>) -> Self {
        Self(board)
    }

    fn rules(&self, _limits: &Limits) -> Result<Arc<Dungeon>, TraceError> {
        Ok(Arc::clone(&self.0))
    }

    /// Returns best play. On a level without players there is nothing to decide.
    fn strategy<'g>(
        &self,
        level: &Arc<Dungeon>,
        plan: &Plan<'g>,
    ) -> Result<Strategy<'g, Dungeon>, TraceError> {
        if level.players.is_empty() {
            return Ok(Strategy::by_position(|_, _| Some(Move::STAY)));
        }
        self.solvable().map_err(|why| {
            let help = "give the moves to play (`--moves`), or use a policy other than `solver`";
            TraceError::Unplayable(format!("{why}: {help}"))
        })?;
        Ok(LevelPolicy::of(level, &plan.limits)?.strategy())
    }

    fn evaluator(&self, rules: Arc<Dungeon>) -> PositionEvaluatorOf<Self> {
        Box::new(MdpEvaluator::new(rules))
    }

    /// Plays a game by `plan`. If a limit is reached before best play is known, plays a line that escapes with luck, if one
    /// is found.
    fn play(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        let why = match self.simulator(plan) {
            Err(why @ TraceError::Undecided(_)) => why,
            simulator => return plan.play(&*simulator?, sink),
        };
        let turns = plan.turns.unwrap_or(usize::MAX);
        let limits = &lucky::with_grace(&plan.limits);
        match lucky::line(&self.0, limits) {
            Some(line) => lucky::play(&self.0, &line, turns, limits, sink),
            None => Err(why),
        }
    }
}
