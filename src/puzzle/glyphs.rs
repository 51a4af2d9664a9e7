//! Which glyphs a board uses, and on a small board where.

use super::bytes::{self, BLOCK};
use super::legend::Legend;
use crate::bits::Bits;

/// Which glyphs a board uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyphs {
    /// Bit `i % 64` of word `i / 64` for the byte `i`.
    bytes: [u64; 4],
}

impl Glyphs {
    /// The glyphs of these texts.
    pub fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Self {
        // To note each byte by itself takes a fraction of the time that a bit does.
        let mut seen = [0; 256];
        for text in texts {
            let (eights, rest) = text.as_chunks::<8>();
            for eight in eights {
                for &byte in eight {
                    seen[usize::from(byte)] = 1;
                }
            }
            for &byte in rest {
                seen[usize::from(byte)] = 1;
            }
        }
        let bytes = [0, 1, 2, 3].map(|word| bytes::places_at(&seen, word * BLOCK, 1));
        Self { bytes }
    }

    /// All but these ASCII characters.
    #[must_use]
    pub fn without(mut self, glyphs: &[u8]) -> Self {
        for glyph in glyphs {
            self.bytes[usize::from(glyph >> 6)] &= !(1 << (glyph & 63));
        }
        self
    }

    fn add(&mut self, glyph: u8) {
        self.bytes[usize::from(glyph >> 6)] |= 1 << (glyph & 63);
    }

    /// Whether this ASCII character is one of them.
    pub const fn has(self, glyph: u8) -> bool {
        self.bytes[(glyph >> 6) as usize] >> (glyph & 63) & 1 == 1
    }

    /// Whether all of them are ASCII.
    pub const fn are_ascii(self) -> bool {
        self.bytes[2] | self.bytes[3] == 0
    }

    /// Whether all of them belong to `legend`.
    pub const fn fit(self, legend: &Legend) -> bool {
        self.are_in(legend.mask())
    }

    /// Whether all of them are in this set of ASCII characters, bit `i` for the character `i`.
    pub const fn are_in(self, mask: u128) -> bool {
        let unknown = (self.bytes[0] & !(mask as u64)) | (self.bytes[1] & !((mask >> 64) as u64));
        unknown | self.bytes[2] | self.bytes[3] == 0
    }
}

/// A rectangle of glyphs that fits into a word: for each glyph the cells that have it.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    width: usize,
    /// So many glyphs there are.
    count: usize,
    glyphs: [u8; 16],
    /// The cells of each of them: bit `i` for the cell number `i` in row-major order.
    cells: [u128; Self::MOST],
}

impl Layers {
    /// No small board has more glyphs, but for mazes with many walls.
    const MOST: usize = 12;

    /// The layers of these rows; `None` if they are no rectangle, or too large for a word, or of too many
    /// glyphs.
    #[inline]
    pub(super) fn of<'t>(rows: impl ExactSizeIterator<Item = &'t [u8]> + Clone) -> Option<Self> {
        let width = rows.clone().next()?.len();
        let cells = rows.len().checked_mul(width)?;
        if !(1..=Bits::WORD).contains(&cells) {
            return None;
        }
        let mut text = Text([0; Bits::WORD]);
        let mut at = 0;
        for row in rows {
            if row.len() != width {
                return None;
            }
            text.put(at, row);
            at += width;
        }
        let mut layers = Self {
            width,
            count: 0,
            glyphs: [0; 16],
            cells: [0; Self::MOST],
        };
        let mut rest = u128::MAX >> (Bits::WORD - cells);
        while rest != 0 {
            let glyph = text.0[rest.trailing_zeros() as usize];
            let cells = text.places(glyph) & rest;
            *layers.cells.get_mut(layers.count)? = cells;
            layers.glyphs[layers.count] = glyph;
            layers.count += 1;
            rest &= !cells;
        }
        Some(layers)
    }

    /// How many columns there are.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// The cells with this glyph.
    pub(super) fn layer(&self, glyph: u8) -> u128 {
        let number = bytes::first_of_16(&self.glyphs, glyph);
        number
            .filter(|&number| number < self.count)
            .map_or(0, |number| self.cells[number])
    }

    /// All glyphs.
    pub(super) fn glyphs(&self) -> Glyphs {
        let mut glyphs = Glyphs::default();
        for glyph in self.used() {
            glyphs.add(*glyph);
        }
        glyphs
    }

    fn used(&self) -> &[u8] {
        &self.glyphs[..self.count]
    }
}

