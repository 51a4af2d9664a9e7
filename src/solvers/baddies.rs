//! How `baddies` is decided: [`swarm`] is the game as the search sees it.

pub mod swarm;

use super::searched::{self, Solved};
use crate::engine::search::Order;
use crate::engine::survival::Survival;
use crate::game::{Ending, Evidence, Game, Plan, Player, Solution, Teller, TraceError, Verdict};
use crate::limits::Limits;
use crate::play::rollout::Conduct;
use crate::rules::baddies::{Baddies, Key};
use swarm::Swarm;

impl Game for Baddies {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        match Swarm::new(self, limits) {
            Ok(swarm) => self.solve_by(&swarm, order, limits),
            Err(limit) => Solution::undecided(limit, 0),
        }
    }

    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        searched::player(self, conduct)
    }

    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        searched::trace(self, plan, teller)
    }
}

impl Baddies {
    /// Decides the board, and where it is lost, whether the hero can at least live for ever.
    fn solve_by(&self, swarm: &Swarm, order: Order, limits: &Limits) -> Solution {
        let found = swarm.search(order, limits);
        let solution = searched::solution(searched::vouched(self, found, order, limits), order);
        if solution.verdict != Verdict::Caught {
            return solution;
        }
        let (survival, states) = swarm.survival(&limits.after(solution.states));
        let (survives, limit) = match survival {
            Survival::Forever { .. } => (Some(true), None),
            Survival::Mortal { .. } => (Some(false), None),
            Survival::Unknown { limit, .. } => (None, Some(limit)),
        };
        Solution {
            evidence: Evidence::Survives(survives),
            limit,
            states: solution.states + states,
            ..solution
        }
    }
}

impl Solved for Baddies {
    fn survival(&self, limits: &Limits) -> Survival<Key> {
        match Swarm::new(self, limits) {
            Ok(swarm) => swarm.survival(limits).0,
            Err(limit) => Survival::unknown(limit),
        }
    }
}
