//! Evaluation of positions: solves the level once, and again for each position that no solution covers.

use std::sync::Arc;

use super::LevelPolicy;
use super::solved::{LimitReached, Solved};
use crate::chance::games::BestPlayer;
use getaway_board::limits::{Bounds, Budget, Limit, Limits};
use getaway_chance::{Mdp, StrategyScope};
use getaway_models::{DungeonMdp, MdpError, Phase};
use getaway_play::agent::Strategy;
use getaway_play::analysis::DEFAULT_MAX_STATES;
use getaway_play::evaluation::{Evaluation, PositionEvaluator, PositionValue};
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::{Outcome, Ruleset, legal};

pub(super) struct MdpEvaluator {
    dungeon: Arc<Dungeon>,
    mdp: Option<Result<Arc<DungeonMdp>, MdpError>>,
    /// Solutions and their sizes in bytes, the latest last.
    solved: Vec<(Arc<Solved>, u64)>,
    limit: Option<Limit>,
}

/// The maximum number of solutions kept. Nearly all positions share one. But at a position from which the player can leave at
/// once, the MDP lists no other moves, so judging those moves takes a separate solution.
const MAX_SOLVED: usize = 4;

/// The maximum number of nodes for expected turns, unless `max_states` is set.
const MAX_NODES: u64 = 10 * DEFAULT_MAX_STATES;

impl MdpEvaluator {
    pub(super) const fn new(dungeon: Arc<Dungeon>) -> Self {
        Self {
            dungeon,
            mdp: None,
            solved: Vec::new(),
            limit: None,
        }
    }

    /// Returns the MDP; `None` if there is no way out even without the adversaries that can move.
    fn mdp(&mut self, limits: &Limits) -> Result<Option<Arc<DungeonMdp>>, Limit> {
        let dungeon = &*self.dungeon;
        let make = || DungeonMdp::new(dungeon, &Budget::new(limits)).map(Arc::new);
        match self.mdp.clone().unwrap_or_else(make) {
            Err(MdpError::Limit(limit)) => Err(limit),
            known => {
                self.mdp = Some(known.clone());
                Ok(known.ok())
            }
        }
    }

    pub(super) fn start(&mut self, limits: &Limits) -> Result<Option<Arc<Solved>>, Limit> {
        let Some(mdp) = self.mdp(limits)? else {
            return Ok(None);
        };
        let solved = self.solved(&mdp, mdp.initial(), limits);
        solved.map(Some).map_err(|(limit, _)| limit)
    }

    /// Returns the MDP. If there is none, returns the value that applies to every move.
    fn mdp_or_value(&mut self, limits: &Limits) -> Result<Arc<DungeonMdp>, PositionValue> {
        if super::solvable(&self.dungeon).is_err() {
            return Err(PositionValue::Unknown(None));
        }
        match self.mdp(limits) {
            Ok(mdp) => mdp.ok_or(PositionValue::Chance(Bounds::exact(0.0))),
            Err(limit) => {
                self.limit = Some(limit);
                Err(PositionValue::Unknown(Some(limit)))
            }
        }
    }

    fn value(
        &mut self,
        mdp: &Arc<DungeonMdp>,
        at: &State,
        phase: Phase,
        limits: &Limits,
    ) -> PositionValue {
        let Some(node) = mdp.number(at, phase, &[]) else {
            return PositionValue::Unknown(None);
        };
        match self.solved(mdp, node, limits) {
            Ok(solved) => PositionValue::Chance(solved.bounds(node).unwrap_or(Bounds::UNKNOWN)),
            Err((limit, bounds)) if bounds.width() >= 1.0 => PositionValue::Unknown(Some(limit)),
            Err((_, bounds)) => PositionValue::Chance(bounds),
        }
    }

