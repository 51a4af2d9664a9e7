//! Markov chains for games that are won or lost: the probability of a win, and the average number of turns in won
//! games.
//!
//! Both follow from the solutions of linear equations over the nodes from which the game can be won. To prove that the computed
//! solutions are close to the exact ones, the solver also computes `t`, the average number of nodes still to be visited. If the
//! equations for `t` have residuals of at most `r`, the true value of `t` is at most `t / (1 - r)`. If the other equations have
//! residuals of at most `m`, their solution is off by at most `m * t / (1 - r)`, since each visit adds one residual.

use super::graph::{BackwardGraph, Graph, WON};
use super::linear::Equations;
use super::model::{Edited, Mdp, Owner, Successor};
use super::solve::graph;
use getaway_board::limits::{Bounds, Budget, Limit, Limits, bytes};

/// The Markov chain that an MDP becomes under a strategy. All successors of a node are equally likely.
#[derive(Debug)]
pub struct MarkovChain {
    graph: Graph,
    /// For each id, true if it is a node of the player that begins a turn.
    turns: Vec<bool>,
    first: u32,
    bytes: u64,
}

/// The wins of a [`MarkovChain`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wins {
    /// Bounds on the probability of a win.
    pub probability: Bounds,
    /// Bounds on the average number of turns in won games.
    pub turns: Bounds,
}

/// The maximum gap between the bounds on the turns, relative to the upper bound.
const WIDTH: f64 = 1e-6;
/// The residuals that the attempts aim for, before division by average numbers of visits.
const TOLERANCES: [f64; 3] = [1e-8, 1e-12, 1e-16];
/// The maximum number of edges in a chain; larger chains are not solved.
const MAX_EDGES: usize = 1 << 23;

impl MarkovChain {
    /// Builds the chain under the strategy `choice`, which returns the index of the chosen successor of a player's node, or
    /// `None` if the player can no longer win.
    pub fn of<M: Mdp>(
        mdp: &M,
        first: u64,
        choice: &(dyn Fn(u64) -> Option<usize> + Sync),
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let edit = |node, owner, successors: &mut Vec<Successor>| {
            if owner == Owner::Player {
                let chosen = choice(node).and_then(|choice| successors.get(choice).copied());
                successors.clear();
                successors.push(chosen.unwrap_or(Successor::Lost));
            }
        };
        let budget = Budget::new(limits);
        let (nodes, graph) = graph(&Edited { mdp, edit }, &[first], &budget)?;
        let mut turns = budget.filled(false, graph.len())?;
        for (id, node) in graph.ids().zip(nodes.iter()) {
            turns[id as usize] = graph.owner(id) == Owner::Player && mdp.begins_turn(node);
        }
        Ok(Self {
            graph,
            turns,
            first: nodes.id(first),
            bytes: budget.taken(),
        })
    }

    /// Returns bounds on the probability of a win and on the turns; `None` if the game can't be won, the chain is too large, or
    /// no bounds are found that are close enough.
    pub fn wins(&self, limits: &Limits) -> Result<Option<Wins>, Limit> {
        let budget = Budget::new(limits);
        budget.take(self.bytes)?;
        let can_win = BackwardGraph::of(&self.graph, &budget)?.can_win(&budget)?;
        if !can_win[self.first as usize] || self.edges() > MAX_EDGES {
            return Ok(None);
        }
        let mut ids = budget.with_capacity(self.graph.len())?;
        ids.extend(self.graph.ids().filter(|&id| can_win[id as usize]));
        let first = ids.partition_point(|&id| id < self.first);
        let (mut equations, wins) = self.equations(&ids, &budget)?;
        let mut solve = |x: &mut Vec<f64>, constants: Vec<f64>, tolerance| {
            equations.replace_constants(constants);
            equations.solve(x, tolerance, &budget)?;
            Ok(equations.max_residual(x))
        };
        budget.take(bytes::<[f64; 4]>(ids.len()))?;
        let zeros = || budget.filled(0.0, ids.len());
        let [mut won, mut turns, mut visits] = [zeros()?, zeros()?, zeros()?];
        let residual = solve(&mut visits, vec![1.0; ids.len()], 1e-3)?;
        // The true average number of visits might be more than twice the computed one.
        if residual > 0.5 {
            return Ok(None);
        }
        let max_visits = visits.iter().copied().fold(0.0, f64::max);
        for tolerance in TOLERANCES {
            let tolerance = tolerance / (max_visits * visits[first]);
            let won_residual = solve(&mut won, wins.clone(), tolerance)?;
            let of_turn = |(&id, &won): (&u32, &f64)| {
                if self.turns[id as usize] { won } else { 0.0 }
            };
            let of_turns = ids.iter().zip(&won).map(of_turn).collect();
            let turns_residual = solve(&mut turns, of_turns, tolerance)?;
            let wins = bounds(
                [won[first], won_residual],
                [turns[first], turns_residual],
                [visits[first], max_visits].map(|visits| visits / (1.0 - residual)),
            );
            if wins.is_some_and(|Wins { turns, .. }| turns.width() <= WIDTH * turns.upper) {
                return Ok(wins);
            }
        }
        Ok(None)
    }

    fn edges(&self) -> usize {
        self.graph.edges_from(&(0..self.graph.len() as u32)) as usize
    }

    fn equations(&self, ids: &[u32], budget: &Budget) -> Result<(Equations, Vec<f64>), Limit> {
        let mut places = budget.filled(NONE, self.graph.len())?;
        for (place, &id) in (0..).zip(ids) {
            places[id as usize] = place;
        }
        let mut equations = Equations::with_capacity(ids.len(), self.edges(), budget)?;
        for &id in ids {
            let successors = self.graph.successors(id);
            let share = 1.0 / successors.len() as f64;
            let next = successors.iter().map(|&next| places[next as usize]);
            next.filter(|&next| next != NONE)
                .for_each(|next| equations.add_item(next));
            let won = successors.iter().filter(|&&next| next == WON).count();
            equations.finish(share, won as f64 * share);
        }
        let wins = equations.replace_constants(Vec::new());
        Ok((equations, wins))
    }
}

const NONE: u32 = u32::MAX;

/// Returns bounds from the values `won` and `turns` of the first node and the largest residuals of their equations; `None` if the
/// probability may be 0. `turns` is `won` times the average number of turns in won games; `visits` and `max_visits` bound the
/// average number of nodes visited from the first node and from any node.
fn bounds(
    [won, won_residual]: [f64; 2],
    [turns, turns_residual]: [f64; 2],
    [visits, max_visits]: [f64; 2],
) -> Option<Wins> {
    let won_off = won_residual * visits;
    // At each visit, an error in the probability adds the same amount to the turns.
    let turns_off = (turns_residual + won_residual * max_visits) * visits;
    let probability = Bounds {
        lower: (won - won_off).max(0.0),
        upper: (won + won_off).min(1.0),
    };
    (probability.lower > 0.0).then(|| Wins {
        probability,
        turns: Bounds {
            lower: (turns - turns_off).max(0.0) / probability.upper,
            upper: (turns + turns_off) / probability.lower,
        },
    })
}

#[cfg(test)]
#[path = "markov_chain_tests.rs"]
mod tests;
