//! Decides whether the player wins surely, exploring as few nodes as possible.
//!
//! The sure-winning set is the attractor of the wins. The search starts at the initial node (Liu and Smolka, *Simple linear-time
//! algorithms for minimal fixed points*, 1998). A node counts as outside the set until its successors give reason to include it.
//! For a player node, one successor in the set is enough. A chance node is in the set only if all its successors are, so the
//! search visits another one only after the previous one turns out to be in the set. If chance can always spoil the game, the
//! search therefore lists only a few of the draws.

use std::collections::VecDeque;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::model::{Mdp, Owner, Successor};
use crate::limits::{Budget, Clock, Limit, bytes};

/// Returns whether the player wins surely; `None` if deciding this takes more than `most` nodes.
pub(crate) fn wins_surely<M: Mdp>(
    mdp: &M,
    most: usize,
    budget: &Budget,
) -> Result<Option<bool>, Limit> {
    Search {
        mdp,
        nodes: Vec::new(),
        places: HashMap::default(),
        queue: VecDeque::new(),
        successors: Vec::new(),
        clock: budget.clock(),
    }
    .run(most, budget)
}

struct Node {
    number: u64,
    is_sure: bool,
    waiting: Vec<u32>,
}

struct Search<'a, M> {
    mdp: &'a M,
    nodes: Vec<Node>,
    places: HashMap<u64, u32, FixedState>,
    queue: VecDeque<u32>,
    successors: Vec<Successor>,
    clock: Clock<'a>,
}

/// The number of nodes between two memory checks, and the bytes allowed for each node outside the list of nodes.
const PACE: usize = 1 << 10;
const ROOM: u64 = 64;

impl<M: Mdp> Search<'_, M> {
    fn run(mut self, most: usize, budget: &Budget) -> Result<Option<bool>, Limit> {
        let mut room = 0;
        self.find(self.mdp.initial());
        while let Some(at) = self.queue.pop_front() {
            if !self.nodes[at as usize].is_sure && self.is_sure(at)? {
                let node = &mut self.nodes[at as usize];
                node.is_sure = true;
                self.queue.extend(std::mem::take(&mut node.waiting));
                if at == 0 {
                    return Ok(Some(true));
                }
            }
            if self.nodes.len() > most {
                return Ok(None);
            }
            if self.nodes.len() > room {
                room = self.nodes.len() + PACE;
                budget.check(3 * room as u64 * (bytes::<Node>(1) + ROOM) + self.mdp.bytes())?;
            }
        }
        Ok(Some(false))
    }

    /// Returns whether the node is known to be in the set. If not, it waits for the successors that might change that.
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
        if successors.contains(&Successor::Won) {
            return true;
        }
        for &successor in successors {
            let Successor::Node(number) = successor else {
                continue;
            };
            let next = self.find(number);
            if self.nodes[next as usize].is_sure {
                return true;
            }
            self.nodes[next as usize].waiting.push(at);
        }
        false
    }

    /// Returns whether all draws are known to be in the set. If not, waits for one that isn't, preferably one found earlier.
    fn has_sure_draws(&mut self, at: u32, successors: &[Successor]) -> bool {
        if successors.contains(&Successor::Lost) {
            return false;
        }
        let mut new = None;
        for &successor in successors {
            let Successor::Node(number) = successor else {
                continue;
            };
            match self.places.get(&number).copied() {
                None => new = new.or(Some(number)),
                Some(next) if self.nodes[next as usize].is_sure => {}
                Some(next) => {
                    self.nodes[next as usize].waiting.push(at);
                    return false;
                }
            }
        }
        let Some(number) = new else { return true };
        let next = self.find(number);
        self.nodes[next as usize].waiting.push(at);
        false
    }

    fn find(&mut self, number: u64) -> u32 {
        let at = self.nodes.len() as u32;
        match self.places.entry(number) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                new.insert(at);
                self.nodes.push(Node {
                    number,
                    is_sure: false,
                    waiting: Vec::new(),
                });
                self.queue.push_back(at);
                at
            }
        }
    }
}
