//! `dungeon` against the answers of an independent program, a naive solver, and the pictures of its
//! sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use getaway::chance::Chances;
use getaway::engine::Limits;
use getaway::engine::search::Order;
use getaway::game::{Evidence, Game};
use getaway::puzzle::{Puzzle, json};
use getaway::rules::dungeon::{Dungeon, State};
use getaway::rules::{Playable, Ruleset, Stochastic};
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The lines of a file of test cases.
fn lines(name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder("tests/cases").join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The level that a JSON line holds.
fn level(line: &str) -> Dungeon {
    let mut puzzle = Puzzle::empty();
    assert!(json::read_line(line.as_bytes(), 1, &mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Where each adversary may be after its move, with the probabilities of equal places added up.
fn next_cells(game: &Dungeon, at: &State, who: getaway::Cell) -> BTreeMap<String, f64> {
    let mut chances = Chances::new();
    game.chances(at, who, &mut chances);
    let mut next = BTreeMap::new();
    for (choice, probability) in chances.iter() {
        let (row, col) = game.position(choice.to);
        *next.entry(format!("{row},{col}")).or_insert(0.0) += probability;
    }
    next
}

#[test]
fn steps_are_those_of_the_independent_program() {
    let steps = lines("steps.jsonl");
    assert_eq!(steps.len(), 19);
    for line in steps {
        let case: Value = serde_json::from_str(&line).unwrap();
        let game = level(&line);
        let coordinate = |at: usize| u32::try_from(case["actor"][at].as_u64().unwrap()).unwrap();
        let who = game
            .level()
            .grid
            .cell(coordinate(0), coordinate(1))
            .unwrap();
        let next = next_cells(&game, &game.start(), who);
        let wanted = case["next"].as_object().unwrap();
        assert!(next.keys().eq(wanted.keys()), "{line}\n{next:?}");
        for (cell, probability) in &next {
            let wanted = wanted[cell].as_f64().unwrap();
            assert!(
                (probability - wanted).abs() < 1e-9,
                "{cell}: {probability} in {line}"
            );
        }
    }
}

#[test]
fn levels_are_decided_as_by_the_independent_program() {
    let levels = lines("dungeon.jsonl");
    let answers = lines("dungeon.answers.jsonl");
    assert_eq!((levels.len(), answers.len()), (34, 34));
    for (line, answer) in levels.iter().zip(&answers) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let solution = level(line).solve(Order::default(), &Limits::default());
        assert_eq!(solution.verdict.word(), answer["verdict"], "{answer}");
        let Evidence::Chance {
            lower,
            upper,
            certain,
        } = solution.evidence
        else {
            panic!("{:?} for {answer}", solution.evidence);
        };
        let probability = answer["probability"].as_f64().unwrap();
        assert!(upper - lower <= 1e-6, "{lower} to {upper} for {answer}");
        assert!((lower - probability).abs() <= 1e-6, "{lower} for {answer}");
        assert!((upper - probability).abs() <= 1e-6, "{upper} for {answer}");
        assert_eq!(certain, answer["certain"], "{answer}");
    }
}
