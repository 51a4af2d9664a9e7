use rayon::prelude::*;

use super::{Directory, FIRST_ID, NO_PAGE, Nodes, Page, WORDS, nodes_of_word, place};
use crate::engine::mdp::model::{Mdp, Successor};
use crate::engine::mdp::scc;
use crate::limits::{Budget, Limit};

/// The maximum number of nodes, and of steps between them. Larger graphs would exceed the memory of
/// most machines.
const MOST_NODES: u64 = (scc::MOST_NODES - FIRST_ID) as u64;
const MOST_STEPS: u64 = (u32::MAX - 1) as u64;
const PART: u32 = if cfg!(test) { 1 } else { 128 };
const PARTS: usize = 64;
/// The number of new successors at which a part ends early. (A single node may have thousands.)
const ENOUGH: usize = if cfg!(test) { 2 } else { 1 << 12 };
const WEIGHT: u64 = 16;

/// The nodes found, and those still to be explored.
///
/// Takes a block of waiting nodes at a time, page by page, because neighbouring nodes mostly have
/// successors on the same few pages. All threads list the successors, and the new ones are then
/// added. The blocks depend only on the MDP, and the final set doesn't even depend on the blocks.
pub(super) struct Exploration<'a> {
    budget: &'a Budget<'a>,
    directory: Directory,
    pages: Vec<Page>,
    waiting: Vec<[u64; WORDS]>,
    /// The pages with waiting nodes, each listed once.
    stack: Vec<u32>,
    stacked: Vec<bool>,
    met: u64,
    steps: u64,
}

#[derive(Default)]
struct Share {
    pieces: Vec<Piece>,
    len: u32,
    explored: u64,
    successors: Vec<Successor>,
    /// All successors that were new at the start of the block.
    found: Vec<u64>,
    limit: Option<Limit>,
}

struct Piece {
    page: u32,
    word: usize,
    waiting: u64,
    steps: u64,
}

impl<'a> Exploration<'a> {
    pub(super) fn new(bits: u32, budget: &'a Budget<'a>) -> Result<Self, Limit> {
        Ok(Self {
            budget,
            directory: Directory::new(bits, budget)?,
            pages: Vec::new(),
            waiting: Vec::new(),
            stack: Vec::new(),
            stacked: Vec::new(),
            met: 0,
            steps: 0,
        })
    }

    pub(super) fn finish<M: Mdp>(
        mut self,
        mdp: &M,
        first: u64,
        explored: &mut u64,
    ) -> Result<Nodes, Limit> {
        self.budget.limits.check_time()?;
        let is_shared = self.budget.limits.threads > 1 && mdp.has_fixed_numbers();
        let mut parts = Vec::new();
        self.meet(first)?;
        while !self.stack.is_empty() {
            self.budget.limits.check_states(*explored)?;
            let most = self.budget.limits.max_states;
            let left = most.map_or(u64::MAX, |most| most - *explored);
            let used = self.take_block(&mut parts, left);
            let exploration = &self;
            match &mut parts[..used] {
                used if is_shared && used.len() > 1 => used
                    .par_iter_mut()
                    .with_max_len(1)
                    .for_each(|part| part.explore(mdp, exploration)),
                used => used
                    .iter_mut()
                    .for_each(|part| part.explore(mdp, exploration)),
            }
            *explored += parts[..used].iter().map(|part| part.explored).sum::<u64>();
            self.keep_block(&mut parts[..used])?;
        }
        for part in parts {
            self.budget.free(part.found);
        }
        self.into_nodes()
    }

    fn take_block(&mut self, parts: &mut Vec<Share>, mut left: u64) -> usize {
        let mut used = 0;
        while let Some(&page) = self.stack.last() {
            let waiting = &mut self.waiting[page as usize];
            let Some(word) = waiting.iter().position(|&word| word != 0) else {
                self.stacked[page as usize] = false;
                self.stack.pop();
                continue;
            };
            if left == 0 {
                break;
            }
            if used == 0 || parts[used - 1].len >= PART {
                if used == PARTS {
                    break;
                }
                if used == parts.len() {
                    parts.push(Share::default());
                }
                parts[used].clear();
                used += 1;
            }
            let members = lowest(waiting[word], left);
            waiting[word] &= !members;
            left -= u64::from(members.count_ones());
            parts[used - 1].take(page, word, members);
        }
        used
    }

