//! Levels on which values converge slowly: the player can wait in a long corridor at almost no risk, a ghost waits behind a door,
//! and a zombie walks near the way out.

use std::collections::HashMap;

use super::level;
use crate::DungeonMdp;
use getaway_board::limits::{Bounds, Budget, Limits};
use getaway_board::rng::Rng;
use getaway_chance::{Mdp, Owner, Successor, WIDTH, by_policies};

/// The maximum number of values that policy iteration may compute, in sweeps over all nodes.
const MAX_SWEEPS: u64 = 500;

fn slow_level(rng: &mut Rng, length: usize, cooldown: usize) -> String {
    let length = rng.between(length.div_ceil(2), length);
    let (width, height) = (rng.between(1, 3), rng.between(1, 3));
    let mut room = vec![vec!['.'; width]; height];
    let exit = (rng.below(height), rng.below(width));
    room[exit.0][exit.1] = 'E';
    if width * height > 2 && rng.chance(0.8) {
        let free = (exit.0, (exit.1 + 1) % width);
        let (row, col) = if free == exit {
            ((exit.0 + 1) % height, exit.1)
        } else {
            free
        };
        room[row][col] = 'Z';
    }
    let mut corridor = vec!['.'; length];
    corridor[rng.below(length)] = 'P';
    let strategy = if rng.chance(0.8) { "cooldown" } else { "chase" };
    let mut text = format!(
        "; drawing: compact\n; strategy: {strategy}\n; radius: {}\n; cooldown: {}\n",
        rng.below(3),
        rng.between(cooldown / 2, cooldown),
    );
    let (solid, bar) = ("X".repeat(length), "-".repeat(width + 2));
    text += &format!("---{solid}{bar}\n");
    for (nth, row) in room.iter().enumerate() {
        let row: String = row.iter().collect();
        text += &match nth {
            0 => format!("|GD{}D{row}|\n", corridor.iter().collect::<String>()),
            1 => format!("---{solid}|{row}|\n"),
            _ => format!("XXX{solid}|{row}|\n"),
        };
    }
    let left = if height == 1 { "---" } else { "XXX" };
    text + &format!("{left}{solid}{bar}\n")
}

fn mdp(text: &str) -> Option<DungeonMdp> {
    DungeonMdp::new(&level(text), &Budget::new(&Limits::default())).ok()
}

fn naive(mdp: &DungeonMdp) -> f64 {
    let mut numbers = vec![mdp.initial()];
    let mut places = HashMap::from([(mdp.initial(), 0)]);
    let mut nodes: Vec<(Owner, Vec<Option<usize>>, f64)> = Vec::new();
    while let Some(&number) = numbers.get(nodes.len()) {
        let mut successors = Vec::new();
        let owner = mdp.successors(number, &mut successors);
        let won = successors.iter().filter(|next| **next == Successor::Won);
        let won = won.count() as f64;
        let place = |next| match next {
            Successor::Node(number) => Some(*places.entry(number).or_insert_with(|| {
                numbers.push(number);
                numbers.len() - 1
            })),
            Successor::Won | Successor::Lost => None,
        };
        nodes.push((owner, successors.into_iter().map(place).collect(), won));
    }
    let mut values = vec![0.0_f64; nodes.len()];
    loop {
        let mut largest = 0.0_f64;
        for (at, (owner, successors, won)) in nodes.iter().enumerate().rev() {
            let known = successors.iter().flatten().map(|&next| values[next]);
            let value = match owner {
                Owner::Player => known.fold(won.min(1.0), f64::max),
                Owner::Chance => (won + known.sum::<f64>()) / successors.len() as f64,
            };
            largest = largest.max(value - values[at]);
            values[at] = value;
        }
        if largest < 1e-13 {
            return values[0];
        }
    }
}

#[test]
fn slow_levels_settle_after_so_many_sweeps() {
    let (levels, (length, cooldown)) = getaway_testing::sized((8, (8, 8)), (6, (24, 40)));
    let mut decided = 0;
    for run in 0..levels {
        let text = slow_level(&mut Rng::of_run(4, run), length, cooldown);
        let Some(mdp) = mdp(&text) else { continue };
        if let [Some(Bounds { lower, upper })] =
            by_policies(&mdp, MAX_SWEEPS, &[mdp.initial()]).unwrap()[..]
        {
            assert!(upper - lower <= WIDTH, "{text}{lower} to {upper}");
            decided += 1;
        }
    }
    assert!(4 * decided > levels, "{decided} of {levels}");
}

#[test]
fn slow_levels_are_worth_what_sweeps_from_nothing_come_to() {
    let levels = getaway_testing::sized(4, 12);
    for run in 0..levels {
        let text = slow_level(&mut Rng::of_run(4, run), 6, 3);
        let Some(mdp) = mdp(&text) else { continue };
        let value = naive(&mdp);
        let valuation = getaway_chance::solve(&mdp, &Limits::default());
        let mut all = by_policies(&mdp, MAX_SWEEPS, &[mdp.initial()]).unwrap();
        all.push(Some(valuation.bounds));
        for Bounds { lower, upper } in all.into_iter().flatten() {
            assert!(
                lower - 1e-7 <= value && value <= upper + 1e-12,
                "{text}{lower} {value} {upper}"
            );
            assert!(upper - lower <= WIDTH, "{text}{lower} to {upper}");
        }
    }
}
