use super::*;
use crate::shapes::Segment;

#[test]
fn every_character_that_can_be_typed_has_a_letter() {
    assert_eq!(LETTERS.len(), 95);
    for c in '!'..='~' {
        assert!(!path(&c.to_string(), 1.0, (0.0, 0.0)).0.is_empty(), "{c}");
    }
    assert_eq!(path("é", 1.0, (0.0, 0.0)), path("?", 1.0, (0.0, 0.0)));
}

#[test]
fn a_capital_stands_on_the_line_and_is_as_high_as_asked() {
    let points = path("H", 10.0, (3.0, 20.0)).0.into_iter();
    let downs = points.filter_map(|segment| match segment {
        Segment::Move(at) | Segment::Line(at) => Some(at.1),
        _ => None,
    });
    let downs: Vec<f32> = downs.collect();
    let (top, bottom) = (
        downs.iter().copied().fold(f32::MAX, f32::min),
        downs.iter().copied().fold(f32::MIN, f32::max),
    );
    assert!((top - 10.0).abs() < 1e-4, "{top}");
    assert!((bottom - 20.0).abs() < 1e-4, "{bottom}");
}
