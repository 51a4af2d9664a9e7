//! Bounds from the nodes nearest to the initial one.
//!
//! The MDP is solved twice on these nodes alone. Every other node counts as lost for the lower
//! bound and as won for the upper bound, so both hold for the whole MDP.

use std::collections::{HashSet, VecDeque};

use foldhash::fast::FixedState;

use super::model::{Edited, Mdp, Owner, Successor};
use super::solve::solve_within;
use crate::limits::{Budget, Limit, Limits, bytes};

pub(crate) fn bounds_near<M: Mdp>(
    mdp: &M,
    most: usize,
    budget: &Budget,
) -> Result<[f64; 2], Limit> {
    let taken = budget.taken();
    let bounds = solve_near(mdp, most, budget);
    budget.reset_to(taken);
    bounds
}

fn solve_near<M: Mdp>(mdp: &M, most: usize, budget: &Budget) -> Result<[f64; 2], Limit> {
    let nodes = nearest(mdp, most, budget)?;
    budget.take(set_bytes(&nodes))?;
    // Progress reports must not show bounds for only a part of the MDP.
    let limits = Limits {
        gauge: None,
        ..budget.limits.without(budget.taken())?
    };
    let solve = |beyond| {
        let is_beyond =
            |next: &Successor| matches!(next, Successor::Node(node) if !nodes.contains(node));
        let edit = |_, _: Owner, successors: &mut Vec<Successor>| {
            for next in successors.iter_mut().filter(|next| is_beyond(next)) {
                *next = beyond;
            }
        };
        let part = Edited { mdp, edit };
        let valuation = solve_within(&part, mdp.initial(), &Budget::new(&limits));
        match valuation.limit {
            Some(limit) => Err(limit),
            None => Ok(valuation),
        }
    };
    Ok([solve(Successor::Lost)?.lower, solve(Successor::Won)?.upper])
}

type Nodes = HashSet<u64, FixedState>;

/// The search checks the memory limit each time it has found this many nodes.
const PIECE: usize = 1 << 12;

fn set_bytes(nodes: &Nodes) -> u64 {
    bytes::<u64>(4 * nodes.len())
}

fn nearest<M: Mdp>(mdp: &M, most: usize, budget: &Budget) -> Result<Nodes, Limit> {
    let mut clock = budget.clock();
    let mut nodes = Nodes::default();
    let mut queue = VecDeque::from([mdp.initial()]);
    nodes.insert(mdp.initial());
    let mut successors = Vec::new();
    while let Some(node) = queue.pop_front() {
        successors.clear();
        mdp.successors_within(node, &mut successors, &mut clock)?;
        for successor in &successors {
            clock.work(8)?;
            if let Successor::Node(next) = *successor {
                if nodes.len() >= most {
                    return Ok(nodes);
                }
                if nodes.insert(next) {
                    queue.push_back(next);
                    if nodes.len().is_multiple_of(PIECE) {
                        budget.limits.note_states(nodes.len() as u64);
                        let queue = bytes::<u64>(2 * queue.capacity());
                        budget.check(set_bytes(&nodes) + queue + mdp.bytes())?;
                    }
                }
            }
        }
    }
    Ok(nodes)
}
