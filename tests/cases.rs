//! The boards in `tests/cases`, with the answers of an independent program.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use getaway::engine::search::Order;
use getaway::game::Game;
use getaway::limits::Limits;
use getaway::puzzle::{Puzzle, json};
use getaway::rules::baddies::Baddies;
use getaway::rules::jimmy::Jimmy;
use getaway::solution::Evidence;
use serde_json::Value;

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(name);
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn answers(name: &str) -> HashMap<String, Value> {
    let rows = lines(&format!("{name}.answers.jsonl"));
    let values = rows
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    values
        .map(|value| (value["id"].as_str().unwrap().to_owned(), value))
        .collect()
}

/// Calls `check` with each board and its answer.
fn each(name: &str, check: impl Fn(&Puzzle, &Value)) {
    let answers = answers(name);
    let boards = lines(&format!("{name}.jsonl"));
    assert_eq!(boards.len(), answers.len());
    for line in &boards {
        let mut puzzle = Puzzle::empty();
        assert!(json::read_line(line.as_bytes(), 1, &mut puzzle).unwrap());
        let id: String = serde_json::from_str(puzzle.id.unwrap()).unwrap();
        check(&puzzle, &answers[&id]);
    }
}

fn length(evidence: &Evidence) -> Option<u64> {
    match evidence {
        Evidence::Line(line) => Some(line.len() as u64),
        _ => None,
    }
}

#[test]
fn jimmy() {
    for name in ["jimmy", "jimmy_long", "jimmy_extreme", "jimmy_revisit"] {
        each(name, |puzzle, answer| {
            let game = Jimmy::read(puzzle).unwrap();
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let solution = game.solve(order, &Limits::default());
                assert_eq!(
                    solution.verdict.word(),
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

#[test]
fn baddies() {
    each("baddies", |puzzle, answer| {
        let game = Baddies::read(puzzle).unwrap();
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let solution = game.solve(order, &Limits::default());
            assert_eq!(
                solution.verdict.word(),
                answer["verdict"],
                "{answer} {order:?}"
            );
            if let Evidence::Survives(survives) = solution.evidence {
                assert_eq!(survives, answer["survives"].as_bool(), "{answer}");
            } else if order == Order::BreadthFirst {
                assert_eq!(
                    length(&solution.evidence),
                    answer["turns"].as_u64(),
                    "{answer}"
                );
            }
        }
    });
}
