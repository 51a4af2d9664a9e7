//! Numbers the nodes that are too wide for 64 bits as they are found.

use super::code::{Code, Node};
use getaway_search::row_set::RowSet;

/// The number of nodes beyond the present ones for which [`Interner::bytes`] counts the memory.
const SPARE: usize = 1 << 14;
/// The number of the first node. Later nodes have lower numbers, so that successors tend to have lower numbers than their node,
/// after which they are usually found.
const FIRST: u64 = (1 << BITS) - 1;
const BITS: u32 = 40;

#[derive(Debug)]
pub(super) struct Interner {
    nodes: RowSet<u64>,
    words: Vec<u64>,
}

impl Interner {
    pub(super) fn new(code: &Code) -> Self {
        let mut nodes = RowSet::default();
        nodes.clear(code.words());
        let words = Vec::new();
        Self { nodes, words }
    }

    pub(super) fn intern(&mut self, code: &Code, node: &Node) -> u64 {
        self.words.clear();
        self.words.resize(code.words() + 1, 0);
        code.pack_into(node, &mut self.words);
        // The last word is only spare room for `pack_into`.
        self.words.pop();
        FIRST - u64::from(self.nodes.find_or_add(&self.words).number())
    }

    pub(super) fn node(&self, code: &Code, number: u64) -> Node {
        code.unpack(self.nodes.row((FIRST - number) as u32))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.nodes.bytes(self.nodes.len() + SPARE)
    }
}
