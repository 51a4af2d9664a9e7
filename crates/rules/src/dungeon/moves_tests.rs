use super::*;

#[test]
fn moves_are_read_as_they_are_written() {
    for text in [".", "U", "UR", "LLDR"] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    assert_eq!("ur".parse::<Move>().unwrap().to_string(), "UR");
    for text in ["", "X", "U.", "..", "UUUUU"] {
        assert_eq!(text.parse::<Move>(), Err(NOT_A_MOVE), "{text}");
    }
}
