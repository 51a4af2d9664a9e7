//! Bounds from the nodes nearest to the initial one.
//!
//! The MDP is solved twice on these nodes alone. Every other node counts as lost for the lower
//! bound and as won for the upper bound, so both hold for the whole MDP.

use super::model::{Edited, Mdp, Owner, Successor};
use super::nodes::Nodes;
use super::solve::solve_within;
use getaway_board::limits::{Bounds, Budget, Limit, Limits};

/// Returns bounds on the probability of winning, computed on at most `max` nodes, those nearest to the initial one. All others
/// count as lost for the lower bound, and as won for the upper one.
///
/// # Errors
///
/// Returns the limit that was reached.
pub fn bounds_near<M: Mdp>(mdp: &M, max: usize, budget: &Budget) -> Result<Bounds, Limit> {
    let taken = budget.taken();
    let bounds = solve_near(mdp, max, budget);
    budget.reset_to(taken);
    bounds
}

fn solve_near<M: Mdp>(mdp: &M, max: usize, budget: &Budget) -> Result<Bounds, Limit> {
    let nodes =
        Nodes::nearest(mdp, &[mdp.initial()], max as u64, budget).map_err(|(limit, _)| limit)?;
    // Progress reports must not show bounds for only a part of the MDP.
    let limits = Limits {
        progress: None,
        ..budget.limits.without(budget.taken())?
    };
    let is_beyond = |next: &Successor| matches!(next, Successor::Node(node) if !nodes.has(*node));
    let solve = |beyond| {
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
    Ok(Bounds {
        lower: solve(Successor::Lost)?.bounds.lower,
        upper: solve(Successor::Won)?.bounds.upper,
    })
}
