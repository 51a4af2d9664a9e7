//! Pages that replay a game, each a single file that loads nothing else, and positions for pages where people play or draw.

use std::collections::BTreeSet;
use std::io::Write;

use pulldown_cmark::Parser;
use serde::Serialize;

use super::figures::Figure;
use super::markup::{definitions, escaped, marks, number, shapes};
use super::recording::Recording;
use super::scene::{STEPS_SHOWN, Scene};
use super::shapes::Point;
use super::svg::check_length;
use super::theme::{Ink, Theme};
use super::{RenderError, Request, captions};
use getaway_board::limits::Limits;
use getaway_play::trace::Ending;

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");

#[derive(Serialize)]
struct Data {
    delay: u32,
    positions: Vec<PageFrame>,
}

#[derive(Serialize)]
pub(super) struct PageFrame {
    pub turn: usize,
    pub caption: String,
    pub says: String,
    pub marks: String,
}

impl PageFrame {
    fn new(recording: &Recording, number: usize, marks: String) -> Self {
        let ply = number.checked_sub(1).map(|ply| &recording.plies[ply]);
        Self {
            turn: ply.map_or(0, |ply| ply.turn),
            caption: captions::caption(recording, number),
            says: captions::sentences(recording, number),
            marks,
        }
    }

    /// Returns the memory for the frame's texts, in bytes. Each exists three times: here, as JSON, and in the page.
    pub(super) const fn length(&self) -> usize {
        3 * (self.marks.len() + self.says.len() + self.caption.len())
    }
}

const MARGIN: f32 = 0.3;

/// Returns the style sheet of pages with pictures, and SVG definitions of the figures to which [`thumbnail`] refers.
pub fn style() -> (String, String) {
    (format!("{}\n{STYLE}", colors()), definitions(Figure::ALL))
}

/// Returns the start of a game as an SVG element for a page with [`style`]. Draws rings around the `marked` cells, and letters
/// for glyphs that the ruleset does not have.
///
/// # Errors
///
/// Returns an error if the board is too large.
pub fn thumbnail(recording: &Recording, marked: &[(u32, u32)]) -> Result<String, RenderError> {
    let scene = Scene::new(recording, 0, &Limits::default())?;
    let marks = marks(&scene.marks(), &mut BTreeSet::new(), &walk);
    let notes = shapes(&scene.notes(marked));
    // At this scale, the sides of walls are too small to see, and they would double the size of the file.
    let mut ground = scene.ground();
    ground.retain(|shape| shape.ink != Ink::WallSide);
    let (ground, viewbox) = (shapes(&ground), viewbox(&scene));
    Ok(format!(
        "<svg class=\"board\" preserveAspectRatio=\"xMinYMin\" viewBox=\"{viewbox}\" role=\"img\" aria-label=\"the board\">{ground}{marks}{notes}</svg>"
    ))
}

fn viewbox(scene: &Scene) -> String {
    let (cols, rows) = scene.size();
    let [from, width, height] = [0.0, cols as f32, rows as f32].map(|size| size + 2.0 * MARGIN);
    let [width, height, from] = [width, height, from / -2.0].map(number);
    format!("{from} {from} {width} {height}")
}

/// Writes a page on which readers step through the game.
pub(crate) fn page(request: &Request, out: &mut dyn Write) -> Result<(), RenderError> {
    let recording = request.recording;
    let mut figures = BTreeSet::new();
    let positions = positions(request, &mut figures)?;
    let page = Page {
        about: captions::kind(recording),
        ending: captions::ending(recording),
        last: recording.last_turn(),
        positions,
        figures,
    };
    page.write(request, out)
}

/// The parts of a page that differ between a game and slides.
pub(super) struct Page {
    pub about: String,
    pub ending: String,
    /// The number of the last turn or slide, which is the maximum of the page's slider.
    pub last: usize,
    pub positions: Vec<PageFrame>,
    /// The figures in the positions.
    pub figures: BTreeSet<Figure>,
}

impl Page {
    pub(super) fn write(
        mut self,
        request: &Request,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let (recording, style, limits) = (request.recording, request.style, request.limits);
        let scene = Scene::new(recording, 0, limits)?;
        let (legend, shown) = legend(recording);
        self.figures.extend(shown);
        let cell = style.cell.map_or(String::new(), |cell| {
            format!(
                "max-width:{}px",
                f64::from(cell) * (scene.size().0 as f64 + 0.6)
            )
        });
        let theme = match style.theme {
            None => "",
            Some(Theme::Light) => " data-theme=\"light\"",
            Some(Theme::Dark) => " data-theme=\"dark\"",
        };
        let subject = &recording.subject;
        let data = Data {
            delay: style.delay,
            positions: self.positions,
        };
        let filled = filled(PAGE, |name| match name {
            "theme" => theme.into(),
            "title" => escaped(&subject.title),
            "ruleset" => escaped(subject.ruleset),
            "about" => escaped(&self.about),
            "goal" => escaped(subject.goal),
            "rules" => rules(subject.rules),
            "ending" => escaped(&self.ending),
            "colors" => colors(),
            "style" => STYLE.into(),
            "size" => cell.clone(),
            "viewbox" => viewbox(&scene),
            "definitions" => definitions(&self.figures),
            "ground" => shapes(&scene.ground()),
            "first" => data.positions[0].marks.clone(),
            "last" => self.last.to_string(),
            "legend" => legend.clone(),
            "data" => json(&data),
            "script" => SCRIPT.into(),
            _ => unreachable!("the page has an unknown placeholder: {name}"),
        });
        out.write_all(filled.as_bytes())?;
        Ok(())
    }
}

