//! Letters drawn as pen strokes, for pictures without fonts.

use std::sync::LazyLock;

use super::shapes::{Path, Point};

/// A line for each character, in the order of ASCII from the space on, after comment lines that begin with `#`.
const SOURCE: &str = include_str!("assets/letters.txt");

struct Letter {
    width: f32,
    lines: Vec<Vec<Point>>,
}

const CAPITAL_HEIGHT: f32 = 21.0;

const BASE: f32 = 9.0;

static LETTERS: LazyLock<Vec<Letter>> = LazyLock::new(|| {
    let lines = SOURCE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| letter(line.as_bytes())).collect()
});

fn letter(line: &[u8]) -> Letter {
    // Coordinates are written as characters, counted from `R`; the pair ` R` lifts the pen.
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

fn of(c: char) -> &'static Letter {
    let number = (c as usize).wrapping_sub(' ' as usize);
    let unknown = '?' as usize - ' ' as usize;
    LETTERS.get(number).unwrap_or(&LETTERS[unknown])
}

/// Returns the width of a text, given the height of its capitals.
pub fn width(text: &str, size: f32) -> f32 {
    let width: f32 = text.chars().map(|c| of(c).width).sum();
    width * size / CAPITAL_HEIGHT
}

/// Returns the path of a text, given the height of its capitals and the start of its baseline.
pub fn path(text: &str, size: f32, at: Point) -> Path {
    let scale = size / CAPITAL_HEIGHT;
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
#[path = "letters_tests.rs"]
mod tests;
