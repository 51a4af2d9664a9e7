use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn the_cells_of_a_glyph_are_found(rows in prop::collection::vec("[ab ]{0,30}", 1..12)) {
        const LEGEND: Legend =
            Legend::new(&[(" ", Meaning::Floor, "empty"), ("ab", Meaning::Wall, "wall")]);
        let mut puzzle = Puzzle::empty();
        puzzle.rows.extend(rows.iter().map(|row| Row::new(row.as_bytes(), 1)));
        if let Ok(sheet) = GlyphGrid::read(&puzzle, &LEGEND) {
            for glyph in [' ', 'a', 'b', 'c'] {
                let there = sheet.cells().filter(|(_, found)| *found == glyph as u8);
                let cells: Vec<_> = there.map(|(cell, _)| cell).collect();
                prop_assert_eq!(sheet.all(glyph).iter(sheet.grid()).collect::<Vec<_>>(), cells);
            }
        }
    }
}
