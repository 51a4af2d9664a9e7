//! The boards in `tests/cases`, with answers from an independent program.

use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::Evidence;
use getaway_rules::baddies::Baddies;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::{Notation, Playable};
use getaway_search::search::Order;
use getaway_solvers::searched::{Plain, Searches};
use serde_json::Value;

use crate::boards::each_case;

fn length(evidence: &Evidence) -> Option<u64> {
    match evidence {
        Evidence::Line(line) => Some(line.len() as u64),
        _ => None,
    }
}

#[test]
fn jimmy() {
    for name in ["jimmy", "jimmy_long", "jimmy_extreme", "jimmy_revisit"] {
        each_case(name, |puzzle, answer| {
            let jimmy = Jimmy::read(puzzle).unwrap();
            for order in [Order::DepthFirst, Order::Shortest] {
                let solution = Jimmy::decide(&jimmy, order, &Limits::default());
                assert_eq!(
                    solution.verdict().name(),
                    answer["verdict"],
                    "{answer} {order:?}"
                );
                let small = jimmy.grid().rows() <= 10 && jimmy.grid().cols() <= 10;
                assert!(
                    !small || solution.states <= 200,
                    "{} states, {answer}",
                    solution.states
                );
                if order == Order::Shortest {
                    assert_eq!(
                        length(&solution.evidence),
                        answer["turns"].as_u64(),
                        "{answer}"
                    );
                }
            }
        });
    }
}

fn assert_answer<S: Searches<Rules: Notation>>(puzzle: &Puzzle, answer: &Value) {
    let rules = S::Rules::read(puzzle).unwrap();
    for order in [Order::DepthFirst, Order::Shortest] {
        let solution = S::decide(&rules, order, &Limits::default());
        let verdict = solution.verdict().name();
        assert_eq!(verdict, answer["verdict"], "{answer} {order:?}");
        if let Evidence::Survives(survives) = solution.evidence {
            assert_eq!(survives, answer["survives"].as_bool().into(), "{answer}");
        } else if order == Order::Shortest {
            let turns = length(&solution.evidence);
            assert_eq!(turns, answer["turns"].as_u64(), "{answer}");
        }
    }
}

#[test]
fn baddies() {
    let boards = each_case("baddies", |puzzle, answer| {
        assert_answer::<Baddies>(puzzle, answer);
    });
    assert_eq!(boards, 180);
}

#[test]
fn theseus() {
    let boards = each_case("theseus", |puzzle, answer| {
        assert_answer::<Plain<Theseus>>(puzzle, answer);
    });
    assert_eq!(boards, 289);
}
