use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn places_are_all_occurrences_of_a_glyph(
        text in prop::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..=BLOCK),
        glyph in prop_oneof![Just(b'a'), any::<u8>()],
    ) {
        let found = places(&text, glyph);
        for at in 0..BLOCK {
            prop_assert_eq!(found >> at & 1 == 1, text.get(at) == Some(&glyph));
        }
    }

    #[test]
    fn glyphs_are_the_characters_of_the_text(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let glyphs = Glyphs::of(std::iter::once(&*text));
        for byte in 0..=127 {
            prop_assert_eq!(glyphs.has(byte), text.contains(&byte));
        }
        prop_assert_eq!(glyphs.are_ascii(), text.is_ascii());
    }
}
