//! Solves a level in stages, the cheapest first.

use std::sync::Arc;

use super::simulation::{escaping_line, simulate};
use super::solved::{self, SMALL};
use super::way_out::{WayOut, search, way_out};
use crate::chance::{caught, undecided};
use getaway_board::limits::{Bounds, Budget, Decision, Limit};
use getaway_chance::{Mdp, OptimalStrategy, Valuation, bounds_near, wins_surely};
use getaway_models::abstraction::{Abstraction, Adversaries, Conclusion, Lower, Refinement};
use getaway_models::joint_table::solve_by_joint_table;
use getaway_models::{DungeonMdp, MdpError};
use getaway_play::solution::{Evidence, Simulated, Solution, Verdict};
use getaway_rules::dungeon::Dungeon;

/// Levels with at most this many positions are solved immediately.
const TINY: usize = 1 << 12;

/// Levels with more positions than this are refined without a limit on the work. They are solved only if even the finest model
/// leaves their bounds too far apart, or if no way out has been found by then.
const HUGE: usize = 1 << 24;

/// The work of refinement before solving, in computed values per position: a small part of the work of solving.
const EFFORT: u64 = 2;

/// Levels with more positions than this are refined for longer before they are solved, since solving them is slow. Levels with a
/// ghost and zombies that get tables are an exception.
const LARGE: usize = 1 << 22;
const LARGE_EFFORT: u64 = 8;

/// The work of refinement if a width is requested, in computed values per position. This is about as much as solving, so the time
/// at most doubles.
const WIDTH_EFFORT: u64 = 32;

/// The minimum number of states in tables for several players. Levels with fewer have few nodes, by which they are solved
/// instead.
const MANY_JOINT: usize = 1 << 21;

/// The maximum number of nodes for a brief search for a certain escape, and for bounds from the nodes near the start. Levels with
/// several players and at most this many nodes are solved immediately.
const FEW: usize = 1 << 17;

/// With at least this many mobile adversaries, the first bounds come from nodes near the start, because sweeps take long.
const CROWD: usize = 4;

pub(super) fn answer(dungeon: &Arc<Dungeon>, budget: &Budget) -> Solution {
    match DungeonMdp::new(dungeon, budget) {
        Ok(mdp) => LevelAnswer::new(dungeon, Arc::new(mdp), budget).solution(budget),
        Err(MdpError::NoWayOut { .. }) => caught(0),
        Err(MdpError::Limit(limit)) => undecided(limit, 0),
    }
}

struct LevelAnswer<'a> {
    dungeon: &'a Arc<Dungeon>,
    mdp: Arc<DungeonMdp>,
    way: WayOut,
    known: Bounds,
    /// The answer to whether some strategy escapes whatever the draws.
    certain: Decision,
    /// The result of playing games with a policy, and the lower bound that the policy guarantees.
    simulated: Option<(Simulated, f64)>,
    size: usize,
    states: u64,
}

impl<'a> LevelAnswer<'a> {
    fn new(dungeon: &'a Arc<Dungeon>, mdp: Arc<DungeonMdp>, budget: &Budget) -> Self {
        let way = way_out(dungeon, &mdp, budget);
        let lower = match &way {
            WayOut::Found(line) => line.probability,
            WayOut::None(_) | WayOut::Unknown => 0.0,
        };
        Self {
            dungeon,
            mdp,
            way,
            known: Bounds { lower, upper: 1.0 },
            certain: Decision::Undecided,
            simulated: None,
            size: 0,
            states: 0,
        }
    }

    fn solution(mut self, budget: &Budget) -> Solution {
        let limit = self.run(budget).err();
        self.into_solution(limit)
    }

    /// Runs the stages in turn until one finds the answer. Those before it may improve the bounds.
    fn run(&mut self, budget: &Budget) -> Result<(), Limit> {
        if self.mdp.is_joint() {
            return self.run_joint(budget);
        }
        self.size = Abstraction::positions(&self.mdp, SMALL, budget)?;
        let max = budget.limits.max_states.unwrap_or(u64::MAX);
        if self.size <= TINY || self.size as u64 > max {
            return self.solve(budget);
        }
        if self.prove_certain(budget)? || self.solve_small(budget)? {
            return Ok(());
        }
        if self.size <= SMALL {
            return self.solve(budget);
        }
        if self.solve_by_segments(budget)? {
            return Ok(());
        }
        if self.mdp.mobile_count() >= CROWD {
            self.bound_near_start(FEW, budget)?;
        }
        if self.refine(budget)? {
            return Ok(());
        }
        self.solve_or_refine(budget)
    }

