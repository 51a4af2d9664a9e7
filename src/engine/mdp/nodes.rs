//! The reachable nodes: a set of numbers that gives its members consecutive small ids.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::model::{Mdp, Successor};
use crate::limits::{Budget, Clock, Limit};

/// The bits of a node's number that tell it from the others of its page.
const PAGE_BITS: u32 = 9;
/// The words of a page.
const WORDS: usize = 1 << (PAGE_BITS - 6);
/// The most pages that a plain table is made for.
const MAX_PLAIN: u64 = 1 << 23;
/// No page.
const NO_PAGE: u32 = u32::MAX;
/// The ids below this stand for the two ends.
pub(super) const FIRST_ID: u32 = 2;
/// The most nodes and the most steps between them: as many as there are ids. They would take more
/// memory than most machines have.
const MAX: u64 = (u32::MAX - FIRST_ID) as u64;
/// So many pages are sorted at a time.
const HANDFUL: usize = 1 << 12;

/// A set of nodes, in pages of neighbouring numbers with a bit for each. Its members have ids, from
/// [`FIRST_ID`] on, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Nodes {
    directory: Directory,
    /// In the order of their numbers.
    pages: Vec<Page>,
    len: u64,
    steps: u64,
}

/// The nodes of 2^9 consecutive numbers.
#[derive(Clone, Debug)]
struct Page {
    /// The numbers' upper bits.
    number: u64,
    members: [u64; WORDS],
    /// The id of its first member.
    first: u32,
}

/// Which page holds the nodes with these upper bits.
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
                    // While a table grows, the old one is still there.
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
    /// All nodes reachable from the initial one; or the limit that was reached, and how many nodes
    /// had been explored by then.
    pub(super) fn explore<M: Mdp>(mdp: &M, budget: &Budget) -> Result<Self, (Limit, u64)> {
        let mut explored = 0;
        let nodes =
            Search::new(mdp.bits(), budget).and_then(|search| search.finish(mdp, &mut explored));
        nodes.map_err(|limit| (limit, explored))
    }

    /// How many there are.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// How many steps there are from one to another.
    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    /// The id of this node, if it is a member.
    pub(super) fn find(&self, node: u64) -> Option<u32> {
        let page = self.directory.get(node >> PAGE_BITS);
        if page == NO_PAGE {
            return None;
        }
        let Page { members, first, .. } = &self.pages[page as usize];
        let (word, bit) = word_and_bit(node);
        let before = members[..word]
            .iter()
            .map(|word| word.count_ones())
            .sum::<u32>();
        let below = (members[word] & ((1 << bit) - 1)).count_ones();
        (members[word] >> bit & 1 == 1).then_some(first + before + below)
    }

    /// The id of a member.
    pub(super) fn id(&self, node: u64) -> u32 {
        self.find(node)
            .expect("whatever a play can get to was explored")
    }

    /// The members in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        self.pages.iter().flat_map(Page::iter)
    }

    /// The member with this id.
    pub(super) fn number(&self, id: u32) -> u64 {
        let page = self.pages.partition_point(|page| page.first <= id) - 1;
        let page = &self.pages[page];
        page.iter()
            .nth((id - page.first) as usize)
            .expect("each id belongs to a member")
    }
}

impl Page {
    fn iter(&self) -> impl Iterator<Item = u64> {
        let words = self.members.into_iter().enumerate();
        words.flat_map(|(at, word)| {
            let base = self.number << PAGE_BITS | (at as u64) << 6;
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| base | u64::from(rest.trailing_zeros()))
        })
    }

    fn len(&self) -> u32 {
        self.members.iter().map(|word| word.count_ones()).sum()
    }
}

const fn word_and_bit(node: u64) -> (usize, u32) {
    ((node >> 6) as usize % WORDS, node as u32 % u64::BITS)
}

/// A set of nodes in the making, and which of them have still to be looked at. They are looked at
/// page by page, since what follows neighbours is mostly found on the same few pages.
struct Search<'a> {
    budget: &'a Budget<'a>,
    directory: Directory,
    pages: Vec<Page>,
    waiting: Vec<[u64; WORDS]>,
    /// The page that is being looked at.
    current: u32,
    /// The other pages on which nodes wait, each once.
    stack: Vec<u32>,
    stacked: Vec<bool>,
    /// How many nodes were met.
    met: u64,
    /// How many steps from one to another.
    steps: u64,
}

impl<'a> Search<'a> {
    fn new(bits: u32, budget: &'a Budget<'a>) -> Result<Self, Limit> {
        Ok(Self {
            budget,
            directory: Directory::new(bits, budget)?,
            pages: Vec::new(),
            waiting: Vec::new(),
            current: 0,
            stack: Vec::new(),
            stacked: Vec::new(),
            met: 0,
            steps: 0,
        })
    }

