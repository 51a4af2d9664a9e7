use super::*;

#[test]
fn ranges_are_read_in_all_forms() {
    let read = range(0, 1_000_000);
    for (text, range) in [
        ("3", 3..=3),
        ("1..4", 1..=4),
        ("1..=4", 1..=4),
        ("..4", 0..=4),
        ("2..", 2..=1_000_000),
    ] {
        assert_eq!(read(text), Ok(range));
    }
    for text in ["", "a", "4..1", "1..2..3", "-1"] {
        assert!(read(text).is_err(), "{text}");
    }
    let share = range(0.0, 1.0);
    assert_eq!(share("0.45..0.55"), Ok(0.45..=0.55));
    assert_eq!(share("0.2.."), Ok(0.2..=1.0));
    for text in ["0.6..0.2", "0.2..1.1", "-0.1..1", "NaN"] {
        let told = share(text).unwrap_err();
        assert_eq!(told, "write LOW..HIGH with 0 <= LOW <= HIGH <= 1", "{text}");
    }
}
