//! How `jimmy` is decided: by a search in which most of the ghosts don't matter ([`pursuit`]).

pub mod pursuit;

use std::cell::RefCell;

use crate::engine::Limits;
use crate::engine::search::Order;
use crate::game::{Ending, Game, Plan, Player, Solution, Teller, TraceError};
use crate::play::replay;
use crate::play::rollout::Conduct;
use crate::rules::jimmy::Jimmy;

thread_local! {
    /// The tables of this worker, which serve for board after board.
    static SOLVER: RefCell<pursuit::Solver> = RefCell::default();
}

impl Game for Jimmy {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        let found = SOLVER.with_borrow_mut(|solver| solver.solve(self, order, limits));
        replay::solution(replay::vouched(self, found, order, limits))
    }

    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        replay::player(self, conduct)
    }

    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        replay::trace(self, plan, teller)
    }
}
