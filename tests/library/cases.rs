//! The boards in `tests/cases`, with answers from an independent program.

use getaway::engine::search::Order;
use getaway::game::Game;
use getaway::limits::Limits;
use getaway::rules::baddies::Baddies;
use getaway::rules::jimmy::Jimmy;
use getaway::rules::theseus::Theseus;
use getaway::ruleset::{Notation, Playable};
use getaway::solution::Evidence;
use getaway::solvers::searched::BySearch;
use serde_json::Value;

use crate::library::boards::each_case;

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
            let game = Jimmy::read(puzzle).unwrap();
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let solution = game.solve(order, &Limits::default());
                assert_eq!(
                    solution.verdict().word(),
                    answer["verdict"],
                    "{answer} {order:?}"
                );
                let small = game.grid().rows() <= 10 && game.grid().cols() <= 10;
                assert!(
                    !small || solution.states <= 200,
                    "{} states, {answer}",
                    solution.states
                );
                if order == Order::BreadthFirst {
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

fn assert_answer(game: &dyn Game, answer: &Value) {
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let solution = game.solve(order, &Limits::default());
        let verdict = solution.verdict().word();
        assert_eq!(verdict, answer["verdict"], "{answer} {order:?}");
        if let Evidence::Survives(survives) = solution.evidence {
            assert_eq!(survives, answer["survives"].as_bool(), "{answer}");
        } else if order == Order::BreadthFirst {
            let turns = length(&solution.evidence);
            assert_eq!(turns, answer["turns"].as_u64(), "{answer}");
        }
    }
}

#[test]
fn baddies() {
    let boards = each_case("baddies", |puzzle, answer| {
        assert_answer(&Baddies::read(puzzle).unwrap(), answer);
    });
    assert_eq!(boards, 180);
}

#[test]
fn theseus() {
    let boards = each_case("theseus", |puzzle, answer| {
        assert_answer(&BySearch(Theseus::read(puzzle).unwrap()), answer);
    });
    assert_eq!(boards, 289);
}
