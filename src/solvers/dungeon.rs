//! Solving a level with one player, and playing it by an optimal strategy.

mod adviser;
mod analysis;
mod answer;
mod best_play;
mod certificate;
mod explain;
mod lucky;
mod one_player;
mod open_loop;
mod simulation;
mod way_out;
mod witness;

use std::io::Write;
use std::sync::Arc;

use crate::advice::Adviser;
use crate::analysis::Analysis;
use crate::engine::mdp::{self, TableAnalysis, TableStrategy, Tables, Tabular, Valuation};
use crate::engine::search::Order;
use crate::explanation::Explanation;
use crate::game::{Game, Plan, Uncertified};
use crate::limits::{Budget, Limit, Limits};
use crate::play::policy::{self, ByPosition, Player, PolicyPlayer, PolicySpec};
use crate::play::session::{InPlay, Session};
use crate::play::trace::{Ending, TraceError, TraceSink};
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::Ruleset;
use crate::solution::{Solution, Verdict};
use adviser::MdpAdviser;
use one_player::two_ghosts::TwoGhosts;
use one_player::two_ghosts::stretches::Stretches;
use one_player::{NoMdp, OnePlayerMdp, Phase};

/// The best play on a level with one player, in every state that can come up.
#[derive(Debug)]
pub struct Policy {
    dungeon: Dungeon,
    /// `None` if the player can't escape at all.
    best: Option<(Arc<OnePlayerMdp>, Best)>,
}

/// An optimal strategy, however the values were computed.
#[derive(Debug)]
enum Best {
    Stretches(Box<Stretches>),
    TwoGhosts(Box<TableStrategy<TwoGhosts>>),
    Nodes(mdp::OptimalStrategy),
}

impl Best {
    fn choice(&self, number: u64) -> Option<usize> {
        match self {
            Self::Stretches(model) => model.choice(number),
            Self::TwoGhosts(strategy) => strategy.choice(number),
            Self::Nodes(strategy) => strategy.choice(number),
        }
    }
}

impl Policy {
    /// The best move in this state.
    ///
    /// Where escape is sure or almost sure, these moves lead to it; elsewhere the move is the one
    /// with the greatest probability of escape, as far as it is known. Where there is no escape,
    /// and in a state that cannot come up, the player keeps as far from the adversaries as it can
    /// in one move.
    pub fn best(&self, at: &State) -> Move {
        self.choice(at).unwrap_or_else(|| self.dungeon.flight(at))
    }

    fn choice(&self, at: &State) -> Option<Move> {
        let (mdp, strategy) = self.best.as_ref()?;
        let number = mdp.number(at, Phase::Player, &[])?;
        mdp.moves(number).get(strategy.choice(number)?).copied()
    }
}

impl Dungeon {
    /// The best play on this level.
    ///
    /// # Errors
    ///
    /// The limit that was reached before it was known.
    ///
    /// # Panics
    ///
    /// If the level has not exactly one player ([`Game::solvable`]).
    pub fn policy(&self, limits: &Limits) -> Result<Policy, Limit> {
        let budget = Budget::new(limits);
        let best = match OnePlayerMdp::new(self, &budget) {
            Err(NoMdp::NoWayOut) => None,
            Err(NoMdp::Limit(limit)) => return Err(limit),
            Ok(mdp) => {
                let mdp = Arc::new(mdp);
                let best = if let Some(model) = Stretches::solve(&mdp, &budget)? {
                    Best::Stretches(Box::new(model))
                } else if let Some(valuation) = solve_two_ghosts(&mdp, &budget)? {
                    Best::TwoGhosts(Box::new(valuation.into_strategy_within(&budget)?))
                } else {
                    let valuation = mdp::solve_within(&*mdp, &budget);
                    Best::Nodes(valuation.into_strategy_within(&budget)?)
                };
                Some((mdp, best))
            }
        };
        Ok(Policy {
            dungeon: self.clone(),
            best,
        })
    }

    /// The move that leads farthest away from the nearest adversary, the first of equals.
    fn flight(&self, at: &State) -> Move {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        let safety = |mv: &Move| {
            let mut then = at.clone();
            let lost = self.act(&mut then, *mv, &mut ()).is_some();
            let player = then.players.first().copied();
            let others = at.adversaries.iter().map(|other| other.cell);
            player
                .filter(|_| !lost)
                .and_then(|cell| self.level.nearest(cell, others))
        };
        moves
            .into_iter()
            .rev()
            .max_by_key(safety)
            .unwrap_or_default()
    }
}

