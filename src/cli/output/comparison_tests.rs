use super::*;
use getaway_play::trace::{Ending, GameResult};

fn row(name: &str, escapes: &[u64], best: Option<f64>) -> EntrantRow {
    let mut games = Games::of_turns(9);
    for game in 0..10 {
        let ending = if escapes.contains(&game) {
            Ending::Escaped { turns: 3 }
        } else {
            Ending::open(9)
        };
        games.add(&GameResult {
            ending,
            gathered: None,
            unplayed: None,
        });
    }
    EntrantRow::new(name, games, escapes.to_vec(), best, None)
}

/// The first entrant alone escapes in nine games, and the second alone in one: p = 2 (1 + 10) / 2^10, for one comparison.
#[test]
fn games_are_paired_board_by_board() {
    let board = |first: &[u64], second: &[u64]| BoardComparison {
        address: String::new(),
        points: 1.0,
        lacks_best: false,
        rows: vec![row("a", first, Some(0.9)), row("b", second, None)],
    };
    let boards = vec![
        board(&[0, 1, 2, 3, 4, 5], &[0]),
        board(&[0, 1, 2, 3, 4], &[4, 9]),
    ];
    let comparison = Comparison::new(1, 10, boards);
    let [difference] = &comparison.differences[..] else {
        panic!("two are compared once")
    };
    let pairs = Pairs {
        cases: 20,
        only_first: 9,
        only_second: 1,
    };
    assert_eq!(difference.pairs, pairs);
    assert!((difference.p_corrected - 22.0 / 1024.0).abs() < 1e-9);
    assert!(
        difference
            .text()
            .starts_with("a escapes more often than b: by 40.00 points")
    );
    let [a, b] = &comparison.all[..] else {
        panic!("there are two")
    };
    assert!(
        (a.regret.unwrap() - 0.35).abs() < 1e-12,
        "11 of 20, best 0.9"
    );
    assert!((b.statistics.rate - 0.15).abs() < 1e-12);
    assert_eq!(b.regret, None);
    assert!(comparison.without_best.is_empty(), "b has no best anywhere");
}

/// On the only board with a known optimum, the entrant escapes in 6 of 10 games, and the best rate is 0.9.
#[test]
fn boards_without_a_known_optimum_are_left_out_and_named() {
    let board = |address: &str, escapes: &[u64], best: Option<f64>| BoardComparison {
        address: address.to_owned(),
        points: 1.0,
        lacks_best: best.is_none(),
        rows: vec![row("a", escapes, best)],
    };
    let unknown = Comparison::new(1, 10, vec![board("z.txt", &[], None)]);
    let note = "\n(no board has a known optimum, so there is no `best` or `regret`)\n";
    assert!(unknown.text().ends_with(note), "{}", unknown.text());
    let boards = vec![
        board("x.txt", &[0, 1, 2, 3, 4, 5], Some(0.9)),
        board("x.txt#2", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], None),
        board("y.txt", &[], None),
    ];
    let comparison = Comparison::new(1, 10, boards);
    let [a] = &comparison.all[..] else {
        panic!("there is one")
    };
    assert!((a.best.unwrap() - 0.9).abs() < 1e-12);
    assert!((a.regret.unwrap() - 0.3).abs() < 1e-12);
    let text = comparison.text();
    assert!(text.contains(" best  regret "), "{text}");
    let note = "\n(`best` and `regret` omit 2 boards without a known optimum: x.txt#2, y.txt)\n";
    assert!(text.ends_with(note), "{text}");
    let json: Value = serde_json::from_str(&comparison.json().unwrap()).unwrap();
    assert_eq!(json["without_best"], json!(["x.txt#2", "y.txt"]));
}