    fn value_of_move(
        &mut self,
        mdp: &Arc<DungeonMdp>,
        at: &State,
        mv: Move,
        limits: &Limits,
    ) -> PositionValue {
        let mut then = at.clone();
        match self.dungeon.act(&mut then, mv, &mut ()) {
            Some(Outcome::Escaped) => PositionValue::Chance(Bounds::exact(1.0)),
            Some(Outcome::Caught(_)) => PositionValue::Chance(Bounds::exact(0.0)),
            None if self.dungeon.all_moved(&then) => {
                self.value(mdp, &then, Phase::Adversaries, limits)
            }
            None => self.value(mdp, &then, Phase::Player, limits),
        }
    }

    fn solved(
        &mut self,
        mdp: &Arc<DungeonMdp>,
        node: u64,
        limits: &Limits,
    ) -> Result<Arc<Solved>, LimitReached> {
        let mut known = self.solved.iter();
        if let Some((solved, _)) = known.find(|(solved, _)| solved.bounds(node).is_some()) {
            return Ok(Arc::clone(solved));
        }
        if self.solved.len() == MAX_SOLVED {
            // The first solution is kept, since it usually covers the most positions.
            self.solved.remove(1);
        }
        let solution = match self.solve_beside(mdp, node, limits) {
            Err((Limit::Memory, _)) if !self.solved.is_empty() => {
                self.solved.clear();
                self.solve_beside(mdp, node, limits)
            }
            solution => solution,
        };
        let (solved, bytes) = solution.inspect_err(|(limit, _)| self.limit = Some(*limit))?;
        let solved = Arc::new(solved);
        self.solved.push((Arc::clone(&solved), bytes));
        Ok(solved)
    }

    /// Solves a position in the memory that the other solutions leave free; also returns the number of bytes used.
    fn solve_beside(
        &self,
        mdp: &Arc<DungeonMdp>,
        node: u64,
        limits: &Limits,
    ) -> Result<(Solved, u64), LimitReached> {
        let taken = self.solved.iter().map(|(_, bytes)| bytes).sum();
        let rest = limits
            .without(taken)
            .map_err(|limit| (limit, Bounds::UNKNOWN))?;
        let budget = Budget::new(&rest);
        let solved = Solved::new(mdp, node, StrategyScope::AllBounds, &budget)?;
        Ok((solved, budget.taken()))
    }
}

impl BestPlayer<Dungeon> for MdpEvaluator {
    fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn expected_turns(&mut self, limits: &Limits) -> Result<Option<Bounds>, Limit> {
        let Some(solved) = self.start(limits)? else {
            return Ok(None);
        };
        let chain = solved.chain(&limits.or_max_states(MAX_NODES))?;
        Ok(chain.wins(limits)?.map(|wins| wins.turns))
    }

    fn strategy(&mut self, limits: &Limits) -> Result<Strategy<'static, Dungeon>, Limit> {
        // Computing bounds for all nodes may take longer than finding best play alone.
        let policy = match self.start(limits) {
            Ok(solved) => LevelPolicy::by(&self.dungeon, solved),
            Err(_) => LevelPolicy::of(&self.dungeon, limits)?,
        };
        Ok(policy.strategy())
    }
}

impl PositionEvaluator<State> for MdpEvaluator {
    fn evaluate_at(&mut self, at: &State, limits: &Limits) -> Evaluation {
        let moves = legal(&*self.dungeon, at);
        let (value, best, of_moves) = match self.mdp_or_value(limits) {
            Err(value) => (value, None, vec![value; moves.len()]),
            Ok(mdp) => {
                let value = self.value(&mdp, at, Phase::Player, limits);
                let node = mdp.number(at, Phase::Player, &[]);
                let solved = node.and_then(|node| self.solved(&mdp, node, limits).ok());
                let of_moves = moves
                    .iter()
                    .map(|&mv| self.value_of_move(&mdp, at, mv, limits))
                    .collect();
                (value, solved.and_then(|solved| solved.best(at)), of_moves)
            }
        };
        let best = best.unwrap_or_else(|| super::fleeing_move(&self.dungeon, at));
        let moves = moves.iter().map(ToString::to_string);
        Evaluation {
            value,
            moves: moves.zip(of_moves).collect(),
            best: Some(best.to_string()),
            line: Vec::new(),
        }
    }
}
