use super::*;

#[test]
fn numbers_are_grouped_and_things_counted() {
    assert_eq!(count(1, "move"), "1 move");
    assert_eq!(count(0, "mismatch"), "0 mismatches");
    assert_eq!(count(1_234_567, "board"), "1,234,567 boards");
}

#[test]
fn terminal_control_characters_are_escaped() {
    assert_eq!(safe("a\u{1b}[31mb\u{202e}"), "a\\u{1b}[31mb\\u{202e}");
}
