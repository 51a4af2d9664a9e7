//! How `jimmy` is decided: by a search in which most of the ghosts don't matter ([`pursuit`]).

pub mod pursuit;

use std::cell::RefCell;

use super::searched::{self, Solved};
use crate::engine::search::{Equal, Order};
use crate::engine::survival::{Survival, survival};
use crate::game::{Ending, Game, Plan, Player, Solution, Teller, TraceError};
use crate::grid::Dir;
use crate::limits::Limits;
use crate::play::rollout::Conduct;
use crate::rules::jimmy::Jimmy;

thread_local! {
    /// The tables of this worker, which serve for board after board.
    static SOLVER: RefCell<pursuit::Solver> = RefCell::default();
}

impl Game for Jimmy {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        let found = SOLVER.with_borrow_mut(|solver| solver.solve(self, order, limits));
        searched::solution(searched::vouched(self, found, order, limits), order)
    }

    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        searched::player(self, conduct)
    }

    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        searched::trace(self, plan, teller)
    }
}

impl Solved for Jimmy {
    fn survival(&self, limits: &Limits) -> Survival<Dir> {
        if self.revisit {
            // Positions can come again, and what he has visited does not belong to them.
            survival(self, Equal::default(), limits).0
        } else {
            pursuit::survival(self, limits)
        }
    }
}