    /// Adds the new nodes of a block, and puts unexplored nodes back on the stack.
    fn keep_block(&mut self, parts: &mut [Share]) -> Result<(), Limit> {
        for part in parts {
            part.limit.map_or(Ok(()), Err)?;
            for piece in &part.pieces {
                self.steps += piece.steps;
                if self.steps > MOST_STEPS {
                    return Err(Limit::Memory);
                }
                self.pages[piece.page as usize].steps += piece.steps as u32;
                self.wait(piece.page, piece.word, piece.waiting)?;
            }
            for &node in &part.found {
                self.meet(node)?;
            }
        }
        Ok(())
    }

    fn is_met(&self, node: u64) -> bool {
        let (page, word, bit) = place(node);
        let page = self.directory.get(page);
        page != NO_PAGE && self.pages[page as usize].members[word] >> bit & 1 == 1
    }

    fn meet(&mut self, node: u64) -> Result<(), Limit> {
        let (number, word, bit) = place(node);
        let page = self.page(number)?;
        let members = &mut self.pages[page as usize].members[word];
        if *members >> bit & 1 == 1 {
            return Ok(());
        }
        *members |= 1 << bit;
        self.met += 1;
        if self.met > MOST_NODES {
            return Err(Limit::Memory);
        }
        self.wait(page, word, 1 << bit)
    }

    fn wait(&mut self, page: u32, word: usize, members: u64) -> Result<(), Limit> {
        self.waiting[page as usize][word] |= members;
        if members != 0 && !std::mem::replace(&mut self.stacked[page as usize], true) {
            self.budget.push(&mut self.stack, page)?;
        }
        Ok(())
    }

    fn page(&mut self, number: u64) -> Result<u32, Limit> {
        let known = self.directory.get(number);
        if known != NO_PAGE {
            return Ok(known);
        }
        // The cast cannot fail, since there are at most as many pages as nodes.
        let page = self.pages.len() as u32;
        let budget = self.budget;
        self.directory.set(number, page, budget)?;
        budget.push(&mut self.pages, Page::empty(number))?;
        budget.push(&mut self.waiting, [0; WORDS])?;
        budget.push(&mut self.stacked, false)?;
        Ok(page)
    }

    fn into_nodes(self) -> Result<Nodes, Limit> {
        let Self {
            budget,
            mut directory,
            mut pages,
            waiting,
            stack,
            stacked,
            met,
            steps,
        } = self;
        budget.free(waiting);
        budget.free(stack);
        budget.free(stacked);
        pages.sort_unstable_by_key(|page| page.number);
        let mut first = FIRST_ID;
        for (at, page) in pages.iter_mut().enumerate() {
            directory.set(page.number, at as u32, budget)?;
            page.first = first;
            first += page.len();
        }
        Ok(Nodes {
            directory,
            pages,
            len: met,
            steps,
        })
    }
}

impl Share {
    fn clear(&mut self) {
        self.pieces.clear();
        self.found.clear();
        (self.len, self.explored, self.limit) = (0, 0, None);
    }

    fn take(&mut self, page: u32, word: usize, waiting: u64) {
        self.len += waiting.count_ones();
        self.pieces.push(Piece {
            page,
            word,
            waiting,
            steps: 0,
        });
    }

    fn explore<M: Mdp>(&mut self, mdp: &M, known: &Exploration) {
        self.limit = self.explore_all(mdp, known).err();
    }

    fn explore_all<M: Mdp>(&mut self, mdp: &M, known: &Exploration) -> Result<(), Limit> {
        let budget = known.budget;
        let mut clock = budget.clock();
        for piece in &mut self.pieces {
            let page = known.pages[piece.page as usize].number;
            for node in nodes_of_word(page, piece.word, piece.waiting) {
                if self.found.len() >= ENOUGH {
                    return Ok(());
                }
                self.explored += 1;
                budget.check(mdp.bytes())?;
                self.successors.clear();
                mdp.successors_within(node, &mut self.successors, &mut clock)?;
                piece.waiting &= piece.waiting - 1;
                piece.steps += self.successors.len() as u64;
                for &next in &self.successors {
                    clock.work(WEIGHT)?;
                    if let Successor::Node(next) = next
                        && !known.is_met(next)
                    {
                        budget.push(&mut self.found, next)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the lowest `most` of the bits that are set, or all of them if there are fewer.
fn lowest(bits: u64, most: u64) -> u64 {
    let mut rest = bits;
    for _ in 0..most.min(u64::BITS.into()) {
        rest &= rest.wrapping_sub(1);
    }
    bits & !rest
}
