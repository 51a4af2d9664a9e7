use super::*;
use getaway_play::solution::Verdict;

#[test]
fn a_board_is_read_solved_and_replayed() {
    let board: Board = "; name: down\n###\n#o#\n#.#\n".parse().unwrap();
    assert_eq!(
        (board.ruleset().name, board.name()),
        ("jimmy", Some("down"))
    );
    let solution = board.solve_shortest(&Limits::default());
    assert_eq!(
        (solution.verdict(), solution.line()),
        (Verdict::Escape, Some("D"))
    );
    let replay = board.replay("D").unwrap();
    assert_eq!(*replay.ending(), Ending::Escaped { turns: 1 });
    let pictures: Vec<_> = replay.map(|ply| ply.picture()).collect();
    assert_eq!(pictures, ["###\n#.#\n#o#"]);
    assert!(board.replay("?").is_err());
}

#[test]
fn a_replay_knows_how_much_of_it_is_left() {
    let board: Board = "###\n#o#\n#.#\n#.#\n".parse().unwrap();
    let mut replay = board.replay("DD").unwrap();
    for left in [2, 1, 0] {
        assert_eq!(
            (replay.len(), replay.size_hint()),
            (left, (left, Some(left)))
        );
        assert_eq!(replay.next().is_some(), left > 0);
    }
}

#[test]
fn no_board_and_two_boards_are_errors() {
    for text in ["", "; a remark\n", "o\n\no\n"] {
        assert!(text.parse::<Board>().is_err(), "{text:?}");
    }
}
