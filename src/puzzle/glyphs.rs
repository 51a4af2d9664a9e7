use super::bytes::{self, BLOCK};
use super::legend::Legend;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyphs {
    /// The byte values that occur: bit `i % 64` of word `i / 64` stands for value `i`.
    bytes: [u64; 4],
}

impl Glyphs {
    pub fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Self {
        // Setting a byte for each glyph is much faster than setting a bit.
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

    #[must_use]
    pub fn without(mut self, glyphs: &[u8]) -> Self {
        for glyph in glyphs {
            self.bytes[usize::from(glyph >> 6)] &= !(1 << (glyph & 63));
        }
        self
    }

    pub const fn has(self, glyph: u8) -> bool {
        self.bytes[(glyph >> 6) as usize] >> (glyph & 63) & 1 == 1
    }

    pub const fn are_ascii(self) -> bool {
        self.bytes[2] | self.bytes[3] == 0
    }

    pub const fn fit(self, legend: &Legend) -> bool {
        self.are_in(legend.mask())
    }

    /// Returns whether all glyphs are in this set of ASCII characters: bit `i` stands for character `i`.
    pub const fn are_in(self, mask: u128) -> bool {
        let unknown = (self.bytes[0] & !(mask as u64)) | (self.bytes[1] & !((mask >> 64) as u64));
        unknown | self.bytes[2] | self.bytes[3] == 0
    }
}

/// Finds `glyph` in a row: calls `tell` with the first column of each run and its bits. Runs may overlap.
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
mod tests;
