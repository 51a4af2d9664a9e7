//! A set of rows that numbers them and finds them by hash.

use std::hash::{BuildHasher, Hash};

use super::rows::{Rows, hash_bytes};
use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Distinct rows, numbered in the order of insertion.
#[derive(Clone, Debug)]
pub struct RowSet<T> {
    rows: Rows<T>,
    /// The row numbers with hashes, which let the table grow without access to the rows.
    numbers: HashTable<(u32, RowHash)>,
}

type RowHash = u32;

fn spread(hash: RowHash) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<T> Default for RowSet<T> {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            numbers: HashTable::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> RowSet<T> {
    fn hash(row: &[T]) -> RowHash {
        FixedState::default().hash_one(row) as RowHash
    }

    /// Removes all rows and sets the number of items in a row.
    pub fn clear(&mut self, width: usize) {
        self.rows.clear(width);
        self.numbers.clear();
    }

    /// Returns the bytes needed for `rows` rows, including old copies while the set grows.
    pub fn bytes(&self, rows: usize) -> u64 {
        self.rows.bytes(rows) + hash_bytes(&self.numbers, rows)
    }

    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Makes room for `rows` rows in total.
    pub fn reserve(&mut self, rows: usize) {
        let more = rows.saturating_sub(self.numbers.len());
        self.numbers.reserve(more, |&(_, hash)| spread(hash));
    }

    /// Returns the row with this number.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    #[inline]
    pub fn row(&self, number: u32) -> &[T] {
        self.rows.row(number as usize)
    }

    /// Returns the number of a row; `None` if it is not in the set.
    #[inline]
    pub fn find(&self, row: &[T]) -> Option<u32> {
        self.find_hashed(row, Self::hash(row))
    }

    #[inline]
    fn find_hashed(&self, row: &[T], hash: RowHash) -> Option<u32> {
        let is_same = |&(number, known): &_| known == hash && self.row(number) == row;
        let found = self.numbers.find(spread(hash), is_same);
        found.map(|&(number, _)| number)
    }

    /// Adds a row unless it is known. Returns its number, and whether it is new.
    pub fn find_or_add(&mut self, row: &[T]) -> (u32, bool) {
        let hash = Self::hash(row);
        if let Some(number) = self.find_hashed(row, hash) {
            return (number, false);
        }
        let number = self.rows.len() as u32;
        let entry = (number, hash);
        self.numbers
            .insert_unique(spread(hash), entry, |&(_, hash)| spread(hash));
        self.rows.push(row);
        (number, true)
    }
}

#[cfg(test)]
#[path = "row_set_tests.rs"]
mod tests;
