//! The answer on a level with one player, from the first thing known to the last: a way out, bounds by coarser
//! models, the probability.

use std::sync::Arc;

use super::one_player::abstraction::TwoGhosts;
use super::one_player::abstraction::{
    Abstraction, Ended, GhostAndZombies, Kept, Known, Refinement,
};
use super::one_player::{NoMdp, OnePlayerMdp};
use super::open_loop;
use super::simulation::simulate;
use super::solved::{self, SMALL, by_stretches};
use super::way_out::{WayOut, way_out};
use super::witness::Witness;
use crate::engine::mdp::{Mdp, OptimalStrategy, Valuation, bounds_near, wins_surely};
use crate::limits::{Budget, Limit};
use crate::rules::dungeon::Dungeon;
use crate::solution::{Evidence, LuckyLine, Simulated, Solution};

/// Levels with fewer positions are solved before anything else would be known.
const TINY: usize = 1 << 12;

/// On levels with more positions bounds are worked out as long as they get better, before the probability is.
const HUGE: usize = 1 << 24;

/// On levels between these so many values are worked out for the bounds for each position: a small part of what
/// the probability takes.
const EFFORT: u64 = 2;

/// With more positions than these the probability takes so long that bounds are worth more, unless there are tables.
const LARGE: usize = 1 << 22;
const LARGE_EFFORT: u64 = 8;

/// Where bounds of some width are wished for: about as much as the probability takes. So it is known in at most about
/// twice the time that it takes alone, however long bounds would take to get so close.
const WIDTH_EFFORT: u64 = 32;

/// So many nodes are looked at before bounds are worked out to learn whether an escape is certain.
const FEW: usize = 1 << 17;

/// Sweeps over levels with so many adversaries take long: their first bounds come from few nodes.
const CROWD: usize = 4;

/// The answer on a level with one player.
pub(super) fn answer(dungeon: &Dungeon, budget: &Budget) -> Solution {
    match OnePlayerMdp::new(dungeon, budget) {
        Ok(mdp) => Answer::new(dungeon, Arc::new(mdp), budget).solution(budget),
        Err(NoMdp::NoWayOut) => caught(0),
        Err(NoMdp::Limit(limit)) => Solution::undecided(limit, 0).with(chance([0.0, 1.0], None)),
    }
}

fn caught(states: u64) -> Solution {
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

/// What is known so far.
struct Answer<'a> {
    dungeon: &'a Dungeon,
    mdp: Arc<OnePlayerMdp>,
    way: WayOut,
    known: Known,
    /// Whether some strategy escapes whatever the luck, if that is known.
    certain: Option<bool>,
    simulated: Option<Simulated>,
    /// How many positions the level has, as far as that was counted.
    size: usize,
    /// How many states have been looked at.
    states: u64,
}

/// What the solution of the whole level has come to.
struct Exact {
    known: Known,
    is_sure: bool,
    has_way: bool,
    limit: Option<Limit>,
    states: u64,
}

impl<'a> Answer<'a> {
    fn new(dungeon: &'a Dungeon, mdp: Arc<OnePlayerMdp>, budget: &Budget) -> Self {
        let way = way_out(dungeon, &mdp, budget);
        let lower = match &way {
            WayOut::Found(line) => line.probability,
            WayOut::None(_) | WayOut::Unknown => 0.0,
        };
        Self {
            dungeon,
            mdp,
            way,
            known: Known { lower, upper: 1.0 },
            certain: None,
            simulated: None,
            size: 0,
            states: 0,
        }
    }

