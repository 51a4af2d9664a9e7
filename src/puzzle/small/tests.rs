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
