//! Distances to the goal, lists of actors, and the greedy policy, which uses both.

use getaway::{Board, Limits};
use getaway_board::fault::BoardError;
use getaway_board::puzzle::Puzzle;
use getaway_play::agent::Policy;
use getaway_play::trace::Ending;
use getaway_rules::baddies::Baddies;
use getaway_rules::dungeon::Dungeon;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::maze::Maze;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::{Notation, Playable};
use getaway_solvers::game::Plan;

use crate::boards::from_text;

fn read<R>(text: &str, read: impl Fn(&Puzzle) -> Result<R, BoardError>) -> R {
    read(&from_text(text)).unwrap()
}

fn distance<R: Playable>(rules: &R) -> u32 {
    rules.distance(&rules.start())
}

fn actors<R: Playable>(rules: &R) -> Vec<(char, (u32, u32))> {
    let grid = rules.grid();
    let place = |(glyph, cell)| (glyph, grid.position(cell));
    rules
        .actors(&rules.start())
        .into_iter()
        .map(place)
        .collect()
}

fn field(row: usize, col: usize) -> String {
    let cell = |at: (usize, usize)| if at == (row, col) { 'o' } else { '.' };
    let line = |row| (0..7).map(|col| cell((row, col))).collect::<String>() + "\n";
    format!("; ruleset: jimmy\n{}", (0..7).map(line).collect::<String>())
}

#[test]
fn jimmy_is_as_far_as_the_nearest_side() {
    for (row, col, far) in [
        (3, 3, 3),
        (2, 3, 2),
        (3, 2, 2),
        (4, 3, 2),
        (3, 4, 2),
        (1, 2, 1),
        (5, 4, 1),
        (4, 5, 1),
        (0, 3, 0),
        (6, 3, 0),
    ] {
        let jimmy = read(&field(row, col), Jimmy::read);
        assert_eq!(distance(&jimmy), far, "({row}, {col})");
    }
}

#[test]
fn a_hero_is_as_far_as_the_nearest_ladder_diagonally() {
    let board = "H     \n      \n     *\n";
    assert_eq!(distance(&read(board, Baddies::read)), 5);
    let board = "H     \n      \n     *\n      \n *    \n";
    assert_eq!(distance(&read(board, Baddies::read)), 4);
}

#[test]
fn theseus_is_as_far_as_the_nearest_exit_in_steps() {
    let board = "+-+-+-+\n|T . .|\n+ + + +\n|. . E|\n+-+ + +\n|M|E .|\n+-+-+-+\n";
    let theseus = read(board, Theseus::read);
    assert_eq!(distance(&theseus), 3);
    assert_eq!(actors(&theseus), [('T', (1, 1)), ('M', (5, 1))]);
}

#[test]
fn a_runner_is_as_far_as_the_nearest_food() {
    let board = "R...*\n.....\n.*...\naA...\n.bB..\n";
    let maze = read(board, Maze::read).moving().unwrap();
    assert_eq!(distance(&maze), 3);
    let there = [('R', (0, 0)), ('A', (3, 1)), ('B', (4, 2))];
    assert_eq!(actors(&maze), there);
}

#[test]
fn a_player_is_as_far_as_the_key_and_then_the_exit() {
    let board = "------\n|P..K|\n|...E|\n------\n";
    assert_eq!(distance(&read(board, Dungeon::read)), 3);
    let open = board.replace('K', ".");
    assert_eq!(distance(&read(&open, Dungeon::read)), 4);
}

fn greedy(text: &str) -> Ending {
    let board: Board = text.parse().unwrap();
    let plan = Plan {
        policy: Policy::Greedy,
        turns: Some(20),
        ..Plan::default()
    };
    board.game().replay(&plan).unwrap()
}

/// Checks that greedy play escapes in `turns` moves, which is the distance from the goal.
#[track_caller]
fn goes_straight(text: &str, turns: usize) {
    assert_eq!(greedy(text), Ending::Escaped { turns });
}

#[test]
fn the_greedy_go_straight_to_the_goal() {
    goes_straight(&field(3, 4), 2);
    goes_straight(&field(4, 3), 2);
    goes_straight("H    \n  +  \n    *\n", 4);
    goes_straight(
        "+-+-+-+\n|T . .|\n+ + + +\n|. . E|\n+-+-+-+\n|M .|.|\n+-+-+-+\n",
        3,
    );
    goes_straight("------\n|P...|\n|...E|\n------\n", 4);
}

#[test]
fn the_greedy_wait_behind_a_wall() {
    let ending = greedy("H+ *\n + +\n    \n");
    assert_eq!(ending, Ending::open(20));
}

#[test]
fn only_games_of_chance_have_expected_turns() {
    for text in [&*field(3, 3), "H *\n", "R*\n"] {
        let board: Board = text.parse().unwrap();
        let turns = board.game().expected_turns(&Limits::default());
        assert_eq!(turns, Ok(None), "{text}");
    }
}
