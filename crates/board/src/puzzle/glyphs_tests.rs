use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn a_glyph_is_found_wherever_it_stands(
        text in prop::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..=BLOCK),
        glyph in prop_oneof![Just(b'a'), any::<u8>()],
    ) {
        let found = places(&text, glyph);
        for at in 0..BLOCK {
            prop_assert_eq!(found >> at & 1 == 1, text.get(at) == Some(&glyph));
        }
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
