//! Tables that grow without being moved, and the memory that other tables need while they grow.

use hashbrown::HashTable;

/// Rows of equal width in pages that never move, so that growing needs no second copy.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    pages: Vec<Vec<T>>,
    width: usize,
    /// A page holds `1 << shift` rows.
    shift: u32,
    len: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self::of_width(1)
    }
}

impl<T> Rows<T> {
    /// The approximate size of a page in bytes, unless a single row needs more.
    const PAGE: usize = 1 << 16;

    pub fn of_width(width: usize) -> Self {
        let row = width.saturating_mul(size_of::<T>()).max(1);
        Self {
            pages: Vec::new(),
            width,
            shift: (Self::PAGE / row).max(1).ilog2(),
            len: 0,
        }
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    #[cfg(test)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all rows, but keeps the memory of the first page.
    pub fn clear(&mut self, width: usize) {
        let first = self.pages.drain(..).next();
        *self = Self::of_width(width);
        self.pages.extend(first.map(|mut page| {
            page.clear();
            page
        }));
    }

    #[inline]
    pub fn row(&self, number: usize) -> &[T] {
        let at = (number & ((1 << self.shift) - 1)) * self.width;
        &self.pages[number >> self.shift][at..at + self.width]
    }

    /// The memory needed for `rows` rows, including old copies while the pages grow.
    pub fn bytes(&self, rows: usize) -> u64 {
        let row = self.width * size_of::<T>();
        let page = row << self.shift;
        let pages = rows.div_ceil(1 << self.shift).max(self.pages.len());
        let lists = pages * 2 * size_of::<Vec<T>>();
        if pages > 1 {
            return (pages * page + lists) as u64;
        }
        let there = self.pages.first().map_or(0, Vec::capacity) * size_of::<T>();
        let first = if rows * row <= there {
            there
        } else {
            // The first page grows by doubling.
            let grown = (2 * rows * row).min(page);
            grown + grown / 2
        };
        (first + lists) as u64
    }
}

impl<T: Clone> Rows<T> {
    pub fn push(&mut self, row: &[T]) {
        debug_assert_eq!(row.len(), self.width);
        let page = self.len >> self.shift;
        if page == self.pages.len() {
            self.add_page();
        }
        let page = &mut self.pages[page];
        if page.capacity() - page.len() < row.len() {
            // Only the first page may lack capacity.
            let most = (self.width << self.shift) - page.len();
            page.reserve_exact(page.len().max(row.len()).min(most));
        }
        page.extend_from_slice(row);
        self.len += 1;
    }

    /// Grows the first page on demand, since most boards are small.
    #[cold]
    fn add_page(&mut self) {
        let room = if self.pages.is_empty() {
            0
        } else {
            self.width << self.shift
        };
        self.pages.push(Vec::with_capacity(room));
    }
}

/// The memory needed for `len` entries, including the old copy while the table is moved.
pub fn vec_bytes<T>(table: &Vec<T>, len: usize) -> u64 {
    let old = table.capacity();
    let new = if len > old { len } else { 0 };
    ((old + new) * size_of::<T>()) as u64
}

pub fn reserve<T>(table: &mut Vec<T>, len: usize) {
    table.reserve_exact(len.saturating_sub(table.len()));
}

/// The memory needed for `len` entries, including the old copy while the table is rehashed.
pub fn hash_bytes<T>(table: &HashTable<T>, len: usize) -> u64 {
    let old = table.allocation_size() as u64;
    if len <= table.capacity() {
        return old;
    }
    // A hash table fills at most seven eighths of its slots, whose number is a power of two, and keeps a byte of the
    // hash for each slot.
    let places = (len as u64 * 8).div_ceil(7).next_power_of_two();
    old + places * (size_of::<T>() as u64 + 1) + 64
}

/// The bytes that an allocation takes on the heap, including its overhead.
pub const fn heap_bytes(bytes: usize) -> usize {
    if bytes == 0 {
        0
    } else {
        bytes.next_multiple_of(16) + 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::measured::Measured;

    #[test]
    fn lists_take_what_is_told() {
        let (mut table, mut measured) = (Vec::<[u32; 3]>::new(), Measured::default());
        for len in [7, 5, 100, 100_000] {
            let told = vec_bytes(&table, len);
            measured.assert_takes(told, 0.0, || reserve(&mut table, len));
        }
    }

    #[test]
    fn hash_tables_take_what_is_told() {
        let (mut table, mut measured) = (HashTable::<u64>::new(), Measured::default());
        for len in [1000, 900, 2000, 7 << 12, (7 << 13) + 1] {
            let told = hash_bytes(&table, len);
            measured.assert_takes(told, 0.03, || table.reserve(len, |&item| item));
        }
    }

    #[test]
    fn pages_take_what_is_told() {
        let (mut rows, mut measured) = (Rows::of_width(3), Measured::default());
        // The first page grows by doubling, and may already have had the capacity.
        for (len, share) in [
            (1000, 0.7),
            (20_000, 0.03),
            (100_000, 0.03),
            (300_000, 0.03),
        ] {
            let told = rows.bytes(len);
            measured.assert_takes(told, share, || {
                while rows.len() < len {
                    rows.push(&[1_u32, 2, 3]);
                }
            });
        }
    }

    #[test]
    fn rows_are_read_back_over_all_pages() {
        let mut rows = Rows::of_width(3);
        let many = 3 * Rows::<u32>::PAGE / 12;
        for at in 0..many as u32 {
            rows.push(&[at, at + 1, at + 2]);
        }
        assert_eq!((rows.len(), rows.is_empty()), (many, false));
        assert!(rows.pages.len() > 1);
        // All pages except the first are allocated at full size from the start.
        assert_eq!(rows.pages[1].capacity(), 3 << rows.shift);
        for at in 0..many {
            let at32 = at as u32;
            assert_eq!(rows.row(at), [at32, at32 + 1, at32 + 2]);
        }
        rows.clear(1);
        assert!(rows.is_empty());
        rows.push(&[7]);
        assert_eq!(rows.row(0), [7]);
    }

    #[test]
    fn a_row_larger_than_a_page_has_a_page_of_its_own() {
        let width = 2 * Rows::<u8>::PAGE;
        let mut rows = Rows::of_width(width);
        for byte in 0..3_u8 {
            rows.push(&vec![byte; width]);
        }
        assert_eq!(rows.row(2)[width - 1], 2);
        assert!(rows.bytes(3) < 4 * width as u64);
    }

    #[test]
    fn what_tables_take_is_not_told_too_small() {
        let mut table: HashTable<u32> = HashTable::new();
        let hash = |&at: &u32| u64::from(at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for at in 0..10_000 {
            let told = hash_bytes(&table, table.len() + 1);
            let old = if table.len() == table.capacity() {
                table.allocation_size()
            } else {
                0
            };
            table.insert_unique(hash(&at), at, hash);
            assert!(told >= (old + table.allocation_size()) as u64, "{at}");
        }
        let mut list = Vec::<u64>::new();
        assert_eq!(vec_bytes(&list, 10), 80);
        reserve(&mut list, 10);
        assert!(list.capacity() >= 10);
        assert_eq!(vec_bytes(&list, 5), 8 * list.capacity() as u64);
    }
}
