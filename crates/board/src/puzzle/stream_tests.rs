use super::*;

#[test]
fn of_a_line_that_goes_on_and_on_two_bytes_are_kept() {
    for (text, left) in [
        ("ab", "ab"),
        ("abc", "ac"),
        ("a.........b", "ab"),
        ("a\nbc", "a\nbc"),
    ] {
        let mut kept = text.as_bytes().to_vec();
        assert_eq!(Scout::shorten(&mut kept), text.len() - left.len());
        assert_eq!(kept, left.as_bytes());
    }
}
