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
}
