//! Markov chains for games that are won or lost: the probability of a win, and the average number of turns in won
//! games.
//!
//! Both are solutions of linear equations over the nodes from which the game can be won. Small residuals alone do not prove that
//! the values are close to the solution. So the solver also computes `t`, the average number of nodes still to be visited. If the
//! equations for `t` have residuals of at most `r`, the true value of `t` is at most `t / (1 - r)`. If the other equations have
//! residuals of at most `m`, their solution is off by at most `m * t / (1 - r)`, since each visit adds one residual.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::mdp::{Equations, Mdp, Owner, Successor};
use crate::limits::{Budget, Clock, Limit, Limits, bytes};

/// A Markov chain. All successors of a node are equally likely; a successor listed twice is twice as likely.
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
/// The residuals that each attempt aims for, before division by the average length of a play.
const TOLERANCES: [f64; 3] = [1e-8, 1e-12, 1e-16];
/// The maximum number of successors in a chain; larger chains are not solved.
const MOST_EDGES: usize = 1 << 23;

/// The solutions of the three systems of equations, for each node that can win.
struct Values {
    won: Vec<f64>,
    /// The probability `won` times the average number of turns in won games.
    turns: Vec<f64>,
    /// The average number of nodes still to be visited.
    visits: Vec<f64>,
}

#[derive(Default)]
struct Met {
    numbers: HashMap<u64, u64, FixedState>,
    nodes: Vec<u64>,
}

impl Met {
    fn number(&mut self, node: u64) -> u64 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u64 - 1
        })
    }
}

impl MarkovChain {
    /// Builds the chain that a strategy leads to. The strategy returns the chosen successor of a player's node, or `None` if the
    /// player can no longer win.
    pub(crate) fn of<M: Mdp>(
        mdp: &M,
        first: u64,
        choice: &dyn Fn(u64) -> Option<usize>,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let (mut chain, mut met) = (Self::default(), Met::default());
        met.number(first);
        let mut clock = Clock::new(limits);
        let mut successors = Vec::new();
        while let Some(&node) = met.nodes.get(chain.ends.len()) {
            limits.check_states(chain.ends.len() as u64 + 1)?;
            successors.clear();
            let owner = mdp.successors_within(node, &mut successors, &mut clock)?;
            if owner == Owner::Player {
                let chosen = choice(node).and_then(|choice| successors.get(choice).copied());
                successors.clear();
                successors.push(chosen.unwrap_or(Successor::Lost));
            }
            for successor in &mut successors {
                if let Successor::Node(node) = successor {
                    *node = met.number(*node);
                }
            }
            chain.push(&successors, owner == Owner::Player);
            // While a table grows, both copies exist, and the new one has twice the capacity.
            let table = bytes::<[u64; 3]>(4 * met.nodes.len());
            let own = Self::bytes(chain.ends.len(), chain.successors.len());
            limits.check_memory(table + 3 * own)?;
        }
        Ok(chain)
    }

    const fn bytes(nodes: usize, successors: usize) -> u64 {
        let vectors = size_of::<[f64; 12]>();
        let node = size_of::<usize>() + vectors + 2 * size_of::<u32>() + 2;
        let successor = size_of::<Successor>() + size_of::<u32>();
        (nodes * node + successors * successor) as u64
    }

    fn push(&mut self, successors: &[Successor], is_turn: bool) {
        self.successors.extend_from_slice(successors);
        self.ends.push(self.successors.len());
        self.is_turn.push(is_turn);
    }

