use super::*;
use getaway_board::puzzle::{Puzzle, text};
use getaway_rules::dungeon::Dungeon;
use getaway_ruleset::Notation;

/// The test marks a position; playing the position again would remove the mark.
#[test]
fn a_longer_line_does_not_replay_the_game_before_it() {
    let drawn = b"--------------\n|P..........Z|\n|...........E|\n--------------\n";
    let mut puzzle = Puzzle::empty();
    text::Boards::new(drawn, 1).read(&mut puzzle).unwrap();
    let level = Arc::new(Dungeon::read(&puzzle).unwrap());
    let mut game = BoardSession::new(level, 7);
    let mut is_kept = |line: &str, chasers: &str| {
        game.replay(line, chasers, 7).unwrap();
        let rng = &mut game.records[1].progress.rng;
        std::mem::replace(rng, Rng::new(99)) == Rng::new(99)
    };
    assert!(!is_kept("D", ""));
    assert!(is_kept("D U", "") && is_kept("D", "") && is_kept("D . .", ""));
    assert!(!is_kept("R", "") && is_kept("R .", ""));
    assert!(!is_kept("R .", "L") && is_kept("R . .", "L L"));
}

#[test]
fn the_moves_of_one_turn_are_joined_by_commas() {
    let drawn = b"------\n|PP.E|\n|....|\n------\n";
    let mut puzzle = Puzzle::empty();
    text::Boards::new(drawn, 1).read(&mut puzzle).unwrap();
    let level = Arc::new(Dungeon::read(&puzzle).unwrap());
    let mut game = BoardSession::new(level, 7);
    game.play_line("D,R .,R").unwrap();
    assert_eq!(game.line(game.last()), "D,R .,R");
    assert_eq!(game.line(3), "D,R .");
}