/// The result by tables for two ghosts; `None` if there are no such tables, or if they come to nothing.
fn solve_two_ghosts(
    mdp: &Arc<OnePlayerMdp>,
    budget: &Budget,
) -> Result<Option<Valuation<TableAnalysis<TwoGhosts>>>, Limit> {
    solve_tables(TwoGhosts::new, mdp, mdp::PATIENCE, budget)
}

/// The result by tables, which `make` makes, with so much patience; `None` if there are no such tables, or if they come
/// to nothing.
fn solve_tables<'m, D, M: Tabular>(
    make: impl Fn(&'m D, &Budget) -> Result<Option<M>, Limit>,
    mdp: &'m D,
    patience: usize,
    budget: &Budget,
) -> Result<Option<Valuation<TableAnalysis<M>>>, Limit> {
    let (taken, threads) = (budget.taken(), budget.limits.threads);
    let valuation =
        make(mdp, budget)?.and_then(|model| Tables::new(model, threads, patience).solve(budget));
    if valuation.is_none() {
        budget.reset_to(taken);
    }
    Ok(valuation)
}

impl Game for Dungeon {
    fn solve(&self, _order: Order, limits: &Limits) -> Solution {
        // There is no answer to look for: no state was looked at, and none is to be.
        if self.solvable().is_err() {
            return Solution::undecided(Limit::States, 0);
        }
        answer::answer(self, &Budget::new(limits))
    }

    fn solvable(&self) -> Result<(), String> {
        match self.players.len() {
            1 => Ok(()),
            0 => Err("there is no player (`P`) on this level to solve it for".into()),
            count => Err(format!(
                "`solve` needs exactly one player (`P`), not {count}"
            )),
        }
    }

    /// The solver's policy is the best strategy; a level without players is watched.
    fn player<'g>(
        &'g self,
        spec: &PolicySpec<'g>,
        _order: Order,
    ) -> Result<Box<dyn Player + 'g>, TraceError> {
        let seat = PolicyPlayer::new(
            self,
            spec,
            |level| -> Result<Box<dyn policy::Policy<Self>>, _> {
                if level.players.is_empty() {
                    return Ok(Box::new(ByPosition(|_: &Self, _: &State| Some(Move::STAY))));
                }
                level.solvable().map_err(|why| {
                    let help = "say which moves to play (`--moves`), or simulate it with another \
                                policy than the solver's";
                    TraceError::Unplayable(format!("{why}: {help}"))
                })?;
                let policy = level.policy(&spec.limits).map_err(TraceError::Undecided)?;
                Ok(Box::new(ByPosition(move |_: &Self, at: &State| {
                    Some(policy.best(at))
                })))
            },
        )?;
        Ok(Box::new(seat))
    }

    /// Where a limit keeps the best play from being known: a way out with the luck that it needs.
    fn trace(&self, plan: &Plan, sink: &mut dyn TraceSink) -> Result<Ending, TraceError> {
        let why = match self.player(&plan.spec(), plan.order) {
            Err(why @ TraceError::Undecided(_)) => why,
            player => return plan.play(&*player?, sink),
        };
        let turns = plan.turns.unwrap_or(usize::MAX);
        let limits = &lucky::graced(&plan.limits);
        match lucky::line(self, limits) {
            Some(line) => lucky::play(self, &line, (turns, limits), sink),
            None => Err(why),
        }
    }

    fn session<'g>(
        &'g self,
        seed: u64,
        _limits: &Limits,
    ) -> Result<Box<dyn Session + 'g>, TraceError> {
        Ok(Box::new(InPlay::new(self, seed)))
    }

    fn analyse(&self, solution: &Solution, limits: &Limits) -> Analysis {
        analysis::analysis(self, solution, limits)
    }

    fn expected_turns(&self, limits: &Limits) -> Result<Option<[f64; 2]>, Limit> {
        analysis::expected_turns(&mut MdpAdviser::new(self), limits)
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

    fn adviser<'g>(&'g self, _limits: &Limits) -> Result<Box<dyn Adviser + 'g>, TraceError> {
        Ok(Box::new(MdpAdviser::new(self)))
    }
}
