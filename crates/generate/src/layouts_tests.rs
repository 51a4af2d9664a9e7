//! The symmetries of a layout preserve the answer to each of its boards, and no others do.

use std::ops::RangeInclusive;

use super::*;
use crate::criteria::{Criteria, Wanted};
use crate::sketch::{Sketch, Symmetry};
use crate::{Generator, Judged};
use getaway_board::limits::Limits;
use getaway_play::solution::{Solution, Verdict};
use getaway_search::search::Order;
use getaway_solvers::rulesets::{self, RULESETS};

#[test]
fn every_ruleset_has_a_layout() {
    for entry in RULESETS {
        assert!(find(entry.name).is_some(), "{}", entry.name);
    }
    assert_eq!(LAYOUTS.len(), RULESETS.len());
}

fn boards(ruleset: &str, criteria: &Criteria, count: u64) -> Vec<Judged> {
    let generator = Generator::new(ruleset, criteria, Limits::default()).unwrap();
    let mut all = Vec::new();
    generator.boards(0, count, &|_, _| (), &mut |made| {
        all.push(made.board);
        true
    });
    assert_eq!(all.len() as u64, count);
    all
}

fn solved(ruleset: &str, sketch: &Sketch) -> Solution {
    let entry = rulesets::find(RULESETS, ruleset).unwrap();
    let game = sketch.game(entry, &Limits::default()).unwrap();
    game.solve(Order::Shortest, &Limits::default())
}

/// Returns the parts of a solution that a symmetry preserves.
fn answer(solution: &Solution) -> (Verdict, Option<usize>, Option<i64>) {
    let millionths = |probability: f64| (probability * 1e5).round() as i64;
    (
        solution.verdict(),
        solution.line().map(str::len),
        solution.evidence.probability().map(millionths),
    )
}

fn any(rows: usize, cols: usize, amounts: &[(&str, RangeInclusive<usize>)]) -> Criteria {
    let amount =
        |(name, range): &(&str, RangeInclusive<usize>)| ((*name).to_owned(), range.clone());
    Criteria {
        rows: Some(rows),
        cols: Some(cols),
        verdict: Wanted::Any,
        amounts: amounts.iter().map(amount).collect(),
        ..Criteria::default()
    }
}

fn random_boards(ruleset: &str) -> Vec<Judged> {
    let (criteria, count) = match ruleset {
        "jimmy" => (any(7, 8, &[("ghosts", 0..=4)]), 300),
        "theseus" => (any(4, 5, &[]), 200),
        "baddies" => {
            let numbers = [
                ("monsters", 0..=1),
                ("super-monsters", 0..=0),
                ("bats", 0..=0),
                ("abyss", 6..=6),
            ];
            (any(6, 9, &numbers), 200)
        }
        "dungeon" => {
            let numbers = [("rooms", 2..=2), ("ghosts", 0..=1), ("zombies", 0..=0)];
            (any(6, 12, &numbers), 12)
        }
        // This layout has no symmetries.
        _ => return Vec::new(),
    };
    boards(ruleset, &criteria, count)
}

#[test]
fn a_game_is_the_same_in_the_mirrors_of_its_ruleset() {
    for layout in LAYOUTS {
        let ruleset = layout.style().ruleset;
        for made in random_boards(ruleset) {
            for &symmetry in layout.symmetries(&made.sketch) {
                let image = made.sketch.mirrored(symmetry);
                let (found, wanted) = (solved(ruleset, &image), &made.measures.solution);
                let drawing = image.rows().join("\n");
                assert_eq!(answer(&found), answer(wanted), "{ruleset}\n{drawing}");
            }
        }
    }
}

fn transposed(rows: &[String]) -> Sketch {
    let column = |col: usize| rows.iter().map(|row| row.as_bytes()[col]).collect();
    let columns: Vec<Vec<u8>> = (0..rows[0].len()).map(column).collect();
    Sketch::of_rows(&columns).unwrap()
}

#[test]
fn rows_and_columns_are_not_alike_in_jimmy() {
    let differs = |made: &Judged| {
        let image = transposed(&made.sketch.rows());
        answer(&solved("jimmy", &image)) != answer(&made.measures.solution)
    };
    assert!(random_boards("jimmy").iter().any(differs));
}

#[test]
fn mirrors_change_the_order_of_baddies_that_are_in_each_others_way() {
    // In the mirror image, the right baddie moves first and frees a cell for the other.
    let layout = find("baddies").unwrap();
    let crowded = any(5, 9, &[("monsters", 4..=6), ("abyss", 4..=4)]);
    let all = boards("baddies", &crowded, 300);
    let none = |made: &Judged| layout.symmetries(&made.sketch).is_empty();
    assert!(all.iter().all(none));
    let differs = |made: &Judged| {
        let image = made.sketch.mirrored(Symmetry::LeftRight);
        answer(&solved("baddies", &image)) != answer(&made.measures.solution)
    };
    assert!(all.iter().any(differs));
}
