use crate::{Board, Limits};

use super::*;

fn told(board: &str, moves: &str) -> String {
    let board: Board = board.parse().unwrap();
    let mut session = board.game().session(0, &Limits::default()).unwrap();
    session.play_line(moves).unwrap();
    let here = session.position(session.now());
    ending(&*session, &here, &board.ruleset().legend)
}

#[test]
fn the_message_names_the_chaser_and_the_cell_of_the_catch() {
    // The ghost moves onto Jimmy's cell before he can leave.
    assert_eq!(
        told("; ruleset: jimmy\n####\n#og#\n#..#\n####\n", ""),
        "a ghost caught Jimmy at 2,2"
    );
    assert_eq!(told("Hm..*", "s"), "a monster caught the hero at 1,1");
    let theseus = "+-+-+-+\n|T   M|\n+-+-+-+\n|E    |\n+-+-+-+";
    assert_eq!(told(theseus, "S"), "the Minotaur caught Theseus at 1,1");
}

#[test]
fn the_message_names_what_the_runner_ran_into() {
    assert_eq!(told("Hm..*", "d"), "the hero walked into a monster at 1,2");
    assert_eq!(told("H#..*", "d"), "the hero fell into the abyss at 1,2");
    let dungeon = "-----\n|PZE|\n-----";
    assert_eq!(told(dungeon, "R"), "the player walked into a zombie at 2,3");
}

#[test]
fn the_message_says_that_the_runner_is_trapped_or_escaped() {
    assert_eq!(
        told("###\n#o#\n###\n", ""),
        "Jimmy is trapped at 2,2: no legal move is left"
    );
    assert_eq!(told("###\n#o.\n###\n", "R"), "Jimmy got away at 2,3");
    assert_eq!(told("R*", "1"), "the runner got away at 1,2");
}
const FALLING: [Option<f64>; 6] = [
    Some(1.0),
    Some(0.5),
    None,
    Some(0.25),
    Some(1e-9),
    Some(0.0),
];

#[test]
fn a_bar_is_as_high_as_it_is_likely() {
    assert_eq!(
        chart(&FALLING, Charset::Unicode).collect::<Vec<_>>(),
        ["1 █     ", "  █▄    ", "0 ██?▆▁_"]
    );
}

#[test]
fn in_ascii_there_are_nine_steps() {
    assert_eq!(
        chart(&FALLING, Charset::Ascii).collect::<Vec<_>>(),
        ["1 #     ", "  #:    ", "0 ##?#._"]
    );
}
