use super::*;

#[test]
fn what_a_terminal_would_obey_is_escaped_and_means_the_same() {
    let text = "a\u{9b}31mb\u{7f}\u{202e}\u{1b}é\n";
    let written = to_string(text).unwrap();
    assert_eq!(written, r#""a\u009b31mb\u007f\u202e\u001bé\n""#);
    assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    let raw = "{\"id\": \"\u{9b}\"}";
    assert_eq!(shown(raw), "{\"id\": \"\\u009b\"}");
    assert!(matches!(shown("[1, \"o\"]"), Cow::Borrowed(_)));
}
