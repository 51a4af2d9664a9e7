//! The MEC quotient of the open nodes, and sweeps over it: the Bellman operator.

mod construction;
mod waves;

use std::ops::Range;

use self::waves::{Window, windows};
use super::graph::{LOST, Lists, WON};
use super::nodes::FIRST_ID;
use crate::limits::{Budget, Limit};
use rayon::prelude::*;

/// The open nodes; all winning nodes are merged into one end, and all losing ones into the other. A
/// node with a single successor is merged with that successor. Each end component is one node, at
/// which the player chooses among the exits.
///
/// Successive blocks form a *wave* if none of them leads to another. They can be swept in any
/// order, or in parallel, with the same result.
#[derive(Debug)]
pub(super) struct Quotient {
    /// The quotient's id for each id of the graph; [`LOST`] or [`WON`] for nodes that are not open.
    ids: Vec<u32>,
    lists: Lists,
    by_player: Vec<bool>,
    blocks: Vec<Range<usize>>,
    waves: Vec<Range<usize>>,
    threads: usize,
    first: u32,
}

pub(super) const DRAWN: u32 = u32::MAX;

const PIECE: usize = 1 << 12;

const FEW: usize = if cfg!(test) { 1 } else { 1 << 15 };

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

    /// The initial values: the ends have theirs, and all other nodes have `open`.
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

    /// The first successor of each player node; [`DRAWN`] for chance nodes.
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

    /// Updates each value, adding `slack` at chance nodes, and each choice if there is a better one. `change`
    /// takes the old value and the new one, and returns the one to keep. Returns the notes of `change` block by
    /// block.
    pub(super) fn improve<T: Default + Send>(
        &self,
        values: &mut [f64],
        choices: &mut [u32],
        slack: f64,
        budget: &Budget,
        change: impl Fn(&mut T, f64, f64) -> f64 + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut rest = &mut choices[FIRST_ID as usize..];
        let own = |block: &Range<usize>| {
            let choices = rest.split_off_mut(..block.len());
            let choices = choices.expect("each node is in a block");
            (choices.iter_mut(), T::default())
        };
        let mut own: Vec<_> = self.blocks.iter().map(own).collect();
        self.sweep_nodes(values, &mut own, budget, |(choices, notes), window, id| {
            let choice = choices.next().expect("each node has a choice");
            let successors = self.lists.get(id as u32);
            let new = if self.by_player[id] {
                let (better, new) = improved(*choice, successors, |id| window.value(id));
                *choice = better;
                new
            } else {
                (mean(successors, |id| window.value(id)) + slack).clamp(0.0, 1.0)
            };
            window.change(id, |old| change(notes, old, new));
        })?;
        Ok(own.into_iter().map(|(_, notes)| notes).collect())
    }

    fn sweep_nodes<T: Send>(
        &self,
        values: &mut [f64],
        own: &mut [T],
        budget: &Budget,
        update: impl Fn(&mut T, &mut Window, usize) + Sync,
    ) -> Result<(), Limit> {
        let sweep = |block: &Range<usize>, mut window: Window, own: &mut T| {
            let mut clock = budget.clock();
            for first in block.clone().step_by(PIECE) {
                let ids = first..block.end.min(first + PIECE);
                clock.work(self.lists.items(&ids))?;
                ids.for_each(|id| update(own, &mut window, id));
            }
            Ok(())
        };
        for wave in &self.waves {
            let (blocks, own) = (&self.blocks[wave.clone()], &mut own[wave.clone()]);
            let len = blocks.iter().map(ExactSizeIterator::len).sum::<usize>();
            if self.threads > 1 && blocks.len() > 1 && len >= FEW {
                let all = windows(values, blocks).into_par_iter().zip(blocks).zip(own);
                all.with_max_len(1)
                    .try_for_each(|((window, block), own)| sweep(block, window, own))?;
            } else {
                let mut all = blocks.iter().zip(own);
                all.try_for_each(|(block, own)| sweep(block, Window::of_all(values), own))?;
            }
        }
        Ok(())
    }
}

/// Keeps the current choice if no other is better.
#[inline]
fn improved(choice: u32, successors: &[u32], value: impl Fn(u32) -> f64) -> (u32, f64) {
    let chosen = (choice, value(choice));
    successors.iter().fold(chosen, |best, &next| {
        let value = value(next);
        if value > best.1 { (next, value) } else { best }
    })
}

#[inline]
fn mean(successors: &[u32], value: impl Fn(u32) -> f64) -> f64 {
    let sum: f64 = successors.iter().map(|&next| value(next)).sum();
    sum / successors.len() as f64
}

#[cfg(test)]
mod tests;
