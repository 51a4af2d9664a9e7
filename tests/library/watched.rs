//! Searches that are shown step by step.

use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::explanation::{SearchStep, SearchSummary};
use getaway_play::solution::Verdict;
use getaway_play::trace::{Ending, Ply};
use getaway_search::search::Order;
use getaway_solvers::game::Plan;
use getaway_solvers::rulesets::{self, RULESETS};

use crate::boards::each_case;

/// Checks that a search which is shown has the verdict of the solver, and of `jimmy` as many states.
fn check(puzzle: &Puzzle) {
    let limits = Limits::default();
    let entry = rulesets::of_board(RULESETS, puzzle).unwrap();
    let game = (entry.read)(puzzle).unwrap();
    let solution = game.solve(Order::DepthFirst, &limits);
    let mut steps = 0;
    let mut note = |step| {
        let SearchStep::DepthFirst(step) = step else {
            panic!("not a depth-first search");
        };
        assert!(step.state == 0 || !step.line.is_empty());
        steps += 1;
    };
    let traced = game.trace_search(u64::MAX, &limits, &mut note).unwrap();
    let Some(SearchSummary::DepthFirst(summary)) = traced else {
        panic!("not a depth-first search");
    };
    assert_eq!(steps, summary.taken.min(200));
    let verdict = match (&summary.line, summary.limit) {
        (Some(_), _) => Verdict::Escape,
        (None, None) => Verdict::Caught,
        (None, Some(_)) => return,
    };
    assert_eq!(verdict, solution.verdict(), "{:?}", puzzle.rows);
    if entry.name == "jimmy" {
        assert_eq!(summary.taken, solution.states, "{:?}", puzzle.rows);
    }
    if let Some(line) = summary.line {
        let text = line.join(" ");
        let plan = Plan {
            moves: Some(&text),
            ..Plan::default()
        };
        let ending = game.trace(&plan, &mut |_: &Ply| Ok(())).unwrap();
        assert!(matches!(ending, Ending::Escaped { .. }), "{ending:?}");
    }
}

#[test]
fn a_search_that_is_shown_is_that_of_the_solver() {
    for name in ["jimmy", "jimmy_revisit", "baddies", "theseus"] {
        each_case(name, |puzzle, _| check(puzzle));
    }
}
