//! Shapes: filled or drawn paths in board units (a cell has width 1).

use super::theme::Ink;

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
    Pen(f32),
    Dashes(f32),
}

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

    /// Adds a rectangle. The radii of its corners are in clockwise order, beginning at the top left.
    pub fn add_rectangle(&mut self, (left, top): Point, (right, bottom): Point, radii: [f32; 4]) {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let sides = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let along = |corner: usize, side: usize, far: f32| {
            let ((x, y), (across, down)) = (corners[corner], sides[side]);
            (x + across * far, y + down * far)
        };
        self.0.push(Segment::Move(along(0, 0, radii[0])));
        for corner in [1, 2, 3, 0] {
            let (before, radius) = ((corner + 3) % 4, radii[corner]);
            self.0.push(Segment::Line(along(corner, before, -radius)));
            if radius > 0.0 {
                let end = along(corner, corner, radius);
                self.0.push(Segment::Quad(corners[corner], end));
            }
        }
        self.0.push(Segment::Close);
    }

    pub fn add_lines(&mut self, points: impl IntoIterator<Item = Point>) {
        let mut points = points.into_iter();
        self.0.extend(points.next().map(Segment::Move));
        self.0.extend(points.map(Segment::Line));
    }

    #[must_use]
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

    pub fn pen(self, width: f32, ink: Ink) -> Shape {
        self.shape(Brush::Pen(width), ink)
    }

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
    #[must_use]
    pub const fn faint(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }

    #[must_use]
    pub fn moved(mut self, by: Point) -> Self {
        self.path = self.path.placed(1.0, by);
        self
    }
}
