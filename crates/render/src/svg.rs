//! Games as SVG: an animation of all positions, or a still of one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use super::figures::Figure;
use super::markup::{definitions, escaped, marks, number, point, shapes};
use super::scene::STEPS_SHOWN;
use super::shapes::Point;
use super::sheet::Sheet;
use super::theme::{Ink, Theme};
use super::{HOLD, RenderError, Request, captions};
use getaway_board::limits::Limits;

const STYLE: &str = include_str!("assets/svg.css");

pub fn animated(request: &Request, out: &mut dyn Write) -> Result<(), RenderError> {
    let mut drawing = Drawing::new(request, STEPS_SHOWN)?;
    let clock = Timing::new(request);
    for _ in 0..request.recording.positions() {
        drawing.frame(clock.as_ref())?;
    }
    drawing.write(out)
}

/// Writes a position as an SVG. Panics if `position` is out of range.
pub fn still(request: &Request, position: usize, out: &mut dyn Write) -> Result<(), RenderError> {
    let mut drawing = Drawing::new(request, usize::MAX)?;
    drawing.sheet.scene.go_to(position, request.limits)?;
    drawing.frame(None)?;
    drawing.write(out)
}

/// The timing of a repeating animation. All elements share the clock of the document, so exactly one position is visible at a
/// time. In a style sheet, each animation would have its own clock.
struct Timing {
    delay: u32,
    positions: u32,
    whole: u32,
}

const WALK: u32 = 260;

impl Timing {
    fn new(request: &Request) -> Option<Self> {
        let positions = request.recording.positions() as u32;
        let delay = request.style.delay;
        let clock = || Self {
            delay,
            positions,
            whole: (positions - 1 + HOLD).saturating_mul(delay),
        };
        (positions > 1).then(clock)
    }

    fn share(&self, time: u32) -> String {
        let share = format!("{:.7}", f64::from(time) / f64::from(self.whole));
        share.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    fn loops(&self) -> String {
        let (seconds, rest) = (self.whole / 1000, self.whole % 1000);
        format!("dur=\"{seconds}.{rest:03}s\" repeatCount=\"indefinite\"")
    }

    fn shows(&self, position: u32) -> String {
        let begin = self.share(position * self.delay);
        let (values, times) = if position == 0 {
            ("visible;hidden", format!("0;{}", self.share(self.delay)))
        } else if position + 1 == self.positions {
            ("hidden;visible", format!("0;{begin}"))
        } else {
            let end = self.share((position + 1) * self.delay);
            ("hidden;visible;hidden", format!("0;{begin};{end}"))
        };
        let loops = self.loops();
        format!(
            "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{values}\" \
             keyTimes=\"{times}\" {loops}/>"
        )
    }

    fn walks(&self, position: u32, [start, halfway]: [Point; 2]) -> String {
        let [start, halfway] = [start, halfway].map(point);
        let begin = position * self.delay;
        let walk = (self.delay * 6 / 10).min(WALK);
        let times = [begin, begin + walk / 2, begin + walk].map(|time| self.share(time));
        let (times, loops) = (times.join(";"), self.loops());
        format!(
            "<animateTransform attributeName=\"transform\" type=\"translate\" \
             values=\"{start};{start};{halfway};0 0;0 0\" keyTimes=\"0;{times};1\" {loops}/>"
        )
    }
}

struct Drawing<'r> {
    sheet: Sheet<'r>,
    figures: BTreeSet<Figure>,
    ground: String,
    frames: String,
}

impl<'r> Drawing<'r> {
    fn new(request: &Request<'r>, steps: usize) -> Result<Self, RenderError> {
        let sheet = Sheet::new(request, steps)?;
        Ok(Self {
            ground: shapes(&sheet.scene.ground()),
            sheet,
            figures: BTreeSet::new(),
            frames: String::new(),
        })
    }