    /// Solves a level with several players by tables or by its nodes, after attempts to do so with few nodes.
    fn run_joint(&mut self, budget: &Budget) -> Result<(), Limit> {
        if let WayOut::None(_) = self.way {
            return Ok(());
        }
        let taken = budget.taken();
        let few = getaway_chance::solve_small(&*self.mdp, self.mdp.initial(), FEW as u64, budget);
        budget.reset_to(taken);
        if let Some(valuation) = few {
            return self.conclude_by(&valuation, budget);
        }
        self.certain = self.wins_surely(FEW, budget)?;
        self.states = FEW as u64;
        if self.certain == Decision::Yes {
            self.tighten(Bounds::exact(1.0));
            return Ok(());
        }
        self.bound_near_start(FEW, budget)?;
        if self.known.width() <= budget.limits.width.unwrap_or_default() {
            return self.finish_by_bounds(budget);
        }
        if self.solve_by_joint_table(budget)? {
            return Ok(());
        }
        self.solve(budget)
    }

    /// Solves a large level with several players by tables, if a way out is known; returns whether this succeeds.
    fn solve_by_joint_table(&mut self, budget: &Budget) -> Result<bool, Limit> {
        if !matches!(self.way, WayOut::Found(_)) {
            return Ok(false);
        }
        let taken = budget.taken();
        let value = match solve_by_joint_table(&self.mdp, MANY_JOINT, budget) {
            Ok(value) => value,
            Err(Limit::Memory) => None,
            Err(limit) => return Err(limit),
        };
        budget.reset_to(taken);
        let Some(value) = value else { return Ok(false) };
        self.tighten(value.bounds);
        self.states = self.states.max(value.nodes);
        match value.limit {
            Some(Limit::Memory) => return Ok(false),
            Some(limit) => return Err(limit),
            None => self.certain = value.sure.into(),
        }
        Ok(true)
    }

    fn into_solution(self, limit: Option<Limit>) -> Solution {
        let bounds = self.known;
        let is_reported = |&(_, own): &(_, f64)| limit.is_some() && own >= bounds.lower;
        let simulated = self.simulated.filter(is_reported);
        let line = match self.way {
            WayOut::None(nodes) => return caught(nodes),
            WayOut::Unknown if bounds.upper <= 0.0 => return caught(self.states),
            WayOut::Unknown => None,
            WayOut::Found(line) => Some(line),
        };
        let verdict = if limit.is_some() && line.is_none() {
            Verdict::Undecided
        } else {
            Verdict::Escape
        };
        let evidence = Evidence::Chance {
            bounds,
            certain: match self.certain {
                // A certain escape has probability 1.
                Decision::Undecided if bounds.upper < 1.0 => Decision::No,
                certain => certain,
            },
            line,
            simulated: simulated.map(|(games, _)| games),
        };
        Solution::new(verdict, self.states)
            .with(evidence)
            .cut_short(limit)
    }

    fn tighten(&mut self, Bounds { lower, upper }: Bounds) {
        self.known.lower = self.known.lower.max(lower);
        self.known.upper = self.known.upper.min(upper);
    }

    /// Solves the level if few nodes are reachable; returns whether it is solved.
    fn solve_small(&mut self, budget: &Budget) -> Result<bool, Limit> {
        let taken = budget.taken();
        let first = self.mdp.initial();
        let valuation = solved::by_few_nodes(&self.mdp, first, self.size, budget);
        budget.reset_to(taken);
        let Some(valuation) = valuation else {
            self.mdp.forget();
            return Ok(false);
        };
        self.conclude_by(&valuation, budget)?;
        Ok(true)
    }

    /// Searches briefly for a certain escape if a way out is known. Returns true if one is found, or if the search for a way out
    /// has ruled out any escape.
    fn prove_certain(&mut self, budget: &Budget) -> Result<bool, Limit> {
        match self.way {
            WayOut::None(_) => return Ok(true),
            WayOut::Unknown => return Ok(false),
            WayOut::Found(_) => {}
        }
        let states = self.mdp.count_line_stages(budget)?;
        self.certain = match states {
            Some(_) => Decision::Yes,
            None => self.wins_surely(FEW, budget)?,
        };
        self.states = states.unwrap_or(0);
        if self.certain == Decision::Yes {
            self.tighten(Bounds::exact(1.0));
        }
        Ok(self.certain == Decision::Yes)
    }

    /// Bounds the probability with `solved::by_segments` if a way out is known; returns whether the bounds are close enough to be
    /// the answer.
    fn solve_by_segments(&mut self, budget: &Budget) -> Result<bool, Limit> {
        if !matches!(self.way, WayOut::Found(_)) {
            return Ok(false);
        }
        let taken = budget.taken();
        let model = solved::by_segments(&self.mdp, self.size, budget)?;
        budget.reset_to(taken);
        let Some(model) = model else { return Ok(false) };
        let Some(bounds) = model.bounds(self.mdp.initial()) else {
            return Ok(false);
        };
        if model.is_exact() {
            self.conclude(bounds, false, model.len() as u64);
            return Ok(true);
        }
        self.tighten(bounds);
        self.states = self.states.max(model.len() as u64);
        Ok(false)
    }

