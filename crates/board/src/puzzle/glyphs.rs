//! The set of glyphs on a board, by which rulesets recognize their boards, and the cells of each glyph on a small board.

use super::legend::{Legend, mask_of};
use crate::bits::{Bits, low_bits};
use crate::grid::Grid;

/// A set of glyphs; those beyond ASCII count as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyphs {
    /// Bit `i` stands for ASCII character `i`.
    ascii: u128,
    has_others: bool,
}

impl Glyphs {
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Self {
        // It is much faster to set a byte for each glyph than a bit.
        let mut seen = [0; 256];
        for text in texts {
            for &byte in text {
                seen[usize::from(byte)] = 1;
            }
        }
        let bits = |from: usize| u128::from(places(&seen[from..from + BLOCK], 1));
        Self {
            ascii: bits(0) | bits(BLOCK) << BLOCK,
            has_others: seen[128..] != [0; 128],
        }
    }

    #[must_use]
    pub(super) fn without(mut self, glyphs: &str) -> Self {
        self.ascii &= !mask_of(glyphs);
        self
    }

    /// Returns whether an ASCII glyph is in the set.
    pub const fn has(self, glyph: u8) -> bool {
        self.ascii >> glyph & 1 == 1
    }

    pub(super) const fn are_ascii(self) -> bool {
        !self.has_others
    }

    /// Returns whether the legend has all glyphs of the set.
    pub const fn fit(self, legend: &Legend) -> bool {
        self.are_in(legend.mask())
    }

    /// Returns whether all glyphs are in this set of ASCII characters: bit `i` stands for character `i`.
    pub const fn are_in(self, mask: u128) -> bool {
        self.ascii & !mask == 0 && !self.has_others
    }
}

pub(super) const BLOCK: usize = 64;

/// Finds `glyph` in a text of at most 64 bytes: bit `i` of the result stands for byte `i`.
#[inline]
pub(super) fn places(text: &[u8], glyph: u8) -> u64 {
    let mut same = [0; BLOCK];
    for (same, &byte) in same.iter_mut().zip(text) {
        *same = u8::from(byte == glyph);
    }
    let (eights, _) = same.as_chunks();
    // The multiplication moves bit 0 of byte `i` to bit `56 + i`.
    let bits =
        |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let mut places = 0;
    for (number, eight) in eights.iter().enumerate() {
        places |= bits(eight) << (8 * number);
    }
    places
}

/// A small board with few different glyphs, all of them ASCII, as most boards of large inputs are.
#[derive(Clone, Debug)]
pub(super) struct SmallBoard {
    pub(super) grid: Grid,
    pub(super) glyphs: Glyphs,
    /// The different glyphs. Unused entries are zero, here and in `cells`.
    known: [u8; Self::MAX_GLYPHS],
    /// The cells of each glyph, as bits.
    cells: [u128; Self::MAX_GLYPHS],
}

impl SmallBoard {
    const MAX_GLYPHS: usize = 8;

    /// Reads the rows; returns `None` if they are empty, ragged or too large, or have too many different glyphs or one that is
    /// not ASCII.
    pub(super) fn of_rows<'t>(rows: impl Iterator<Item = &'t [u8]>) -> Option<Self> {
        let (mut text, mut height, mut width) = ([0; Bits::WORD], 0, 0);
        for row in rows {
            if height == 0 {
                width = row.len();
            }
            if row.len() != width {
                return None;
            }
            let start = height * width;
            text.get_mut(start..start + width)?.copy_from_slice(row);
            height += 1;
        }
        let mut board = Self {
            grid: Grid::new(height, width)?,
            glyphs: Glyphs::default(),
            known: [0; Self::MAX_GLYPHS],
            cells: [0; Self::MAX_GLYPHS],
        };
        let (low, high) = text.split_at(BLOCK);
        let (mut rest, mut known) = (low_bits(board.grid.size() as u32), 0);
        while rest != 0 {
            let glyph = text[rest.trailing_zeros() as usize];
            let places = |block| u128::from(places(block, glyph));
            *board.known.get_mut(known)? = glyph;
            board.glyphs.ascii |= 1_u128.checked_shl(glyph.into())?;
            board.cells[known] = rest;
            // A single remaining cell needs no search for its glyph.
            if !rest.is_power_of_two() {
                board.cells[known] &= places(low) | places(high) << BLOCK;
            }
            rest &= !board.cells[known];
            known += 1;
        }
        Some(board)
    }

    pub(super) fn all(&self, glyph: u8) -> Bits {
        let known = self.known.iter().position(|&known| known == glyph);
        Bits::from_word(known.map_or(0, |known| self.cells[known]))
    }
}

#[cfg(test)]
#[path = "glyphs_tests.rs"]
mod tests;
