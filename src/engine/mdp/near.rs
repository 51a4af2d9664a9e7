//! Bounds from the nodes nearest to the initial one.
//!
//! The MDP is solved twice on these nodes alone. Every other node counts as lost for the lower
//! bound and as won for the upper bound, so both hold for the whole MDP.

use std::collections::{HashSet, VecDeque};

use foldhash::fast::FixedState;

use super::model::{Mdp, Redirected, Successor};
use super::solve::solve_within;
use crate::limits::{Budget, Limit, bytes};

/// Bounds computed from the `most` nearest nodes.
pub(crate) fn bounds_near<M: Mdp>(
    mdp: &M,
    most: usize,
    budget: &Budget,
) -> Result<[f64; 2], Limit> {
    let taken = budget.taken();
    let nodes = nearest(mdp, most, budget)?;
    budget.take(bytes::<u64>(4 * nodes.len()) + mdp.bytes())?;
    let solve = |beyond| {
        let part = Redirected {
            mdp,
            initial: mdp.initial(),
            redirect: |next| match next {
                Successor::Node(node) if !nodes.contains(&node) => beyond,
                next => next,
            },
        };
        let taken = budget.taken();
        let valuation = solve_within(&part, budget);
        budget.reset_to(taken);
        match valuation.limit {
            Some(limit) => Err(limit),
            None => Ok(valuation),
        }
    };
    let bounds = [solve(Successor::Lost)?.lower, solve(Successor::Won)?.upper];
    budget.reset_to(taken);
    Ok(bounds)
}

type Nodes = HashSet<u64, FixedState>;

/// The first nodes of a breadth-first search.
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
                }
            }
        }
    }
    Ok(nodes)
}
