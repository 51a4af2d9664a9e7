mod slow;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::abstraction::tests::level as random_level;
use super::*;
use getaway_board::limits::{Bounds, Decision, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_board::rng::Rng;
use getaway_chance::{Valuation, bounds_near, solve, wins_surely};
use getaway_ruleset::Notation;
use getaway_testing::sized;

fn level(text: &str) -> Dungeon {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap()
}

fn room(rows: usize, cols: usize) -> Dungeon {
    let wall = "-".repeat(cols + 2);
    let row = |left: &str, right: &str| {
        let floor = ".".repeat(cols - left.len() - right.len());
        format!("|{left}{floor}{right}|\n")
    };
    let floor = row("", "").repeat(rows - 2);
    level(&format!(
        "{wall}\n{}{floor}{}{wall}\n",
        row("G", "P"),
        row("", "E")
    ))
}

fn arrival(mdp: &DungeonMdp) -> u64 {
    let mut found = vec![mdp.initial()];
    let mut seen = HashSet::new();
    let mut at = 0;
    loop {
        let node = found[at];
        let mut successors = Vec::new();
        mdp.successors(node, &mut successors);
        if mdp.is_in_transit(node) && successors.len() > 1 {
            return node;
        }
        for next in successors {
            if let Successor::Node(next) = next
                && seen.insert(next)
            {
                found.push(next);
            }
        }
        at += 1;
    }
}

fn nodes(text: &str) -> Option<(DungeonMdp, Valuation)> {
    let plenty = Limits::default();
    let mdp = DungeonMdp::new(&level(text), &Budget::new(&plenty)).ok()?;
    let few = Limits {
        max_states: Some(100_000),
        ..plenty
    };
    let valuation = solve(&mdp, &few);
    (valuation.limit.is_none()).then_some((mdp, valuation))
}

/// Compares the search for a sure win with the attractor on the graph of all nodes.
#[test]
fn the_search_finds_a_certain_win_if_there_is_one() {
    let rng = &mut Rng::new(28);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mut seen = [0; 3];
    for _ in 0..sized(60, 5_000) {
        let text = random_level(rng);
        let Some((mdp, valuation)) = nodes(&text) else {
            continue;
        };
        let found = wins_surely(&mdp, usize::MAX, &budget).unwrap();
        assert_eq!(found, Decision::from(valuation.sure), "{text}");
        let few = wins_surely(&mdp, 50, &budget).unwrap();
        assert!([found, Decision::Undecided].contains(&few), "{text}");
        let has_line = mdp.count_line_stages(&budget).unwrap().is_some();
        assert!(valuation.sure || !has_line, "{text}");
        for (seen, is_it) in seen.iter_mut().zip([true, valuation.sure, has_line]) {
            *seen += u32::from(is_it);
        }
    }
    let [all, sure, forced] = seen;
    assert!(
        all > sized(40, 200) && sure > all / 20 && forced > all / 20,
        "{seen:?}"
    );
}

#[test]
fn bounds_from_the_nearest_nodes_hold_and_get_closer() {
    let rng = &mut Rng::new(29);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mut is_news = 0;
    for _ in 0..sized(40, 500) {
        let text = random_level(rng);
        let Some((mdp, valuation)) = nodes(&text) else {
            continue;
        };
        let mut known = Bounds::UNKNOWN;
        for max in [10, 100, 1_000, 100_000] {
            let near = bounds_near(&mdp, max, &budget).unwrap();
            let Bounds { lower, upper } = near;
            let error = 1e-6;
            assert!(
                known.lower <= lower + error && upper <= known.upper + error,
                "{text}"
            );
            assert!(
                lower <= valuation.bounds.upper && valuation.bounds.lower <= upper,
                "{text}"
            );
            is_news += u32::from(max == 1_000 && upper - lower < 1.0);
            known = near;
        }
        assert!(known.is_exact(), "{text}");
    }
    assert!(is_news > 10, "{is_news}");
}

#[test]
fn a_zombie_that_can_never_move_is_a_wall() {
    let stuck = |text: &str| {
        let dungeon = level(text);
        let stuck = dungeon.stuck();
        stuck.iter(dungeon.level.grid).count()
    };
    assert_eq!(stuck("-------\n|P.DZE|\n-------\n"), 1);
    // Under `cooldown` a zombie may step on the exit.
    assert_eq!(
        stuck("; strategy: cooldown\n-------\n|P.DZE|\n-------\n"),
        0
    );
    // Zombies in a row can move if there is a gap.
    assert_eq!(stuck("--------\n|PE|ZZZ|\n--------\n"), 3);
    assert_eq!(stuck("--------\n|PE|ZZ.|\n--------\n"), 0);
    // The key blocks the zombie until the player takes it.
    assert_eq!(stuck("--------\n|PE|DZK|\n--------\n"), 0);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let shut = level("-------\n|P.DZE|\n-------\n");
    let mdp = DungeonMdp::new(&shut, &budget);
    assert!(matches!(mdp.err(), Some(MdpError::NoWayOut { .. })));
}

#[test]
fn a_stop_takes_effect_while_a_ghost_may_teleport_anywhere() {
    let (rows, cols) = (20, 40);
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let budget = Budget::new(&limits);
    let mdp = DungeonMdp::new(&room(rows, cols), &budget).unwrap();
    let node = arrival(&mdp);
    let mut clock = budget.clock();
    let mut all = Vec::new();
    let owner = mdp.successors_within(node, &mut all, &mut clock);
    assert_eq!(owner, Ok(Owner::Chance));
    assert_eq!(all.len(), rows * cols - 2);
    stop.store(true, Ordering::Relaxed);
    let mut some = Vec::new();
    let heard = mdp.successors_within(node, &mut some, &mut clock);
    assert_eq!(heard, Err(Limit::Interrupt));
    assert!(some.len() < all.len(), "it is heard before the last tile");
}
