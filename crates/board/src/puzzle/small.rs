//! Small boards, which are most boards of large inputs.

use super::glyphs::{BLOCK, places};
use crate::bits::{Bits, low_bits};
use crate::grid::Grid;

#[derive(Clone, Debug)]
pub(super) struct SmallBoard {
    pub(super) grid: Grid,
    /// The glyphs in row-major order, followed by zeros up to the end.
    text: [u8; Bits::WORD],
}

impl SmallBoard {
    /// Reads the rows; returns `None` if they are ragged or too large.
    pub(super) fn of_rows<'t>(rows: impl Iterator<Item = &'t [u8]>) -> Option<Self> {
        let (mut text, mut height, mut width) = ([0; Bits::WORD], 0, 0);
        for row in rows {
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

    pub(super) fn text(&self) -> &[u8] {
        &self.text[..self.grid.size()]
    }

    pub(super) fn all(&self, glyph: u8) -> Bits {
        let (low, high) = self.text.split_at(BLOCK);
        let places = |block| u128::from(places(block, glyph));
        let cells = low_bits(self.grid.size() as u32);
        Bits::from_word((places(low) | places(high) << BLOCK) & cells)
    }
}

#[inline]
fn put(room: &mut [u8], row: &[u8]) {
    // For a few bytes, a loop is faster than `copy_from_slice`, which calls `memcpy`.
    for (room, &glyph) in room.iter_mut().zip(row) {
        *room = glyph;
    }
}