/// What there is on a board.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// The glyphs.
    pub(super) glyphs: Glyphs,
    /// Where they stand, on a small board.
    pub(super) layers: Option<Layers>,
}

/// The rows of a small board, one after the other.
struct Text([u8; Bits::WORD]);

impl Text {
    /// Writes a row.
    #[inline]
    fn put(&mut self, at: usize, row: &[u8]) {
        let place = &mut self.0[at..at + row.len()];
        // Most rows are written at once by their first and last eight bytes.
        if row.len() <= 16
            && let (Some(first), Some(last)) = (row.first_chunk::<8>(), row.last_chunk::<8>())
        {
            if let Some(place) = place.first_chunk_mut() {
                *place = *first;
            }
            if let Some(place) = place.last_chunk_mut() {
                *place = *last;
            }
        } else {
            place.copy_from_slice(row);
        }
    }

    /// Where this glyph stands.
    #[inline]
    fn places(&self, glyph: u8) -> u128 {
        let (blocks, _) = self.0.as_chunks();
        let places = |block| u128::from(bytes::places(&blocks[block], glyph));
        places(0) | places(1) << BLOCK
    }
}

/// Where `glyph` stands in a row: tells the column where a run begins, and the bits of a block or less. A byte
/// may be in two runs.
#[inline]
pub(super) fn for_runs(row: &[u8], glyph: u8, mut tell: impl FnMut(usize, u64)) {
    let Some(last) = row.last_chunk() else {
        let inside = !(u64::MAX << row.len());
        return tell(0, bytes::places(&bytes::padded(row), glyph) & inside);
    };
    let (blocks, _) = row.as_chunks();
    for (number, block) in blocks.iter().enumerate() {
        tell(BLOCK * number, bytes::places(block, glyph));
    }
    tell(row.len() - BLOCK, bytes::places(last, glyph));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_glyph_is_found_wherever_it_stands(
            row in prop::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..=200),
            glyph in prop_oneof![Just(b'a'), any::<u8>()],
        ) {
            let mut found = vec![false; row.len()];
            for_runs(&row, glyph, |col, run| {
                for at in (0..64).filter(|at| run >> at & 1 == 1) {
                    found[col + at] = true;
                }
            });
            let wanted: Vec<_> = row.iter().map(|&byte| byte == glyph).collect();
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn glyphs_are_those_of_the_text(text in prop::collection::vec(any::<u8>(), 0..40)) {
            let glyphs = Glyphs::of(std::iter::once(&*text));
            for byte in 0..=127 {
                prop_assert_eq!(glyphs.has(byte), text.contains(&byte));
            }
            prop_assert_eq!(glyphs.are_ascii(), text.is_ascii());
        }

        /// On boards that are rectangles, small and of few glyphs, and on others.
        #[test]
        fn each_glyph_of_a_small_board_has_its_layer(
            width in 1usize..30,
            mut cells in prop::collection::vec(
                prop_oneof![20 => 0..4u8, 1 => any::<u8>()],
                0..150,
            ),
            is_ragged in prop::bool::weighted(0.1),
        ) {
            cells.truncate(cells.len() / width * width);
            let mut rows: Vec<_> = cells.chunks_exact(width).collect();
            if is_ragged && let Some(row) = rows.last_mut() {
                *row = &row[1..];
            }
            let mut used = cells.clone();
            used.sort_unstable();
            used.dedup();
            let is_small = (1..=Bits::WORD).contains(&cells.len()) && used.len() <= Layers::MOST;
            let layers = Layers::of(rows.iter().copied());
            // A single row is as long as it is.
            if let Some(layers) = layers.filter(|_| !is_ragged) {
                prop_assert!(is_small);
                prop_assert_eq!(layers.width(), width);
                prop_assert_eq!(layers.glyphs(), Glyphs::of(rows.into_iter()));
                for glyph in 0..=255 {
                    let wanted = (0..).zip(&cells).filter(|(_, cell)| **cell == glyph);
                    let wanted = wanted.fold(0, |layer, (at, _)| layer | 1 << at);
                    prop_assert_eq!(layers.layer(glyph), wanted);
                }
            } else {
                prop_assert!(!is_small || is_ragged);
            }
        }
    }
}
