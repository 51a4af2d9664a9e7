//! The solver for `baddies`, which guides searches by distances ([`guided`]).

mod guided;

use super::searched::{self, ClosedSet, Searches};
use getaway_board::limits::{Limit, Limits};
use getaway_play::solution::Solution;
use getaway_rules::baddies::{Baddies, Key, State};
use getaway_search::search::{Finding, Order};
use getaway_search::shortest_lines;
use getaway_search::survival::Survival;
use getaway_search::visited::Packed;
use getaway_search::watched::{WatchedSearch, watch};
use guided::{GuidedBoard, Keys};

impl Searches for Baddies {
    type Rules = Self;

    fn decide(rules: &Self, order: Order, limits: &Limits) -> Solution {
        let guided = GuidedBoard::new(rules, &rules.start, Keys::NearestFirst, limits);
        match guided.map(|guided| guided.search(order, limits)) {
            Ok((finding, states)) => {
                searched::decided::<Self>(rules, finding, states, order, limits)
            }
            Err(limit) => Solution::undecided(limit, 0),
        }
    }

    fn watch(
        rules: &Self,
        max: usize,
        limits: &Limits,
    ) -> Result<Option<WatchedSearch<Key>>, Limit> {
        let guided = GuidedBoard::new(rules, &rules.start, Keys::FatalLast, limits)?;
        Ok(Some(watch(&guided, Packed::<u64>::default(), max, limits)))
    }

    fn closed_set(rules: &Self, limits: &Limits) -> Result<ClosedSet, Limit> {
        let guided = GuidedBoard::new(rules, &rules.start, Keys::All, limits)?;
        searched::by_equality(guided.positions(limits))
    }

    fn shortest_from(rules: &Self, at: &State, limits: &Limits) -> Finding<Key> {
        match GuidedBoard::new(rules, at, Keys::NearestFirst, limits) {
            Ok(guided) => guided.search(Order::Shortest, limits).0,
            Err(limit) => Finding::Undecided(limit),
        }
    }

    fn count_shortest(rules: &Self, length: usize, limits: &Limits) -> Result<u128, Limit> {
        let guided = GuidedBoard::new(rules, &rules.start, Keys::All, limits)?;
        shortest_lines::count(&guided, length, limits)
    }

    fn survival(rules: &Self, at: &State, limits: &Limits) -> (Survival<Key>, u64) {
        match GuidedBoard::new(rules, at, Keys::PlainestFirst, limits) {
            Ok(guided) => guided.survival(limits),
            Err(limit) => (Survival::unknown(limit), 0),
        }
    }
}
