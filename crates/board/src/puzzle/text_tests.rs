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

    #[test]
    fn a_board_read_at_once_is_the_same_as_line_by_line(
        lines in prop::collection::vec("[.#og]{3}|[.#og]{3}|[.#og;`~ -]{0,4}|[|+,:=\\[\\]\t0-9é]{0,3}|\r|;a: b", 0..30),
    ) {
        let text = lines.join("\n");
        let [mut at_once, mut by_line] = [(); 2].map(|()| Boards::new(text.as_bytes(), 1));
        let mut with_room = Puzzle::empty();
        with_room.rows.reserve(lines.len());
        loop {
            let mut without_room = Puzzle::empty();
            let read = by_line.read(&mut without_room);
            prop_assert_eq!(&at_once.read(&mut with_room), &read);
            prop_assert_eq!((at_once.start, at_once.line), (by_line.start, by_line.line));
            let rows = |puzzle: &Puzzle| -> Vec<_> {
                puzzle.rows.iter().map(|row| (row.text.to_vec(), row.line)).collect()
            };
            prop_assert_eq!(rows(&with_room), rows(&without_room));
            prop_assert_eq!(with_room.glyphs(), without_room.glyphs());
            if read == Ok(false) {
                break;
            }
        }
    }
}
