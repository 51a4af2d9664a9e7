use rayon::prelude::*;

use super::{FIRST_ID, Nodes, Page, WORDS, place};
use crate::model::{Mdp, Successor};
use crate::scc;
use getaway_board::limits::{Budget, Limit};

/// The maximum number of nodes. Ids begin at [`FIRST_ID`], and [`scc`] reserves the numbers above its own maximum.
const MAX_NODES: u64 = (scc::MAX_NODES - FIRST_ID) as u64;
const MAX_EDGES: u64 = (u32::MAX - 1) as u64;
const PIECE: usize = if cfg!(test) { 1 } else { 32 };
/// The maximum number of nodes in a block. It is small, since a single node may have thousands of new successors, all kept until
/// the end of the block.
const BLOCK: usize = 64 * PIECE;
const WEIGHT: u64 = 16;

impl Nodes {
    /// Finds all nodes reachable from those in `first`. An error also holds the number of nodes explored.
    pub(in super::super) fn explore<M: Mdp>(
        mdp: &M,
        first: &[u64],
        budget: &Budget,
    ) -> Result<Self, (Limit, u64)> {
        Self::nearest(mdp, first, u64::MAX, budget)
    }

    /// Finds the nodes in `first` and those nearest to them, but no further ones once there are `max` nodes.
    pub(in super::super) fn nearest<M: Mdp>(
        mdp: &M,
        first: &[u64],
        max: u64,
        budget: &Budget,
    ) -> Result<Self, (Limit, u64)> {
        let (mut nodes, mut explored) = (Self::default(), 0);
        let mut find = || nodes.find_all(mdp, first, &mut explored, max, budget);
        let found = if mdp.has_fixed_numbers() {
            budget.limits.on_threads(find)
        } else {
            find()
        };
        match found {
            Ok(()) => Ok(nodes),
            Err(limit) => Err((limit, explored)),
        }
    }

    /// Explores in breadth-first order, block by block: lists the successors of the nodes in a block, and then adds the new ones.
    /// All threads list successors if nodes have fixed numbers. The blocks don't depend on the number of threads.
    fn find_all<M: Mdp>(
        &mut self,
        mdp: &M,
        first: &[u64],
        explored: &mut u64,
        max: u64,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let limits = budget.limits;
        limits.check_time()?;
        let mut waiting = Vec::new();
        for &node in first {
            self.add(node, &mut waiting, budget)?;
        }
        while !waiting.is_empty() && self.len < max {
            let mut later = Vec::new();
            for block in waiting.chunks(BLOCK) {
                if self.len >= max {
                    break;
                }
                limits.check_states(*explored)?;
                let left = limits.max_states.unwrap_or(u64::MAX) - *explored;
                let (block, rest) = block.split_at(left.min(block.len() as u64) as usize);
                let listings = self.list(mdp, block, budget)?;
                *explored += block.len() as u64;
                for Listing { edges, found } in listings {
                    self.edges += edges;
                    if self.edges > MAX_EDGES {
                        return Err(Limit::Memory);
                    }
                    for &node in &found {
                        if self.len < max {
                            self.add(node, &mut later, budget)?;
                        }
                    }
                    budget.free(found);
                }
                // The limit on states left room for only a part of the block, so it is reached now.
                if !rest.is_empty() {
                    limits.check_states(*explored)?;
                }
            }
            budget.free(std::mem::replace(&mut waiting, later));
        }
        budget.free(waiting);
        self.assign_ids();
        Ok(())
    }

    fn list<M: Mdp>(&self, mdp: &M, block: &[u64], budget: &Budget) -> Result<Vec<Listing>, Limit> {
        let list = |piece: &[u64]| Listing::of(mdp, piece, self, budget);
        if budget.limits.threads > 1 && block.len() > PIECE && mdp.has_fixed_numbers() {
            block.par_chunks(PIECE).with_max_len(1).map(list).collect()
        } else {
            block.chunks(PIECE).map(list).collect()
        }
    }

    fn add(&mut self, node: u64, waiting: &mut Vec<u64>, budget: &Budget) -> Result<(), Limit> {
        let (number, word, bit) = place(node);
        let page = match self.directory.get(&number) {
            Some(&page) => page as usize,
            None => self.add_page(number, budget)?,
        };
        let members = &mut self.pages[page].members[word];
        if *members >> bit & 1 == 1 {
            return Ok(());
        }
        *members |= 1 << bit;
        self.len += 1;
        if self.len > MAX_NODES {
            return Err(Limit::Memory);
        }
        budget.push(waiting, node)
    }

    fn add_page(&mut self, number: u64, budget: &Budget) -> Result<usize, Limit> {
        let directory = &mut self.directory;
        if directory.len() == directory.capacity() {
            // While the table grows, the old one still exists.
            let old = directory.allocation_size() as u64;
            budget.take((2 * old).max(1 << 10))?;
            directory.reserve(1);
            budget.give_back((2 * old).max(1 << 10) + old);
            budget.take(directory.allocation_size() as u64)?;
        }
        let page = self.pages.len();
        directory.insert(number, page as u32);
        let empty = Page {
            number,
            members: [0; WORDS],
            first: 0,
        };
        budget.push(&mut self.pages, empty)?;
        Ok(page)
    }

    fn assign_ids(&mut self) {
        self.pages.sort_unstable_by_key(|page| page.number);
        let mut first = FIRST_ID;
        for (at, page) in self.pages.iter_mut().enumerate() {
            self.directory.insert(page.number, at as u32);
            page.first = first;
            let members = page.members.iter().map(|word| word.count_ones());
            first += members.sum::<u32>();
        }
    }
}

#[derive(Default)]
struct Listing {
    edges: u64,
    /// All successors that were new at the start of the block.
    found: Vec<u64>,
}

impl Listing {
    fn of<M: Mdp>(mdp: &M, piece: &[u64], known: &Nodes, budget: &Budget) -> Result<Self, Limit> {
        let (mut listing, mut clock) = (Self::default(), budget.clock());
        let mut successors = Vec::new();
        for &node in piece {
            budget.check(mdp.bytes())?;
            successors.clear();
            mdp.successors_within(node, &mut successors, &mut clock)?;
            listing.edges += successors.len() as u64;
            for &next in &successors {
                clock.work(WEIGHT)?;
                if let Successor::Node(next) = next
                    && !known.has(next)
                {
                    budget.push(&mut listing.found, next)?;
                }
            }
        }
        Ok(listing)
    }
}
