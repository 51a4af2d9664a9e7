//! Positions as SVG: an animation of all of them, or a still of one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use super::figures::Figure;
use super::recording::Recording;
use super::scene::{Mark, STEPS_SHOWN, Scene, What};
use super::shapes::{Brush, Path, Point, Segment, Shape};
use super::sheet::{Label, Sheet, Side, Weight};
use super::theme::{Ink, Theme};
use super::{Look, RenderError, captions};
use crate::limits::Limits;

/// What all pictures have in common.
const STYLE: &str = include_str!("assets/svg.css");

/// The last position is shown so many times as long as the others.
const HOLD: u32 = 4;

/// Writes an animation of the whole game.
///
/// # Errors
///
/// If it would be too large, a limit is reached, or it can't be written.
pub fn animated(
    recording: &Recording,
    look: &Look,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let mut drawing = Drawing::new(recording, (look, limits), STEPS_SHOWN)?;
    let positions = recording.positions() as u32;
    let whole = (positions - 1 + HOLD) * look.delay;
    for position in 0..positions {
        let class = if position + 1 == positions {
            "f z"
        } else {
            "f"
        };
        let until_again = seconds(whole - position * look.delay);
        let style = format!(" style=\"--t:-{until_again}s\"");
        drawing.frame(class, &style, limits)?;
    }
    let timing = match positions {
        1 => String::new(),
        _ => timing(look.delay, whole),
    };
    drawing.write(&timing, look, out)
}

/// Writes the picture of a position, by its number from 0.
///
/// # Errors
///
/// If it would be too large, a limit is reached, or it can't be written.
///
/// # Panics
///
/// If there is no such position.
pub fn still(
    recording: &Recording,
    position: usize,
    (look, limits): (&Look, &Limits),
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let mut drawing = Drawing::new(recording, (look, limits), usize::MAX)?;
    while drawing.scene.position() < position {
        limits.check_time()?;
        assert!(drawing.scene.advance(), "the game has this position");
    }
    drawing.frame("z", "", limits)?;
    drawing.write("", look, out)
}

/// When what is shown, given how long a position and the whole game are, in milliseconds.
fn timing(delay: u32, whole: u32) -> String {
    let share = |part: u32| number(part as f32 * 100.0 / whole as f32);
    let (shown, held) = (share(delay), share(delay * HOLD));
    let walk = (delay * 6 / 10).min(260);
    let (half, all) = (share(walk / 2), share(walk));
    let whole = seconds(whole);
    format!(
        "@media(prefers-reduced-motion:no-preference){{\
         .f{{animation:f {whole}s step-end infinite;animation-delay:var(--t)}}\
         .z{{animation-name:z}}\
         .m{{animation:m {whole}s linear infinite;animation-delay:var(--t)}}}}\
         @keyframes f{{0%{{visibility:visible}}{shown}%,100%{{visibility:hidden}}}}\
         @keyframes z{{0%{{visibility:visible}}{held}%,100%{{visibility:hidden}}}}\
         @keyframes m{{0%{{transform:translate(var(--a))}}{half}%{{transform:translate(var(--b))}}\
         {all}%,100%{{transform:none}}}}"
    )
}

fn seconds(milliseconds: u32) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// A picture in the making.
struct Drawing<'r> {
    recording: &'r Recording,
    scene: Scene<'r>,
    sheet: Sheet,
    figures: BTreeSet<Figure>,
    ground: String,
    frames: String,
}

impl<'r> Drawing<'r> {
    fn new(
        recording: &'r Recording,
        (look, limits): (&Look, &Limits),
        steps: usize,
    ) -> Result<Self, RenderError> {
        let scene = Scene::new(recording, steps, limits)?;
        let sheet = Sheet::new(&scene, look)?;
        Ok(Self {
            recording,
            ground: scene.ground().iter().map(shape).collect(),
            scene,
            sheet,
            figures: BTreeSet::new(),
            frames: String::new(),
        })
    }

    /// Adds the scene's position, and goes on to the next.
    fn frame(&mut self, class: &str, style: &str, limits: &Limits) -> Result<(), RenderError> {
        limits.check_time()?;
        let position = self.scene.position();
        let marks = marks(&self.scene.marks(), &mut self.figures);
        let labels = self.sheet.labels(self.recording, position);
        let labels: String = labels.iter().map(text).collect();
        let bar = self.sheet.bar(self.recording, position);
        let bar: String = bar.iter().map(shape).collect();
        let board = self.board();
        let _ = writeln!(
            self.frames,
            "<g class=\"{class}\"{style}><g transform=\"{board}\">{marks}</g>{labels}{bar}</g>"
        );
        self.scene.advance();
        check_length(self.frames.len() + self.ground.len(), limits)
    }

    fn board(&self) -> String {
        let ((x, y), cell) = (self.sheet.board, self.sheet.cell);
        format!(
            "translate({} {}) scale({})",
            number(x),
            number(y),
            number(cell)
        )
    }

    fn write(&self, timing: &str, look: &Look, out: &mut dyn Write) -> Result<(), RenderError> {
        let (width, height) = (self.sheet.width, self.sheet.height);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">"
        )?;
        let title = &self.recording.subject.title;
        let about = captions::kind(self.recording);
        let end = captions::ending(self.recording);
        writeln!(out, "<title>{}</title>", escaped(title))?;
        writeln!(out, "<desc>{}: {}</desc>", escaped(&about), escaped(&end))?;
        writeln!(out, "<style>{STYLE}{}{timing}</style>", colors(look.theme))?;
        writeln!(out, "{}", definitions(self.figures.iter().copied()))?;
        writeln!(
            out,
            "<rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"12\"/>"
        )?;
        let (board, ground) = (self.board(), &self.ground);
        writeln!(out, "<g transform=\"{board}\">{ground}</g>")?;
        writeln!(out, "{}</svg>", self.frames)?;
        Ok(())
    }
}

