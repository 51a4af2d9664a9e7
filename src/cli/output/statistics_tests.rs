use super::*;

fn result(turns: usize) -> GameResult {
    let ending = if turns.is_multiple_of(3) {
        Ending::open(turns)
    } else {
        Ending::Escaped { turns }
    };
    GameResult {
        ending,
        gathered: None,
        unplayed: None,
    }
}

#[test]
fn the_median_is_the_middle_one_of_all() {
    let mut turns = vec![9, 4, 4, 7, 1, 30, 12, 5];
    let mut games = Games::of_turns(1000);
    for &turns in &turns {
        games.add(&result(turns));
    }
    turns.sort_unstable();
    let spread = games.statistics().turns.unwrap();
    assert_eq!(spread.median, turns[4]);
    assert_eq!((spread.least, spread.most), (1, 30));
    assert!((spread.mean - 9.0).abs() < 1e-12);
}

#[test]
fn the_median_of_long_games_is_exact() {
    let mut games = Games::of_turns(10_000_000);
    for turns in (0..=10_000_000).step_by(1000) {
        games.add(&result(turns));
    }
    let spread = games.statistics().turns.unwrap();
    assert_eq!(spread.median, 5_000_000);
    assert_eq!((spread.least, spread.most), (0, 10_000_000));
}

#[test]
fn games_add_up_in_any_order() {
    let count = |range: std::ops::Range<usize>| {
        let mut games = Games::of_turns(600);
        range.for_each(|turns| games.add(&result(turns)));
        games
    };
    let whole = count(0..700);
    let parts = count(500..700).and(count(0..10)).and(count(10..500));
    let [whole, parts] = [whole, parts].map(|games| games.statistics().text());
    assert_eq!(whole, parts);
}

#[test]
fn unfinished_games_are_no_lost_ones() {
    let mut games = Games::of_turns(6);
    for turns in [1, 2, 3, 6] {
        games.add(&result(turns));
    }
    let caught = Ending::Caught {
        turns: 5,
        cause: Cause::Chaser,
    };
    games.add(&GameResult {
        ending: caught,
        ..result(5)
    });
    let statistics = games.statistics();
    assert_eq!(
        (statistics.open, statistics.cut_off, statistics.finished),
        (2, 1, 3)
    );
    assert!((statistics.rate - 0.4).abs() < 1e-12);
    assert!((statistics.rate_finished.unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert!((statistics.bounds.lower - 0.4).abs() < 1e-12);
    assert!((statistics.bounds.upper - 0.8).abs() < 1e-12);
}
