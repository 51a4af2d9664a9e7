use super::*;
use getaway_board::limits::Instant;
use getaway_solvers::rulesets::RULESETS;
use std::time::Duration;

#[test]
fn every_ruleset_has_boards_of_every_named_level() {
    for entry in RULESETS {
        for level in ["easy", "medium", "hard"] {
            let level: Level = level.parse().unwrap();
            assert_eq!(level.check(entry.name), Ok(()), "{} {level:?}", entry.name);
        }
    }
}

#[test]
fn a_board_of_so_many_bits_is_made() {
    let level: Level = "6".parse().unwrap();
    let text = level
        .board("theseus", None, None, 1, Limits::default())
        .unwrap();
    assert!((5.5..=6.5).contains(&bits(&text)), "{text}");
}

/// On boards of the standard size, every way across is more difficult than the 4 bits of an easy board.
#[test]
fn easy_boards_are_no_wider_than_an_easy_way_out() {
    let limits = Limits {
        deadline: Instant::now().checked_add(Duration::from_secs(60)),
        ..Limits::default()
    };
    let text = Level::Easy.board("baddies", None, None, 1, limits).unwrap();
    assert!((2.0..=4.0).contains(&bits(&text)), "{text}");
}

fn bits(text: &str) -> f64 {
    let bits = text
        .lines()
        .find_map(|line| line.strip_prefix("; difficulty in bits: "));
    bits.unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_seed_and_the_size_determine_a_board() {
    let board = |seed| Level::Easy.board("jimmy", Some(6), Some(7), seed, Limits::default());
    let text = board(3).unwrap();
    assert_eq!(board(3).unwrap(), text);
    assert_ne!(board(4).unwrap(), text);
    let rows: Vec<_> = text.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(
        (
            rows[0].len(),
            rows.iter().filter(|row| !row.is_empty()).count()
        ),
        (7, 6)
    );
}

#[test]
fn other_levels_are_refused() {
    for text in ["", "harder", "-1", "NaN"] {
        assert!(text.parse::<Level>().is_err(), "{text}");
    }
    assert!(Level::Bits(6.0).check("dungeon").is_err());
}
