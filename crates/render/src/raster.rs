//! Positions as pixels.

use std::io::{Error, Write};

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::letters;
use super::scene::{MarkContent, Scene};
use super::shapes::{Brush, Path, Point, Segment, Shape};
use super::sheet::{CAPITAL_HEIGHT, Sheet};
use super::theme::{Color, Ink, Theme};
use super::{RenderError, Request};

/// Writes a position as a PNG. Panics if `position` is out of range.
pub fn png(request: &Request, position: usize, out: &mut dyn Write) -> Result<(), RenderError> {
    // Besides the painter's own picture, memory holds a copy of it, the copy's colours, and the encoded file.
    let mut painter = Painter::new(request, usize::MAX, 3)?;
    painter.sheet.scene.go_to(position, request.limits)?;
    encode(&painter.paint(), out)
}

pub(super) fn encode(picture: &Pixmap, out: &mut dyn Write) -> Result<(), RenderError> {
    let opaque: Vec<u8> = picture.pixels().iter().copied().flat_map(rgb).collect();
    let mut encoder = png::Encoder::new(out, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&opaque));
    written.map_err(|error| match error {
        png::EncodingError::IoError(error) => error,
        other => Error::other(other),
    })?;
    Ok(())
}

/// Returns the colour of a pixel. Pictures are opaque, so premultiplication has no effect.
pub(super) const fn rgb(pixel: tiny_skia::PremultipliedColorU8) -> Color {
    [pixel.red(), pixel.green(), pixel.blue()]
}

pub(super) struct Painter<'r> {
    pub(super) sheet: Sheet<'r>,
    theme: Theme,
    ground: Pixmap,
}

const BYTES_PER_PIXEL: u64 = 4;

impl<'r> Painter<'r> {
    /// Creates a painter, and checks that its own picture and `kept` others fit in memory.
    pub(super) fn new(
        request: &Request<'r>,
        steps_shown: usize,
        kept: u64,
    ) -> Result<Self, RenderError> {
        let sheet = Sheet::new(request, steps_shown)?;
        let bytes = u64::from(sheet.width) * u64::from(sheet.height) * BYTES_PER_PIXEL;
        let memory = bytes.saturating_mul(kept + 1);
        request.limits.check_memory(memory)?;
        let theme = request.style.theme.unwrap_or(Theme::Light);
        let mut painter = Self {
            theme,
            ground: paper(sheet.width, sheet.height, Ink::Paper.color(theme)),
            sheet,
        };
        let at = painter.board();
        ground(&mut painter.ground, &painter.sheet.scene, theme, at);
        Ok(painter)
    }

    fn board(&self) -> Transform {
        let (x, y) = self.sheet.board;
        Transform::from_row(self.sheet.cell, 0.0, 0.0, self.sheet.cell, x, y)
    }

    pub(super) fn paint(&self) -> Pixmap {
        let mut picture = self.ground.clone();
        let (theme, page) = (self.theme, Transform::identity());
        marks(&mut picture, &self.sheet.scene, theme, self.board());
        for ((label, at), width) in self.sheet.labels().into_iter().zip([2.2, 1.4]) {
            text(&mut picture, &label, at, width, theme, page);
        }
        for shape in self.sheet.bar() {
            draw(&mut picture, &shape, theme, page);
        }
        picture
    }
}

pub(super) fn paper(width: u32, height: u32, [red, green, blue]: Color) -> Pixmap {
    let mut picture = Pixmap::new(width, height).expect("a sheet is not empty, nor huge");
    picture.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    picture
}

pub(super) fn ground(picture: &mut Pixmap, scene: &Scene, theme: Theme, at: Transform) {
    for shape in scene.ground() {
        draw(picture, &shape, theme, at);
    }
}

pub(super) fn marks(picture: &mut Pixmap, scene: &Scene, theme: Theme, at: Transform) {
    for mark in scene.marks() {
        let (x, y) = mark.at;
        let at = at.pre_translate(x, y).pre_scale(mark.scale, mark.scale);
        let shapes = match mark.what {
            MarkContent::Figure(figure) => figure.shapes(),
            MarkContent::Shape(shape) => vec![shape],
        };
        for mut shape in shapes {
            shape.opacity *= mark.opacity;
            draw(picture, &shape, theme, at);
        }
    }
}

pub(super) fn text(
    picture: &mut Pixmap,
    text: &str,
    start: Point,
    width: f32,
    theme: Theme,
    at: Transform,
) {
    let text = letters::path(text, CAPITAL_HEIGHT, start).pen(width, Ink::Text);
    draw(picture, &text, theme, at);
}

fn draw(picture: &mut Pixmap, shape: &Shape, theme: Theme, at: Transform) {
    let Some(path) = path(&shape.path) else {
        return;
    };
    let [red, green, blue] = shape.ink.color(theme);
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (shape.opacity * 255.0).round() as u8);
    match shape.brush {
        Brush::Fill => picture.fill_path(&path, &paint, FillRule::Winding, at, None),
        Brush::Pen(width) => picture.stroke_path(&path, &paint, &pen(width), at, None),
        Brush::Dashes(width) => {
            let dash = StrokeDash::new(vec![2.0 * width, 2.5 * width], 0.0);
            let stroke = Stroke { dash, ..pen(width) };
            picture.stroke_path(&path, &paint, &stroke, at, None);
        }
    }
}

fn pen(width: f32) -> Stroke {
    Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    }
}

fn path(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for &segment in &path.0 {
        match segment {
            Segment::Move((x, y)) => builder.move_to(x, y),
            Segment::Line((x, y)) => builder.line_to(x, y),
            Segment::Quad((x1, y1), (x, y)) => builder.quad_to(x1, y1, x, y),
            Segment::Cubic((x1, y1), (x2, y2), (x, y)) => builder.cubic_to(x1, y1, x2, y2, x, y),
            Segment::Close => builder.close(),
        }
    }
    builder.finish()
}
