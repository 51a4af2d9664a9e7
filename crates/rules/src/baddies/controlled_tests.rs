use super::*;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::Notation;
use getaway_ruleset::{Deterministic, Playable, Ruleset};

fn board(rows: &str) -> Baddies {
    let mut puzzle = Puzzle::empty();
    Boards::new(rows.as_bytes(), 1).read(&mut puzzle).unwrap();
    Baddies::read(&puzzle).unwrap()
}

fn ordered(rows: &str, at: (u32, u32), order: &str) -> (String, Option<Outcome>) {
    let board = board(rows);
    let mut state = board.start();
    let who = board.grid.cell(at.0, at.1).unwrap();
    let rng = &mut Rng::new(0);
    let outcome = board.control(&mut state, who, Some(order), rng, &mut Vec::new());
    (board.picture(&state).join("/"), outcome)
}

#[test]
fn a_monster_goes_one_step_and_a_super_monster_two() {
    let rows = "H....*\n......\n..m.M.\n";
    assert_eq!(ordered(rows, (2, 2), "w").0, "H    */  m   /    M ");
    assert_eq!(ordered(rows, (2, 4), "q").0, "H M  */      /  m   ");
    assert_eq!(ordered(rows, (2, 4), "s").0, "H    */      /  m M ");
    assert_eq!(
        ordered(rows, (2, 4), "a").0,
        "H    */      /  m M ",
        "it is taken"
    );
}

#[test]
fn a_controlled_monster_catches_falls_and_is_kept_off_ladders() {
    let caught = Some(Outcome::Caught(Cause::Chaser));
    assert_eq!(ordered("Hm*#\n", (0, 1), "a").1, caught);
    assert_eq!(ordered("Hm*#\n", (0, 1), "d"), ("Hm*#".into(), None));
    assert_eq!(ordered("H*m#\n", (0, 2), "d"), ("H* #".into(), None));
}

#[test]
fn baddies_that_obey_no_order_move_as_in_a_round() {
    let rows = "H.#..m\n.~.M.*\nm.m.#M\n.m..~.\n";
    let board = board(rows);
    let (mut whole, mut single) = (board.start(), board.start());
    for _ in 0..6 {
        let (mut events, mut one_by_one) = (Vec::new(), Vec::new());
        let outcome = board.chase(&mut whole, &mut events);
        let baddies = single.baddies.clone();
        let rng = &mut Rng::new(0);
        let ended = baddies
            .iter()
            .find_map(|baddie| board.control(&mut single, baddie.cell, None, rng, &mut one_by_one));
        assert_eq!((outcome, &whole, events), (ended, &single, one_by_one));
        if outcome.is_some() {
            return;
        }
    }
}
