//! Rows that are told apart: each is kept once, and found again by its hash.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::rows::{Rows, hash_bytes};

/// Different rows, numbered in the order in which they came.
#[derive(Clone, Debug)]
pub struct RowSet<T> {
    rows: Rows<T>,
    /// The numbers, each with its row's hash, so that the table can grow without a look at the rows.
    table: HashTable<(u32, RowHash)>,
}

/// The hash of a row.
pub type RowHash = u32;

/// The same, spread over the bits by which a table goes.
fn spread(hash: RowHash) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<T> Default for RowSet<T> {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            table: HashTable::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> RowSet<T> {
    /// The hash of a row.
    pub fn hash(row: &[T]) -> RowHash {
        FixedState::default().hash_one(row) as RowHash
    }

    /// Forgets all rows; those to come are `width` wide.
    pub fn clear(&mut self, width: usize) {
        self.rows.clear(width);
        self.table.clear();
    }

    /// The bytes that it takes with room for so many rows, and what is there beside them while it grows to that.
    pub fn bytes(&self, rows: usize) -> u64 {
        self.rows.bytes(rows) + hash_bytes(&self.table, rows)
    }

    /// Makes room for so many rows in all.
    pub fn reserve(&mut self, rows: usize) {
        let more = rows.saturating_sub(self.table.len());
        self.table.reserve(more, |&(_, hash)| spread(hash));
    }

    /// The row of this number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline]
    pub fn row(&self, number: u32) -> &[T] {
        self.rows.row(number as usize)
    }

    /// The number of a row with this hash, if it is there.
    #[inline]
    pub fn find(&self, row: &[T], hash: RowHash) -> Option<u32> {
        let is_same = |&(number, known): &_| known == hash && self.row(number) == row;
        self.table
            .find(spread(hash), is_same)
            .map(|&(number, _)| number)
    }

    /// Adds a row with this hash that is not there yet; its number.
    pub fn add(&mut self, row: &[T], hash: RowHash) -> u32 {
        let number = self.rows.len() as u32;
        let rehash = |&(_, hash): &_| spread(hash);
        self.table
            .insert_unique(spread(hash), (number, hash), rehash);
        self.rows.push(row);
        number
    }
}

/// Rows that a thread has met and that are not kept yet, with the least depth at which it met each of them.
#[derive(Debug)]
pub struct Batch<T> {
    met: RowSet<T>,
    hashes: Vec<RowHash>,
    depths: Vec<u32>,
    pub(super) scratch: Vec<T>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self {
            met: RowSet::default(),
            hashes: Vec::new(),
            depths: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Batch<T> {
    /// Forgets all rows; those to come are `width` wide.
    pub fn clear(&mut self, width: usize) {
        self.met.clear(width);
        self.hashes.clear();
        self.depths.clear();
    }

    /// The row of this number, with its hash.
    pub fn row(&self, number: u32) -> (&[T], RowHash) {
        (self.met.row(number), self.hashes[number as usize])
    }

    /// Takes in a row met at this depth; its number, unless it was met at no greater one.
    pub fn meet(&mut self, row: &[T], hash: RowHash, depth: u32) -> Option<u32> {
        let Some(number) = self.met.find(row, hash) else {
            self.hashes.push(hash);
            self.depths.push(depth);
            return Some(self.met.add(row, hash));
        };
        let known = &mut self.depths[number as usize];
        (depth < *known).then(|| {
            *known = depth;
            number
        })
    }
}
