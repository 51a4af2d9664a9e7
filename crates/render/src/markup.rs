//! Shapes, figures and marks as SVG elements.

use std::collections::BTreeSet;

use super::figures::Figure;
use super::scene::{Mark, MarkContent};
use super::shapes::{Brush, Path, Point, Segment, Shape};

pub(super) fn definitions<'f>(figures: impl IntoIterator<Item = &'f Figure>) -> String {
    let group = |figure: &Figure| {
        let (id, shapes) = (figure.id(), shapes(&figure.shapes()));
        format!("<g id=\"g-{id}\">{shapes}</g>")
    };
    let groups: String = figures.into_iter().map(group).collect();
    format!("<defs>{groups}</defs>")
}

/// A function that returns the attributes and further content of a moving mark's group, given [`Mark::comes_from`].
pub(super) type Walk<'w> = &'w dyn Fn([Point; 2]) -> (String, String);

pub(super) fn marks(marks: &[Mark], figures: &mut BTreeSet<Figure>, walk: Walk) -> String {
    let mut svg = String::new();
    for mark in marks {
        if let MarkContent::Figure(figure) = mark.what {
            figures.insert(figure);
        }
        let standing = standing(mark);
        match mark.comes_from.map(walk) {
            None => svg.push_str(&standing),
            Some((attributes, more)) => {
                svg.push_str(&format!("<g{attributes}>{standing}{more}</g>"));
            }
        }
    }
    svg
}

fn standing(mark: &Mark) -> String {
    let [x, y, scale] = [mark.at.0, mark.at.1, mark.scale].map(number);
    let inner = match &mark.what {
        MarkContent::Shape(shape) => self::shape(shape),
        MarkContent::Figure(figure) => {
            let (id, opacity) = (figure.id(), opacity(mark.opacity));
            if scale == "1" {
                return format!("<use href=\"#g-{id}\" x=\"{x}\" y=\"{y}\"{opacity}/>");
            }
            format!("<use href=\"#g-{id}\"{opacity}/>")
        }
    };
    match (&*x, &*y, &*scale) {
        ("0", "0", "1") => inner,
        (.., "1") => format!("<g transform=\"translate({x} {y})\">{inner}</g>"),
        _ => format!("<g transform=\"translate({x} {y}) scale({scale})\">{inner}</g>"),
    }
}

fn opacity(opacity: f32) -> String {
    match &*number(opacity) {
        "1" => String::new(),
        opacity => format!(" opacity=\"{opacity}\""),
    }
}

pub(super) fn shapes(shapes: &[Shape]) -> String {
    shapes.iter().map(shape).collect()
}

fn shape(shape: &Shape) -> String {
    if shape.path.0.is_empty() {
        return String::new();
    }
    let ink = shape.ink.name();
    let (pen, width) = match shape.brush {
        Brush::Fill => ("", String::new()),
        Brush::Pen(width) => (" pen", format!(" stroke-width=\"{}\"", number(width))),
        Brush::Dashes(width) => {
            let [width, dash, gap] = [width, 2.0 * width, 2.5 * width].map(number);
            let dashes = format!("stroke-dasharray=\"{dash} {gap}\"");
            (" pen", format!(" stroke-width=\"{width}\" {dashes}"))
        }
    };
    let (opacity, data) = (opacity(shape.opacity), data(&shape.path));
    format!("<path class=\"{ink}{pen}\"{width}{opacity} d=\"{data}\"/>")
}

fn data(path: &Path) -> String {
    let at = point;
    let part = |segment: &Segment| match *segment {
        Segment::Move(to) => format!("M{}", at(to)),
        Segment::Line(to) => format!("L{}", at(to)),
        Segment::Quad(control, to) => format!("Q{} {}", at(control), at(to)),
        Segment::Cubic(first, second, to) => {
            format!("C{} {} {}", at(first), at(second), at(to))
        }
        Segment::Close => "Z".into(),
    };
    path.0.iter().map(part).collect()
}

pub(super) fn point((x, y): Point) -> String {
    format!("{} {}", number(x), number(y))
}

pub(super) fn number(number: f32) -> String {
    let rounded = format!("{number:.3}");
    match rounded.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".into(),
        shortest => shortest.to_owned(),
    }
}

/// Escapes text for XML and HTML. Replaces characters that XML does not allow, and control characters other than tabs and line
/// feeds.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => {
                escaped.push(c);
            }
            _ => escaped.push('\u{fffd}'),
        }
    }
    escaped
}

#[cfg(test)]
#[path = "markup_tests.rs"]
mod tests;
