//! Finds bytes in a text, many at a time.

pub(super) const BLOCK: usize = 64;

/// Finds `byte` in a block: bit `i` of the result stands for byte `i`.
#[inline]
pub(super) fn places(block: &[u8; BLOCK], byte: u8) -> u64 {
    let (sixteens, _) = block.as_chunks();
    let mut places = 0;
    for (number, &sixteen) in sixteens.iter().enumerate() {
        places |= u64::from(places_of_16(sixteen, byte)) << (16 * number);
    }
    places
}

#[cfg(target_feature = "sse2")]
#[inline]
fn places_of_16(sixteen: [u8; 16], byte: u8) -> u16 {
    use safe_arch::{cmp_eq_mask_i8_m128i, m128i, move_mask_i8_m128i, set_splat_i8_m128i};
    let same = cmp_eq_mask_i8_m128i(m128i::from(sixteen), set_splat_i8_m128i(byte as i8));
    move_mask_i8_m128i(same) as u16
}

#[cfg(not(target_feature = "sse2"))]
#[inline]
fn places_of_16(sixteen: [u8; 16], byte: u8) -> u16 {
    places_by_eights(sixteen, byte)
}

/// Finds `byte` on machines that cannot compare sixteen bytes at a time.
#[cfg(any(test, not(target_feature = "sse2")))]
#[inline]
fn places_by_eights(sixteen: [u8; 16], byte: u8) -> u16 {
    let (eights, _) = sixteen.as_chunks();
    u16::from(places_of_8(eights[0], byte)) | u16::from(places_of_8(eights[1], byte)) << 8
}

#[cfg(any(test, not(target_feature = "sse2")))]
#[inline]
fn places_of_8(eight: [u8; 8], byte: u8) -> u8 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let differs = u64::from_le_bytes(eight) ^ u64::from_le_bytes([byte; 8]);
    // The high bit of each byte that differs is set; no byte carries into the next.
    let differs = ((differs & !HIGH) + !HIGH) | differs;
    // The multiplication moves bit 7 of byte `i` to bit `56 + i`.
    ((!differs & HIGH) >> 7)
        .wrapping_mul(0x0102_0408_1020_4080)
        .to_be_bytes()[0]
}

/// Finds `byte`, which must not be 0, in the block at `start`. A block cut short by the end of the text is padded with zeros.
#[inline]
pub(super) fn places_at(text: &[u8], start: usize, byte: u8) -> u64 {
    let rest = &text[start..];
    rest.first_chunk()
        .map_or_else(|| places(&padded(rest), byte), |block| places(block, byte))
}

#[inline]
pub(super) fn padded(text: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..text.len()].copy_from_slice(text);
    block
}

#[derive(Clone, Debug)]
pub(super) struct Lines<'t> {
    text: &'t [u8],
    next: (usize, usize),
    block: usize,
    ends: u64,
}

impl<'t> Lines<'t> {
    #[inline]
    pub(super) fn from(text: &'t [u8], start: usize) -> Self {
        let mut lines = Self {
            text,
            next: (start, start),
            block: start,
            ends: places_at(text, start, b'\n'),
        };
        lines.next.1 = lines.end();
        lines
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<&'t [u8]> {
        let (start, end) = self.next;
        if start == self.text.len() {
            return None;
        }
        let line = &self.text[start..end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    #[inline]
    pub(super) fn after(&self) -> Option<u8> {
        self.text.get(self.next.1 + 1).copied()
    }

    #[inline]
    pub(super) fn pass(&mut self) {
        let start = (self.next.1 + 1).min(self.text.len());
        self.next = (start, self.end());
    }

    pub(super) const fn start(&self) -> usize {
        self.next.0
    }

    #[inline]
    fn end(&mut self) -> usize {
        while self.ends == 0 {
            self.block += BLOCK;
            if self.block >= self.text.len() {
                return self.text.len();
            }
            self.ends = places_at(self.text, self.block, b'\n');
        }
        let end = self.block + self.ends.trailing_zeros() as usize;
        self.ends &= self.ends - 1;
        end
    }
}

#[cfg(test)]
mod tests;
