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
mod tests;
