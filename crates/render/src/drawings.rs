//! The drawings of the figures, from `assets/figures.svg`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::figures::Figure;
use super::shapes::{Brush, Path, Point, Segment, Shape};
use super::theme::Ink;

/// A line `<g id=...>` for each figure and a line `<path .../>` for each of its shapes.
const SOURCE: &str = include_str!("assets/figures.svg");

static DRAWINGS: LazyLock<HashMap<&str, Vec<Shape>>> = LazyLock::new(|| {
    let mut drawings: HashMap<&str, Vec<Shape>> = HashMap::new();
    let mut figure = "";
    for line in SOURCE.lines() {
        if let Some(id) = attribute(line, "id") {
            figure = id;
        } else if let Some(data) = attribute(line, "d") {
            let shapes = drawings.entry(figure).or_default();
            shapes.push(shape(line, path(data)));
        }
    }
    drawings
});

impl Figure {
    /// Returns the shapes of the figure, from bottom to top, in a cell whose middle is the origin.
    pub fn shapes(self) -> Vec<Shape> {
        DRAWINGS[self.id()].clone()
    }
}

fn attribute<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
    let length = line[start..].find('"')?;
    Some(&line[start..start + length])
}

fn number(text: &str) -> f32 {
    text.parse().expect("the drawings have numbers")
}

/// Builds the shape of a line of [`SOURCE`]. The class `pen` is only for viewing the file.
fn shape(line: &str, path: Path) -> Shape {
    let class = attribute(line, "class").unwrap_or_default();
    let name = class.trim_end_matches(" pen");
    let mut inks = Ink::ALL.iter();
    let ink = inks.find(|ink| ink.name() == name);
    let brush = match attribute(line, "stroke-width") {
        None => Brush::Fill,
        Some(width) => Brush::Pen(number(width)),
    };
    path.shape(brush, *ink.expect("the drawings have known colours"))
        .faint(attribute(line, "opacity").map_or(1.0, number))
}

fn path(data: &str) -> Path {
    let starts = data.match_indices(|c: char| c.is_ascii_alphabetic());
    let starts: Vec<usize> = starts.map(|(at, _)| at).chain([data.len()]).collect();
    let segment = |ends: &[usize]| {
        let (command, numbers) = data[ends[0]..ends[1]].split_at(1);
        let numbers: Vec<f32> = numbers.split_whitespace().map(number).collect();
        let points: Vec<Point> = numbers.chunks_exact(2).map(|xy| (xy[0], xy[1])).collect();
        match (command, &*points) {
            ("M", &[to]) => Segment::Move(to),
            ("L", &[to]) => Segment::Line(to),
            ("Q", &[control, to]) => Segment::Quad(control, to),
            ("C", &[first, second, to]) => Segment::Cubic(first, second, to),
            ("Z", []) => Segment::Close,
            _ => unreachable!("unknown command in the drawings: {command}"),
        }
    };
    Path(starts.windows(2).map(segment).collect())
}

#[cfg(test)]
#[path = "drawings_tests.rs"]
mod tests;
