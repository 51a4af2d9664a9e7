//! Shapes: filled or stroked paths, on a board in units of a cell.

use super::theme::Ink;

/// The horizontal and vertical coordinates of a point, to the right and downwards.
pub type Point = (f32, f32);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Point),
    Line(Point),
    /// A curve with one control point, then its end.
    Quad(Point, Point),
    /// A curve with two control points, then its end.
    Cubic(Point, Point, Point),
    Close,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<Segment>);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Brush {
    Fill,
    /// Draws a line of this width.
    Pen(f32),
    /// Draws a dashed line of this width.
    Dashes(f32),
}

/// A path in a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub path: Path,
    pub brush: Brush,
    pub ink: Ink,
    pub opacity: f32,
}

/// The distance, in radii, of a control point from the end of a curve that forms a quarter of a circle.
const ARC: f32 = 0.5523;

impl Path {
    pub fn lines(points: impl IntoIterator<Item = Point>) -> Self {
        let mut path = Self::default();
        path.add_lines(points);
        path
    }

    pub fn circle((x, y): Point, radius: f32) -> Self {
        let far = radius * ARC;
        let (left, right, top, bottom) = (x - radius, x + radius, y - radius, y + radius);
        Self(vec![
            Segment::Move((right, y)),
            Segment::Cubic((right, y + far), (x + far, bottom), (x, bottom)),
            Segment::Cubic((x - far, bottom), (left, y + far), (left, y)),
            Segment::Cubic((left, y - far), (x - far, top), (x, top)),
            Segment::Cubic((x + far, top), (right, y - far), (right, y)),
            Segment::Close,
        ])
    }

    /// Returns a rectangle whose corners have this radius.
    pub fn rectangle((left, top): Point, (right, bottom): Point, radius: f32) -> Self {
        let r = radius;
        Self(vec![
            Segment::Move((left + r, top)),
            Segment::Line((right - r, top)),
            Segment::Quad((right, top), (right, top + r)),
            Segment::Line((right, bottom - r)),
            Segment::Quad((right, bottom), (right - r, bottom)),
            Segment::Line((left + r, bottom)),
            Segment::Quad((left, bottom), (left, bottom - r)),
            Segment::Line((left, top + r)),
            Segment::Quad((left, top), (left + r, top)),
            Segment::Close,
        ])
    }

    /// Adds a line from the first point through all others.
    pub fn add_lines(&mut self, points: impl IntoIterator<Item = Point>) {
        let mut points = points.into_iter();
        self.0.extend(points.next().map(Segment::Move));
        self.0.extend(points.map(Segment::Line));
    }

    /// Scales the path around the origin, then moves it.
    pub fn placed(self, scale: f32, by: Point) -> Self {
        let at = |(x, y): Point| (x * scale + by.0, y * scale + by.1);
        let placed = |segment| match segment {
            Segment::Move(to) => Segment::Move(at(to)),
            Segment::Line(to) => Segment::Line(at(to)),
            Segment::Quad(control, to) => Segment::Quad(at(control), at(to)),
            Segment::Cubic(first, second, to) => Segment::Cubic(at(first), at(second), at(to)),
            Segment::Close => Segment::Close,
        };
        Self(self.0.into_iter().map(placed).collect())
    }

    pub fn fill(self, ink: Ink) -> Shape {
        self.shape(Brush::Fill, ink)
    }

    /// Returns the path as a line of this width.
    pub fn pen(self, width: f32, ink: Ink) -> Shape {
        self.shape(Brush::Pen(width), ink)
    }

    /// Returns the path as an opaque shape.
    pub const fn shape(self, brush: Brush, ink: Ink) -> Shape {
        Shape {
            path: self,
            brush,
            ink,
            opacity: 1.0,
        }
    }
}

impl Shape {
    pub const fn faint(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }

    pub fn moved(mut self, by: Point) -> Self {
        self.path = self.path.placed(1.0, by);
        self
    }
}
