//! The MEC quotient of the open nodes, and sweeps over it: the Bellman operator.

mod construction;

use super::graph::{LOST, Lists, WON};
use super::nodes::FIRST_ID;
use crate::limits::{Budget, Limit};

/// The open nodes; all winning nodes are merged into one end, and all losing ones into the other. A
/// node with a single successor is merged with that successor. Each end component is one node, at
/// which the player chooses among the exits.
#[derive(Debug)]
pub(super) struct Quotient {
    /// The quotient's id for each id of the graph; [`LOST`] or [`WON`] for nodes that are not open.
    ids: Vec<u32>,
    lists: Lists,
    by_player: Vec<bool>,
    first: u32,
}

pub(super) const DRAWN: u32 = u32::MAX;

const PIECE: usize = 1 << 12;

impl Quotient {
    pub(super) fn quotient_id(&self, id: u32) -> usize {
        self.ids[id as usize] as usize
    }

    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    pub(super) fn initial_value(&self, values: &[f64]) -> f64 {
        values[self.first as usize]
    }

    /// Returns initial values: those of the two ends, and `open` for all other nodes.
    pub(super) fn values(&self, open: f64, budget: &Budget) -> Result<Vec<f64>, Limit> {
        let mut values = budget.filled(open, self.len())?;
        (values[LOST as usize], values[WON as usize]) = (0.0, 1.0);
        Ok(values)
    }

    pub(super) const fn lists(&self) -> &Lists {
        &self.lists
    }

    pub(super) fn most_draws(&self) -> usize {
        let lists = self.lists.iter().zip(&self.by_player);
        let counts = lists
            .filter(|(_, by_player)| !**by_player)
            .map(|(list, _)| list.len());
        counts.max().unwrap_or(0)
    }

    /// Returns the first successor of each player node; [`DRAWN`] for chance nodes.
    pub(super) fn first_choices(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut choices = budget.filled(DRAWN, self.len())?;
        for (id, choice) in choices
            .iter_mut()
            .enumerate()
            .filter(|&(id, _)| self.by_player[id])
        {
            *choice = self.lists.get(id as u32)[0];
        }
        Ok(choices)
    }

    /// Updates each value, adding `slack` at chance nodes, and each choice if there is a better one. `change` takes the old value
    /// and the new one, and returns the value to keep along with a note. Returns the combined notes.
    pub(super) fn improve<T: Default>(
        &self,
        values: &mut [f64],
        choices: &mut [u32],
        slack: f64,
        budget: &Budget,
        change: impl Fn(&mut T, f64, f64) -> f64,
    ) -> Result<T, Limit> {
        let (mut notes, mut clock) = (T::default(), budget.clock());
        for first in (FIRST_ID as usize..self.len()).step_by(PIECE) {
            let ids = first..self.len().min(first + PIECE);
            clock.work(self.lists.items(&ids))?;
            for id in ids {
                let successors = self.lists.get(id as u32);
                let new = if self.by_player[id] {
                    let (better, new) = improved(choices[id], successors, values);
                    choices[id] = better;
                    new
                } else {
                    (mean(successors, values) + slack).clamp(0.0, 1.0)
                };
                values[id] = change(&mut notes, values[id], new);
            }
        }
        Ok(notes)
    }
}

/// Returns the best choice and its value; keeps the current choice if no other is better.
#[inline]
fn improved(choice: u32, successors: &[u32], values: &[f64]) -> (u32, f64) {
    let chosen = (choice, values[choice as usize]);
    successors.iter().fold(chosen, |best, &next| {
        let value = values[next as usize];
        if value > best.1 { (next, value) } else { best }
    })
}

#[inline]
fn mean(successors: &[u32], values: &[f64]) -> f64 {
    let sum: f64 = successors.iter().map(|&next| values[next as usize]).sum();
    sum / successors.len() as f64
}

#[cfg(test)]
mod tests;
