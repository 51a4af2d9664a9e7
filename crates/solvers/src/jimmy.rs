//! The solver for `jimmy`: a search in which most ghosts do not matter ([`pursuit`]).

pub mod pursuit;

use std::cell::RefCell;

use super::searched::{self, ClosedSet, Searches};
use getaway_board::grid::Dir;
use getaway_board::limits::{Limit, Limits};
use getaway_play::solution::Solution;
use getaway_rules::jimmy::{Jimmy, State};
use getaway_ruleset::Deterministic;
use getaway_search::search::{Finding, Order};
use getaway_search::visited::Antichain;
use getaway_search::watched::{WatchedSearch, watch};
use pursuit::{Pursuit, ToMove, cut_loops};

thread_local! {
    static TABLES: RefCell<pursuit::PursuitSolver> = RefCell::default();
}

impl Searches for Jimmy {
    type Rules = Self;

    fn decide(rules: &Self, order: Order, limits: &Limits) -> Solution {
        let (finding, states) =
            TABLES.with_borrow_mut(|tables| tables.solve(rules, ToMove::Ghosts, order, limits));
        let (finding, states) =
            searched::verified(rules, || rules.opened(), finding, states, order, limits);
        // On many small boards, formatting each move would take longer than the search.
        let text = |line: Vec<Dir>| line.into_iter().map(Dir::letter).collect();
        searched::solution(finding, text, states, order)
    }

    /// Searches as for large boards; on small ones, bitboards take the same steps faster.
    fn watch(
        rules: &Self,
        max: usize,
        limits: &Limits,
    ) -> Result<Option<WatchedSearch<Dir>>, Limit> {
        let pursuit = Pursuit::new(rules, ToMove::Ghosts, limits)?;
        Ok(pursuit.map(|pursuit| {
            let watched = watch(&pursuit, Antichain::default(), max, limits);
            let finding = watched.finding.map(|line| cut_loops(rules, line));
            WatchedSearch { finding, ..watched }
        }))
    }

    fn closed_set(rules: &Self, limits: &Limits) -> Result<ClosedSet, Limit> {
        let (start, positions) = if let Some(pursuit) = Pursuit::new(rules, ToMove::Ghosts, limits)?
        {
            ("as drawn", pursuit.closed_set(limits)?)
        } else {
            let positions = Pursuit::closed_without_ghosts(rules, limits)?;
            ("without chasers", positions)
        };
        let lemmas = if rules.revisit {
            "dominance"
        } else {
            "dominance and loops"
        };
        Ok(ClosedSet {
            heading: format!("caught by {lemmas}\nstart: {start}"),
            positions,
        })
    }

    fn shortest_from(rules: &Self, at: &State, limits: &Limits) -> Finding<Dir> {
        let rest = rest(rules, at);
        let order = Order::Shortest;
        TABLES.with_borrow_mut(|tables| tables.solve(&rest, ToMove::Jimmy, order, limits).0)
    }

    /// Ignores visited cells: a shortest line visits no cell twice, since loops can be cut.
    fn count_shortest(rules: &Self, length: usize, limits: &Limits) -> Result<u128, Limit> {
        pursuit::count_shortest(rules, length, limits)
    }
}

/// Returns the rest of a game as a separate board, on which the visited cells other than Jimmy's are solid.
fn rest(board: &Jimmy, at: &State) -> Jimmy {
    let mut rest = board.clone();
    for cell in at.visited.iter(board.grid).filter(|&cell| cell != at.jimmy) {
        rest.solid.insert(cell);
    }
    rest.start = at.jimmy;
    rest.ghosts.clone_from(&at.ghosts);
    rest
}
