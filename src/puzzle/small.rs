//! Small boards, cut out of a text at once: the cells of any glyph are bits of a word.

use memchr::memchr;

use super::bytes::{self, BLOCK};
use super::glyphs::Glyphs;
use crate::bits::{Bits, low_bits};
use crate::grid::Grid;

/// A rectangle of at most [`Bits::WORD`] glyphs, a byte each.
#[derive(Clone, Debug)]
pub struct SmallBoard {
    grid: Grid,
    /// The glyphs in row-major order; what stands after the last one means nothing.
    text: Text,
}

type Text = [u8; Bits::WORD + STRIDE];

/// So many bytes are copied at once.
const STRIDE: usize = 16;

impl SmallBoard {
    /// The board with these rows; `None` if they are no rectangle, or too large.
    #[inline]
    pub fn of_rows<'t>(rows: impl ExactSizeIterator<Item = &'t [u8]> + Clone) -> Option<Self> {
        let width = rows.clone().next()?.len();
        let grid = small_grid(rows.len(), width)?;
        let mut text: Text = [0; _];
        for (number, row) in rows.enumerate() {
            if row.len() != width {
                return None;
            }
            put(text.get_mut(number * width..)?, row, width)?;
        }
        Some(Self { grid, text })
    }

    /// The board that `text` begins with, whose rows are joined by `between`, and how many bytes it takes. It ends
    /// where no `between` follows a row, or nothing but another one; no glyph is the first byte of `between`.
    ///
    /// `None` if it is no rectangle, or too large.
    #[inline]
    pub fn of_joined<const N: usize>(text: &[u8], between: &[u8; N]) -> Option<(Self, usize)> {
        let mark = *between.first()?;
        let width = memchr(mark, &text[..text.len().min(Bits::WORD + 1)])?;
        let narrow = || Self::of_copied(text, (between, width), put_narrow);
        let (board, end) = Some(width)
            .filter(|&width| width <= STRIDE)
            .and_then(|_| narrow())
            .or_else(|| Self::of_copied(text, (between, width), put))?;
        (board.cells_of(mark) == 0).then_some((board, end))
    }

    /// The same where it is known how wide it is. `copy` writes a row into its place and tells whether it could; rows come
    /// from left to right, so it may write more.
    #[inline]
    fn of_copied<const N: usize>(
        text: &[u8],
        (between, width): (&[u8; N], usize),
        copy: impl Fn(&mut [u8], &[u8], usize) -> Option<()>,
    ) -> Option<(Self, usize)> {
        let mark = between[0];
        let mut glyphs: Text = [0; _];
        let (mut rest, mut rows, mut size) = (text, 0, 0);
        let after = loop {
            copy(glyphs.get_mut(size..)?, rest, width)?;
            (rows, size) = (rows + 1, size + width);
            let after = rest.get(width..)?;
            match after.strip_prefix(between) {
                Some(next) if next.first().is_some_and(|&next| next != mark) => rest = next,
                _ => break after,
            }
        };
        let board = Self {
            grid: small_grid(rows, width)?,
            text: glyphs,
        };
        Some((board, text.len() - after.len()))
    }

    /// Its shape.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Its glyphs in row-major order.
    pub fn text(&self) -> &[u8] {
        &self.text[..self.grid.size()]
    }

    /// All cells: bit `i` for cell number `i`, in row-major order.
    #[inline]
    pub const fn cells(&self) -> u128 {
        low_bits(self.grid.size() as u32)
    }

    /// The cells with this glyph, in the same way.
    #[inline]
    pub fn cells_of(&self, glyph: u8) -> u128 {
        let [cells] = self.cells_of_each([glyph]);
        cells
    }

    /// The cells with each of these glyphs, in the same way.
    #[inline]
    pub fn cells_of_each<const N: usize>(&self, glyphs: [u8; N]) -> [u128; N] {
        let (blocks, _) = self.text.as_chunks();
        let cells = self.cells();
        glyphs.map(|glyph| {
            let places = |block: usize| u128::from(bytes::places(&blocks[block], glyph));
            (places(0) | places(1) << BLOCK) & cells
        })
    }
}

/// What there is on a board.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// The glyphs.
    pub(super) glyphs: Glyphs,
    /// Where they stand, on a small board.
    pub(super) small: Option<SmallBoard>,
}

/// The shape of a board that fits into a word.
#[inline]
fn small_grid(rows: usize, cols: usize) -> Option<Grid> {
    let is_small = rows.checked_mul(cols)? <= Bits::WORD;
    is_small.then(|| Grid::new(rows, cols))?
}

/// Writes the row of this width that `row` begins with to where `room` begins, if it fits there.
#[inline]
fn put(room: &mut [u8], row: &[u8], width: usize) -> Option<()> {
    room.get_mut(..width)?.copy_from_slice(row.get(..width)?);
    Some(())
}

/// The same for a row of at most [`STRIDE`] glyphs: so many bytes are written, if there are so many. Where both were one
/// function, it would become a call of what copies any number of bytes.
#[inline]
fn put_narrow(room: &mut [u8], row: &[u8], _width: usize) -> Option<()> {
    *room.first_chunk_mut::<STRIDE>()? = *row.first_chunk()?;
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_board_is_cut_out_of_a_text() {
        let (board, length) = SmallBoard::of_joined(b"#.o\n.o#\n\nanother", b"\n").unwrap();
        assert_eq!(
            (board.grid().rows(), board.grid().cols(), length),
            (2, 3, 7)
        );
        assert_eq!((board.cells_of(b'o'), board.cells_of(b'n')), (0b010_100, 0));
    }

    /// The cells of a glyph, one by one.
    fn cells_of(cells: &[u8], glyph: u8) -> u128 {
        let found = (0..).zip(cells).filter(|(_, cell)| **cell == glyph);
        found.fold(0, |found, (at, _)| found | 1 << at)
    }

    proptest! {
        /// On boards that are rectangles and small, and on others.
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
            // A single row is as long as it is.
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

        #[test]
        fn rows_are_cut_out_of_a_text_where_it_has_what_is_between_them(
            rows in prop::collection::vec("[ab]{0,3}|[ab]{9}|[ab]{20}", 1..12),
            is_even in prop::bool::weighted(0.8),
            between in prop_oneof![Just("\n"), Just("\", \"")],
            after in "[ab\n\"]{0,20}",
        ) {
            let mut rows = rows;
            if is_even {
                let first = rows[0].clone();
                rows.fill(first);
            }
            let text = rows.join(between) + &between[..1] + &after;
            let read = match between {
                "\n" => SmallBoard::of_joined(text.as_bytes(), b"\n"),
                _ => SmallBoard::of_joined(text.as_bytes(), b"\", \""),
            };
            if let Some((board, end)) = &read {
                let cells = text[..*end].replace(between, "");
                let width = board.grid().cols() as usize;
                prop_assert_eq!(board.grid().size(), cells.len());
                prop_assert!(text[..*end].split(between).all(|row| row.len() == width));
                for glyph in [b'a', b'b', b'\n', b'"'] {
                    prop_assert_eq!(board.cells_of(glyph), cells_of(cells.as_bytes(), glyph));
                }
            }
            let size = rows.len() * rows[0].len();
            if is_even && (1..=Bits::WORD).contains(&size) && after.is_empty() {
                let (board, end) = read.unwrap();
                prop_assert_eq!(board.grid().rows() as usize, rows.len());
                prop_assert_eq!(end, text.len() - 1);
            }
        }
    }
}
