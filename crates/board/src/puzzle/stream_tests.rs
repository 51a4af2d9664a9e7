use super::*;

#[test]
fn an_unfinished_line_keeps_its_first_and_last_byte() {
    for (text, left) in [
        ("ab", "ab"),
        ("abc", "ac"),
        ("a.........b", "ab"),
        ("a\nbc", "a\nbc"),
    ] {
        let mut kept = text.as_bytes().to_vec();
        BoardFinder::shorten(&mut kept);
        assert_eq!(kept, left.as_bytes());
    }
}