    fn bound_near_start(&mut self, most: usize, budget: &Budget) -> Result<(), Limit> {
        let near = bounds_near(&*self.mdp, most, budget);
        self.mdp.forget();
        match near {
            Ok(bounds) => self.tighten(bounds),
            Err(Limit::Memory) => {}
            Err(limit) => return Err(limit),
        }
        Ok(())
    }

    /// Refines the bounds and, if even the finest model that fits in memory leaves them too far apart, solves the level. Returns
    /// false if refining would not pay, or if it takes too much work.
    fn refine(&mut self, budget: &Budget) -> Result<bool, Limit> {
        let size = self.size as u64;
        let adversaries = Adversaries::of(&self.mdp);
        let max = match self.size {
            many if many > HUGE => u64::MAX,
            _ if budget.limits.width.is_some() => WIDTH_EFFORT * size,
            many if many > LARGE && adversaries != Some(Adversaries::GhostAndZombies) => {
                LARGE_EFFORT * size
            }
            // Solving with tables for two ghosts takes no longer than refining the bounds.
            _ if adversaries == Some(Adversaries::TwoGhosts) => return Ok(false),
            _ => EFFORT * size,
        };
        match self.refine_by(max, budget)? {
            Conclusion::Close => self.finish_by_bounds(budget)?,
            Conclusion::Exhausted => self.solve(budget)?,
            Conclusion::Spent => return Ok(false),
        }
        Ok(true)
    }

    /// Solves the level. If solving takes too much memory, refines the bounds as far as possible instead.
    fn solve_or_refine(&mut self, budget: &Budget) -> Result<(), Limit> {
        let taken = budget.taken();
        match self.solve(budget) {
            Err(Limit::Memory) => budget.reset_to(taken),
            result => return result,
        }
        match self.refine_by(u64::MAX, budget)? {
            Conclusion::Close => self.finish_by_bounds(budget),
            Conclusion::Exhausted | Conclusion::Spent => Err(Limit::Memory),
        }
    }

    fn refine_by(&mut self, max: u64, budget: &Budget) -> Result<Conclusion, Limit> {
        let (dungeon, way) = (self.dungeon, &mut self.way);
        let mut games = None;
        let mut watch = |model: &Abstraction, values: &[Lower]| {
            games = simulate(dungeon, model, values, budget.limits);
            if matches!(way, WayOut::Unknown) && games.is_some_and(|games| games.escaped > 0) {
                let line = escaping_line(dungeon, model, values, budget.limits);
                *way = line.map_or(WayOut::Unknown, |line| WayOut::Found(Box::new(line)));
            }
        };
        let width = budget.limits.width.unwrap_or(Bounds::PRECISION);
        let mut refinement = Refinement::new(&self.mdp, self.known, width, &mut watch);
        let ended = refinement.run(max, budget);
        self.known = refinement.known;
        self.states = self.states.max(refinement.states);
        let lower = self.known.lower;
        self.simulated = games.map(|games| (games, lower));
        ended
    }

    fn finish_by_bounds(&mut self, budget: &Budget) -> Result<(), Limit> {
        if matches!(self.way, WayOut::Unknown) && self.known.upper > 0.0 {
            return self.solve(budget);
        }
        if self.certain == Decision::Undecided && self.known.upper >= 1.0 {
            self.certain = self.wins_surely(usize::MAX, budget)?;
        }
        Ok(())
    }

    fn wins_surely(&self, max: usize, budget: &Budget) -> Result<Decision, Limit> {
        let sure = wins_surely(&*self.mdp, max, budget);
        self.mdp.forget();
        match sure {
            Err(Limit::Memory) => Ok(Decision::Undecided),
            sure => sure,
        }
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), Limit> {
        let taken = budget.taken();
        let valuation = solved::solve(&self.mdp, self.size, budget);
        budget.reset_to(taken);
        self.conclude_by(&valuation, budget)
    }

    fn conclude_by(&mut self, valuation: &Valuation, budget: &Budget) -> Result<(), Limit> {
        let &Valuation {
            bounds,
            sure,
            mut limit,
            nodes,
            possible,
            ..
        } = valuation;
        if possible == Decision::Yes && matches!(self.way, WayOut::Unknown) {
            let max = match limit {
                Some(Limit::States) => budget.limits.max_states.unwrap_or(u64::MAX),
                _ => u64::MAX,
            };
            match search(self.dungeon, &self.mdp, max as usize, budget) {
                Ok(way) => self.way = way,
                Err(reached) => limit = limit.or(Some(reached)),
            }
        }
        if let Some(limit) = limit {
            self.tighten(bounds);
            self.states = self.states.max(nodes);
            return Err(limit);
        }
        assert!(
            bounds.upper <= 0.0 || matches!(self.way, WayOut::Found(_)),
            "a path that wins is a line of play under the rules"
        );
        self.conclude(bounds, sure, nodes);
        Ok(())
    }

    fn conclude(&mut self, bounds: Bounds, is_certain: bool, states: u64) {
        self.known = bounds;
        self.certain = is_certain.into();
        self.states = states;
    }
}
