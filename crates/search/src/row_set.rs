//! A set of rows that numbers them and finds them by hash.

use std::hash::{BuildHasher, Hash, Hasher};

use super::rows::{Rows, reserve, vec_bytes};
use super::visited::Lookup;
use foldhash::fast::FixedState;

/// Distinct rows, numbered in the order of insertion.
#[derive(Clone, Debug)]
pub struct RowSet<T> {
    rows: Rows<T>,
    /// A hash table with linear probing, at most two thirds full. Its entries are nearly in the order of their hashes, so it
    /// grows in place, in one pass without access to the rows.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    hash: RowHash,
    /// The number of a row, or [`VACANT`].
    number: u32,
}

const VACANT: u32 = u32::MAX;

/// The hash of a row.
pub type RowHash = u32;

impl<T> Default for RowSet<T> {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            slots: vec![Slot::VACANT],
        }
    }
}

impl Slot {
    pub(crate) const VACANT: Self = Self {
        hash: 0,
        number: VACANT,
    };

    /// Returns the number of slots for `rows` rows. At least one is always vacant, so that each look-up ends.
    const fn count(rows: usize) -> usize {
        rows + rows / 2 + 1
    }
}

impl<T: Clone + Eq + Hash> RowSet<T> {
    /// Returns the hash of a row.
    #[inline]
    pub fn hash(row: &[T]) -> RowHash {
        let mut hasher = FixedState::default().build_hasher();
        for item in row {
            item.hash(&mut hasher);
        }
        hasher.finish() as RowHash
    }

    /// Removes all rows and sets the number of items in a row.
    pub fn clear(&mut self, width: usize) {
        self.rows.clear(width);
        self.slots.clear();
        self.slots.push(Slot::VACANT);
    }

    /// Returns the bytes needed for `rows` rows, including old copies while the set grows.
    pub fn bytes(&self, rows: usize) -> u64 {
        self.rows.bytes(rows) + vec_bytes(&self.slots, Slot::count(rows))
    }

    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Makes room for `rows` rows in total.
    pub fn reserve(&mut self, rows: usize) {
        let (old, count) = (self.slots.len(), Slot::count(rows));
        if count <= old {
            return;
        }
        reserve(&mut self.slots, count);
        self.slots.resize(count, Slot::VACANT);
        // From the last slot to the first, almost every entry moves to a place behind those still to be moved. The others are
        // added afterwards.
        let mut others = Vec::new();
        for at in (0..old).rev() {
            let slot = std::mem::replace(&mut self.slots[at], Slot::VACANT);
            if slot.number == VACANT {
                continue;
            }
            let first = self.first_slot(slot.hash);
            match self.slots[first..]
                .iter_mut()
                .find(|to| to.number == VACANT)
            {
                Some(to) if first >= at => *to = slot,
                _ => others.push(slot),
            }
        }
        for slot in others {
            let mut at = self.first_slot(slot.hash);
            while self.slots[at].number != VACANT {
                at = self.next_slot(at);
            }
            self.slots[at] = slot;
        }
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

    #[inline]
    fn first_slot(&self, hash: RowHash) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> RowHash::BITS) as usize
    }

    #[inline]
    const fn next_slot(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() {
            0
        } else {
            slot + 1
        }
    }

    /// Returns the slot at which look-ups of this hash begin.
    #[inline]
    pub(crate) fn slot(&self, hash: RowHash) -> Slot {
        self.slots[self.first_slot(hash)]
    }

    /// Returns the number of a row, which has this hash, after [`Self::slot`] returned `slot`; `None` if the row is not in the set.
    #[inline]
    pub(crate) fn find_from(&self, slot: Slot, row: &[T], hash: RowHash) -> Option<u32> {
        self.slot_of(slot, row, hash).ok()
    }

    /// Returns the number of a row, or the slot for it if it is not in the set.
    #[inline]
    fn slot_of(&self, mut slot: Slot, row: &[T], hash: RowHash) -> Result<u32, usize> {
        let mut at = self.first_slot(hash);
        while slot.number != VACANT {
            if slot.hash == hash && self.row(slot.number).iter().eq(row) {
                return Ok(slot.number);
            }
            at = self.next_slot(at);
            slot = self.slots[at];
        }
        Err(at)
    }

    /// Adds a row unless it is known.
    #[inline]
    pub fn find_or_add(&mut self, row: &[T]) -> Lookup {
        self.find_or_add_hashed(row, Self::hash(row))
    }

    /// Like [`Self::find_or_add`], for a row with this hash.
    #[inline]
    pub(crate) fn find_or_add_hashed(&mut self, row: &[T], hash: RowHash) -> Lookup {
        match self.slot_of(self.slot(hash), row, hash) {
            Ok(number) => Lookup::Known(number),
            Err(slot) => Lookup::New(self.add(row, hash, slot)),
        }
    }

    fn add(&mut self, row: &[T], hash: RowHash, slot: usize) -> u32 {
        let number = self.rows.len() as u32;
        self.slots[slot] = Slot { hash, number };
        self.rows.push(row);
        if Slot::count(self.rows.len()) > self.slots.len() {
            self.reserve(2 * self.rows.len());
        }
        number
    }
}

#[cfg(test)]
#[path = "row_set_tests.rs"]
mod tests;