    /// Adds the scene's position to the picture, and moves the scene to the next one. Without a clock, the position is not
    /// animated.
    fn frame(&mut self, clock: Option<&Timing>) -> Result<(), RenderError> {
        let limits = self.sheet.request.limits;
        limits.check_time()?;
        let scene = &self.sheet.scene;
        let position = scene.position();
        let walk = |from| match clock {
            None => Default::default(),
            Some(clock) => (
                " class=\"w\"".to_owned(),
                clock.walks(position as u32, from),
            ),
        };
        let marks = marks(&scene.marks(), &mut self.figures, &walk);
        let labels = self.sheet.labels().into_iter().zip([" bold", ""]);
        let labels: String = labels
            .map(|((label, at), weight)| text(&label, at, weight))
            .collect();
        let bar = shapes(&self.sheet.bar());
        let class = match clock {
            Some(clock) if position as u32 + 1 < clock.positions => "f",
            _ => "f z",
        };
        let shows = clock.map(|clock| clock.shows(position as u32));
        let shows = shows.unwrap_or_default();
        let board = transform(self.sheet.board, self.sheet.cell);
        let _ = writeln!(
            self.frames,
            "<g class=\"{class}\">{shows}<g transform=\"{board}\">{marks}</g>{labels}{bar}</g>"
        );
        self.sheet.scene.advance();
        check_length(self.frames.len() + self.ground.len(), limits)
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), RenderError> {
        let recording = self.sheet.request.recording;
        let (about, end) = (captions::kind(recording), captions::ending(recording));
        let board = transform(self.sheet.board, self.sheet.cell);
        let (ground, frames) = (&self.ground, &self.frames);
        let document = Document {
            size: (self.sheet.width as f32, self.sheet.height as f32),
            unit_length: 1.0,
            unit: "",
            title: &recording.subject.title,
            about: &format!("{about}: {end}"),
            has_paper: true,
            theme: self.sheet.request.style.theme,
            figures: &self.figures,
            body: &format!("<g transform=\"{board}\">{ground}</g>\n{frames}"),
        };
        document.write(out)
    }
}

/// An SVG, with a background in the colour of paper or without one.
pub(super) struct Document<'d> {
    pub(super) size: Point,
    /// The length on paper, in `unit`, of a unit of the drawing.
    pub(super) unit_length: f32,
    pub(super) unit: &'static str,
    pub(super) title: &'d str,
    pub(super) about: &'d str,
    pub(super) has_paper: bool,
    pub(super) theme: Option<Theme>,
    pub(super) figures: &'d BTreeSet<Figure>,
    pub(super) body: &'d str,
}

impl Document<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), RenderError> {
        let [width, height] = [self.size.0, self.size.1].map(number);
        let [across, down] = [self.size.0, self.size.1].map(|size| number(size * self.unit_length));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}{unit}\" height=\"{down}{unit}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">",
            unit = self.unit
        )?;
        writeln!(out, "<title>{}</title>", escaped(self.title))?;
        writeln!(out, "<desc>{}</desc>", escaped(self.about))?;
        writeln!(out, "<style>{STYLE}{}</style>", colors(self.theme))?;
        writeln!(out, "{}", definitions(self.figures))?;
        if self.has_paper {
            writeln!(
                out,
                "<rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"12\"/>"
            )?;
        }
        writeln!(out, "{}</svg>", self.body)?;
        Ok(())
    }
}

pub(super) fn transform(corner: Point, cell: f32) -> String {
    let (at, cell) = (point(corner), number(cell));
    format!("translate({at}) scale({cell})")
}

pub(super) fn check_length(bytes: usize, limits: &Limits) -> Result<(), RenderError> {
    limits.check_memory(bytes as u64)?;
    if bytes as u64 > RenderError::MAX_BYTES {
        return Err(RenderError::TooMuchText);
    }
    Ok(())
}

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

pub(super) fn text(text: &str, at: Point, weight: &str) -> String {
    let (x, y, text) = (number(at.0), number(at.1), escaped(text));
    format!("<text class=\"text{weight}\" x=\"{x}\" y=\"{y}\">{text}</text>")
}
