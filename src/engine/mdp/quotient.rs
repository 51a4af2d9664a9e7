//! The MEC quotient of what the qualitative result left open, and sweeps over it.

mod blocks;
mod construction;

use std::ops::Range;

use self::blocks::{Block, Blocks, Window};
use super::bellman::BellmanOperator;
use super::graph::{LOST, WON};
use super::nodes::FIRST_ID;
use crate::limits::{Budget, Limit};

/// The open nodes, with the winning and losing ones merged into the two ends: a node with a single
/// successor is merged with that, and each end component is one node, at which the player chooses
/// among the exits.
///
/// The nodes come in the blocks of the MDP. In each of these, a node comes after those that it leads to, as far as its
/// number has it so; otherwise nodes with the same owner and as many successors are next to one another: they make a
/// run, and a sweep goes through it in a tight loop.
#[derive(Debug)]
pub(super) struct Quotient {
    /// For each id of the graph its id in the quotient; [`LOST`] or [`WON`] where it is not open.
    ids: Vec<u32>,
    runs: Vec<Run>,
    /// The successors of all nodes, in order.
    items: Vec<u32>,
    blocks: Blocks,
    len: usize,
    /// The initial node's id in the quotient.
    first: u32,
}

/// Consecutive nodes of one shape.
#[derive(Clone, Copy, Debug)]
struct Run {
    shape: Shape,
    /// The id of the first, and the id after the last.
    ids: (u32, u32),
    /// Where in the items their successors begin.
    first: usize,
}

/// Who owns a node, how many successors it has, and whether all of these are in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    by_player: bool,
    successors: u32,
    is_local: bool,
}

/// Stands for the player's choice at a node of chance.
pub(super) const DRAWN: u32 = u32::MAX;

/// The most nodes of a run: a sweep can stop after each run.
const LONGEST: u32 = 1 << 12;

impl Quotient {
    /// The id in the quotient of this id of the graph.
    pub(super) fn quotient_id(&self, id: u32) -> usize {
        self.ids[id as usize] as usize
    }

    /// Where among all items the successors of each node begin, by its id; one more than there are nodes.
    pub(super) fn starts(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut clock = budget.clock();
        let mut starts = budget.with_capacity(self.len + 1)?;
        starts.resize(FIRST_ID as usize, 0);
        for run in &self.runs {
            clock.work(run.ids().len() as u64)?;
            let count = run.shape.successors as usize;
            let all = run.ids().enumerate();
            starts.extend(all.map(|(nth, _)| (run.first + nth * count) as u32));
        }
        starts.push(self.items.len() as u32);
        Ok(starts)
    }

    /// The successors of all nodes, as [`Quotient::starts`] has it.
    pub(super) fn all_items(&self) -> &[u32] {
        &self.items
    }

    /// The most successors that a node of chance has.
    pub(super) fn most_draws(&self) -> usize {
        let runs = self.runs.iter().filter(|run| !run.shape.by_player);
        let counts = runs.map(|run| run.shape.successors as usize);
        counts.max().unwrap_or(0)
    }

    /// For each of the player's nodes its first successor, and [`DRAWN`] for all others.
    pub(super) fn first_choices(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut choices = budget.filled(DRAWN, self.len)?;
        for run in self.runs.iter().filter(|run| run.shape.by_player) {
            let lists = self.items[run.items()].chunks_exact(run.shape.successors as usize);
            for (id, successors) in run.ids().zip(lists) {
                choices[id] = successors[0];
            }
        }
        Ok(choices)
    }

    /// Updates each value in turn by those of its successors, to which `slack` is added where chance draws, and each
    /// choice where there is a better one. `change` gets the old value and the new one, and returns the one to keep; it
    /// may take notes, which are returned for one block after the other.
    pub(super) fn improve<T: Default + Send>(
        &self,
        values: &mut [[f64; 1]],
        choices: &mut [u32],
        slack: f64,
        budget: &Budget,
        change: impl Fn(&mut T, f64, f64) -> f64 + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut rest = &mut choices[FIRST_ID as usize..];
        let own = |block: &Block| {
            let choices = rest.split_off_mut(..block.ids.len());
            (choices.expect("each node is in a block"), T::default())
        };
        let mut own: Vec<_> = self.blocks.all.iter().map(own).collect();
        self.blocks
            .for_each(values, &mut own, |block, mut window, (choices, notes)| {
                let mut clock = budget.clock();
                for run in &self.runs[block.runs.clone()] {
                    let items = &self.items[run.items()];
                    clock.work(items.len() as u64)?;
                    if !run.shape.by_player {
                        let draw = |[old]: [f64; 1], [mean]: [f64; 1]| {
                            [change(notes, old, (mean + slack).clamp(0.0, 1.0))]
                        };
                        self.sweep_run(run, &mut window, draw);
                        continue;
                    }
                    let choices = &mut choices[run.ids().start - block.ids.start..];
                    let lists = items.chunks_exact(run.shape.successors as usize);
                    for ((at, successors), choice) in run.ids().zip(lists).zip(choices) {
                        let new;
                        (*choice, new) = improved(*choice, successors, |id| window.any(id)[0]);
                        window.change(at, |[old]| [change(notes, old, new)]);
                    }
                }
                Ok(())
            })?;
        Ok(own.into_iter().map(|(_, notes)| notes).collect())
    }

