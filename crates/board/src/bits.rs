//! Sets of cells.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use crate::grid::{Cell, Grid};

/// A set of cells of one [`Grid`]. On boards of up to 128 cells it is a single 128-bit word, without heap memory.
///
/// ```
/// use getaway_board::{bits::Bits, grid::Grid};
/// let grid = Grid::new(3, 4).unwrap();
/// let mut walls = Bits::new(grid);
/// let cell = grid.cell(1, 2).unwrap();
/// assert!(walls.insert(cell));
/// assert!(walls.contains(cell));
/// assert_eq!(walls.iter(grid).collect::<Vec<_>>(), [cell]);
///
/// let floor = &Bits::full(grid) - &walls;
/// assert_eq!(floor.len(), 11);
/// assert!(floor.is_disjoint(&walls));
/// assert_eq!(&floor | &walls, Bits::full(grid));
/// ```
///
/// The operators `|`, `&` and `-` (union, intersection and difference) take sets of the same grid.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Bits(Words);

#[derive(Debug, PartialEq, Eq, Hash)]
enum Words {
    Two([u64; 2]),
    Many(Box<[u64]>),
}

impl Bits {
    /// The maximum number of cells on a board whose sets of cells fit into one 128-bit word.
    pub const WORD: usize = 128;

    /// Returns the empty set.
    pub fn new(grid: Grid) -> Self {
        if grid.size() <= Self::WORD {
            Self::from_word(0)
        } else {
            Self(Words::Many(vec![0; grid.size().div_ceil(64)].into()))
        }
    }

    /// Returns the set of all cells of `grid`.
    pub fn full(grid: Grid) -> Self {
        Self::of_cells(grid, grid.cells())
    }

    /// Returns a set of these cells.
    pub fn of_cells(grid: Grid, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::new(grid);
        set.extend(cells);
        set
    }

    /// Returns the set of the cells whose indices are the set bits of `word`, for grids of at most [`Bits::WORD`] cells.
    pub const fn from_word(word: u128) -> Self {
        Self(Words::Two([word as u64, (word >> 64) as u64]))
    }

    /// Returns the set as one word, as in [`Bits::from_word`]; `None` on boards of more than [`Bits::WORD`] cells.
    pub const fn word(&self) -> Option<u128> {
        match self.0 {
            Words::Two([low, high]) => Some(low as u128 | (high as u128) << 64),
            Words::Many(_) => None,
        }
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match &self.0 {
            Words::Two(words) => words,
            Words::Many(words) => words,
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Words::Two(words) => words,
            Words::Many(words) => words,
        }
    }

    /// Returns whether `cell` is in the set.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        let i = cell.index();
        self.words()[i / 64] >> (i % 64) & 1 == 1
    }

    /// Adds `cell`; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let (i, old) = (cell.index(), self.contains(cell));
        self.words_mut()[i / 64] |= 1 << (i % 64);
        !old
    }

    /// Adds the cell with index `start + i` for each set bit `i` of `run`.
    #[inline]
    pub(crate) fn insert_run(&mut self, start: usize, run: u64) {
        if run == 0 {
            return;
        }
        let (words, run) = (self.words_mut(), u128::from(run) << (start % 64));
        words[start / 64] |= run as u64;
        if run >> 64 != 0 {
            words[start / 64 + 1] |= (run >> 64) as u64;
        }
    }

    /// Removes `cell`; returns whether it was in the set.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let (i, old) = (cell.index(), self.contains(cell));
        self.words_mut()[i / 64] &= !(1 << (i % 64));
        old
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Returns the heap memory of a set of cells of `grid`, in bytes.
    pub const fn heap_bytes(grid: Grid) -> usize {
        if grid.size() <= Self::WORD {
            0
        } else {
            grid.size().div_ceil(64) * size_of::<u64>()
        }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        let counts = self.words().iter().map(|word| word.count_ones() as usize);
        counts.sum()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Returns whether the sets have no cell in common.
    ///
    /// # Panics
    ///
    /// May panic if the sets belong to different grids, as may [`Bits::is_subset`] and the operators.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.pairs(other).all(|(a, b)| a & b == 0)
    }

    /// Returns whether each cell of this set is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.pairs(other).all(|(a, b)| a & !b == 0)
    }

    fn pairs(&self, other: &Self) -> impl Iterator<Item = (u64, u64)> {
        let (own, other) = (self.words(), other.words());
        assert_eq!(own.len(), other.len(), "sets of different grids");
        own.iter().copied().zip(other.iter().copied())
    }

    fn combine(&mut self, other: &Self, of: impl Fn(u64, u64) -> u64) {
        let (own, other) = (self.words_mut(), other.words());
        assert_eq!(own.len(), other.len(), "sets of different grids");
        for (own, &other) in own.iter_mut().zip(other) {
            *own = of(*own, other);
        }
    }

    /// Returns the only cell of the set; `None` if there are none or several.
    #[inline]
    pub fn only(&self, grid: Grid) -> Option<Cell> {
        let mut cells = self.iter(grid);
        cells.next().filter(|_| cells.next().is_none())
    }

    /// Returns the cells of the set, in row-major order.
    pub fn iter(&self, grid: Grid) -> impl Iterator<Item = Cell> {
        let words = (0..).step_by(64).zip(self.words());
        words
            .flat_map(|(start, &word)| SetBits(word).map(move |bit| start + bit))
            .filter_map(move |index| grid.nth(index))
    }
}

impl Extend<Cell> for Bits {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

macro_rules! operator {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident $of:expr) => {
        impl $OpAssign<&Self> for Bits {
            fn $op_assign(&mut self, other: &Self) {
                self.combine(other, $of);
            }
        }

        impl $Op for &Bits {
            type Output = Bits;

            fn $op(self, other: Self) -> Bits {
                let mut set = self.clone();
                set.combine(other, $of);
                set
            }
        }
    };
}

operator!(BitOr bitor BitOrAssign bitor_assign |a, b| a | b);
operator!(BitAnd bitand BitAndAssign bitand_assign |a, b| a & b);
operator!(Sub sub SubAssign sub_assign |a, b| a & !b);

/// Returns a word with the lowest `count` bits set; if `count` is 128 or more, all bits.
#[inline]
pub const fn low_bits(count: u32) -> u128 {
    if count < u128::BITS {
        (1 << count) - 1
    } else {
        u128::MAX
    }
}

/// Iterates over the indices of a word's set bits, from the lowest.
struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let lowest = self.0.trailing_zeros() as usize;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            lowest
        })
    }
}

impl Clone for Bits {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Words::Two(words) => Words::Two(*words),
            Words::Many(words) => Words::Many(words.clone()),
        })
    }

    /// Copies without allocating if both sets belong to the same grid.
    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (Words::Many(to), Words::Many(from)) => to.clone_from(from),
            (to, Words::Two(words)) => *to = Words::Two(*words),
            (to, Words::Many(words)) => *to = Words::Many(words.clone()),
        }
    }
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
