//! A way out for a player who is lucky: the verdict on a level, long before its probability is known.
//!
//! It is looked for greedily, best first, as if the player decided for chance as well. Of two nodes the better one
//! is where the player has fewer steps to go, but for what has been seen often: many nodes differ only in where
//! adversaries are that do not matter. So each pair of the player's position and an adversary's tile is counted,
//! and a node comes the later the more often even its rarest pair has come up (novelty, as in best-first width
//! search). Without that, levels with two ghosts take a hundred times as many nodes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};

use super::one_player::OnePlayerMdp;
use super::witness::Witness;
use crate::engine::mdp::{Mdp, Successor};
use crate::limits::{Budget, Limit, bytes};
use crate::rules::dungeon::Dungeon;
use crate::solution::LuckyLine;

/// A search looks at so many nodes and adversaries at most, a fraction of a second and some 50 MB: on nearly all
/// levels a hundredth of that is enough.
const MOST: usize = 1 << 20;

/// How many units of work it is to note a node.
const WORK: u64 = 128;

/// How many steps more a node may take each time that its rarest pair has come up twice as often.
const STEPS_PER_DOUBLING: u32 = 2;

/// What a search for a way out has come to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WayOut {
    /// This line of play leads out; it is one under the rules.
    Found(Box<LuckyLine>),
    /// There is none: all of these nodes have been looked at.
    None(u64),
    /// The search gave up.
    Unknown,
}

/// Looks for a way out.
///
/// Where a limit is reached, nothing is known: it will be heard again.
pub(super) fn way_out(dungeon: &Dungeon, mdp: &OnePlayerMdp, budget: &Budget) -> WayOut {
    let taken = budget.taken();
    let found = Search::new(mdp, budget).path();
    budget.reset_to(taken);
    let way = match found {
        Ok(Path::To(path)) => match Witness::line(dungeon, mdp, &path, budget.limits) {
            Ok(Some(line)) => WayOut::Found(Box::new(line)),
            Ok(None) | Err(_) => WayOut::Unknown,
        },
        Ok(Path::None(nodes)) => WayOut::None(nodes),
        Ok(Path::GivenUp) | Err(_) => WayOut::Unknown,
    };
    // The numbers of nodes are to be what they would be without this search.
    mdp.forget();
    way
}

/// What a search has found.
#[derive(Debug, PartialEq)]
enum Path {
    /// The nodes from the initial one to the last one before the player has won, in transit or not.
    To(Vec<u64>),
    /// There is no path; so many nodes were looked at.
    None(u64),
    /// There are too many nodes.
    GivenUp,
}

/// A search for a path on which the player wins, whoever decides.
struct Search<'a> {
    mdp: &'a OnePlayerMdp,
    budget: &'a Budget<'a>,
    most_nodes: usize,
    found: Vec<Found>,
    /// Places in `found`, by their nodes.
    table: HashTable<u32>,
    /// Places in `found`: those with the least estimate come first, of these the newest.
    queue: BinaryHeap<(Reverse<u32>, u32)>,
    /// How often each pair of a position and an adversary has come up.
    encounters: HashMap<u64, u32, FixedState>,
    scratch: Vec<u64>,
}

/// A node that was found.
#[derive(Clone, Copy)]
struct Found {
    node: u64,
    /// The place of the one that it came after; the first came after itself.
    before: u32,
}

impl<'a> Search<'a> {
    fn new(mdp: &'a OnePlayerMdp, budget: &'a Budget) -> Self {
        Self {
            mdp,
            budget,
            most_nodes: MOST / (2 + mdp.mobile()),
            found: Vec::new(),
            table: HashTable::new(),
            queue: BinaryHeap::new(),
            encounters: HashMap::default(),
            scratch: Vec::new(),
        }
    }

    /// A path to a win.
    fn path(mut self) -> Result<Path, Limit> {
        let mut clock = self.budget.clock();
        let mut successors = Vec::new();
        self.note(self.mdp.initial(), 0)?;
        while let Some((_, at)) = self.queue.pop() {
            let node = self.found[at as usize].node;
            successors.clear();
            self.mdp
                .successors_within(node, &mut successors, &mut clock)?;
            for &successor in &successors {
                clock.work(WORK)?;
                match successor {
                    Successor::Won => return Ok(Path::To(self.path_to(at))),
                    Successor::Lost => {}
                    Successor::Node(_) if self.found.len() >= self.most_nodes => {
                        return Ok(Path::GivenUp);
                    }
                    Successor::Node(next) => self.note(next, at)?,
                }
            }
        }
        Ok(Path::None(self.found.len() as u64))
    }