    /// Explores all reachable nodes, and counts them.
    fn finish<M: Mdp>(mut self, mdp: &M, explored: &mut u64) -> Result<Nodes, Limit> {
        let mut clock = self.budget.clock();
        let mut successors = Vec::new();
        self.budget.limits.check_time()?;
        self.meet(mdp.initial())?;
        while let Some(node) = self.pop() {
            let most = self.budget.limits.max_states;
            if most.is_some_and(|most| *explored >= most) {
                return Err(Limit::States);
            }
            *explored += 1;
            self.budget.check(mdp.bytes())?;
            successors.clear();
            mdp.successors_within(node, &mut successors, &mut clock)?;
            self.steps += successors.len() as u64;
            for &next in &successors {
                clock.work(Self::WEIGHT)?;
                if let Successor::Node(node) = next {
                    self.meet(node)?;
                }
            }
            if self.met.max(self.steps) >= MAX {
                return Err(Limit::Memory);
            }
        }
        self.into_nodes()
    }

    /// How many units of work it takes to find a successor.
    const WEIGHT: u64 = 16;

    /// Has `node` looked at, unless it was met before.
    fn meet(&mut self, node: u64) -> Result<(), Limit> {
        let page = self.page(node >> PAGE_BITS)?;
        let (word, bit) = word_and_bit(node);
        let members = &mut self.pages[page as usize].members[word];
        if *members >> bit & 1 == 1 {
            return Ok(());
        }
        *members |= 1 << bit;
        self.met += 1;
        self.waiting[page as usize][word] |= 1 << bit;
        if !std::mem::replace(&mut self.stacked[page as usize], true) {
            self.budget.push(&mut self.stack, page)?;
        }
        Ok(())
    }

    fn page(&mut self, number: u64) -> Result<u32, Limit> {
        let known = self.directory.get(number);
        if known != NO_PAGE {
            return Ok(known);
        }
        // There are no more pages than nodes.
        let page = self.pages.len() as u32;
        let budget = self.budget;
        self.directory.set(number, page, budget)?;
        let new = Page {
            number,
            members: [0; WORDS],
            first: 0,
        };
        budget.push(&mut self.pages, new)?;
        budget.push(&mut self.waiting, [0; WORDS])?;
        budget.push(&mut self.stacked, false)?;
        Ok(page)
    }

    /// The next node to explore.
    fn pop(&mut self) -> Option<u64> {
        loop {
            let waiting = self.waiting.get_mut(self.current as usize)?;
            if let Some(word) = waiting.iter().position(|&word| word != 0) {
                let bit = waiting[word].trailing_zeros();
                waiting[word] &= waiting[word] - 1;
                let base = self.pages[self.current as usize].number << PAGE_BITS;
                return Some(base | (word as u64) << 6 | u64::from(bit));
            }
            self.stacked[self.current as usize] = false;
            self.current = self.stack.pop()?;
        }
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
            ..
        } = self;
        budget.free(waiting);
        budget.free(stack);
        budget.free(stacked);
        let mut clock = budget.clock();
        sort(&mut pages, &mut clock)?;
        let mut first = FIRST_ID;
        for (at, page) in pages.iter_mut().enumerate() {
            clock.work(WORDS as u64)?;
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

/// Sorts pages by their numbers, with an eye on the clock: quicksort, since nothing is needed
/// beside the pages themselves.
fn sort(pages: &mut [Page], clock: &mut Clock) -> Result<(), Limit> {
    let mut parts = vec![pages];
    while let Some(part) = parts.pop() {
        clock.work(part.len() as u64)?;
        if part.len() <= HANDFUL {
            part.sort_unstable_by_key(|page| page.number);
            continue;
        }
        let pivot = median(part);
        let middle = divide(part, pivot, clock)?;
        let (below, above) = part.split_at_mut(middle);
        parts.extend([below, above]);
    }
    Ok(())
}

/// A number that is neither the least nor the greatest of many.
fn median(pages: &[Page]) -> u64 {
    let mut sample: Vec<u64> = pages
        .iter()
        .step_by(pages.len() / 63)
        .map(|page| page.number)
        .collect();
    sample.sort_unstable();
    sample[sample.len() / 2]
}

/// Brings the pages with numbers below the pivot, of which there is one at least, to the front;
/// says how many they are.
fn divide(pages: &mut [Page], pivot: u64, clock: &mut Clock) -> Result<usize, Limit> {
    let mut below = 0;
    for at in 0..pages.len() {
        clock.work(1)?;
        if pages[at].number < pivot {
            pages.swap(below, at);
            below += 1;
        }
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn many_pages_are_sorted() {
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        // Numbers that are all different, and in no order.
        let page = |at: u64| Page {
            number: at.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            members: [0; WORDS],
            first: 0,
        };
        for count in [0, 1, 5000, 100_000] {
            let mut pages: Vec<Page> = (0..count).map(page).collect();
            sort(&mut pages, &mut budget.clock()).unwrap();
            assert!(pages.is_sorted_by_key(|page| page.number));
            // Sorted ones are no harder.
            sort(&mut pages, &mut budget.clock()).unwrap();
            assert!(pages.is_sorted_by_key(|page| page.number));
        }
    }
}
