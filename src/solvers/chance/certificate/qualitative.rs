//! Properties of positions that do not depend on probabilities.

use super::super::graph::{GameGraph, Node};
use crate::limits::{Budget, Limit};

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

/// Returns, for each position, the number of turns within which the player can escape whatever the draws; `None` if it can't.
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
