//! Finds a way out for a lucky player, which decides the verdict on a level long before its probability is known.
//!
//! This is a greedy best-first search that treats the draws as if the player decided them too. It prefers nodes with fewer steps
//! to go. But many nodes differ only in the tiles of adversaries that do not matter. So the search counts each pair of the
//! player's position and an adversary's tile. The more often a node's rarest pair has come up, the longer the node is delayed
//! (novelty, as in Lipovetzky and Geffner, *Best-first width search*, 2017). Without this delay, levels with two ghosts take a
//! hundred times as many nodes.
//!
//! With several ghosts in large rooms the search gives up nonetheless. Then games are played in which the player hurries to the
//! exit, and the first one that escapes is the way out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::line_record::escaping_line;
use super::witness::Witness;
use getaway_board::limits::{Bounds, Budget, Limit, bytes};
use getaway_chance::{Mdp, Successor};
use getaway_models::{DungeonMdp, Phase};
use getaway_play::solution::LuckyLine;
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::{Outcome, Ruleset, legal};

/// The maximum size of a brief search: each node counts 2, plus 1 for each mobile adversary. A search of this size takes a
/// fraction of a second and about 50 MB. Nearly all levels take a hundredth of that.
const MAX: usize = 1 << 20;

/// The maximum number of games that are played after a search gives up, and the maximum number of turns of each.
const GAMES: u64 = 200;
const TURNS: usize = 200;

const WORK: u64 = 128;

/// The delay, in steps, for each doubling of the count of a node's rarest pair.
const STEPS_PER_DOUBLING: u32 = 2;

/// The number of nodes added between two memory checks.
const PACE: usize = 256;

/// The approximate maximum number of bytes of an entry. With a single player, a new node adds one to the queue, one to `found`,
/// and at most one for each mobile adversary to `encounters`.
const MAX_BYTES_EACH: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum WayOut {
    /// A way out exists; this line is legal under the rules.
    Found(Box<LuckyLine>),
    None(u64),
    Unknown,
}

/// Searches briefly for a way out. A limit that ends the search gives `Unknown` and is not reported, because the next search
/// reaches it again.
pub(super) fn way_out(dungeon: &Dungeon, mdp: &DungeonMdp, budget: &Budget) -> WayOut {
    let max_nodes = MAX / (2 + mdp.mobile_count());
    search(dungeon, mdp, max_nodes, budget).unwrap_or(WayOut::Unknown)
}

/// Searches for a way out among at most `max_nodes` nodes. If it gives up, plays games instead.
pub(super) fn search(
    dungeon: &Dungeon,
    mdp: &DungeonMdp,
    max_nodes: usize,
    budget: &Budget,
) -> Result<WayOut, Limit> {
    let taken = budget.taken();
    let found = WayOutSearch::new(mdp, max_nodes, budget).path();
    budget.reset_to(taken);
    let way = match found {
        Ok(FoundPath::To(path)) => {
            Witness::line(dungeon, mdp, &path, budget.limits).map(|line| by_line(line, budget))
        }
        Ok(FoundPath::None(nodes)) => Ok(WayOut::None(nodes)),
        Ok(FoundPath::GivenUp) => {
            let hurried = |at: &State| hurried_move(dungeon, mdp, at);
            let line = escaping_line(dungeon, hurried, GAMES, TURNS, budget.limits);
            Ok(by_line(line, budget))
        }
        Err(limit) => Err(limit),
    };
    // Node numbers must not depend on this search.
    mdp.forget();
    way
}

fn by_line(line: Option<LuckyLine>, budget: &Budget) -> WayOut {
    line.map_or(WayOut::Unknown, |line| {
        budget.limits.note_bounds(Bounds {
            lower: line.probability,
            upper: 1.0,
        });
        WayOut::Found(Box::new(line))
    })
}

