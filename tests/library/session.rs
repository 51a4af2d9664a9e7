//! Plays games in sessions.

use getaway::{Board, Limits};
use getaway_board::rng::Rng;
use getaway_play::session::{PlayError, Session};
use getaway_play::trace::{Ending, LineKind, Ply, TraceSink};
use getaway_ruleset::Cause;
use getaway_solvers::game::Plan;

use crate::boards::puzzles;

#[derive(Default)]
struct Kept(Vec<Ply>);

impl TraceSink for Kept {
    fn begin(&mut self, _: &LineKind, _: &dyn Fn() -> Vec<String>) -> std::io::Result<()> {
        Ok(())
    }

    fn ply(&mut self, ply: &Ply) -> std::io::Result<()> {
        self.0.push(ply.clone());
        Ok(())
    }
}

fn open(text: &str) -> Board {
    text.parse().unwrap()
}

fn session(board: &Board, seed: u64) -> Box<dyn Session + '_> {
    board.game().session(seed, &Limits::default()).unwrap()
}

fn wander(session: &mut dyn Session, moves: usize, rng: &mut Rng) {
    for _ in 0..moves {
        let legal = session.legal();
        if legal.is_empty() || session.position(session.now()).ending.is_some() {
            return;
        }
        let mv = &legal[(rng.uniform() * legal.len() as f64) as usize];
        session.play(mv).unwrap();
    }
}

#[test]
fn a_game_is_the_one_that_its_moves_and_its_seed_replay() {
    let mut rng = Rng::new(5);
    let mut games = 0;
    let folders = ["jimmy", "baddies", "maze", "dungeon", "theseus"];
    for (name, text) in folders.iter().flat_map(|folder| puzzles(folder)) {
        let Ok(board) = text.parse::<Board>() else {
            continue;
        };
        let Ok(mut session) = board.game().session(games, &Limits::default()) else {
            continue;
        };
        wander(&mut *session, 12, &mut rng);
        let line = session.line(session.last());
        let plan = Plan {
            moves: Some(&line),
            seed: session.seed(),
            ..Plan::default()
        };
        let mut kept = Kept::default();
        let ending = board.game().trace(&plan, &mut kept).unwrap();
        let positions = (0..=session.last()).map(|number| session.position(number));
        let plies: Vec<_> = positions.flat_map(|position| position.plies).collect();
        let without_picture = |ply: &Ply| Ply {
            rows: Vec::new(),
            ..ply.clone()
        };
        let told: Vec<_> = kept.0.iter().map(without_picture).collect();
        assert_eq!(plies, told, "{name}: {line}");
        let last = session.position(session.last());
        match last.ending {
            Some(over) => assert_eq!(over, ending, "{name}: {line}"),
            None => assert_eq!(ending, Ending::open(last.turns), "{name}: {line}"),
        }
        games += 1;
    }
    assert!(games > 130, "{games}");
}

#[test]
fn a_move_taken_back_and_made_again_meets_the_same_luck() {
    let (_, text) = puzzles("dungeon").swap_remove(26);
    let board = open(&text);
    let mut game = session(&board, 3);
    wander(&mut *game, 8, &mut Rng::new(1));
    let last = game.last();
    assert!(last > 1);
    let before: Vec<_> = (0..=last).map(|number| game.position(number)).collect();
    let moves: Vec<_> = before[1..]
        .iter()
        .map(|position| position.plies[0].mv.clone().unwrap())
        .collect();
    game.go_to(0);
    let other = game.legal().into_iter().find(|mv| *mv != moves[0]).unwrap();
    game.play(&other).unwrap();
    assert_eq!(game.last(), 1, "another move forgets what came after");
    game.go_to(0);
    for mv in &moves {
        game.play(mv).unwrap();
    }
    let again: Vec<_> = (0..=last).map(|number| game.position(number)).collect();
    assert_eq!(again, before);
}

#[test]
fn a_game_that_is_over_goes_no_further_but_can_be_taken_back() {
    let board = open("###\n#o.\n###\n");
    let mut game = session(&board, 0);
    assert_eq!(game.legal(), ["R"]);
    assert_eq!(
        game.play("U"),
        Err(PlayError::Illegal("a solid cell is in the way".into()))
    );
    assert!(matches!(game.play("x"), Err(PlayError::Line(_))));
    game.play("R").unwrap();
    assert_eq!(game.position(1).ending, Some(Ending::Escaped { turns: 1 }));
    assert_eq!(
        (game.legal().len(), game.play("L")),
        (0, Err(PlayError::Over))
    );
    game.go_to(0);
    assert_eq!(
        (game.now(), game.last(), game.line(1).as_str()),
        (0, 1, "R")
    );
    game.go_to(9);
    assert_eq!(game.now(), 1);
}