    fn solution(mut self, budget: &Budget) -> Solution {
        let size = match Abstraction::positions(&self.mdp, SMALL, budget) {
            Ok(size) => size,
            Err(limit) => return self.cut_short(limit),
        };
        self.size = size;
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        if size <= TINY || size as u64 > most {
            return self.exact(budget);
        }
        match self.is_certain(budget) {
            Ok(true) => return self.open(),
            Ok(false) => {}
            Err(limit) => return self.cut_short(limit),
        }
        if let WayOut::None(nodes) = self.way {
            return caught(nodes);
        }
        if size <= SMALL {
            return self.exact(budget);
        }
        match self.by_stretches(budget) {
            Ok(Some(exact)) => return self.conclude(&exact),
            Ok(None) => {}
            Err(limit) => return self.cut_short(limit),
        }
        if let Err(limit) = self.bound_cheaply(budget) {
            return self.cut_short(limit);
        }
        let effort = match size {
            _ if size > HUGE => u64::MAX,
            _ if budget.limits.width.is_some() => WIDTH_EFFORT * size as u64,
            _ if size > LARGE && !GhostAndZombies::fit(&self.mdp) => LARGE_EFFORT * size as u64,
            // Their tables take no longer than such bounds would.
            _ if TwoGhosts::fit(&self.mdp) => return self.exact_or_refined(budget),
            _ => EFFORT * size as u64,
        };
        match self.refine(effort, budget) {
            Ok(Ended::Close) => self.close(budget),
            Ok(Ended::Exhausted) => self.exact(budget),
            Ok(Ended::Spent) => self.exact_or_refined(budget),
            Err(limit) => self.cut_short(limit),
        }
    }

    /// Finds first bounds, from the moves of the way out and from the nodes nearest to the start.
    fn bound_cheaply(&mut self, budget: &Budget) -> Result<(), Limit> {
        if let WayOut::Found(line) = &self.way {
            let probability = open_loop::probability(line, &self.mdp, budget)?;
            self.known.lower = self.known.lower.max(probability);
        }
        if self.mdp.mobile() < CROWD {
            return Ok(());
        }
        let taken = budget.taken();
        let near = bounds_near(&*self.mdp, FEW, budget);
        budget.reset_to(taken);
        self.mdp.forget();
        match near {
            Ok([lower, upper]) => {
                self.known.lower = self.known.lower.max(lower);
                self.known.upper = self.known.upper.min(upper);
                Ok(())
            }
            Err(Limit::Memory) => Ok(()),
            Err(limit) => Err(limit),
        }
    }

    /// Whether an escape is found to be certain with little effort; then all is known.
    fn is_certain(&mut self, budget: &Budget) -> Result<bool, Limit> {
        if !matches!(self.way, WayOut::Found(_)) {
            return Ok(false);
        }
        let forced = self.mdp.forced_line(budget)?;
        self.certain = match forced {
            Some(_) => Some(true),
            None => self.wins_surely(FEW, budget)?,
        };
        self.states = forced.unwrap_or(0);
        if self.certain == Some(true) {
            (self.known.lower, self.known.upper) = (1.0, 1.0);
        }
        Ok(self.certain == Some(true))
    }

    fn wins_surely(&self, most: usize, budget: &Budget) -> Result<Option<bool>, Limit> {
        let sure = wins_surely(&*self.mdp, most, budget);
        self.mdp.forget();
        match sure {
            Err(Limit::Memory) => Ok(None),
            sure => sure,
        }
    }

    /// The answer where bounds are close.
    fn close(mut self, budget: &Budget) -> Solution {
        if matches!(self.way, WayOut::Unknown) && self.known.upper > 0.0 {
            return self.exact(budget);
        }
        if self.certain.is_none() && self.known.upper >= 1.0 {
            match self.wins_surely(usize::MAX, budget) {
                Ok(certain) => self.certain = certain,
                Err(limit) => return self.cut_short(limit),
            }
        }
        self.open()
    }

    /// Works out bounds by coarser models.
    fn refine(&mut self, most: u64, budget: &Budget) -> Result<Ended, Limit> {
        let Self {
            dungeon,
            mdp,
            known,
            simulated,
            ..
        } = self;
        let mut watch = |model: &Abstraction, values: &[Kept]| {
            if let Some(reached) = simulate(dungeon, (model, values), budget.limits) {
                *simulated = Some(reached);
            }
        };
        let width = budget.limits.width.unwrap_or(Evidence::PRECISION);
        let mut refinement = Refinement::new(mdp, *known, width, &mut watch);
        let ended = refinement.run(most, budget);
        (*known, self.states) = (refinement.known, self.states.max(refinement.states));
        ended
    }

    /// The whole level's solution; where that has no room, bounds as good as they get.
    fn exact_or_refined(mut self, budget: &Budget) -> Solution {
        let taken = budget.taken();
        let exact = self.solve(budget);
        if exact.limit != Some(Limit::Memory) {
            return self.conclude(&exact);
        }
        budget.reset_to(taken);
        self.take(&exact);
        match self.refine(u64::MAX, budget) {
            Ok(Ended::Close) => self.close(budget),
            Ok(_) => self.cut_short(Limit::Memory),
            Err(limit) => self.cut_short(limit),
        }
    }

