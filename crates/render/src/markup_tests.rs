use super::*;

#[test]
fn numbers_are_short_and_text_is_no_markup() {
    assert_eq!(
        [0.5, -0.0001, 2.0, 1.0 / 3.0, 100.0].map(number),
        ["0.5", "0", "2", "0.333", "100"]
    );
    assert_eq!(
        escaped("a<b> & \"c\" 'd' \u{1} é"),
        "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \u{fffd} é"
    );
}
