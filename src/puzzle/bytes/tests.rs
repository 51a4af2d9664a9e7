use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn a_byte_is_found_wherever_it_stands(
        text in prop::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..200),
        byte in prop_oneof![Just(b'a'), 1..=255u8],
    ) {
        for start in (0..text.len()).step_by(BLOCK) {
            let found = places_at(&text, start, byte);
            for at in 0..BLOCK {
                let is_there = text.get(start + at) == Some(&byte);
                prop_assert_eq!(found >> at & 1 == 1, is_there);
            }
        }
    }

    #[test]
    fn eight_bytes_at_a_time_are_the_same(
        sixteen in prop::array::uniform16(prop_oneof![Just(b'a'), Just(b'`'), Just(0xe1), any::<u8>()]),
        byte in prop_oneof![Just(b'a'), any::<u8>()],
    ) {
        let found = places_by_eights(sixteen, byte);
        for (at, &there) in sixteen.iter().enumerate() {
            prop_assert_eq!(found >> at & 1 == 1, there == byte);
        }
    }

    #[test]
    fn lines_are_those_between_their_ends(
        parts in prop::collection::vec("[ab]{0,3}|[ab]{60,70}|\r|\n|\n\n|\r\n", 0..30),
    ) {
        let text = parts.concat();
        let mut wanted: Vec<_> = text.split('\n').collect();
        if wanted.last() == Some(&"") {
            wanted.pop();
        }
        let mut lines = Lines::from(text.as_bytes(), 0);
        let mut start = 0;
        for line in wanted {
            let next = start + line.len() + 1;
            let bare = line.strip_suffix('\r').unwrap_or(line);
            prop_assert_eq!(lines.peek(), Some(bare.as_bytes()));
            prop_assert_eq!(lines.start(), start);
            prop_assert_eq!(lines.after(), text.as_bytes().get(next).copied());
            lines.pass();
            start = next;
        }
        prop_assert_eq!(lines.peek(), None);
        prop_assert_eq!(lines.start(), text.len());
    }
}
