use super::*;

#[test]
fn text_is_wrapped_and_items_hang() {
    let text = "# Title\n\nOne two *three*\nfour.\n\n- `a b` letters and more\n- short\n\n\
                    7. seven\n8. eight **or**\n   nine\n\n```text\n; x\n #\n```\n";
    let expected = "\
Title

  One two
  three four.

  - `a b`
    letters
    and more
  - short

  7. seven
  8. eight or
     nine

    ; x
     #
";
    assert_eq!(render(text, 13, Colors::Off), expected);
}

#[test]
fn colours_take_no_width() {
    let colored = render("`code` and **strong** words\n", 15, Colors::On);
    let expected = "  \u{1b}[36mcode\u{1b}[0m and\n  \u{1b}[1mstrong\u{1b}[0m words\n";
    assert_eq!(colored, expected);
}
