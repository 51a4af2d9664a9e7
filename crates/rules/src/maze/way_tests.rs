use super::*;

#[test]
fn a_way_is_read_as_a_number_or_a_letter() {
    assert_eq!("1".parse::<Way>(), "R".parse::<Way>());
    assert_eq!(Way::LEFT.to_string(), "3");
}

#[test]
fn ways_are_read_as_they_are_written_and_by_their_letters() {
    for (way, text) in Way::ALL.into_iter().zip(["0", "1", "2", "3"]) {
        assert_eq!(way.to_string(), text);
        assert_eq!(text.parse(), Ok(way));
        assert_eq!(way.dir().to_string().parse(), Ok(way));
    }
    for text in ["4", "-1", "00", "x", ""] {
        assert!(text.parse::<Way>().is_err(), "{text}");
    }
}

#[test]
fn opposite_directions_cancel() {
    for way in Way::ALL {
        let ((a, b), (c, d)) = (way.dir().offset(), way.dir().opposite().offset());
        assert_eq!((a + c, b + d), (0, 0));
    }
}
