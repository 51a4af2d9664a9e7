//! Rows that are stored in pages, and the memory of tables that grow.

/// Rows of equal width in pages. Only the first page moves while it grows, so a large table needs no second copy.
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
    /// The maximum size of a page in bytes, unless a single row needs more.
    const PAGE: usize = 1 << 16;

    /// Returns an empty list of rows with `width` items each.
    pub fn of_width(width: usize) -> Self {
        let row = width.saturating_mul(size_of::<T>()).max(1);
        Self {
            pages: Vec::new(),
            width,
            shift: (Self::PAGE / row).max(1).ilog2(),
            len: 0,
        }
    }

    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no rows.
    #[cfg(test)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all rows and sets a new width, but keeps the memory of the first page.
    pub fn clear(&mut self, width: usize) {
        let first = self.pages.drain(..).next();
        *self = Self::of_width(width);
        self.pages.extend(first.map(|mut page| {
            page.clear();
            page
        }));
    }

    /// Returns the row with this number.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    #[inline]
    pub fn row(&self, number: usize) -> &[T] {
        let at = (number & ((1 << self.shift) - 1)) * self.width;
        &self.pages[number >> self.shift][at..at + self.width]
    }

    /// Returns the bytes needed for `rows` rows, including the old copy while the first page grows.
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
            // The capacity of the first page doubles, so it may be twice the size needed; meanwhile the old copy takes half as
            // much again.
            let grown = (2 * rows * row).min(page);
            grown + grown / 2
        };
        (first + lists) as u64
    }
}

impl<T: Clone> Rows<T> {
    /// Adds a row. Its length must be the width.
    pub fn push(&mut self, row: &[T]) {
        debug_assert_eq!(row.len(), self.width);
        let page = self.len >> self.shift;
        if page == self.pages.len() {
            self.add_page();
        }
        let page = &mut self.pages[page];
        if page.capacity() - page.len() < row.len() {
            let most = (self.width << self.shift) - page.len();
            page.reserve_exact(page.len().max(row.len()).min(most));
        }
        page.extend_from_slice(row);
        self.len += 1;
    }

    /// Adds an empty page. The first one grows on demand, since most boards are small.
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

/// Returns the bytes needed for `len` entries, including the old copy while the table is moved.
pub fn vec_bytes<T>(table: &Vec<T>, len: usize) -> u64 {
    let old = table.capacity();
    let new = if len > old { len } else { 0 };
    ((old + new) * size_of::<T>()) as u64
}

/// Makes room for `len` entries in total, and for no more.
pub fn reserve<T>(table: &mut Vec<T>, len: usize) {
    table.reserve_exact(len.saturating_sub(table.len()));
}

/// Returns the approximate size of an allocation of `bytes` bytes, including the allocator's overhead.
pub const fn heap_bytes(bytes: usize) -> usize {
    if bytes == 0 {
        0
    } else {
        bytes.next_multiple_of(16) + 16
    }
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
