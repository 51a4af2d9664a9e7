//! Decides whether the player wins surely, exploring nodes only when they are needed.
//!
//! A node counts as outside the sure-winning set until its successors give reason to include it (Liu and Smolka, *Simple
//! linear-time algorithms for minimal fixed points*, 1998). At a chance node, the search visits another successor only after the
//! previous one turns out to be in the set.

use std::collections::VecDeque;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::model::{Mdp, Owner, Successor};
use getaway_board::limits::{Budget, Clock, Decision, Limit, bytes};

/// Decides whether the player wins surely; returns [`Decision::Undecided`] if this takes more than `max` nodes.
///
/// # Errors
///
/// Returns the limit that was reached.
pub fn wins_surely<M: Mdp>(mdp: &M, max: usize, budget: &Budget) -> Result<Decision, Limit> {
    SureSearch {
        mdp,
        nodes: Vec::new(),
        indices: HashMap::default(),
        queue: VecDeque::new(),
        successors: Vec::new(),
        clock: budget.clock(),
    }
    .run(max, budget)
}

struct SureNode {
    number: u64,
    is_sure: bool,
    dependents: Vec<u32>,
}

struct SureSearch<'a, M> {
    mdp: &'a M,
    nodes: Vec<SureNode>,
    indices: HashMap<u64, u32, FixedState>,
    queue: VecDeque<u32>,
    successors: Vec<Successor>,
    clock: Clock<'a>,
}

/// The number of nodes between memory checks.
const CHECK_INTERVAL: usize = 1 << 10;
const NODE_OVERHEAD: u64 = 64;

impl<M: Mdp> SureSearch<'_, M> {
    fn run(mut self, max: usize, budget: &Budget) -> Result<Decision, Limit> {
        let mut room = 0;
        self.find_or_add(self.mdp.initial());
        while let Some(at) = self.queue.pop_front() {
            if !self.nodes[at as usize].is_sure && self.is_sure(at)? {
                let node = &mut self.nodes[at as usize];
                node.is_sure = true;
                self.queue.extend(std::mem::take(&mut node.dependents));
                // The initial node was found first.
                if at == 0 {
                    return Ok(Decision::Yes);
                }
            }
            if self.nodes.len() > max {
                return Ok(Decision::Undecided);
            }
            if self.nodes.len() > room {
                room = self.nodes.len() + CHECK_INTERVAL;
                budget.check(
                    3 * room as u64 * (bytes::<SureNode>(1) + NODE_OVERHEAD) + self.mdp.bytes(),
                )?;
            }
        }
        Ok(Decision::No)
    }

    fn is_sure(&mut self, at: u32) -> Result<bool, Limit> {
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let number = self.nodes[at as usize].number;
        let owner = self
            .mdp
            .successors_within(number, &mut successors, &mut self.clock)?;
        self.clock.work(1 + successors.len() as u64)?;
        let is_sure = match owner {
            Owner::Player => self.has_sure_choice(at, &successors),
            Owner::Chance => self.has_sure_draws(at, &successors),
        };
        self.successors = successors;
        Ok(is_sure)
    }

    fn has_sure_choice(&mut self, at: u32, successors: &[Successor]) -> bool {
        successors.contains(&Successor::Won)
            || numbers(successors).any(|number| self.is_sure_or_awaited(at, number))
    }

    /// Returns whether all successors of a chance node are in the set. If not, and none of them is lost, the node waits for one
    /// that is not in the set, preferably one found earlier.
    fn has_sure_draws(&mut self, at: u32, successors: &[Successor]) -> bool {
        if successors.contains(&Successor::Lost) {
            return false;
        }
        let place = |number: &u64| self.indices.get(number);
        let is_unsure =
            |number: &u64| place(number).is_none_or(|&next| !self.nodes[next as usize].is_sure);
        let mut unsure = numbers(successors).filter(is_unsure);
        let known = unsure.clone().find(|number| place(number).is_some());
        let awaited = known.or_else(|| unsure.next());
        awaited.is_none_or(|number| self.is_sure_or_awaited(at, number))
    }

    fn is_sure_or_awaited(&mut self, at: u32, number: u64) -> bool {
        let next = self.find_or_add(number);
        let next = &mut self.nodes[next as usize];
        if !next.is_sure {
            next.dependents.push(at);
        }
        next.is_sure
    }

    fn find_or_add(&mut self, number: u64) -> u32 {
        let at = self.nodes.len() as u32;
        match self.indices.entry(number) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                new.insert(at);
                self.nodes.push(SureNode {
                    number,
                    is_sure: false,
                    dependents: Vec::new(),
                });
                self.queue.push_back(at);
                at
            }
        }
    }
}

fn numbers(successors: &[Successor]) -> impl Iterator<Item = u64> + Clone {
    successors.iter().filter_map(|successor| match successor {
        Successor::Node(number) => Some(*number),
        Successor::Won | Successor::Lost => None,
    })
}
