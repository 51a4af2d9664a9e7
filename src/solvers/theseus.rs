//! How `theseus` is decided: by a search through its positions as the rules have them.

use super::searched::{self, Solved};
use crate::engine::search::{Equal, Order, Search};
use crate::engine::survival::{Survival, survival};
use crate::game::{Ending, Evidence, Game, Plan, Player, Solution, Teller, TraceError, Verdict};
use crate::limits::Limits;
use crate::play::rollout::Conduct;
use crate::rules::theseus::Theseus;

impl Game for Theseus {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        let mut search = Search::new(Equal::default());
        let finding = search.run(self, order, limits);
        let found = searched::vouched(self, (finding, search.states()), order, limits);
        let solution = searched::solution(found, order);
        if solution.verdict != Verdict::Caught {
            return solution;
        }
        let rest = limits.after(solution.states);
        let (survival, states) = survival(self, Equal::default(), &rest);
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

    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        searched::player(self, conduct)
    }

    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        searched::trace(self, plan, teller)
    }
}

impl Solved for Theseus {}
