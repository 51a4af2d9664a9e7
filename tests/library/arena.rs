//! Games in bulk agree with sessions, evaluators and `solve`.

use std::fs;
use std::sync::Arc;

use crate::boards::path;
use getaway::{Board, Bounds, Evidence, Limits, PositionValue};
use getaway_board::rng::Rng;
use getaway_play::arena::{Episode, EpisodeEnd};
use getaway_testing::sized;

const BOARDS: [&str; 7] = [
    "jimmy/04-source-two-ways-one-is-an-escape.txt",
    "jimmy/25-larger-than-ten-by-ten.txt",
    "baddies/18-lure-the-bat-into-the-abyss.txt",
    "theseus/01-a-maze.txt",
    "dungeon/42-two-ghosts-and-their-cooldowns.txt",
    "dungeon/31-passing-the-key-at-speed-two.txt",
    "maze/36-moves-of-many-turns.txt",
];

fn board(name: &str) -> Board {
    fs::read_to_string(path("puzzles").join(name))
        .unwrap()
        .parse()
        .unwrap()
}

fn rows(bout: &dyn Episode, (rows, cols): (usize, usize)) -> Vec<String> {
    let (mut glyphs, mut hidden) = (vec![0; rows * cols], vec![0; rows * cols]);
    bout.draw(&mut glyphs, &mut hidden, cols);
    let row = |row: &[u8]| String::from_utf8(row.to_vec()).unwrap();
    glyphs.chunks(cols).map(row).collect()
}

/// Plays random legal moves. Before each one, `check` receives the board, the seed, the game and the line.
fn play(name: &str, mut check: impl FnMut(&Board, u64, &mut dyn Episode, &str)) {
    let board = board(name);
    let arena = board.arena().unwrap();
    let separator = if name.starts_with("dungeon") { " " } else { "" };
    for seed in 0..4 {
        let mut bout = Arc::clone(&arena).game();
        bout.restart(Some(seed));
        let (mut rng, mut line) = (Rng::new(seed + 100), String::new());
        for _ in 0..12 {
            check(&board, seed, &mut *bout, &line);
            let mut mask = vec![0; arena.moves().len()];
            bout.mark_legal(&mut mask);
            let legal: Vec<usize> = (0..mask.len()).filter(|&mv| mask[mv] == 1).collect();
            let mv = *rng.pick(&legal).unwrap();
            line = format!("{line}{separator}{}", arena.moves()[mv]);
            if bout.play(mv).is_some() {
                break;
            }
        }
    }
}

#[test]
fn a_game_in_bulk_looks_and_goes_on_like_a_session() {
    for name in BOARDS {
        play(name, |board, seed, bout, line| {
            let mut session = board.session(seed, &Limits::default()).unwrap();
            session.play_line(line).unwrap();
            let position = session.position(session.now());
            let size = (position.rows.len(), position.rows[0].len());
            assert_eq!(rows(bout, size), position.rows, "{name}: {line}");
            let mut mask = vec![0; board.arena().unwrap().moves().len()];
            bout.mark_legal(&mut mask);
            let moves = board.arena().unwrap().moves().to_vec();
            let legal = moves.into_iter().zip(&mask).filter(|(_, mark)| **mark == 1);
            let legal: Vec<String> = legal.map(|(mv, _)| mv).collect();
            assert_eq!(legal, session.legal(), "{name}: {line}");
        });
    }
}

#[test]
fn the_values_of_a_game_in_bulk_are_those_of_the_adviser_and_of_solve() {
    let is_quick = |name: &&str| !name.starts_with("maze") && !name.contains("larger");
    for name in BOARDS.into_iter().filter(is_quick) {
        play(name, |board, seed, bout, line| {
            if seed > 0 || line.len() % sized(5, 1) > 0 {
                return;
            }
            let limits = Limits::default();
            let mut evaluator = board.evaluator(&limits).unwrap();
            let evaluation = evaluator.evaluate(line, seed, &limits).unwrap();
            assert_eq!(bout.evaluate(&limits), evaluation, "{name}: {line}");
            if line.is_empty() {
                let is_in_bounds = match (board.solve(&limits).evidence, evaluation.value) {
                    (Evidence::Chance { bounds, .. }, PositionValue::Chance(value)) => {
                        value.lower <= bounds.upper && bounds.lower <= value.upper
                    }
                    (Evidence::Line(_), value) => matches!(value, PositionValue::Escape { .. }),
                    (_, value) => matches!(value, PositionValue::Caught { .. }),
                };
                assert!(is_in_bounds, "{name}");
            }
        });
    }
}

