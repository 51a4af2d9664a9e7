//! Properties of positions that do not depend on probabilities.

use super::super::graph::{GameGraph, Node};
use crate::limits::{Budget, Limit};

/// Calls `change` for all positions, from last to first, until nothing changes.
pub fn until_nothing_changes(
    table: &GameGraph,
    budget: &Budget,
    mut change: impl FnMut(usize) -> bool,
) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for position in (0..table.len()).rev() {
            clock.work(64)?;
            has_changed |= change(position);
        }
    }
    Ok(())
}

/// True for positions from which luck can lead to an escape.
pub fn hopeful(table: &GameGraph, budget: &Budget) -> Result<Vec<bool>, Limit> {
    lucky(table, |_, _| true, budget)
}

/// True for positions with escape probability 1: the largest set in which the player can stay while luck can still lead
/// to an escape.
pub fn almost_sure(table: &GameGraph, budget: &Budget) -> Result<Vec<bool>, Limit> {
    let mut inside = budget.filled(true, table.len())?;
    loop {
        let stays = |node| match node {
            Node::Position(number) => inside[number],
            node => node == Node::Escaped,
        };
        let stays = table.joined(stays, |one, other| one && other, budget)?;
        let next = lucky(
            table,
            |position, mv| inside[position] && stays.at(mv),
            budget,
        )?;
        budget.free(stays.draws);
        let is_done = next == inside;
        budget.free(std::mem::replace(&mut inside, next));
        if is_done {
            return Ok(inside);
        }
    }
}

/// Like [`hopeful`], but with `allowed` moves only.
fn lucky(
    table: &GameGraph,
    allowed: impl Fn(usize, Node) -> bool,
    budget: &Budget,
) -> Result<Vec<bool>, Limit> {
    let mut lucky = budget.filled(false, table.len())?;
    until_nothing_changes(table, budget, |position| {
        if lucky[position] {
            return false;
        }
        let is_luckless = |node| match node {
            Node::Position(number) => !lucky[number],
            node => node == Node::Caught,
        };
        let mut moves = table.moves(position).iter();
        lucky[position] = moves.any(|&mv| allowed(position, mv) && !table.all(mv, &is_luckless));
        lucky[position]
    })?;
    Ok(lucky)
}

/// The number of turns within which the player can escape whatever happens.
pub fn turns(table: &GameGraph, budget: &Budget) -> Result<Vec<Option<u64>>, Limit> {
    let mut turns: Vec<Option<u64>> = budget.filled(None, table.len())?;
    until_nothing_changes(table, budget, |position| {
        let moves = table.moves(position).iter();
        let within = moves.filter_map(|mv| {
            let mut most = Some(0);
            table.each(*mv, &mut |node| {
                let rest = match node {
                    Node::Escaped => Some(0),
                    Node::Position(number) => turns[number],
                    _ => None,
                };
                most = most
                    .zip(rest)
                    .map(|(most, rest): (u64, u64)| most.max(rest));
            });
            most
        });
        let fewest = within.min().map(|turns| turns + 1);
        let has_changed = fewest.is_some() && turns[position].is_none_or(|now| fewest < Some(now));
        if has_changed {
            turns[position] = fewest;
        }
        has_changed
    })?;
    Ok(turns)
}
