use super::{Directory, FIRST_ID, Nodes, Page, WORDS, map_pieces, place};
use crate::engine::mdp::model::{Mdp, Successor};
use crate::engine::mdp::scc;
use crate::limits::{Budget, Limit};

/// The maximum number of nodes, and of steps between them. Larger graphs would exceed the memory of
/// most machines.
const MOST_NODES: u64 = (scc::MOST_NODES - FIRST_ID) as u64;
const MOST_STEPS: u64 = (u32::MAX - 1) as u64;
const PIECE: usize = if cfg!(test) { 1 } else { 128 };
const BLOCK: usize = 64 * PIECE;
/// The number of new successors at which a piece ends early. (A single node may have thousands.)
const ENOUGH: usize = if cfg!(test) { 2 } else { 1 << 12 };
const WEIGHT: u64 = 16;

/// Finds all nodes reachable from those in `first`; `explored` counts those whose successors are known.
///
/// All threads list the successors of a block of waiting nodes, and the new ones are then added. The blocks depend only on the MDP,
/// and the final set doesn't even depend on the blocks.
pub(super) fn explore<M: Mdp>(
    mdp: &M,
    first: &[u64],
    explored: &mut u64,
    budget: &Budget,
) -> Result<Nodes, Limit> {
    let limits = budget.limits;
    limits.check_time()?;
    let mut nodes = Nodes {
        directory: Directory::new(mdp.bits(), budget)?,
        pages: Vec::new(),
        len: 0,
        steps: 0,
    };
    let mut waiting = Vec::new();
    for &node in first {
        nodes.add(node, &mut waiting, budget)?;
    }
    while !waiting.is_empty() {
        limits.check_states(*explored)?;
        let left = limits.max_states.unwrap_or(u64::MAX) - *explored;
        let count = waiting.len().min(BLOCK).min(left as usize);
        let block = waiting.split_off(waiting.len() - count);
        let list = |piece: &[u64]| Listing::of(mdp, piece, &nodes, budget);
        let listings = map_pieces(mdp, (&block, PIECE), budget, list)?;
        for (piece, listing) in block.chunks(PIECE).zip(listings) {
            *explored += listing.explored as u64;
            nodes.steps += listing.steps;
            if nodes.steps > MOST_STEPS {
                return Err(Limit::Memory);
            }
            waiting.extend(&piece[listing.explored..]);
            for &node in &listing.found {
                nodes.add(node, &mut waiting, budget)?;
            }
            budget.free(listing.found);
        }
    }
    budget.free(waiting);
    nodes.assign_ids(budget)?;
    Ok(nodes)
}

/// The successors of the first nodes of a piece.
#[derive(Default)]
struct Listing {
    explored: usize,
    steps: u64,
    /// All successors that were new at the start of the block.
    found: Vec<u64>,
}

impl Listing {
    fn of<M: Mdp>(mdp: &M, piece: &[u64], known: &Nodes, budget: &Budget) -> Result<Self, Limit> {
        let (mut listing, mut clock) = (Self::default(), budget.clock());
        let mut successors = Vec::new();
        for &node in piece {
            if listing.found.len() >= ENOUGH {
                break;
            }
            listing.explored += 1;
            budget.check(mdp.bytes())?;
            successors.clear();
            mdp.successors_within(node, &mut successors, &mut clock)?;
            listing.steps += successors.len() as u64;
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

impl Nodes {
    fn has(&self, node: u64) -> bool {
        let (page, word, bit) = place(node);
        let page = self.pages.get(self.directory.get(page) as usize);
        page.is_some_and(|page| page.members[word] >> bit & 1 == 1)
    }

    /// Adds a node to the set and, if it is new, to the waiting nodes.
    fn add(&mut self, node: u64, waiting: &mut Vec<u64>, budget: &Budget) -> Result<(), Limit> {
        let (number, word, bit) = place(node);
        let mut page = self.directory.get(number) as usize;
        if page >= self.pages.len() {
            page = self.pages.len();
            // The cast cannot fail, since there are at most as many pages as nodes.
            self.directory.set(number, page as u32, budget)?;
            let members = [0; WORDS];
            let first = 0;
            let empty = Page {
                number,
                members,
                first,
            };
            budget.push(&mut self.pages, empty)?;
        }
        let members = &mut self.pages[page].members[word];
        if *members >> bit & 1 == 1 {
            return Ok(());
        }
        *members |= 1 << bit;
        self.len += 1;
        if self.len > MOST_NODES {
            return Err(Limit::Memory);
        }
        budget.push(waiting, node)
    }

    fn assign_ids(&mut self, budget: &Budget) -> Result<(), Limit> {
        self.pages.sort_unstable_by_key(|page| page.number);
        let mut first = FIRST_ID;
        for (at, page) in self.pages.iter_mut().enumerate() {
            self.directory.set(page.number, at as u32, budget)?;
            page.first = first;
            first += page
                .members
                .iter()
                .map(|word| word.count_ones())
                .sum::<u32>();
        }
        Ok(())
    }
}
