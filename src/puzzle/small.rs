//! Small boards with one word for each glyph: a fast path for input with millions of boards.
//!
//! [`Boards::read_small`](super::text::Boards::read_small) and [`read_small`](super::json::read_small) read a plain
//! board of `jimmy` into a [`SmallBoard`], which is decided without a [`Puzzle`](super::Puzzle). All other boards take
//! the general path. Seconds of processor time for a million random 10x10 boards, on one thread and without LTO:
//!
//! | | text | JSON Lines |
//! | --- | --- | --- |
//! | with this path | 0.38 | 0.9 |
//! | general path alone | 0.65 | 1.35 |
//!
//! Handling rows faster would not help the general path: it borrows them, and spends its time in some thirty
//! functions.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use super::bytes::{self, BLOCK};
use super::glyphs::Glyphs;
use crate::bits::{Bits, low_bits};
use crate::grid::Grid;

/// A rectangle of at most [`Bits::WORD`] glyphs, one byte each.
#[derive(Clone, Debug)]
pub struct SmallBoard {
    grid: Grid,
    /// The glyphs in row-major order, followed by zeros.
    text: [u8; Bits::WORD],
}

impl SmallBoard {
    /// `None` if the rows are not a rectangle, or are too large.
    #[inline]
    pub fn of_rows<T: AsRef<[u8]>>(rows: impl IntoIterator<Item = T>) -> Option<Self> {
        Self::of(rows.into_iter().map(Some))
    }

    /// Like [`Self::of_rows`]; also `None` if a row is `None`.
    #[inline]
    pub(super) fn of<T: AsRef<[u8]>>(rows: impl Iterator<Item = Option<T>>) -> Option<Self> {
        let (mut text, mut height, mut width) = ([0; Bits::WORD], 0, 0);
        for row in rows {
            let row = row?;
            let row = row.as_ref();
            if height == 0 {
                width = row.len();
            }
            let start = height * width;
            put(text.get_mut(start..start + row.len())?, row);
            if row.len() != width {
                return None;
            }
            height += 1;
        }
        let grid = Grid::new(height, width)?;
        Some(Self { grid, text })
    }

    pub const fn grid(&self) -> Grid {
        self.grid
    }

    pub fn text(&self) -> &[u8] {
        &self.text[..self.grid.size()]
    }

    /// All cells: bit `i` for cell number `i`, in row-major order.
    #[inline]
    pub const fn cells(&self) -> u128 {
        low_bits(self.grid.size() as u32)
    }

    /// The cells with this glyph, in the same form.
    #[inline]
    pub fn cells_of(&self, glyph: u8) -> u128 {
        let (blocks, _) = self.text.as_chunks();
        let places = |block: usize| u128::from(bytes::places(&blocks[block], glyph));
        (places(0) | places(1) << BLOCK) & self.cells()
    }
}

/// Copies a row of a few bytes faster than `memcpy`.
#[inline]
fn put(room: &mut [u8], row: &[u8]) {
    for (room, &glyph) in room.iter_mut().zip(row) {
        *room = glyph;
    }
}

/// Reads an array of strings without escapes.
impl<'de> Deserialize<'de> for SmallBoard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows;

        impl<'de> Visitor<'de> for Rows {
            type Value = SmallBoard;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("the rows of a small board")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<SmallBoard, A::Error> {
                let next = || {
                    rows.next_element::<&str>()
                        .map_or(Some(None), |row| row.map(Some))
                };
                SmallBoard::of(std::iter::from_fn(next))
                    .ok_or_else(|| A::Error::custom("no small board"))
            }
        }

        deserializer.deserialize_seq(Rows)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) glyphs: Glyphs,
    pub(super) small: Option<SmallBoard>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_small_board_knows_its_cells() {
        let board = SmallBoard::of_rows(["#.o", ".o#"]).unwrap();
        assert_eq!((board.grid().rows(), board.grid().cols()), (2, 3));
        assert_eq!((board.cells_of(b'o'), board.cells_of(b'n')), (0b010_100, 0));
    }

    fn cells_of(cells: &[u8], glyph: u8) -> u128 {
        let found = (0..).zip(cells).filter(|(_, cell)| **cell == glyph);
        found.fold(0, |found, (at, _)| found | 1 << at)
    }

    proptest! {
        #[test]
        fn the_cells_of_each_glyph_are_where_they_are_drawn(
            width in 1usize..30,
            mut cells in prop::collection::vec(
                prop_oneof![20 => b'0'..b'4', 1 => any::<u8>()],
                0..150,
            ),
            is_ragged in prop::bool::weighted(0.1),
        ) {
            cells.truncate(cells.len() / width * width);
            let mut rows: Vec<_> = cells.chunks_exact(width).collect();
            if is_ragged && let Some(row) = rows.last_mut() {
                *row = &row[1..];
            }
            let is_small = (1..=Bits::WORD).contains(&cells.len());
            let board = SmallBoard::of_rows(rows.iter().copied());
            // A single row cannot be ragged.
            if let Some(board) = board.filter(|_| !is_ragged) {
                prop_assert!(is_small);
                prop_assert_eq!(board.grid(), Grid::new(rows.len(), width).unwrap());
                prop_assert_eq!(board.text(), &*cells);
                for &glyph in cells.iter().chain(&[0, 1, b'4', 255]) {
                    prop_assert_eq!(board.cells_of(glyph), cells_of(&cells, glyph));
                }
            } else {
                prop_assert!(!is_small || is_ragged);
            }
        }
    }
}
