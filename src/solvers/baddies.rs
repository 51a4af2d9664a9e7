//! The solver for `baddies`, which searches a compiled board ([`compiled`]).

pub mod compiled;

use super::searched::{self, ClosedSet, Solver};
use crate::engine::search::{Finding, Order};
use crate::engine::shortest_lines;
use crate::engine::survival::Survival;
use crate::limits::{Limit, Limits};
use crate::rules::baddies::{Baddies, Key, State};
use crate::ruleset::Deterministic;
use crate::solution::Solution;
use compiled::CompiledBoard;
use compiled::plainest_first::{self, PlainestFirst};

impl Solver for Baddies {
    type Rules = Self;

    fn rules(&self) -> &Self {
        self
    }

    fn decide(&self, order: Order, limits: &Limits) -> Solution {
        match CompiledBoard::new(self, limits) {
            Ok(compiled) => {
                let found = compiled.search(order, limits);
                searched::decided(self, found, (order, limits), |rest| compiled.survival(rest))
            }
            Err(limit) => Solution::undecided(limit, 0),
        }
    }

    fn survival(&self, limits: &Limits) -> Survival<Key> {
        match CompiledBoard::new(self, limits) {
            Ok(compiled) => compiled.survival(limits).0,
            Err(limit) => Survival::unknown(limit),
        }
    }

    fn closed_set(&self, limits: &Limits) -> Result<ClosedSet, Limit> {
        let compiled = CompiledBoard::new(self, limits)?;
        searched::by_equality(plainest_first::explore(self, &compiled, limits))
    }

    fn alone(&self) -> Option<Self> {
        let mut alone = self.clone();
        alone.start.baddies.clear();
        Some(alone)
    }

    fn widened(&self) -> Option<Self> {
        Deterministic::widened(self)
    }

    fn shortest_from(&self, at: &State, limits: &Limits) -> Finding<Key> {
        match CompiledBoard::from(self, at, limits) {
            Ok(compiled) => compiled.search(Order::BreadthFirst, limits).0,
            Err(limit) => Finding::Undecided(limit),
        }
    }

    /// Counts lines with all nine keys, since several keys can lead to the same cell.
    fn count_shortest(&self, length: usize, limits: &Limits) -> Result<u128, Limit> {
        let compiled = CompiledBoard::new(self, limits)?;
        shortest_lines::count(&PlainestFirst::all(self, &compiled), length, limits)
    }

    fn survival_from(&self, at: &State, limits: &Limits) -> Survival<Key> {
        match CompiledBoard::from(self, at, limits) {
            Ok(compiled) => compiled.survival(limits).0,
            Err(limit) => Survival::unknown(limit),
        }
    }
}