/// Whether so many bytes of text are no more than a picture may have.
pub(super) fn check_length(bytes: usize, limits: &Limits) -> Result<(), RenderError> {
    limits.check_memory(bytes as u64)?;
    if bytes as u64 > RenderError::MOST_BYTES {
        return Err(RenderError::TooMuchText);
    }
    Ok(())
}

/// The colours of a theme, or of the reader's own.
fn colors(theme: Option<Theme>) -> String {
    let rules = |theme| -> String {
        let rule = |ink: &Ink| format!(".{}{{color:{}}}", ink.name(), ink.hex(theme));
        Ink::ALL.iter().map(rule).collect()
    };
    match theme {
        Some(theme) => rules(theme),
        None => format!(
            "{}@media(prefers-color-scheme:dark){{{}}}",
            rules(Theme::Light),
            rules(Theme::Dark)
        ),
    }
}

/// The figures that marks refer to.
pub(super) fn definitions(figures: impl Iterator<Item = Figure>) -> String {
    let group = |figure: Figure| {
        let shapes = figure.shapes();
        let shapes: String = shapes.iter().map(shape).collect();
        format!("<g id=\"g-{}\">{shapes}</g>", figure.id())
    };
    format!("<defs>{}</defs>", figures.map(group).collect::<String>())
}

/// Marks as SVG, and the figures that they refer to.
pub(super) fn marks(marks: &[Mark], figures: &mut BTreeSet<Figure>) -> String {
    let mut svg = String::new();
    for mark in marks {
        if let What::Figure(figure) = mark.what {
            figures.insert(figure);
        }
        svg.push_str(&self::mark(mark));
    }
    svg
}

fn mark(mark: &Mark) -> String {
    let walk = mark
        .comes_from
        .map_or_else(String::new, |[start, halfway]| {
            format!(" style=\"--a:{};--b:{}\"", offset(start), offset(halfway))
        });
    let class = if walk.is_empty() { "" } else { " class=\"m\"" };
    let [x, y, scale] = [mark.at.0, mark.at.1, mark.scale].map(number);
    let inner = match &mark.what {
        What::Shape(shape) => path(shape, Some(&*walk).filter(|walk| !walk.is_empty())),
        What::Figure(figure) => {
            let (id, opacity) = (figure.id(), opacity(mark.opacity));
            let at = format!(" x=\"{x}\" y=\"{y}\"");
            let at = if scale == "1" { &*at } else { "" };
            format!("<use href=\"#g-{id}\"{at}{class}{walk}{opacity}/>")
        }
    };
    match (&mark.what, &*x, &*y, &*scale) {
        (What::Figure(_), _, _, "1") | (_, "0", "0", "1") => inner,
        (.., "1") => format!("<g transform=\"translate({x} {y})\">{inner}</g>"),
        _ => format!("<g transform=\"translate({x} {y}) scale({scale})\">{inner}</g>"),
    }
}

fn offset((x, y): Point) -> String {
    format!("{}px,{}px", number(x), number(y))
}

fn opacity(opacity: f32) -> String {
    match &*number(opacity) {
        "1" => String::new(),
        opacity => format!(" opacity=\"{opacity}\""),
    }
}

/// A shape that stays where it is.
pub(super) fn shape(shape: &Shape) -> String {
    path(shape, None)
}

/// A shape; with a style that says from where, it walks.
fn path(shape: &Shape, walk: Option<&str>) -> String {
    if shape.path.0.is_empty() {
        return String::new();
    }
    let ink = shape.ink.name();
    let (pen, width, dashes) = match shape.brush {
        Brush::Fill => ("", String::new(), String::new()),
        Brush::Pen(width) => (" pen", number(width), String::new()),
        Brush::Dashes(width) => {
            let dashes = format!("{} {}", number(2.0 * width), number(2.5 * width));
            (
                " pen",
                number(width),
                format!(" stroke-dasharray=\"{dashes}\""),
            )
        }
    };
    let width = match &*width {
        "" => String::new(),
        width => format!(" stroke-width=\"{width}\""),
    };
    let (walks, style) = walk.map_or(("", ""), |style| (" m", style));
    let (opacity, data) = (opacity(shape.opacity), data(&shape.path));
    format!("<path class=\"{ink}{pen}{walks}\"{style}{width}{dashes}{opacity} d=\"{data}\"/>")
}

fn data(path: &Path) -> String {
    let at = |(x, y): Point| format!("{} {}", number(x), number(y));
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

fn text(label: &Label) -> String {
    let weight = match label.weight {
        Weight::Plain => "",
        Weight::Bold => " bold",
    };
    let (x, y) = (number(label.at.0), number(label.at.1));
    let side = match label.side {
        Side::Left => "",
        Side::Right => " text-anchor=\"end\"",
    };
    let (ink, text) = (label.ink.name(), escaped(&label.text));
    format!("<text class=\"{ink}{weight}\"{side} x=\"{x}\" y=\"{y}\">{text}</text>")
}

/// A number with three digits after the point at most, and as short as can be.
pub(super) fn number(number: f32) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".into(),
        _ => text.to_owned(),
    }
}

/// Text as it stands between the tags of XML and HTML, or in quotes; what XML can't hold is replaced.
pub(super) fn escaped(text: &str) -> String {
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
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_text_is_no_markup() {
        assert_eq!(
            [0.5, -0.0001, 2.0, 1.0 / 3.0, 100.0].map(number),
            ["0.5", "0", "2", "0.333", "100"]
        );
        assert_eq!(
            escaped("a<b> & \"c\" 'd' \u{1} é"),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \u{fffd} é"
        );
    }
}
