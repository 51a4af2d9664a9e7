use super::*;

#[test]
fn terminal_controls_are_escaped_in_json_of_the_same_value() {
    let text = "a\u{9b}31mb\u{7f}\u{202e}\u{1b}é\n";
    let written = to_string(text).unwrap();
    assert_eq!(written, r#""a\u009b31mb\u007f\u202e\u001bé\n""#);
    assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    let raw = "{\"id\": \"\u{9b}\"}";
    assert_eq!(escape_controls(raw), "{\"id\": \"\\u009b\"}");
    assert!(matches!(escape_controls("[1, \"o\"]"), Cow::Borrowed(_)));
}
