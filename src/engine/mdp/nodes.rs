//! The reachable nodes: a set of numbers that assigns consecutive small ids to its members.

mod exploration;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rayon::prelude::*;

use super::model::Mdp;
use crate::limits::{Budget, Limit};

/// Nodes on the same page differ only in this many lowest bits.
const PAGE_BITS: u32 = 9;
const WORDS: usize = 1 << (PAGE_BITS - 6);
const MAX_PLAIN: u64 = 1 << 23;
const NO_PAGE: u32 = u32::MAX;
/// Smaller ids are those of the two ends.
pub(super) const FIRST_ID: u32 = 2;

/// Pages of neighbouring numbers, with a bit for each number. Ids begin with [`FIRST_ID`] and
/// follow the order of the numbers.
#[derive(Debug)]
pub(super) struct Nodes {
    directory: Directory,
    pub(super) pages: Vec<Page>,
    len: u64,
    steps: u64,
}

#[derive(Debug)]
pub(super) struct Page {
    /// The upper bits of the numbers on this page.
    number: u64,
    members: [u64; WORDS],
    first: u32,
}

/// Finds pages by the upper bits of their numbers.
#[derive(Debug)]
enum Directory {
    Plain(Vec<u32>),
    Sparse(HashMap<u64, u32, FixedState>),
}

impl Directory {
    fn new(bits: u32, budget: &Budget) -> Result<Self, Limit> {
        Ok(match 1_u64.checked_shl(bits.saturating_sub(PAGE_BITS)) {
            Some(pages) if pages <= MAX_PLAIN => {
                Self::Plain(budget.filled(NO_PAGE, pages as usize)?)
            }
            _ => Self::Sparse(HashMap::default()),
        })
    }

    fn get(&self, number: u64) -> u32 {
        match self {
            Self::Plain(pages) => pages[number as usize],
            Self::Sparse(pages) => pages.get(&number).copied().unwrap_or(NO_PAGE),
        }
    }

    fn set(&mut self, number: u64, page: u32, budget: &Budget) -> Result<(), Limit> {
        match self {
            Self::Plain(pages) => pages[number as usize] = page,
            Self::Sparse(pages) => {
                if pages.len() == pages.capacity() {
                    // The old table still exists while a table grows.
                    let old = pages.allocation_size() as u64;
                    budget.take((2 * old).max(1 << 10))?;
                    pages.reserve(1);
                    budget.give_back((2 * old).max(1 << 10) + old);
                    budget.take(pages.allocation_size() as u64)?;
                }
                pages.insert(number, page);
            }
        }
        Ok(())
    }
}

impl Nodes {
    /// Finds all nodes reachable from those in `first`. If a limit ends the search, also returns the number
    /// of nodes explored.
    pub(super) fn explore<M: Mdp>(
        mdp: &M,
        first: &[u64],
        budget: &Budget,
    ) -> Result<Self, (Limit, u64)> {
        let mut explored = 0;
        exploration::explore(mdp, first, &mut explored, budget).map_err(|limit| (limit, explored))
    }

    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn find(&self, node: u64) -> Option<u32> {
        let (page, word, bit) = place(node);
        let Page { members, first, .. } = self.pages.get(self.directory.get(page) as usize)?;
        let before = members[..word].iter().map(|word| word.count_ones());
        let below = (members[word] & ((1 << bit) - 1)).count_ones();
        (members[word] >> bit & 1 == 1).then(|| first + before.sum::<u32>() + below)
    }

    pub(super) fn id(&self, node: u64) -> u32 {
        self.find(node)
            .expect("whatever a play can get to was explored")
    }

    pub(super) fn number(&self, id: u32) -> u64 {
        let page = self.pages.partition_point(|page| page.first <= id) - 1;
        let page = &self.pages[page];
        page.iter()
            .nth((id - page.first) as usize)
            .expect("each id belongs to a member")
    }
}

impl Page {
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        let words = self.members.into_iter().enumerate();
        words.flat_map(|(at, members)| nodes_of_word(self.number, at, members))
    }
}

fn nodes_of_word(page: u64, word: usize, members: u64) -> impl Iterator<Item = u64> {
    let base = page << PAGE_BITS | (word as u64) << 6;
    std::iter::successors(Some(members), |rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(move |rest| base | u64::from(rest.trailing_zeros()))
}

const fn place(node: u64) -> (u64, usize, u32) {
    (
        node >> PAGE_BITS,
        (node >> 6) as usize % WORDS,
        node as u32 % u64::BITS,
    )
}

/// Maps each piece of a list, on several threads if the MDP allows that.
pub(super) fn map_pieces<M: Mdp, T: Sync, R: Send>(
    mdp: &M,
    pieces: (&[T], usize),
    budget: &Budget,
    work: impl Fn(&[T]) -> Result<R, Limit> + Send + Sync,
) -> Result<Vec<R>, Limit> {
    let (items, len) = pieces;
    if budget.limits.threads > 1 && items.len() > len && mdp.has_fixed_numbers() {
        items.par_chunks(len).with_max_len(1).map(work).collect()
    } else {
        items.chunks(len).map(work).collect()
    }
}