    fn sweep_run<const N: usize>(
        &self,
        run: &Run,
        window: &mut Window<N>,
        change: impl FnMut([f64; N], [f64; N]) -> [f64; N],
    ) {
        let items = &self.items[run.items()];
        // A length known at compile time lets the loop be unrolled.
        match run.shape.successors {
            2 => run.sweep(items.as_chunks::<2>().0.iter(), window, change),
            3 => run.sweep(items.as_chunks::<3>().0.iter(), window, change),
            4 => run.sweep(items.as_chunks::<4>().0.iter(), window, change),
            5 => run.sweep(items.as_chunks::<5>().0.iter(), window, change),
            count => run.sweep(items.chunks_exact(count as usize), window, change),
        }
    }
}

impl BellmanOperator for Quotient {
    fn len(&self) -> usize {
        self.len
    }

    fn threads(&self) -> usize {
        self.blocks.threads
    }

    fn known(&self, state: usize) -> Option<f64> {
        match state as u32 {
            LOST => Some(0.0),
            WON => Some(1.0),
            _ => None,
        }
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        values[self.first as usize]
    }

    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        _which: (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit> {
        let mut notes = Vec::new();
        notes.resize_with(self.blocks.all.len(), T::default);
        self.blocks
            .for_each(values, &mut notes, |block, mut window, notes| {
                let mut clock = budget.clock();
                for run in &self.runs[block.runs.clone()] {
                    clock.work(run.items().len() as u64)?;
                    self.sweep_run(run, &mut window, |old, new| change(notes, old, new));
                }
                Ok(())
            })?;
        Ok(notes)
    }
}

impl Run {
    fn ids(&self) -> Range<usize> {
        self.ids.0 as usize..self.ids.1 as usize
    }

    /// Where the successors of its nodes are.
    fn items(&self) -> Range<usize> {
        self.first..self.first + self.ids().len() * self.shape.successors as usize
    }

    /// Sweeps over its nodes, whose successors are in `lists`.
    fn sweep<const N: usize>(
        &self,
        lists: impl Iterator<Item: AsRef<[u32]>>,
        window: &mut Window<N>,
        change: impl FnMut([f64; N], [f64; N]) -> [f64; N],
    ) {
        if self.shape.is_local {
            self.sweep_reading(lists, window, Window::own, change);
        } else {
            self.sweep_reading(lists, window, Window::any, change);
        }
    }

    #[inline]
    fn sweep_reading<'w, const N: usize>(
        &self,
        lists: impl Iterator<Item: AsRef<[u32]>>,
        window: &mut Window<'w, N>,
        read: impl Fn(&Window<'w, N>, u32) -> [f64; N],
        mut change: impl FnMut([f64; N], [f64; N]) -> [f64; N],
    ) {
        if self.shape.by_player {
            for (at, successors) in self.ids().zip(lists) {
                let new = best(successors.as_ref(), |id| read(window, id));
                window.change(at, |old| change(old, new));
            }
        } else {
            for (at, successors) in self.ids().zip(lists) {
                let new = mean(successors.as_ref(), |id| read(window, id));
                window.change(at, |old| change(old, new));
            }
        }
    }
}

/// The successor with the greatest value, which is the one chosen so far if none is better; and that value.
#[inline]
fn improved(choice: u32, successors: &[u32], value: impl Fn(u32) -> f64) -> (u32, f64) {
    let chosen = (choice, value(choice));
    successors.iter().fold(chosen, |best, &next| {
        let value = value(next);
        if value > best.1 { (next, value) } else { best }
    })
}

#[inline]
fn best<const N: usize>(successors: &[u32], value: impl Fn(u32) -> [f64; N]) -> [f64; N] {
    successors.iter().fold([0.0; N], |best, &next| {
        let value = value(next);
        std::array::from_fn(|i| {
            if value[i] > best[i] {
                value[i]
            } else {
                best[i]
            }
        })
    })
}

#[inline]
fn mean<const N: usize>(successors: &[u32], value: impl Fn(u32) -> [f64; N]) -> [f64; N] {
    let sum = successors.iter().fold([0.0; N], |sum, &next| {
        let value = value(next);
        std::array::from_fn(|i| sum[i] + value[i])
    });
    let count = successors.len() as f64;
    sum.map(|sum| sum / count)
}

#[cfg(test)]
mod tests {
    use super::super::tests::long_walk;
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn nodes_of_one_shape_are_one_run() {
        let limits = Limits::default();
        let walk = long_walk(&Budget::new(&limits));
        assert!(
            walk.len > 290 && walk.runs.len() < 10,
            "{}",
            walk.runs.len()
        );
    }

    #[test]
    fn a_choice_is_kept_unless_there_is_a_better_one() {
        let value = |id: u32| [0.0, 0.5, 0.25, 0.5][id as usize];
        assert_eq!(improved(1, &[1, 2, 3], value).0, 1);
        assert_eq!(improved(3, &[1, 2, 3], value).0, 3);
        let (choice, best) = improved(2, &[2, 3, 1], value);
        assert_eq!((choice, best.to_bits()), (3, 0.5_f64.to_bits()));
    }
}