#[test]
fn no_move_means_trapped_and_repeating_a_move_keeps_the_line() {
    let board = open("#####\n#o..#\n#####\n");
    let mut game = session(&board, 0);
    assert_eq!(game.position(0).ending, None);
    game.play("R").unwrap();
    game.play("R").unwrap();
    let cause = Cause::Trapped;
    assert_eq!(
        game.position(2).ending,
        Some(Ending::Caught { turns: 2, cause })
    );
    game.go_to(0);
    game.play("R").unwrap();
    assert_eq!(game.last(), 2, "the same move again forgets nothing");
}

#[test]
fn every_move_on_the_pad_is_one_that_can_be_read() {
    for (text, pad) in [
        ("###\n#o#\n#.#\n", [".U.", "L.R", ".D."]),
        ("H *", ["qwe", "asd", "zxc"]),
        ("R*", [".0.", "3.1", ".2."]),
        ("-----\n|PGE|\n-----", [".U.", "L_R", ".D."]),
        ("+-+-+-+\n|T E M|\n+-+-+-+", [".U.", "LSR", ".D."]),
    ] {
        // Here `.` means no move, and `_` stands for the move `.` of a dungeon.
        let expected: Vec<_> = pad
            .concat()
            .chars()
            .map(|c| match c {
                '.' => String::new(),
                '_' => ".".to_owned(),
                c => c.to_string(),
            })
            .collect();
        let board = open(text);
        let mut session = session(&board, 0);
        assert_eq!(session.keypad().to_vec(), expected, "{text}");
        for mv in expected.iter().filter(|mv| !mv.is_empty()) {
            session.go_to(0);
            let played = session.play(mv);
            assert!(!matches!(played, Err(PlayError::Line(_))), "{text} {mv}");
        }
    }
}

#[test]
fn a_line_is_played_as_far_as_it_can_be() {
    let board = open("#####\n#o..#\n###.#\n");
    let mut session = session(&board, 0);
    session.play_line("R R, D").unwrap();
    assert_eq!((session.now(), session.line(3)), (3, "RRD".into()));
    session.go_to(0);
    let stopped = session.play_line("RU");
    assert!(matches!(stopped, Err(PlayError::Illegal(_))), "{stopped:?}");
    assert_eq!(session.line(session.now()), "R");
    session.go_to(0);
    let unread = session.play_line("R?");
    assert!(matches!(unread, Err(PlayError::Line(_))), "{unread:?}");
    assert_eq!(session.now(), 0, "a line that can't be read is not begun");
    let dungeon = open("; ruleset: dungeon\n------\n|P..E|\n------\n");
    let mut session = self::session(&dungeon, 0);
    session.play_line("RRR").unwrap();
    assert_eq!((session.now(), session.line(3)), (3, "R R R".into()));
}

#[test]
fn games_with_random_moves_are_by_chance() {
    for (text, is_by_chance) in [
        ("###\n#og\n#.#\n", false),
        ("R*", false),
        ("R*A.", true),
        ("-----\n|P.E|\n-----", false),
        ("-----\n|PZE|\n-----", true),
    ] {
        let board = open(text);
        assert_eq!(session(&board, 0).is_by_chance(), is_by_chance, "{text}");
    }
}

#[test]
fn an_illegal_move_was_not_made() {
    let board = open("#####\n#o..#\n###.#\n");
    let ending = |moves| {
        let plan = Plan {
            moves: Some(moves),
            ..Plan::default()
        };
        board.game().replay(&plan).unwrap()
    };
    let illegal = ending("RUD");
    assert!(matches!(illegal, Ending::Illegal { turn: 2, .. }));
    assert_eq!(illegal.turns(), 1);
    assert_eq!(ending("RR").turns(), 2);
    assert_eq!(ending("RRD").turns(), 3);
}

#[test]
fn controlled_chasers_move_as_ordered_and_are_recorded() {
    let board = open("; ruleset: dungeon\n-------\n|P.Z.E|\n-------\n");
    let mut game = session(&board, 3);
    game.control(".");
    game.control("R U");
    game.play_line(". .").unwrap();
    assert_eq!(game.position(1).rows[1], "|P.Z.E|");
    assert_eq!(game.position(2).rows[1], "|P..ZE|");
    assert_eq!(game.position(2).plies.last().unwrap().orders, "R");
    assert_eq!(
        (game.chasers(2), game.chasers(1)),
        (". R".into(), ".".into())
    );
    let why = game.play(".").unwrap_err().to_string();
    let expected = "in turn 3 of `chasers`, `U` is illegal for `Z` at 2,5; legal: L, .";
    assert_eq!((why.as_str(), game.last()), (expected, 2));
}

#[test]
fn several_players_move_in_turn() {
    let board = open("; ruleset: dungeon\n------\n|P.P.|\n|...E|\n------\n");
    let mut session = session(&board, 1);
    let mut movers = Vec::new();
    for mv in ["D", ".", ".", "."] {
        movers.push(session.position(session.now()).mover);
        session.play(mv).unwrap();
    }
    // From the second turn on, the player in the higher row moves first.
    assert_eq!(
        movers,
        [Some((1, 1)), Some((1, 3)), Some((1, 3)), Some((2, 1))]
    );
}