/// Replaces the placeholders of a template, such as `{{name}}`, in one pass.
fn filled(template: &str, blank: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, text) = part.split_once("}}").expect("each placeholder is closed");
        page.push_str(&blank(name));
        page.push_str(text);
    }
    page
}

fn positions(
    request: &Request,
    used: &mut BTreeSet<Figure>,
) -> Result<Vec<PageFrame>, RenderError> {
    let (recording, limits) = (request.recording, request.limits);
    let mut scene = Scene::new(recording, STEPS_SHOWN, limits)?;
    let mut positions = Vec::new();
    let mut length = 0;
    loop {
        limits.check_time()?;
        let marks = marks(&scene.marks(), used, &walk);
        let position = PageFrame::new(recording, scene.position(), marks);
        length += position.length();
        check_length(length, limits)?;
        positions.push(position);
        if !scene.advance() {
            return Ok(positions);
        }
    }
}

fn walk(from: [Point; 2]) -> (String, String) {
    let [start, halfway] = from.map(pixels);
    let attributes = format!(" class=\"m\" style=\"--a:{start};--b:{halfway}\"");
    (attributes, String::new())
}

/// Returns the attributes of a moving mark, without `style`, which strict content security policies forbid.
fn walk_without_style(from: [Point; 2]) -> (String, String) {
    let [start, halfway] = from.map(pixels);
    let attributes = format!(" data-start=\"{start}\" data-halfway=\"{halfway}\"");
    (attributes, String::new())
}

fn pixels((x, y): Point) -> String {
    format!("{}px,{}px", number(x), number(y))
}

fn legend(recording: &Recording) -> (String, Vec<Figure>) {
    let figures = recording.subject.figures();
    let mut items = String::new();
    let mut shown = Vec::new();
    for (glyph, name) in captions::legend(recording) {
        let figure = figures.figure(glyph);
        shown.push(figure);
        let (id, name) = (figure.id(), escaped(&name));
        items.push_str(&format!(
            "<li><svg viewBox=\"-0.6 -0.6 1.2 1.2\" aria-hidden=\"true\"><use href=\"#g-{id}\"/></svg>\
             {name}</li>\n"
        ));
    }
    (items, shown)
}

/// Converts rules in Markdown to HTML, with headings of the first two levels one level lower.
pub fn rules(markdown: &str) -> String {
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, Parser::new(markdown));
    // The second level comes first, so that no heading is lowered twice.
    html.replace("h2>", "h3>").replace("h1>", "h2>")
}

/// Returns a CSS style sheet that defines the colours of pages, for light and dark themes.
pub fn colors() -> String {
    let [light, dark] = [Theme::Light, Theme::Dark];
    let variable = |ink: &Ink| {
        let (name, light, dark) = (ink.name(), ink.hex(light), ink.hex(dark));
        format!("--{name}:light-dark({light},{dark});")
    };
    let class = |ink: &Ink| format!(".{name}{{color:var(--{name})}}", name = ink.name());
    let variables: String = Ink::ALL.iter().map(variable).collect();
    let classes: String = Ink::ALL.iter().map(class).collect();
    format!(":root{{{variables}}}\n{classes}")
}

fn json(data: &Data) -> String {
    let json = serde_json::to_string(data).expect("texts and numbers can be written as JSON");
    // The page has the JSON in a `script` element, which the text `</script>` would end.
    json.replace('<', "\\u003c")
}

/// A position as JSON. The page adds colours and animates the figures.
#[derive(Serialize)]
struct View {
    cols: usize,
    rows: usize,
    runner: Option<Point>,
    definitions: String,
    ground: String,
    legend: String,
    #[serde(flatten)]
    position: PageFrame,
}

/// Writes a position as JSON with parts of an SVG.
pub(crate) fn view(
    request: &Request,
    position: usize,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let (recording, limits) = (request.recording, request.limits);
    let mut scene = Scene::new(recording, STEPS_SHOWN, limits)?;
    scene.go_to(position, limits)?;
    let mut used = BTreeSet::new();
    let marks = marks(&scene.marks(), &mut used, &walk_without_style);
    let (legend, figures) = legend(recording);
    used.extend(figures);
    let (cols, rows) = scene.size();
    let mut shown = PageFrame::new(recording, position, marks);
    let caption = captions::describe_ply(recording, position);
    if let (Ending::Open { .. }, Some(caption)) = (&recording.ending, caption) {
        shown.says = caption;
    }
    let view = View {
        cols,
        rows,
        runner: scene.runner().map(|place| scene.middle(place)),
        definitions: definitions(&used),
        ground: shapes(&scene.ground()),
        legend,
        position: shown,
    };
    serde_json::to_writer(out, &view).map_err(|error| RenderError::Io(error.into()))
}
