//! A level as an MDP, node by node.

mod slow;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::puzzle::Puzzle;
use crate::puzzle::text::Boards;

fn level(text: &str) -> Dungeon {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap()
}

/// A room of so many rows and columns, with a ghost beside a wall and a way out at the far end.
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

/// A node whose successors are the tiles of a room: the first one that is found from the start.
fn arrival(mdp: &OnePlayerMdp) -> u64 {
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

#[test]
fn a_stop_is_heard_while_a_ghost_may_arrive_anywhere() {
    let (rows, cols) = (20, 40);
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let budget = Budget::new(&limits);
    let mdp = OnePlayerMdp::new(&room(rows, cols), &budget).unwrap();
    let node = arrival(&mdp);
    let mut clock = budget.clock();
    let mut all = Vec::new();
    let owner = mdp.successors_within(node, &mut all, &mut clock);
    assert_eq!(owner, Ok(Owner::Chance));
    // All tiles but those of the player and the exit.
    assert_eq!(all.len(), rows * cols - 2);
    stop.store(true, Ordering::Relaxed);
    let mut some = Vec::new();
    let heard = mdp.successors_within(node, &mut some, &mut clock);
    assert_eq!(heard, Err(Limit::Interrupt));
    assert!(some.len() < all.len(), "it is heard before the last tile");
}
