use super::*;

#[test]
fn continuation_lines_align_with_their_text() {
    let text = "escape in 3 moves: ULL and more\n  1 U  `D`: lost within four moves\n  short\n";
    let expected =
        "escape in 3 moves: ULL and more\n  1 U  `D`: lost within\n       four moves\n  short\n";
    assert_eq!(wrapped(text, 24), expected);
    assert_eq!(wrapped("  a long line\n", 10), "  a long\n    line\n");
    assert_eq!(wrapped("  a long line\n", 80), "  a long line\n");
}
