//! How `baddies` is decided: [`compiled`] is the game as the search sees it.

pub mod compiled;

use super::searched::{self, Solver};
use crate::engine::search::{Finding, Order};
use crate::engine::survival::Survival;
use crate::limits::Limits;
use crate::rules::baddies::{Baddies, Key, State};
use crate::solution::{Solution, Verdict};
use compiled::CompiledBoard;

impl Solver for Baddies {
    type Rules = Self;

    fn rules(&self) -> &Self {
        self
    }

    fn decide(&self, order: Order, limits: &Limits) -> Solution {
        match CompiledBoard::new(self, limits) {
            Ok(compiled) => decide_by(self, &compiled, order, limits),
            Err(limit) => Solution::undecided(limit, 0),
        }
    }

    fn survival(&self, limits: &Limits) -> Survival<Key> {
        match CompiledBoard::new(self, limits) {
            Ok(compiled) => compiled.survival(limits).0,
            Err(limit) => Survival::unknown(limit),
        }
    }

    fn shortest_from(&self, at: &State, limits: &Limits) -> Finding<Key> {
        match CompiledBoard::from(self, at, limits) {
            Ok(compiled) => compiled.search(Order::BreadthFirst, limits).0,
            Err(limit) => Finding::Undecided(limit),
        }
    }

    fn survival_from(&self, at: &State, limits: &Limits) -> Survival<Key> {
        match CompiledBoard::from(self, at, limits) {
            Ok(compiled) => compiled.survival(limits).0,
            Err(limit) => Survival::unknown(limit),
        }
    }
}

/// Decides the board, and where it is lost, whether the hero can at least live for ever.
fn decide_by(rules: &Baddies, compiled: &CompiledBoard, order: Order, limits: &Limits) -> Solution {
    let found = compiled.search(order, limits);
    let solution = searched::solution(searched::verified(rules, found, order, limits), order);
    if solution.verdict != Verdict::Caught {
        return solution;
    }
    let rest = limits.after(solution.states);
    let (survival, states) = compiled.survival(&rest);
    searched::survived(&solution, (&survival, states))
}
