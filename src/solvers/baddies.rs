//! How `baddies` is decided: [`swarm`] is the game as the search sees it.

pub mod swarm;

use crate::engine::search::Order;
use crate::engine::survival::{Survival, survival};
use crate::engine::{Limit, Limits};
use crate::game::{Ending, Evidence, Game, Plan, Player, Solution, Teller, TraceError, Verdict};
use crate::play::replay;
use crate::play::rollout::Conduct;
use crate::rules::baddies::Baddies;

impl Game for Baddies {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        let found = swarm::solve(self, order, limits);
        let solution = replay::solution(replay::vouched(self, found, order, limits));
        if solution.verdict != Verdict::Caught {
            return solution;
        }
        let (survives, limit) = self.survives(limits);
        Solution {
            evidence: Evidence::Survives(survives),
            limit,
            ..solution
        }
    }

    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        replay::player(self, conduct)
    }

    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        replay::trace(self, plan, teller)
    }
}

impl Baddies {
    /// Whether the hero, who can't escape, can live for ever, or the limit that ended the search for
    /// that.
    fn survives(&self, limits: &Limits) -> (Option<bool>, Option<Limit>) {
        match survival(&swarm::Swarm::new(self), limits) {
            Survival::Forever { .. } => (Some(true), None),
            Survival::Mortal { .. } => (Some(false), None),
            Survival::Unknown { limit, .. } => (None, Some(limit)),
        }
    }
}
