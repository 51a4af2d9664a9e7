//! What decides the boards of a ruleset, and makes that fast: it joins the rulebooks to the engines.

pub mod baddies;
pub mod dungeon;
pub mod jimmy;

use crate::engine::Limits;
use crate::engine::search::{Equal, Order, Search};
use crate::engine::survival::{Survival, survival};
use crate::game::{Ending, Evidence, Game, Plan, Player, Solution, Teller, TraceError, Verdict};
use crate::play::replay;
use crate::play::rollout::Conduct;
use crate::rules::theseus::Theseus;

impl Game for Theseus {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        let mut search = Search::new(Equal::default());
        let finding = search.run(self, order, limits);
        let found = replay::vouched(self, (finding, search.states()), order, limits);
        let solution = replay::solution(found);
        if solution.verdict != Verdict::Caught {
            return solution;
        }
        let (survives, limit) = match survival(self, limits) {
            Survival::Forever { .. } => (Some(true), None),
            Survival::Mortal { .. } => (Some(false), None),
            Survival::Unknown { limit, .. } => (None, Some(limit)),
        };
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
