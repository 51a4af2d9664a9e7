//! A first lower bound: the probability that the moves of a lucky line escape, made blindly.
//!
//! A lucky line assumes one step of each adversary. Its moves alone escape far more often. This module plays them against
//! the distribution of all positions. It keeps only the likeliest positions of each turn and counts a game as lost where
//! the next move is illegal, so the sum is a lower bound.

use std::collections::BTreeMap;

use super::one_player::OnePlayerMdp;
use crate::engine::mdp::{Mdp, Successor};
use crate::limits::{Budget, Clock, Limit};
use crate::rules::dungeon::Move;
use crate::solution::LuckyLine;

/// The most positions kept from turn to turn, and the most turns.
const KEPT: usize = 1 << 9;
const TURNS: usize = 1 << 7;

/// The work of noting one outcome of a draw.
const WORK: u64 = 64;

/// A factor below any error from rounding up sums of products.
const ROUNDED_DOWN: f64 = 1.0 - 1e-9;

/// Nodes with their probabilities.
type Spread = BTreeMap<u64, f64>;

/// Returns a lower bound on the probability that the moves of this line escape.
pub(super) fn probability(
    line: &LuckyLine,
    mdp: &OnePlayerMdp,
    budget: &Budget,
) -> Result<f64, Limit> {
    let mut clock = budget.clock();
    let mut spread = Spread::from([(mdp.initial(), 1.0)]);
    let mut out = 0.0;
    for turn in line.turns.iter().take(TURNS) {
        let mv: Move = turn.mv.parse().expect("a line is made of moves");
        let mut drawn = Spread::new();
        for (node, probability) in spread {
            match chosen(mdp, node, mv) {
                Some(Successor::Won) => out += probability,
                Some(Successor::Node(next)) => *drawn.entry(next).or_default() += probability,
                Some(Successor::Lost) | None => {}
            }
        }
        spread = likeliest(draw(mdp, drawn, &mut clock)?);
    }
    mdp.forget();
    Ok(out * ROUNDED_DOWN)
}

/// Returns the successor that the move leads to at a player's node, or an escape if there is one.
fn chosen(mdp: &OnePlayerMdp, node: u64, mv: Move) -> Option<Successor> {
    let mut successors = Vec::new();
    mdp.successors(node, &mut successors);
    if successors.contains(&Successor::Won) {
        return Some(Successor::Won);
    }
    let at = mdp.moves(node).iter().position(|&other| other == mv)?;
    successors.get(at).copied()
}

/// Moves all adversaries.
fn draw(mdp: &OnePlayerMdp, mut waiting: Spread, clock: &mut Clock) -> Result<Spread, Limit> {
    let mut moved = Spread::new();
    let mut successors = Vec::new();
    while !waiting.is_empty() {
        let mut next = Spread::new();
        for (node, probability) in likeliest(waiting) {
            if mdp.is_players_turn(node) {
                *moved.entry(node).or_default() += probability;
                continue;
            }
            successors.clear();
            mdp.successors_within(node, &mut successors, clock)?;
            clock.work(WORK * successors.len() as u64)?;
            let share = probability / successors.len() as f64;
            for successor in &successors {
                if let Successor::Node(node) = *successor {
                    *next.entry(node).or_default() += share;
                }
            }
        }
        waiting = next;
    }
    Ok(moved)
}

/// The likeliest nodes, the first of equals.
fn likeliest(spread: Spread) -> Spread {
    if spread.len() <= KEPT {
        return spread;
    }
    let mut all: Vec<(u64, f64)> = spread.into_iter().collect();
    all.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    all.truncate(KEPT);
    all.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::one_player::abstraction::tests::level;
    use super::super::way_out::{WayOut, way_out};
    use super::*;
    use crate::engine::mdp::solve;
    use crate::limits::Limits;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;
    use crate::rng::Rng;
    use crate::rules::dungeon::Dungeon;
    use crate::sized;

    #[test]
    fn the_moves_of_a_line_escape_at_least_as_often_as_the_line_and_no_more_than_best_play() {
        let rng = &mut Rng::new(5);
        let limits = Limits::default();
        let few = Limits {
            max_states: Some(50_000),
            ..limits
        };
        let budget = Budget::new(&limits);
        let mut better = 0;
        for _ in 0..sized(60, 1_000) {
            let text = level(rng);
            let mut puzzle = Puzzle::empty();
            assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
            let dungeon = Dungeon::read(&puzzle).unwrap();
            let Ok(mdp) = OnePlayerMdp::new(&dungeon, &budget) else {
                continue;
            };
            let WayOut::Found(line) = way_out(&dungeon, &mdp, &budget) else {
                continue;
            };
            let best = solve(&mdp, &few).upper;
            let least = line.probability * ROUNDED_DOWN * ROUNDED_DOWN;
            let probability = probability(&line, &mdp, &budget).unwrap();
            assert!(least <= probability && probability <= best, "{text}");
            better += u32::from(probability > 2.0 * line.probability);
        }
        assert!(better > 10, "{better}");
    }
}