/// Returns the move that leaves the fewest steps to go if no adversary is in the way.
fn hurried_move(dungeon: &Dungeon, mdp: &DungeonMdp, at: &State) -> Move {
    let steps = |&mv: &Move| {
        let mut then = at.clone();
        match dungeon.act(&mut then, mv, &mut ()) {
            Some(Outcome::Escaped) => 0,
            Some(Outcome::Caught(_)) => u32::MAX,
            None => {
                let node = mdp.number(&then, Phase::Player, &[]);
                node.map_or(u32::MAX, |node| mdp.steps_to_go(node, &mut Vec::new()))
            }
        }
    };
    let moves = legal(dungeon, at).into_iter();
    moves.min_by_key(steps).unwrap_or(Move::STAY)
}

#[derive(Debug, PartialEq)]
enum FoundPath {
    /// The path to the win: all nodes up to the last one before it, including those with a ghost in transit.
    To(Vec<u64>),
    None(u64),
    GivenUp,
}

struct WayOutSearch<'a> {
    mdp: &'a DungeonMdp,
    budget: &'a Budget<'a>,
    max_nodes: usize,
    /// The parent of each node found; the first node is its own parent.
    found: HashMap<u64, u64, FixedState>,
    /// The nodes to visit: the lowest estimate first, and among equals the newest first.
    queue: BinaryHeap<(Reverse<u32>, u32, u64)>,
    encounters: HashMap<u64, u32, FixedState>,
    scratch: Vec<u64>,
}

impl<'a> WayOutSearch<'a> {
    fn new(mdp: &'a DungeonMdp, max_nodes: usize, budget: &'a Budget) -> Self {
        Self {
            mdp,
            budget,
            max_nodes,
            found: HashMap::default(),
            queue: BinaryHeap::new(),
            encounters: HashMap::default(),
            scratch: Vec::new(),
        }
    }

    fn path(mut self) -> Result<FoundPath, Limit> {
        let mut clock = self.budget.clock();
        let mut successors = Vec::new();
        let first = self.mdp.initial();
        self.note(first, first)?;
        while let Some((.., node)) = self.queue.pop() {
            successors.clear();
            self.mdp
                .successors_within(node, &mut successors, &mut clock)?;
            for &successor in &successors {
                clock.work(WORK)?;
                match successor {
                    Successor::Won => return Ok(FoundPath::To(self.path_to(node))),
                    Successor::Lost => {}
                    Successor::Node(_) if self.found.len() >= self.max_nodes => {
                        return Ok(FoundPath::GivenUp);
                    }
                    Successor::Node(next) => self.note(next, node)?,
                }
            }
        }
        Ok(FoundPath::None(self.found.len() as u64))
    }

    fn note(&mut self, node: u64, before: u64) -> Result<(), Limit> {
        if self.found.len().is_multiple_of(PACE) {
            self.check_memory()?;
        }
        let number = self.found.len() as u32;
        if let Entry::Vacant(entry) = self.found.entry(node) {
            entry.insert(before);
            let estimate = self.estimate(node);
            self.queue.push((Reverse(estimate), number, node));
        }
        Ok(())
    }

    fn estimate(&mut self, node: u64) -> u32 {
        self.scratch.clear();
        let steps = self.mdp.steps_to_go(node, &mut self.scratch);
        let times = self.scratch.iter().map(|&encounter| {
            let times = self.encounters.entry(encounter).or_default();
            *times += 1;
            *times - 1
        });
        let doublings = times
            .min()
            .map_or(0, |rarest| u32::BITS - rarest.leading_zeros());
        steps + STEPS_PER_DOUBLING * doublings
    }

    fn check_memory(&self) -> Result<(), Limit> {
        let queue = bytes::<(Reverse<u32>, u32, u64)>(self.queue.capacity());
        let tables = self.found.allocation_size() + self.encounters.allocation_size();
        let room = PACE * (2 + self.mdp.mobile_count()) * MAX_BYTES_EACH;
        // While a list or table grows, the old one still exists, and the new one is twice as large.
        self.budget
            .check(3 * (queue + tables as u64) + room as u64 + self.mdp.bytes())
    }

    fn path_to(&self, last: u64) -> Vec<u64> {
        let before = |&node: &u64| Some(self.found[&node]).filter(|&before| before != node);
        let mut path: Vec<u64> = std::iter::successors(Some(last), before).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
#[path = "way_out_tests.rs"]
mod tests;
