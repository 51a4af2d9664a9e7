use super::*;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::Notation;
use getaway_ruleset::{Playable, Ruleset};

fn level(text: &str) -> Dungeon {
    let mut puzzle = Puzzle::empty();
    Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap();
    Dungeon::read(&puzzle).unwrap()
}

const ROOMS: &str = "-----XXX----\n|P..|XXX|..|\n|..GD...D.E|\n|.ZK|XXX|..|\n-----XXX----\n";

fn orders(level: &Dungeon, (row, col): (u32, u32)) -> String {
    let (mut orders, who) = (Vec::new(), level.level.grid.cell(row, col).unwrap());
    level.orders(&level.start(), who, &mut orders);
    orders.join(" ")
}

/// By rule 6, the ghost may enter the door. Under `chase` it may not enter the key's tile. The zombie stays in its room.
#[test]
fn orders_are_the_steps_that_rule_6_allows_and_staying() {
    let chase = level(&format!("; ruleset: dungeon\n{ROOMS}"));
    assert_eq!(orders(&chase, (2, 3)), "U L R .");
    assert_eq!(orders(&chase, (3, 2)), "U L .");
    let cooldown = level(&format!(
        "; ruleset: dungeon\n; strategy: cooldown\n{ROOMS}"
    ));
    assert_eq!(orders(&cooldown, (2, 3)), "U D L R .");
    assert_eq!(orders(&cooldown, (3, 2)), "U L R .");
}

fn obeys(order: &str, seed: u64) -> String {
    let rows = "-----XXX----\n|P.G|XXX|..|\n----DXXXD---\n";
    let level = level(&format!("; ruleset: dungeon\n{rows}"));
    let (mut at, who) = (level.start(), level.level.grid.cell(1, 3).unwrap());
    let mut events = Vec::new();
    level.control(&mut at, who, Some(order), &mut Rng::new(seed), &mut events);
    level.picture(&at)[1].clone()
}

#[test]
fn a_controlled_ghost_steps_stays_and_teleports_to_any_free_tile() {
    assert_eq!(obeys("L", 1), "|PG.|XXX|..|");
    assert_eq!(obeys(".", 1), "|P.G|XXX|..|");
    let mut seen: Vec<_> = (0..64).map(|seed| obeys("U", seed)).collect();
    seen.sort();
    seen.dedup();
    let free = [
        "|P..|XXX|.G|",
        "|P..|XXX|G.|",
        "|P.G|XXX|..|",
        "|PG.|XXX|..|",
    ];
    assert_eq!(seen, free);
}

#[test]
fn a_controlled_zombie_catches() {
    let level = level("; ruleset: dungeon\n----\n|PZ|\n----\n");
    let (mut at, who) = (level.start(), level.level.grid.cell(1, 2).unwrap());
    let outcome = level.control(&mut at, who, Some("L"), &mut Rng::new(0), &mut Vec::new());
    assert!(matches!(outcome, Some(Outcome::Caught(_))));
}
