//! Numbers nodes too wide for 64 bits, in the order in which they come up.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::code::{Code, Node};

const PIECE: usize = 1 << 10;
/// A table counts as full if it has room for at most this many nodes.
const SPARE: usize = 1 << 14;
/// Later nodes have lower numbers, since successors usually come up after their node.
const FIRST: u64 = (1 << BITS) - 1;
pub(super) const BITS: u32 = 40;

#[derive(Debug, Default)]
pub(super) struct Interner {
    /// Each piece holds [`PIECE`] packed nodes.
    pieces: Vec<Vec<u64>>,
    table: HashTable<u32>,
    hasher: FixedState,
    words: Vec<u64>,
}

impl Interner {
    pub(super) fn intern(&mut self, code: &Code, node: &Node) -> u64 {
        code.pack_wide(node, &mut self.words);
        let Self {
            pieces,
            table,
            hasher,
            words,
        } = self;
        let same = |&at: &u32| at_in(pieces, words.len(), at) == words.as_slice();
        if let Some(&known) = table.find(hasher.hash_one(words.as_slice()), same) {
            return FIRST - u64::from(known);
        }
        // A search gives up long before it runs out of numbers.
        let at = u32::try_from(table.len()).expect("there are less positions than numbers");
        if (at as usize).is_multiple_of(PIECE) {
            pieces.push(Vec::with_capacity(PIECE * words.len()));
        }
        let piece = pieces.last_mut().expect("a piece was pushed");
        piece.extend_from_slice(words);
        let hash = |&at: &u32| hasher.hash_one(at_in(pieces, words.len(), at));
        table.insert_unique(hasher.hash_one(words.as_slice()), at, hash);
        FIRST - u64::from(at)
    }

    pub(super) fn node(&self, code: &Code, number: u64) -> Node {
        let at = (FIRST - number) as u32;
        code.unpack_wide(at_in(&self.pieces, code.words(), at))
    }

    /// The size in bytes, including room for a few thousand more nodes.
    pub(super) fn bytes(&self) -> u64 {
        let piece = (PIECE * self.words.len() * size_of::<u64>()) as u64;
        let pieces = (self.pieces.len() as u64 + 1) * (piece + 2 * size_of::<Vec<u64>>() as u64);
        // While a table grows, the old one still exists.
        let growth = if self.table.capacity() - self.table.len() < SPARE {
            2
        } else {
            0
        };
        pieces + (1 + growth) * self.table.allocation_size() as u64
    }
}

fn at_in(pieces: &[Vec<u64>], words: usize, at: u32) -> &[u64] {
    let (piece, at) = (at as usize / PIECE, at as usize % PIECE);
    &pieces[piece][at * words..][..words]
}