    /// Computes the probability of a win and the turns. Returns `None` if the game can't be won, the chain is too large, or the
    /// bounds are too far apart.
    pub(crate) fn wins(&self, limits: &Limits) -> Result<Option<Wins>, Limit> {
        let budget = Budget::new(limits);
        let can_win = self.can_win(&mut budget.clock())?;
        if can_win.first() != Some(&true) || self.successors.len() > MOST_EDGES {
            return Ok(None);
        }
        let mut equations = self.equations(&can_win, &budget)?;
        let is_turn = self.is_turn.iter().zip(&can_win);
        let is_turn = is_turn.filter_map(|(&is_turn, &can_win)| can_win.then_some(is_turn));
        let is_turn: Vec<bool> = is_turn.collect();
        let none = vec![0.0; is_turn.len()];
        let [won, turns, mut visits] = [none.clone(), none.clone(), none];
        let wins = equations.replace_constants(vec![1.0; visits.len()]);
        equations.solve(&mut visits, 1e-3, &budget)?;
        let miss = equations.error(&visits);
        if miss > 0.5 {
            return Ok(None);
        }
        let most_visits = visits
            .iter()
            .fold(0.0, |most: f64, &visits| most.max(visits));
        let tolerances = TOLERANCES.map(|tolerance| tolerance / (most_visits * visits[0]));
        let mut values = Values { won, turns, visits };
        for tolerance in tolerances {
            equations.replace_constants(wins.clone());
            equations.solve(&mut values.won, tolerance, &budget)?;
            let won_miss = equations.error(&values.won);
            let of_turns = wins_of_turns(&values.won, &is_turn);
            equations.replace_constants(of_turns);
            equations.solve(&mut values.turns, tolerance, &budget)?;
            let misses = [won_miss, equations.error(&values.turns), miss];
            let wins = values.bounds(misses, most_visits);
            if wins.is_some_and(|Wins { turns, .. }| turns[1] - turns[0] <= WIDTH * turns[1]) {
                return Ok(wins);
            }
        }
        Ok(None)
    }

    fn equations(&self, can_win: &[bool], budget: &Budget) -> Result<Equations, Limit> {
        let mut places = Vec::with_capacity(can_win.len());
        let mut count = 0;
        for &can_win in can_win {
            places.push(count);
            count += u32::from(can_win);
        }
        let all = self.successors.len();
        let mut equations = Equations::with_capacity(count as usize, all, budget)?;
        for node in (0..can_win.len()).filter(|&node| can_win[node]) {
            let successors = self.successors(node);
            let share = 1.0 / successors.len() as f64;
            let mut won = 0.0;
            for next in successors {
                match *next {
                    Successor::Won => won += share,
                    Successor::Node(next) if can_win[next as usize] => {
                        equations.item(places[next as usize]);
                    }
                    Successor::Lost | Successor::Node(_) => {}
                }
            }
            equations.finish(share, won);
        }
        Ok(equations)
    }

    fn successors(&self, node: usize) -> &[Successor] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.successors[start..self.ends[node]]
    }

    fn can_win(&self, clock: &mut Clock) -> Result<Vec<bool>, Limit> {
        let mut can_win = vec![false; self.ends.len()];
        let mut has_changed = true;
        while has_changed {
            clock.work(self.successors.len() as u64)?;
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
}

/// Returns, for each node, the probability of a win where a turn begins, and 0 elsewhere.
fn wins_of_turns(won: &[f64], is_turn: &[bool]) -> Vec<f64> {
    let turns = won.iter().zip(is_turn);
    turns
        .map(|(&won, &is_turn)| if is_turn { won } else { 0.0 })
        .collect()
}

impl Values {
    /// Returns the result with its bounds; `misses` are the largest residuals of wins, turns and visits.
    fn bounds(&self, misses: [f64; 3], most_visits: f64) -> Option<Wins> {
        let [won_miss, turns_miss, visits_miss] = misses;
        let visits = |visits: f64| visits / (1.0 - visits_miss);
        let (won, turns) = (self.won[0], self.turns[0]);
        let won_off = won_miss * visits(self.visits[0]);
        // At each visit, an error in the probability adds the same amount to the turns.
        let turns_miss = turns_miss + won_miss * visits(most_visits);
        let turns_off = turns_miss * visits(self.visits[0]);
        let probability = [(won - won_off).max(0.0), (won + won_off).min(1.0)];
        (probability[0] > 0.0).then(|| Wins {
            probability,
            turns: [
                (turns - turns_off).max(0.0) / probability[1],
                (turns + turns_off) / probability[0],
            ],
        })
    }
}

#[cfg(test)]
mod tests;
