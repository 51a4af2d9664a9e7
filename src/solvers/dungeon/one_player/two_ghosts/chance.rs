//! What chance has to do so that the player gets out.

use std::collections::HashSet;
use std::vec::IntoIter;

use super::super::OnePlayerMdp;
use super::super::code::Phase;
use super::{Budget, Limit};
use crate::engine::mdp::{Mdp, Successor};

/// How many small steps one node takes.
const WEIGHT: usize = 64;

/// The nodes after `from`, at which chance decides, as far as one of the player's for which `is_goal`
/// holds; `None` if no chance leads to such a node within the turn.
///
/// The first way that is found will do: there may be as many as pairs of tiles.
pub(super) fn path_to(
    mdp: &OnePlayerMdp,
    from: u64,
    is_goal: impl Fn(u64) -> bool,
    budget: &Budget,
) -> Result<Option<Vec<u64>>, Limit> {
    let mut clock = budget.clock();
    let mut seen = HashSet::from([from]);
    let (mut way, mut left) = (Vec::new(), vec![successors(mdp, from)]);
    while let Some(nexts_here) = left.last_mut() {
        let Some(next) = nexts_here.next() else {
            left.pop();
            way.pop();
            continue;
        };
        let Successor::Node(number) = next else {
            continue;
        };
        if !seen.insert(number) {
            continue;
        }
        clock.work(WEIGHT as u64)?;
        if mdp.unpack(number).phase == Phase::Adversaries {
            way.push(number);
            left.push(successors(mdp, number));
        } else if is_goal(number) {
            way.push(number);
            return Ok(Some(way));
        }
    }
    Ok(None)
}

fn successors(mdp: &OnePlayerMdp, node: u64) -> IntoIter<Successor> {
    let mut successors = Vec::new();
    mdp.successors(node, &mut successors);
    successors.into_iter()
}
