//! The nodes that a game can get to: a set of numbers that gives its members consecutive small
//! ones.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{Gamble, Next};
use crate::engine::{Limit, Limits};

/// The bits of a node's number that tell it from the others of its page.
const PAGE_BITS: u32 = 9;
/// The words of a page.
const WORDS: usize = 1 << (PAGE_BITS - 6);
/// The most pages that a plain table is made for.
const MOST_PLAIN: u64 = 1 << 23;
/// No page.
const NO_PAGE: u32 = u32::MAX;
/// The ids below this are kept for the ends of the game.
pub(super) const FIRST_ID: u32 = 2;

/// A set of nodes, in pages of neighbouring numbers with a bit for each. Its members have ids, from
/// [`FIRST_ID`] on, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Nodes {
    directory: Directory,
    /// In the order of their numbers.
    pages: Vec<Page>,
    len: u64,
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
    fn new(bits: u32) -> Self {
        match 1_u64.checked_shl(bits.saturating_sub(PAGE_BITS)) {
            Some(pages) if pages <= MOST_PLAIN => Self::Plain(vec![NO_PAGE; pages as usize]),
            _ => Self::Sparse(HashMap::default()),
        }
    }

    fn get(&self, number: u64) -> u32 {
        match self {
            Self::Plain(pages) => pages[number as usize],
            Self::Sparse(pages) => pages.get(&number).copied().unwrap_or(NO_PAGE),
        }
    }

    fn set(&mut self, number: u64, page: u32) {
        match self {
            Self::Plain(pages) => pages[number as usize] = page,
            Self::Sparse(pages) => _ = pages.insert(number, page),
        }
    }
}

impl Nodes {
    /// All nodes that the game can get to from its first one; or the limit that was run into, and
    /// how many nodes were known by then.
    pub(super) fn explore<G: Gamble>(game: &G, limits: &Limits) -> Result<Self, (Limit, u64)> {
        let mut search = Search::new(game.bits());
        search.meet(game.first());
        let mut nexts = Vec::new();
        let mut looked_at = 0;
        while let Some(node) = search.pop() {
            if let Some(limit) = limits.reached(looked_at) {
                return Err((limit, looked_at));
            }
            looked_at += 1;
            nexts.clear();
            game.nexts(node, &mut nexts);
            for &next in &nexts {
                if let Next::Node(node) = next {
                    search.meet(node);
                }
            }
        }
        if looked_at >= u64::from(u32::MAX - FIRST_ID) {
            return Err((Limit::States, looked_at));
        }
        Ok(search.into_nodes(looked_at))
    }

    /// How many there are.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// The id of this node, if it is a member.
    pub(super) fn find(&self, node: u64) -> Option<u32> {
        let page = self.directory.get(node >> PAGE_BITS);
        if page == NO_PAGE {
            return None;
        }
        let Page { members, first, .. } = &self.pages[page as usize];
        let (word, bit) = place(node);
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

const fn place(node: u64) -> (usize, u32) {
    ((node >> 6) as usize % WORDS, node as u32 % u64::BITS)
}

/// A set of nodes in the making, and which of them have still to be looked at. They are looked at
/// page by page, since what follows neighbours is mostly found on the same few pages.
struct Search {
    directory: Directory,
    pages: Vec<Page>,
    waiting: Vec<[u64; WORDS]>,
    /// The page that is being looked at.
    current: u32,
    /// The other pages on which nodes wait, each once.
    stack: Vec<u32>,
    stacked: Vec<bool>,
}

impl Search {
    fn new(bits: u32) -> Self {
        Self {
            directory: Directory::new(bits),
            pages: Vec::new(),
            waiting: Vec::new(),
            current: 0,
            stack: Vec::new(),
            stacked: Vec::new(),
        }
    }

    /// Has `node` looked at, unless it was met before.
    fn meet(&mut self, node: u64) {
        let page = self.page(node >> PAGE_BITS);
        let (word, bit) = place(node);
        let members = &mut self.pages[page as usize].members[word];
        if *members >> bit & 1 == 1 {
            return;
        }
        *members |= 1 << bit;
        self.waiting[page as usize][word] |= 1 << bit;
        if !std::mem::replace(&mut self.stacked[page as usize], true) {
            self.stack.push(page);
        }
    }

    fn page(&mut self, number: u64) -> u32 {
        let known = self.directory.get(number);
        if known != NO_PAGE {
            return known;
        }
        let page = self.pages.len() as u32;
        self.directory.set(number, page);
        self.pages.push(Page {
            number,
            members: [0; WORDS],
            first: 0,
        });
        self.waiting.push([0; WORDS]);
        self.stacked.push(false);
        page
    }

    /// The next node to be looked at.
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

    fn into_nodes(self, len: u64) -> Nodes {
        let Self {
            mut directory,
            mut pages,
            ..
        } = self;
        pages.sort_unstable_by_key(|page| page.number);
        let mut first = FIRST_ID;
        for (at, page) in pages.iter_mut().enumerate() {
            directory.set(page.number, at as u32);
            page.first = first;
            first += page.len();
        }
        Nodes {
            directory,
            pages,
            len,
        }
    }
}
