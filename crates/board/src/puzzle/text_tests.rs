use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn lines_are_those_between_their_ends(
        parts in prop::collection::vec("[ab]{0,3}|[ab]{60,70}|\r|\n|\n\n|\r\n", 0..30),
    ) {
        let text = parts.concat();
        let mut expected: Vec<_> = text.split('\n').collect();
        if expected.last() == Some(&"") {
            expected.pop();
        }
        let (text, mut start) = (text.as_bytes(), 0);
        let mut reader = Boards { text, start, end: end_of_line(text, start), line: 1 };
        for line in expected {
            let next = start + line.len() + 1;
            let bare = line.strip_suffix('\r').unwrap_or(line);
            prop_assert_eq!(reader.peek(), Some(bare.as_bytes()));
            prop_assert_eq!(reader.start, start);
            prop_assert_eq!(reader.after(), text.get(next).copied());
            reader.advance();
            start = next;
        }
        prop_assert_eq!(reader.peek(), None);
        prop_assert_eq!(reader.start, text.len());
    }
}
