//! The solver for `baddies`, which searches a compiled board ([`compiled`]).

pub mod compiled;

use super::searched::{self, ClosedSet, Solver};
use crate::engine::search::{Finding, Order};
use crate::engine::shortest_lines;
use crate::engine::survival::Survival;
use crate::limits::{Limit, Limits};
use crate::rules::baddies::{Baddies, Key, State};
use crate::solution::Solution;
use compiled::CompiledBoard;

impl Solver for Baddies {
    type Rules = Self;

    fn new(rules: Self) -> Self {
        rules
    }

    fn rules(&self) -> &Self {
        self
    }

    fn decide(&self, order: Order, limits: &Limits) -> Solution {
        let compiled = CompiledBoard::new(self, &self.start, limits);
        match compiled.map(|compiled| compiled.search(order, limits)) {
            Ok(found) => searched::decided(self, found, order, limits),
            Err(limit) => Solution::undecided(limit, 0),
        }
    }

    fn closed_set(&self, limits: &Limits) -> Result<ClosedSet, Limit> {
        let compiled = CompiledBoard::new(self, &self.start, limits)?;
        searched::by_equality(compiled.positions(limits))
    }

    fn shortest_from(&self, at: &State, limits: &Limits) -> Finding<Key> {
        match CompiledBoard::new(self, at, limits) {
            Ok(compiled) => compiled.search(Order::BreadthFirst, limits).0,
            Err(limit) => Finding::Undecided(limit),
        }
    }

    fn count_shortest(&self, length: usize, limits: &Limits) -> Result<u128, Limit> {
        let compiled = CompiledBoard::new(self, &self.start, limits)?.with_all_keys();
        shortest_lines::count(&compiled, length, limits)
    }

    fn survival(&self, at: &State, limits: &Limits) -> (Survival<Key>, u64) {
        match CompiledBoard::new(self, at, limits) {
            Ok(compiled) => compiled.survival(limits),
            Err(limit) => (Survival::unknown(limit), 0),
        }
    }
}