    /// Notes a node that comes after the one at this place, unless it was found before.
    fn note(&mut self, node: u64, before: u32) -> Result<(), Limit> {
        let (hasher, found) = (FixedState::default(), &self.found);
        let hash = hasher.hash_one(node);
        let is_it = |&at: &u32| found[at as usize].node == node;
        if self.table.find(hash, is_it).is_some() {
            return Ok(());
        }
        self.check_memory()?;
        let at = self.found.len() as u32;
        let hash_of = |&at: &u32| hasher.hash_one(self.found[at as usize].node);
        self.table.insert_unique(hash, at, hash_of);
        self.found.push(Found { node, before });
        let estimate = self.estimate(node);
        self.queue.push((Reverse(estimate), at));
        Ok(())
    }

    /// How many steps the player has to go, with what is added where all has been seen before.
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

    /// Whether there is the memory for another node, where a list or table has to grow for it.
    fn check_memory(&self) -> Result<(), Limit> {
        if !self.found.len().is_multiple_of(PACE) {
            return Ok(());
        }
        let lists = bytes::<Found>(self.found.capacity())
            + bytes::<(Reverse<u32>, u32)>(self.queue.capacity());
        let tables = self.table.allocation_size() + self.encounters.allocation_size();
        let room = PACE * (2 + self.mdp.mobile()) * ROOM;
        // While a list or table grows, the old one is still there, and the new one is twice as large.
        self.budget
            .check(3 * (lists + tables as u64) + room as u64 + self.mdp.bytes())
    }

    /// The nodes on the way to the one at this place.
    fn path_to(&self, last: u32) -> Vec<u64> {
        let place = |at: u32| self.found[at as usize];
        let before = |&at: &u32| Some(place(at).before).filter(|&before| before != at);
        let mut path: Vec<u64> = std::iter::successors(Some(last), before)
            .map(|at| place(at).node)
            .collect();
        path.reverse();
        path
    }
}

/// How many nodes are noted between two looks at the memory.
const PACE: usize = 256;

/// About how many bytes a node, or an adversary of it, takes at most.
const ROOM: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::puzzle::Puzzle;
    use crate::puzzle::text::Boards;

    fn level(text: &str) -> Dungeon {
        let mut puzzle = Puzzle::empty();
        assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
        Dungeon::read(&puzzle).unwrap()
    }

    /// A ghost is between the player and the exit, a zombie in the room of the key.
    const LEVEL: &str = "-----XX-----\n|P..|XX|K..|\n|...D..D...|\n|..G|XX|E.Z|\n-----XX-----\n";

    #[test]
    fn a_path_is_one_under_the_rules_and_no_other_one_is_taken_for_it() {
        for settings in ["", "; strategy: cooldown\n"] {
            let dungeon = level(&format!("{settings}{LEVEL}"));
            let limits = Limits::default();
            let budget = Budget::new(&limits);
            let mdp = OnePlayerMdp::new(&dungeon, &budget).unwrap();
            let Path::To(path) = Search::new(&mdp, &budget).path().unwrap() else {
                panic!("there is a way out");
            };
            let line = Witness::line(&dungeon, &mdp, &path, &limits);
            let line = line.unwrap().unwrap();
            let likely = line.probability;
            assert!(0.0 < likely && likely < 1.0, "{likely}");
            let steps = line.turns.iter().flat_map(|turn| &turn.adversaries);
            let product: f64 = steps.map(|step| step.probability).product();
            assert!(
                (product - likely).abs() < 1e-9 * likely,
                "{product} {likely}"
            );
            for left_out in 0..path.len() {
                let mut broken = path.clone();
                if !mdp.is_in_transit(broken.remove(left_out)) {
                    let line = Witness::line(&dungeon, &mdp, &broken, &limits);
                    assert_eq!(line, Ok(None), "without node {left_out}");
                }
            }
        }
    }

    #[test]
    fn what_a_search_took_is_given_back_and_its_numbers_are_forgotten() {
        // So many zombies that a node takes more than 64 bits.
        let crowd =
            "------------------\n|P..E.Z|ZZZZZZZZZ|\n|......|ZZZZZZ...|\n------------------\n";
        for text in [LEVEL, crowd] {
            let dungeon = level(text);
            let limits = Limits::default();
            let budget = Budget::new(&limits);
            let mdp = OnePlayerMdp::new(&dungeon, &budget).unwrap();
            let (taken, bytes) = (budget.taken(), mdp.bytes());
            let first = mdp.initial();
            assert!(matches!(way_out(&dungeon, &mdp, &budget), WayOut::Found(_)));
            assert_eq!((budget.taken(), mdp.bytes()), (taken, bytes));
            assert_eq!(mdp.initial(), first);
        }
    }

    #[test]
    fn little_memory_ends_a_search() {
        let limits = Limits {
            max_memory: Some(1 << 15),
            ..Limits::default()
        };
        let dungeon = level(LEVEL);
        let plenty = Limits::default();
        let mdp = OnePlayerMdp::new(&dungeon, &Budget::new(&plenty)).unwrap();
        let path = Search::new(&mdp, &Budget::new(&limits)).path();
        assert_eq!(path, Err(Limit::Memory));
    }
}
