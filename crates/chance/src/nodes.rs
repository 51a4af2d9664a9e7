//! The reachable nodes: a set of numbers that assigns consecutive small ids to its members.

mod exploration;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The number of lowest bits in which nodes on a page differ.
const PAGE_BITS: u32 = 9;
const WORDS: usize = 1 << (PAGE_BITS - 6);
pub(super) const FIRST_ID: u32 = 2;

/// Pages of neighbouring numbers, with a bit for each number. Ids begin with [`FIRST_ID`] and
/// follow the order of the numbers.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// The index of each page, by the upper bits of its numbers.
    directory: HashMap<u64, u32, FixedState>,
    pages: Vec<Page>,
    len: u64,
    edges: u64,
}

#[derive(Debug)]
struct Page {
    number: u64,
    members: [u64; WORDS],
    first: u32,
}

impl Nodes {
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    pub(super) const fn edges(&self) -> u64 {
        self.edges
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        self.pages.iter().flat_map(Page::iter)
    }

    pub(super) fn has(&self, node: u64) -> bool {
        let (page, word, bit) = place(node);
        let index = self.directory.get(&page);
        index.is_some_and(|&index| self.pages[index as usize].members[word] >> bit & 1 == 1)
    }

    pub(super) fn find(&self, node: u64) -> Option<u32> {
        let (page, word, bit) = place(node);
        let Page { members, first, .. } = &self.pages[*self.directory.get(&page)? as usize];
        let before = members[..word].iter().map(|word| word.count_ones());
        let below = (members[word] & ((1 << bit) - 1)).count_ones();
        (members[word] >> bit & 1 == 1).then(|| first + before.sum::<u32>() + below)
    }

    pub(super) fn id(&self, node: u64) -> u32 {
        self.find(node).expect("all reachable nodes were explored")
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
    fn iter(&self) -> impl Iterator<Item = u64> {
        let base = self.number << PAGE_BITS;
        let words = (base..).step_by(64).zip(self.members);
        words.flat_map(|(base, members)| {
            std::iter::successors(Some(members), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| base | u64::from(rest.trailing_zeros()))
        })
    }
}

const fn place(node: u64) -> (u64, usize, u32) {
    (
        node >> PAGE_BITS,
        (node >> 6) as usize % WORDS,
        node as u32 % u64::BITS,
    )
}
