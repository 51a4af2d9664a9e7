//! How `jimmy` is decided: by a search in which most of the ghosts don't matter ([`pursuit`]).

pub mod pursuit;

use std::cell::RefCell;

use super::searched::{self, Solver};
use crate::engine::search::Order;
use crate::engine::survival::{Survival, survival};
use crate::engine::visited::ExactSet;
use crate::grid::Dir;
use crate::limits::Limits;
use crate::rules::jimmy::Jimmy;
use crate::solution::Solution;

thread_local! {
    /// The tables of this worker, which serve for board after board.
    static TABLES: RefCell<pursuit::Solver> = RefCell::default();
}

impl Solver for Jimmy {
    type Rules = Self;

    fn rules(&self) -> &Self {
        self
    }

    fn decide(&self, order: Order, limits: &Limits) -> Solution {
        let found = TABLES.with_borrow_mut(|tables| tables.solve(self, order, limits));
        searched::solution(searched::verified(self, found, order, limits), order)
    }

    fn survival(&self, limits: &Limits) -> Survival<Dir> {
        if self.revisit {
            // Positions can come again, and what he has visited does not belong to them.
            survival(self, ExactSet::default(), limits).0
        } else {
            pursuit::survival(self, limits)
        }
    }
}
