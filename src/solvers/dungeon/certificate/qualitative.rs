//! What the table alone can tell of each position, without probabilities.

use super::table::{Node, Table};
use crate::limits::{Budget, Limit};

/// Goes through all positions, the last ones first, as long as `change` changes something.
pub fn until_nothing_changes(
    table: &Table,
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

/// From which positions the player can escape with luck.
pub fn hopeful(table: &Table, budget: &Budget) -> Result<Vec<bool>, Limit> {
    let mut hopeful = budget.filled(false, table.len())?;
    until_nothing_changes(table, budget, |position| {
        if hopeful[position] {
            return false;
        }
        let is_hopeless = |node| match node {
            Node::Escaped => false,
            Node::Position(number) => !hopeful[number],
            _ => true,
        };
        let mut moves = table.moves(position).iter();
        hopeful[position] = moves.any(|mv| !table.all(*mv, &is_hopeless));
        hopeful[position]
    })?;
    Ok(hopeful)
}

/// From which positions the player escapes with probability 1: the largest set in which he can always stay and yet get out
/// with luck.
pub fn almost_sure(table: &Table, budget: &Budget) -> Result<Vec<bool>, Limit> {
    let mut inside = budget.filled(true, table.len())?;
    let mut next = budget.filled(false, table.len())?;
    loop {
        lucky_within(table, &inside, budget, &mut next)?;
        if next == inside {
            budget.free(next);
            return Ok(inside);
        }
        inside.copy_from_slice(&next);
    }
}

/// From which positions of a set the player can escape with luck, by moves that never lead out of the set but to an
/// escape.
fn lucky_within(
    table: &Table,
    inside: &[bool],
    budget: &Budget,
    lucky: &mut [bool],
) -> Result<(), Limit> {
    lucky.fill(false);
    let stays = |node| match node {
        Node::Position(number) => inside[number],
        node => node == Node::Escaped,
    };
    let stays = table.joined(stays, |one, other| one && other, budget)?;
    until_nothing_changes(table, budget, |position| {
        if lucky[position] || !inside[position] {
            return false;
        }
        let is_luckless = |node| match node {
            Node::Position(number) => !lucky[number],
            node => node == Node::Caught,
        };
        let mut moves = table.moves(position).iter();
        lucky[position] = moves.any(|mv| stays.at(*mv) && !table.all(*mv, &is_luckless));
        lucky[position]
    })?;
    budget.free(stays.draws);
    Ok(())
}

/// In how many turns the player can be out of each position whatever happens.
pub fn turns(table: &Table, budget: &Budget) -> Result<Vec<Option<u64>>, Limit> {
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
