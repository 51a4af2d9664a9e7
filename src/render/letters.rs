//! Letters as pen strokes, for pictures without fonts.

use std::sync::LazyLock;

use super::shapes::{Path, Point};

/// The characters in order, beginning with the space. Lines with `#` name their origin.
const SOURCE: &str = include_str!("assets/letters.txt");

/// A letter's width and strokes, in the units of the source.
struct Letter {
    width: f32,
    lines: Vec<Vec<Point>>,
}

/// The height of capitals, in the units of the source.
const CAPITALS: f32 = 21.0;

/// The baseline, in the same units.
const BASE: f32 = 9.0;

static LETTERS: LazyLock<Vec<Letter>> = LazyLock::new(|| {
    let lines = SOURCE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| letter(line.as_bytes())).collect()
});

fn letter(line: &[u8]) -> Letter {
    let at = |byte: u8| f32::from(byte) - f32::from(b'R');
    let (left, right) = (at(line[0]), at(line[1]));
    let mut lines = vec![Vec::new()];
    for pair in line[2..].chunks_exact(2) {
        if pair == b" R" {
            lines.push(Vec::new());
        } else if let Some(line) = lines.last_mut() {
            line.push((at(pair[0]) - left, at(pair[1]) - BASE));
        }
    }
    Letter {
        width: right - left,
        lines,
    }
}

/// The letter for a character; a question mark if it is unknown.
fn of(c: char) -> &'static Letter {
    let number = (c as usize).wrapping_sub(' ' as usize);
    let unknown = '?' as usize - ' ' as usize;
    LETTERS.get(number).unwrap_or(&LETTERS[unknown])
}

/// The width of a text whose capitals are `size` high.
pub fn width(text: &str, size: f32) -> f32 {
    let width: f32 = text.chars().map(|c| of(c).width).sum();
    width * size / CAPITALS
}

/// The path of a text whose capitals are `size` high and whose baseline begins at `at`.
pub fn path(text: &str, size: f32, at: Point) -> Path {
    let scale = size / CAPITALS;
    let mut path = Path::default();
    let mut x = 0.0;
    for c in text.chars() {
        let letter = of(c);
        for line in &letter.lines {
            path.add_lines(line.iter().map(|point| (point.0 + x, point.1)));
        }
        x += letter.width;
    }
    path.placed(scale, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::shapes::Segment;

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
}