    fn exact(self, budget: &Budget) -> Solution {
        let exact = self.solve(budget);
        self.conclude(&exact)
    }

    fn solve(&self, budget: &Budget) -> Exact {
        self.checked(&solved::solve(&self.mdp, self.size, budget), budget)
    }

    /// The probability where cooldowns are long; `None` if it is not found in this way, or if the verdict is open.
    fn by_stretches(&mut self, budget: &Budget) -> Result<Option<Exact>, Limit> {
        if !matches!(self.way, WayOut::Found(_)) {
            return Ok(None);
        }
        let taken = budget.taken();
        let model = by_stretches(&self.mdp, self.size, budget)?;
        budget.reset_to(taken);
        let Some(model) = model else { return Ok(None) };
        let known = model.bounds(self.mdp.initial());
        let exact = known.map(|[lower, upper]| Exact {
            known: Known { lower, upper },
            is_sure: false,
            has_way: true,
            limit: None,
            states: model.len() as u64,
        });
        if let Some(exact) = &exact {
            self.take(exact);
        }
        Ok(exact.filter(|_| model.is_exact()))
    }

    /// What a result comes to, with its path checked under the rules.
    fn checked(&self, valuation: &Valuation, budget: &Budget) -> Exact {
        let path = valuation.winning_path.as_deref().unwrap_or_default();
        let line = Witness::line(self.dungeon, &self.mdp, path, budget.limits);
        let Valuation { lower, upper, .. } = *valuation;
        Exact {
            known: Known { lower, upper },
            is_sure: valuation.sure,
            has_way: matches!(line, Ok(Some(_))),
            limit: valuation.limit.or(line.err()),
            states: valuation.nodes,
        }
    }

    fn take(&mut self, exact: &Exact) {
        self.known.lower = self.known.lower.max(exact.known.lower);
        self.known.upper = self.known.upper.min(exact.known.upper);
        self.states = self.states.max(exact.states);
    }

    /// The answer by the whole level's solution.
    fn conclude(mut self, exact: &Exact) -> Solution {
        let is_way = exact.has_way || matches!(self.way, WayOut::Found(_));
        if let Some(limit) = exact.limit {
            self.take(exact);
            if is_way {
                return self.escape().cut_short(limit);
            }
            return self.cut_short(limit);
        }
        (self.known, self.states) = (exact.known, exact.states);
        self.certain = Some(exact.is_sure);
        assert!(
            is_way || exact.known.upper <= 0.0,
            "a path that wins is a line of play under the rules"
        );
        self.open()
    }

    /// The answer when a limit has been reached.
    fn cut_short(self, limit: Limit) -> Solution {
        match self.way {
            WayOut::Found(_) => {
                let simulated = self.simulated;
                let mut solution = self.escape().cut_short(limit);
                if let Evidence::Chance {
                    simulated: told, ..
                } = &mut solution.evidence
                {
                    *told = simulated;
                }
                solution
            }
            WayOut::Unknown if self.known.upper > 0.0 => {
                let Known { lower, upper } = self.known;
                Solution::undecided(limit, self.states).with(chance([lower, upper], self.certain()))
            }
            WayOut::Unknown | WayOut::None(_) => self.open(),
        }
    }

    /// The answer where the verdict is known and no more is wanted.
    fn open(self) -> Solution {
        match self.way {
            WayOut::None(nodes) => caught(nodes),
            WayOut::Unknown if self.known.upper <= 0.0 => caught(self.states),
            WayOut::Found(_) | WayOut::Unknown => self.escape(),
        }
    }

    fn certain(&self) -> Option<bool> {
        self.certain.or((self.known.upper < 1.0).then_some(false))
    }

    /// The answer where there is a way out, with what is known of its probability.
    fn escape(self) -> Solution {
        let certain = self.certain();
        let line: Option<Box<LuckyLine>> = match self.way {
            WayOut::Found(line) => Some(line),
            WayOut::None(_) | WayOut::Unknown => None,
        };
        let Known { lower, upper } = self.known;
        Solution::escape(self.states).with(Evidence::Chance {
            lower,
            upper,
            certain,
            line,
            simulated: None,
        })
    }
}
