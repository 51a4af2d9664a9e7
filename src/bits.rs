//! Sets of cells.

use crate::grid::{Cell, Grid};

/// A set of cells of one [`Grid`]. On boards of up to 128 cells it is a single word, without heap memory.
///
/// ```
/// use getaway::{Bits, Grid};
/// let grid = Grid::new(3, 4).unwrap();
/// let mut walls = Bits::new(grid);
/// let cell = grid.cell(1, 2).unwrap();
/// assert!(walls.insert(cell));
/// assert!(walls.contains(cell));
/// assert_eq!(walls.iter(grid).collect::<Vec<_>>(), [cell]);
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Bits(Words);

#[derive(Debug, PartialEq, Eq, Hash)]
enum Words {
    One(u128),
    Many(Box<[u64]>),
}

impl Bits {
    /// The maximum number of cells that fit into one word.
    pub const WORD: usize = 128;

    /// Returns the empty set.
    pub fn new(grid: Grid) -> Self {
        if grid.size() <= Self::WORD {
            Self(Words::One(0))
        } else {
            Self(Words::Many(vec![0; grid.size().div_ceil(64)].into()))
        }
    }

    /// Returns the set with a cell of index `i` for each bit `i` of `word`.
    pub const fn from_word(word: u128) -> Self {
        Self(Words::One(word))
    }

    /// Returns the set as one word, as in [`Bits::from_word`]; `None` on larger boards.
    pub const fn word(&self) -> Option<u128> {
        match self.0 {
            Words::One(word) => Some(word),
            Words::Many(_) => None,
        }
    }

    /// Returns whether `cell` is in the set.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        let i = cell.index();
        match &self.0 {
            Words::One(word) => word >> i & 1 == 1,
            Words::Many(words) => words[i / 64] >> (i % 64) & 1 == 1,
        }
    }

    /// Adds `cell`; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let i = cell.index();
        let new = !self.contains(cell);
        match &mut self.0 {
            Words::One(word) => *word |= 1 << i,
            Words::Many(words) => words[i / 64] |= 1 << (i % 64),
        }
        new
    }

    /// Adds the cell with index `start + i` for each set bit `i` of `run`.
    #[inline]
    pub(crate) fn insert_run(&mut self, start: usize, run: u64) {
        if run == 0 {
            return;
        }
        match &mut self.0 {
            Words::One(word) => *word |= u128::from(run) << start,
            Words::Many(words) => {
                let run = u128::from(run) << (start % 64);
                words[start / 64] |= run as u64;
                if run >> 64 != 0 {
                    words[start / 64 + 1] |= (run >> 64) as u64;
                }
            }
        }
    }

    /// Removes `cell`; returns whether it was there.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let i = cell.index();
        let old = self.contains(cell);
        match &mut self.0 {
            Words::One(word) => *word &= !(1 << i),
            Words::Many(words) => words[i / 64] &= !(1 << (i % 64)),
        }
        old
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        match &mut self.0 {
            Words::One(word) => *word = 0,
            Words::Many(words) => words.fill(0),
        }
    }

    /// Returns the heap memory of a set in bytes.
    pub const fn heap_bytes(grid: Grid) -> usize {
        if grid.size() <= Self::WORD {
            0
        } else {
            grid.size().div_ceil(64) * size_of::<u64>()
        }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        match &self.0 {
            Words::One(word) => word.count_ones() as usize,
            Words::Many(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Words::One(word) => *word == 0,
            Words::Many(words) => words.iter().all(|&word| word == 0),
        }
    }

    /// Returns the only cell of the set; `None` if there are none or several.
    #[inline]
    pub fn only(&self, grid: Grid) -> Option<Cell> {
        if let Words::One(word) = self.0 {
            let is_one = word & word.wrapping_sub(1) == 0;
            return grid.nth(word.trailing_zeros() as usize).filter(|_| is_one);
        }
        let mut cells = self.iter(grid);
        cells.next().filter(|_| cells.next().is_none())
    }

    /// Returns the cells of the set, in row-major order.
    pub fn iter(&self, grid: Grid) -> impl Iterator<Item = Cell> {
        let (word, more) = match &self.0 {
            Words::One(word) => (*word, [].as_slice()),
            Words::Many(words) => (0, &**words),
        };
        let ones = Ones {
            word,
            start: 0,
            more: more.iter(),
            next: 0,
        };
        ones.filter_map(move |index| grid.nth(index))
    }
}

#[inline]
pub(crate) const fn low_bits(count: u32) -> u128 {
    if count < u128::BITS {
        (1 << count) - 1
    } else {
        u128::MAX
    }
}

struct Ones<'w> {
    /// The bits not visited yet, the lowest of which has index `start`.
    word: u128,
    start: usize,
    more: std::slice::Iter<'w, u64>,
    next: usize,
}

impl Iterator for Ones<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            self.word = u128::from(*self.more.next()?);
            self.start = self.next;
            self.next += 64;
        }
        let at = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(self.start + at)
    }
}

impl Clone for Bits {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Words::One(word) => Words::One(*word),
            Words::Many(words) => Words::Many(words.clone()),
        })
    }

    /// Copies without allocating if both sets belong to the same grid.
    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (Words::Many(to), Words::Many(from)) => to.clone_from(from),
            (to, Words::One(word)) => *to = Words::One(*word),
            (to, Words::Many(words)) => *to = Words::Many(words.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
