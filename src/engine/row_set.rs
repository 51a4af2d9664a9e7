//! A set of rows that numbers them and finds them by hash.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::rows::{Rows, hash_bytes, vec_bytes};

/// Distinct rows, numbered in the order of insertion. Rows that arrive in bulk ([`RowSet::add_fresh`]) go into a small
/// table first. [`RowSet::flush`] later moves them to the large tables in parallel, since accesses to those miss the
/// cache.
#[derive(Clone, Debug)]
pub struct RowSet<T> {
    rows: Rows<T>,
    /// All numbers that are not fresh, in a single table or distributed over [`TABLES`] tables by hash.
    tables: Vec<Numbers>,
    fresh: Numbers,
    coming: [Vec<(u32, RowHash)>; TABLES],
    room: usize,
}

/// The numbers of rows with the rows' hashes, so that a table can grow without access to the rows.
type Numbers = HashTable<(u32, RowHash)>;

const TABLES: usize = 16;

/// Chooses one of `tables` tables (a power of two) by bits of the hash that the tables themselves do not use.
fn table_of(hash: RowHash, tables: usize) -> usize {
    (spread(hash) >> 40) as usize & (tables - 1)
}

/// Returns a practically certain upper bound on the number of rows in any of the tables.
fn share(rows: usize, tables: usize) -> usize {
    match tables {
        1 => rows,
        _ => rows / tables + rows / tables / 32 + 64,
    }
}

fn insert(table: &mut Numbers, row: (u32, RowHash)) {
    table.insert_unique(spread(row.1), row, |&(_, hash)| spread(hash));
}

fn reserve(table: &mut Numbers, rows: usize) {
    table.reserve(rows.saturating_sub(table.len()), |&(_, hash)| spread(hash));
}

pub type RowHash = u32;

fn spread(hash: RowHash) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<T> Default for RowSet<T> {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            tables: vec![HashTable::new()],
            fresh: HashTable::new(),
            coming: Default::default(),
            room: 0,
        }
    }
}

impl<T: Clone + Eq + Hash> RowSet<T> {
    pub fn hash(row: &[T]) -> RowHash {
        FixedState::default().hash_one(row) as RowHash
    }

    pub fn clear(&mut self, width: usize) {
        self.rows.clear(width);
        self.tables.truncate(1);
        self.tables[0].clear();
        self.forget_fresh();
        self.room = 0;
    }

    fn forget_fresh(&mut self) {
        self.fresh.clear();
        self.coming.iter_mut().for_each(Vec::clear);
    }

    /// Returns the bytes needed for `rows` rows, including old copies while the set grows.
    pub fn bytes(&self, rows: usize) -> u64 {
        let each = share(rows, self.tables.len());
        let tables = self.tables.iter().map(|table| hash_bytes(table, each));
        let coming = self.coming.iter().map(|list| vec_bytes(list, 0));
        let fresh = self.fresh.allocation_size() as u64 + coming.sum::<u64>();
        self.rows.bytes(rows) + tables.sum::<u64>() + fresh
    }

    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Makes room for `rows` rows. Large tables grow only when they are next filled.
    pub fn reserve(&mut self, rows: usize) {
        self.room = rows;
        if let [table] = &mut self.tables[..] {
            reserve(table, rows);
        }
    }

    #[inline]
    pub fn row(&self, number: u32) -> &[T] {
        self.rows.row(number as usize)
    }

    #[inline]
    pub fn find(&self, row: &[T], hash: RowHash) -> Option<u32> {
        self.find_in(&self.tables[table_of(hash, self.tables.len())], row, hash)
    }

    #[inline]
    fn find_in(&self, table: &Numbers, row: &[T], hash: RowHash) -> Option<u32> {
        let is_same = |&(number, known): &_| known == hash && self.row(number) == row;
        let found = table.find(spread(hash), is_same);
        found.map(|&(number, _)| number)
    }

    /// Adds a row, which must be new.
    pub fn add(&mut self, row: &[T], hash: RowHash) -> u32 {
        let number = self.rows.len() as u32;
        let table = table_of(hash, self.tables.len());
        insert(&mut self.tables[table], (number, hash));
        self.rows.push(row);
        number
    }

    /// Adds a row that is not in the large tables, unless a fresh row is equal; returns its number, and whether it is new.
    pub fn add_fresh(&mut self, row: &[T], hash: RowHash) -> (u32, bool) {
        if let Some(number) = self.find_in(&self.fresh, row, hash) {
            return (number, false);
        }
        let number = self.rows.len() as u32;
        insert(&mut self.fresh, (number, hash));
        self.coming[table_of(hash, TABLES)].push((number, hash));
        self.rows.push(row);
        (number, true)
    }

    pub fn flush(&mut self, pool: Option<&ThreadPool>) {
        self.split();
        let room = share(self.room, TABLES);
        let fill = |(table, coming): (&mut Numbers, &Vec<_>)| {
            reserve(table, room);
            for &row in coming {
                insert(table, row);
            }
        };
        let (tables, coming) = (&mut self.tables, &self.coming);
        match pool {
            Some(pool) => pool.install(|| {
                let tables = tables.par_iter_mut().zip(coming);
                tables.with_max_len(1).for_each(fill);
            }),
            None => tables.iter_mut().zip(coming).for_each(fill),
        }
        self.forget_fresh();
    }

    fn split(&mut self) {
        let [table] = &mut self.tables[..] else {
            return;
        };
        let all = std::mem::take(table);
        self.tables = vec![HashTable::new(); TABLES];
        for row in all {
            insert(&mut self.tables[table_of(row.1, TABLES)], row);
        }
    }
}

/// Rows that a thread has found but not stored yet, each with its minimum depth.
#[derive(Debug)]
pub struct Batch<T> {
    met: RowSet<T>,
    hashes: Vec<RowHash>,
    depths: Vec<u32>,
    /// Room for packing a state.
    pub(super) row: Vec<T>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self {
            met: RowSet::default(),
            hashes: Vec::new(),
            depths: Vec::new(),
            row: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Batch<T> {
    pub fn clear(&mut self, width: usize) {
        self.met.clear(width);
        self.hashes.clear();
        self.depths.clear();
    }

    pub fn row(&self, number: u32) -> (&[T], RowHash) {
        (self.met.row(number), self.hashes[number as usize])
    }

    /// Returns the number of the row, unless the batch holds an equal one at the same or a smaller depth.
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

#[cfg(test)]
mod tests;
