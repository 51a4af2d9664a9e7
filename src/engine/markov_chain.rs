//! Markov chains for games that are won or lost: the probability of a win, and the average number of turns in won
//! games.
//!
//! Both are solutions of linear equations over the nodes from which the game can be won. A small change in a sweep
//! does not prove that the values are close to the solution, so the sweeps also compute `t`, the average number of
//! nodes still to be visited. If the equations for `t` have residuals of at most `r`, the true value of `t` is at most
//! `t / (1 - r)`. If the other equations have residuals of at most `m`, their solution is off by at most `m` times that
//! value, since each visit adds the residual once.

use super::mdp::Successor;
use crate::limits::{Clock, Limit, Limits};

/// Successors are equally likely; one that is listed twice is twice as likely.
#[derive(Debug, Default)]
pub(crate) struct MarkovChain {
    successors: Vec<Successor>,
    ends: Vec<usize>,
    is_turn: Vec<bool>,
}

/// The result for node 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wins {
    pub probability: [f64; 2],
    /// Bounds on the average number of turns in won games.
    pub turns: [f64; 2],
}

/// The maximum gap between the bounds on the turns, relative to the upper bound.
const WIDTH: f64 = 1e-6;
/// The number of sweeps between two checks of the bounds.
const SWEEPS: usize = 16;
/// The maximum number of successors that all sweeps visit: about a third of a second of work.
const MOST_WORK: u64 = 100_000_000;

#[derive(Clone, Copy, Debug, Default)]
struct Values {
    won: f64,
    /// `won` times the average number of turns in won games.
    turns: f64,
    /// The average number of nodes still to be visited.
    visits: f64,
}

impl MarkovChain {
    pub(crate) const fn bytes(nodes: usize, successors: usize) -> u64 {
        let node = size_of::<usize>() * 2 + size_of::<Values>() + size_of::<u32>() + 2;
        let successor = size_of::<Successor>() + size_of::<u32>();
        (nodes * node + successors * successor) as u64
    }

    pub(crate) fn push(&mut self, successors: &[Successor], is_turn: bool) {
        self.successors.extend_from_slice(successors);
        self.ends.push(self.successors.len());
        self.is_turn.push(is_turn);
    }

    pub(crate) const fn edges(&self) -> usize {
        self.successors.len()
    }

    /// `None` if the game can't be won, or the bounds are still too far apart after many sweeps.
    pub(crate) fn wins(&self, limits: &Limits) -> Result<Option<Wins>, Limit> {
        let mut clock = Clock::new(limits);
        let can_win = self.can_win(&mut clock)?;
        if can_win.first() != Some(&true) {
            return Ok(None);
        }
        let mut values = vec![Values::default(); self.ends.len()];
        let mut work = 0;
        while work < MOST_WORK {
            for _ in 0..SWEEPS {
                // Most successors have larger numbers, because they were found later.
                for node in (0..values.len()).rev().filter(|&node| can_win[node]) {
                    values[node] = self.swept(node, &values);
                }
                clock.work(self.edges() as u64)?;
                work += self.edges() as u64;
            }
            let wins = self.bounds(&can_win, &values);
            if wins.is_some_and(|Wins { turns, .. }| turns[1] - turns[0] <= WIDTH * turns[1]) {
                return Ok(wins);
            }
        }
        Ok(None)
    }

    fn successors(&self, node: usize) -> &[Successor] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.successors[start..self.ends[node]]
    }

    fn can_win(&self, clock: &mut Clock) -> Result<Vec<bool>, Limit> {
        let mut can_win = vec![false; self.ends.len()];
        let mut has_changed = true;
        while has_changed {
            clock.work(self.edges() as u64)?;
            has_changed = false;
            for node in (0..can_win.len()).rev() {
                let is_good = |next: &Successor| match next {
                    Successor::Won => true,
                    Successor::Lost => false,
                    Successor::Node(next) => can_win[*next as usize],
                };
                if !can_win[node] && self.successors(node).iter().any(is_good) {
                    can_win[node] = true;
                    has_changed = true;
                }
            }
        }
        Ok(can_win)
    }

    /// The new values of a node. Nodes from which the game can't be won are treated as ends with values of 0.
    fn swept(&self, node: usize, values: &[Values]) -> Values {
        let successors = self.successors(node);
        let mut sum = Values::default();
        for next in successors {
            match next {
                Successor::Won => sum.won += 1.0,
                Successor::Lost => {}
                Successor::Node(next) => {
                    let then = values[*next as usize];
                    sum.won += then.won;
                    sum.turns += then.turns;
                    sum.visits += then.visits;
                }
            }
        }
        let share = 1.0 / successors.len() as f64;
        let won = sum.won * share;
        let turn = if self.is_turn[node] { won } else { 0.0 };
        Values {
            won,
            turns: sum.turns * share + turn,
            visits: sum.visits * share + 1.0,
        }
    }

    fn bounds(&self, can_win: &[bool], values: &[Values]) -> Option<Wins> {
        let mut misses = Values::default();
        let mut most_visits: f64 = 0.0;
        for node in (0..values.len()).filter(|&node| can_win[node]) {
            let (here, swept) = (values[node], self.swept(node, values));
            misses.won = misses.won.max((swept.won - here.won).abs());
            misses.turns = misses.turns.max((swept.turns - here.turns).abs());
            misses.visits = misses.visits.max((swept.visits - here.visits).abs());
            most_visits = most_visits.max(here.visits);
        }
        if misses.visits > 0.5 {
            return None;
        }
        let visits = |visits: f64| visits / (1.0 - misses.visits);
        let here = values[0];
        let won_off = misses.won * visits(here.visits);
        // At each visit, an error in the probability adds the same amount to the turns.
        let turns_miss = misses.turns + misses.won * visits(most_visits);
        let turns_off = turns_miss * visits(here.visits);
        let probability = [(here.won - won_off).max(0.0), (here.won + won_off).min(1.0)];
        (probability[0] > 0.0).then(|| Wins {
            probability,
            turns: [
                (here.turns - turns_off).max(0.0) / probability[1],
                (here.turns + turns_off) / probability[0],
            ],
        })
    }
}

#[cfg(test)]
mod tests;
