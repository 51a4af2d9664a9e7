//! The rulesets in `examples`.

use getaway_board::limits::{Bounds, Decision, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_generate::variants::{Aim, Selection, variants};
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_search::search::Order;
use getaway_solvers::rulesets::Entry;
use getaway_verify::{CertificateReader, Proof, VerifyError};

#[path = "../../examples/cat_and_mouse.rs"]
#[allow(dead_code)]
mod cat_and_mouse;
#[path = "../../examples/drunkard.rs"]
#[allow(dead_code)]
mod drunkard;

fn puzzle(text: &str) -> Puzzle<'_> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    puzzle
}

fn solve(entry: &Entry, text: &str) -> Solution {
    let game = (entry.read)(&puzzle(text)).unwrap();
    game.solve(Order::Shortest, &Limits::default())
}

/// Solves a board, applies `change` to the evidence, and verifies the certificate.
fn certified(
    entry: &Entry,
    text: &str,
    change: impl Fn(String) -> String,
) -> (Solution, Result<Proof, VerifyError>) {
    let (puzzle, limits) = (puzzle(text), Limits::default());
    let game = (entry.read)(&puzzle).unwrap();
    let solution = game.solve(Order::Shortest, &limits);
    let mut evidence = Vec::new();
    game.certify(&solution, &limits, &mut evidence).unwrap();
    let evidence = change(String::from_utf8(evidence).unwrap());
    let (mut file, board) = (Vec::new(), entry.board_text(&puzzle));
    getaway_verify::write(&mut file, &board, |out| out.write_all(evidence.as_bytes())).unwrap();
    let proof = entry.verify(
        &puzzle,
        &mut CertificateReader::new(Box::new(&*file), &limits),
    );
    (solution, proof)
}

#[test]
fn variants_of_a_game_of_chance_are_ranked_by_probability() {
    let puzzle = puzzle("wd.h\n....\n");
    let game = (drunkard::ENTRY.read)(&puzzle).unwrap();
    let selection = Selection {
        aim: Aim::Keep,
        rank: None,
        max: 100,
    };
    let limits = Limits::default();
    let pool = rayon::ThreadPoolBuilder::new().build().unwrap();
    let found = variants(
        &pool,
        &drunkard::ENTRY,
        &puzzle,
        &*game,
        selection,
        limits,
        &|_| (),
    )
    .unwrap();
    let probabilities = found
        .hardest
        .iter()
        .map(|it| it.measures.probability().unwrap());
    let probabilities: Vec<_> = probabilities.collect();
    assert!(
        probabilities.len() > 3 && probabilities.is_sorted(),
        "{probabilities:?}"
    );
    assert!(probabilities[0] < probabilities[3]);
}

#[test]
fn a_mouse_escapes_round_the_wall() {
    let (solution, proof) = certified(&cat_and_mouse::ENTRY, "m.c..\n.###.\n....o\n", |text| text);
    assert_eq!(solution.line(), Some("DDRRRR"));
    assert_eq!(proof, Ok(Proof::Escape { moves: 6 }));
}

/// Computes the probability of escape on a board without walls by value iteration.
fn probability([walker, drunkard, home]: [usize; 3], rows: usize, cols: usize) -> f64 {
    let size = rows * cols;
    let reached = |from: usize| {
        (0..size).filter(move |&to| {
            (from / cols).abs_diff(to / cols) + (from % cols).abs_diff(to % cols) <= 1
        })
    };
    let mut values = vec![vec![0.0_f64; size]; size];
    for _ in 0..10_000 {
        let stagger = |walker: usize, drunkard: usize| {
            let after = |to| {
                if to == walker {
                    0.0
                } else {
                    values[walker][to]
                }
            };
            let ends = reached(drunkard).map(after);
            ends.sum::<f64>() / reached(drunkard).count() as f64
        };
        let value = |walker: usize, drunkard: usize| {
            let moves = reached(walker).filter(|&to| to != drunkard);
            let ends = moves.map(|to| {
                if to == home {
                    1.0
                } else {
                    stagger(to, drunkard)
                }
            });
            ends.fold(0.0, f64::max)
        };
        let next = (0..size).map(|walker| (0..size).map(|other| value(walker, other)).collect());
        values = next.collect();
    }
    values[walker][drunkard]
}

#[test]
fn the_probability_of_a_game_of_chance_is_that_of_value_iteration() {
    for (text, cells, rows) in [
        ("wdh\n...\n", [0, 1, 2], 2),
        ("wd.h\n", [0, 1, 3], 1),
        ("w..\nd..\n..h\n", [0, 3, 8], 3),
    ] {
        let size = text.len() - rows;
        let expected = probability(cells, rows, size / rows);
        let (solution, proof) = certified(&drunkard::ENTRY, text, |text| text);
        let found = solution.evidence.probability().unwrap();
        assert!((found - expected).abs() < 1e-6, "{text}{found} {expected}");
        let Ok(Proof::Chance {
            bounds: Bounds { lower, upper },
            ..
        }) = proof
        else {
            panic!("{proof:?}");
        };
        assert!(
            lower <= expected + 1e-9 && expected <= upper + 1e-9,
            "{text}"
        );
    }
}

#[test]
fn a_game_of_chance_may_be_certain_or_hopeless() {
    for (text, verdict, certain) in [
        ("d.wh\n", Verdict::Escape, true),
        ("d.w#h\n", Verdict::Caught, false),
    ] {
        let solution = solve(&drunkard::ENTRY, text);
        assert_eq!(solution.verdict(), verdict, "{text}");
        let expected = Decision::from(certain);
        assert!(
            matches!(solution.evidence, Evidence::Chance { certain, .. } if certain == expected),
            "{text}"
        );
    }
}

#[test]
fn a_certificate_of_chance_with_a_bound_too_good_is_refused() {
    let raise = |text: String| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let words: Vec<_> = lines[2].split(' ').map(str::to_owned).collect();
        lines[2] = format!("{} {}", 1_u64 << 60, words[1..].join(" "));
        lines.join("\n") + "\n"
    };
    let (_, proof) = certified(&drunkard::ENTRY, "wd.h\n", raise);
    assert!(matches!(proof, Err(VerifyError::Fails(_))), "{proof:?}");
}
