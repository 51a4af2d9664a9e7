use std::sync::Arc;

use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_play::trace::Ply;
use getaway_play::trace::{Ending, LineKind, TraceError, TraceSink};
use getaway_rules::maze::Maze;
use getaway_ruleset::{Cause, Notation};
use getaway_solvers::game::{Game, Gameplay, Plan};
use getaway_solvers::maze::ByAssignment;

fn maze(text: &str) -> ByAssignment {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    ByAssignment::new(Arc::new(Maze::read(&puzzle).unwrap()))
}

fn ending(text: &str, plan: &Plan) -> Ending {
    maze(text).replay(plan).unwrap()
}

fn given(moves: &str) -> Plan<'_> {
    Plan {
        moves: Some(moves),
        ..Plan::default()
    }
}

#[derive(Default)]
struct Book {
    line: Option<LineKind>,
    plies: Vec<Ply>,
}

impl TraceSink for Book {
    fn begin(&mut self, line: &LineKind, _rows: &dyn Fn() -> Vec<String>) -> std::io::Result<()> {
        self.line = Some(line.clone());
        Ok(())
    }

    fn ply(&mut self, ply: &Ply) -> std::io::Result<()> {
        self.plies.push(ply.clone());
        Ok(())
    }
}

fn book(text: &str, plan: &Plan) -> Book {
    let mut book = Book::default();
    maze(text).trace(plan, &mut book).unwrap();
    book
}

#[test]
fn the_runner_plays_by_himself_until_the_food_is_gone() {
    assert_eq!(
        ending("R..*.*\n", &Plan::default()),
        Ending::Escaped { turns: 5 }
    );
    assert_eq!(
        ending("R..\n", &Plan::default()),
        Ending::Escaped { turns: 0 }
    );
}

#[test]
fn a_runner_with_nowhere_to_go_is_caught() {
    let caught = |turns| Ending::Caught {
        turns,
        cause: Cause::Trapped,
    };
    assert_eq!(ending("RA*\n", &Plan::default()), caught(0));
    assert_eq!(ending("a*R*\nA...\n", &given("1")), Ending::open(1));
    assert_eq!(
        ending("*a\nRA\n", &given("0")),
        Ending::Escaped { turns: 1 }
    );
    assert_eq!(ending("R*A*\n", &given("1")), caught(1));
}

#[test]
fn a_game_without_end_ends_with_the_turns() {
    let walled = "R.aA\n..a*\n";
    let plan = Plan {
        turns: Some(7),
        ..Plan::default()
    };
    assert_eq!(ending(walled, &plan), Ending::open(7));
    assert_eq!(ending(walled, &Plan::default()), Ending::open(1000));
}

#[test]
fn given_moves_are_played_as_far_as_they_are_legal() {
    assert_eq!(ending("R.*\n", &given("1 R")), Ending::Escaped { turns: 2 });
    assert_eq!(
        ending("R.*\n", &given("1,2")),
        Ending::Illegal {
            turn: 2,
            mv: "2".into(),
            reason: "that is off the board".into(),
            legal: vec!["1".into(), "3".into()],
        }
    );
    let error = maze("R*\n")
        .trace(&given("1x"), &mut |_: &Ply| Ok(()))
        .unwrap_err();
    assert!(
        error.to_string().starts_with("`x` is not a move: "),
        "{error}"
    );
}

#[test]
fn a_map_that_cannot_move_says_why() {
    let error = maze("R*b\n")
        .trace(&Plan::default(), &mut |_: &Ply| Ok(()))
        .unwrap_err();
    assert!(
        matches!(&error, TraceError::Unplayable(why) if why.contains("row 1, column 3")),
        "{error}"
    );
}

#[test]
fn the_seed_decides_how_the_walls_move() {
    let text = "R......\n.......\n...A...\n.......\n......*\n";
    let rows = |seed| {
        let book = book(
            text,
            &Plan {
                seed,
                ..Plan::default()
            },
        );
        assert_eq!(book.line, Some(LineKind::Played { seed }));
        book.plies
            .into_iter()
            .map(|ply| ply.rows)
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(1), rows(1));
    assert_ne!(rows(1), rows(2));
}

#[test]
fn each_ply_is_described() {
    let plies = book("R.*\n...\nA..\n", &given("11")).plies;
    let told: Vec<_> = plies
        .iter()
        .map(|ply| (ply.turn, ply.who, ply.mv.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            (1, "runner", Some("1")),
            (1, "walls", None),
            (2, "runner", Some("1"))
        ]
    );
    assert_eq!(plies[0].rows, [".R*", "...", "A.."]);
    assert_eq!(plies[1].events[0].actor, 'A');
}