/// A wall in a corridor blocks the only way for good.
#[test]
fn a_maze_with_moving_walls_has_a_value() {
    for (rows, value) in [("R.*\n", 1.0), ("RA*\n", 0.0)] {
        let board: Board = format!("; ruleset: maze\n{rows}").parse().unwrap();
        let bout = board.arena().unwrap().game();
        let evaluation = bout.evaluate(&Limits::default());
        let bounds = match evaluation.value {
            PositionValue::Chance(bounds) => bounds,
            PositionValue::Caught { .. } => Bounds::exact(0.0),
            other => panic!("{other:?}"),
        };
        assert_eq!(bounds, Bounds::exact(value), "{rows}");
    }
}

#[test]
fn a_seed_determines_a_game_and_luck_goes_on_without_one() {
    let arena = board("dungeon/42-two-ghosts-and-their-cooldowns.txt")
        .arena()
        .unwrap();
    let mut bout = Arc::clone(&arena).game();
    let mut game = |seed| {
        bout.restart(seed);
        (0..5)
            .map_while(|_| bout.play(0).is_none().then(|| rows(&*bout, (5, 11))))
            .collect::<Vec<_>>()
    };
    let (first, second) = (game(Some(7)), game(None));
    assert_eq!((game(Some(7)), game(None)), (first.clone(), second.clone()));
    assert_ne!(first, second);
}

#[test]
fn an_illegal_move_ends_a_game_in_bulk() {
    let mut bout = board("theseus/01-a-maze.txt").arena().unwrap().game();
    let mut mask = [0; 5];
    bout.mark_legal(&mut mask);
    let illegal = mask.iter().position(|&mark| mark == 0).unwrap();
    assert_eq!(bout.play(illegal), Some(EpisodeEnd::Illegal));
    assert_eq!(bout.play(0), Some(EpisodeEnd::Illegal));
    bout.restart(None);
    assert_eq!(bout.end(), None);
    assert_eq!(bout.play(99), Some(EpisodeEnd::Illegal));
}

#[test]
fn controlled_chasers_keep_their_ids_and_stay_fallen() {
    let board: Board = "; ruleset: baddies\nH....*\n......\n..m.M#\n"
        .parse()
        .unwrap();
    let arena = board.arena().unwrap();
    let order = |name: &str| arena.orders().iter().position(|order| *order == name);
    let mv = |name: &str| arena.moves().iter().position(|mv| mv == name).unwrap();
    let mut bout = Arc::clone(&arena).game();
    let cells = |bout: &dyn Episode| -> Vec<_> {
        let cell = |chaser: getaway_play::arena::Chaser| {
            chaser.cell.map(|cell| arena.grid().position(cell))
        };
        bout.chasers().into_iter().map(cell).collect()
    };
    assert_eq!(cells(&*bout), [Some((2, 2)), Some((2, 4))]);
    // Both obey: the super monster has an order to stay. Without an order, it then moves by its own rules.
    assert_eq!(
        bout.play_controlled(mv("s"), &[order("d"), order("s")]),
        None
    );
    assert_eq!(cells(&*bout), [Some((2, 3)), Some((2, 4))]);
    assert_eq!(bout.play_controlled(mv("s"), &[order("w"), None]), None);
    assert_eq!(cells(&*bout), [Some((1, 3)), Some((0, 2))]);
    // An empty list means no orders.
    let [short, long] = [&[][..], &[None, None]].map(|orders| {
        let mut bout = Arc::clone(&arena).game();
        bout.play_controlled(mv("s"), &[order("d"), order("s")]);
        bout.play_controlled(mv("s"), orders);
        cells(&*bout)
    });
    assert_eq!(short, long);
    let board: Board = "; ruleset: baddies\nH....*\n......\n..m.m#\n"
        .parse()
        .unwrap();
    let arena = board.arena().unwrap();
    let mut bout = arena.game();
    assert_eq!(bout.play_controlled(mv("s"), &[None, order("d")]), None);
    assert_eq!(bout.chasers()[1].cell, None);
    assert_eq!(bout.chasers()[0].orders.len(), 9);
}

#[test]
fn a_runner_who_was_caught_stays_off_the_board() {
    let level = "-----------\n|P P   G E|\n|         |\n-----------\n";
    let board: Board = level.parse().unwrap();
    let arena = board.arena().unwrap();
    let mut caught = 0;
    for seed in 0..sized(100, 1000) {
        let mut bout = Arc::clone(&arena).game();
        bout.restart(Some(seed));
        let mut rng = Rng::new(seed);
        for _ in 0..60 {
            let mut mask = vec![0; arena.moves().len()];
            bout.mark_legal(&mut mask);
            let legal: Vec<usize> = (0..mask.len()).filter(|&mv| mask[mv] == 1).collect();
            if bout.play(*rng.pick(&legal).unwrap()).is_some() {
                break;
            }
            let drawn = rows(&*bout, (4, 11)).concat();
            let runners = bout.runners();
            let here = runners.iter().filter(|runner| runner.cell.is_some());
            assert_eq!(here.count(), drawn.matches('P').count(), "{seed}: {drawn}");
            caught += u32::from(runners.iter().any(|runner| runner.cell.is_none()));
        }
    }
    assert!(caught > 0);
}
