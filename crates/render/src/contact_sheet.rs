//! Contact sheets: boards on an A4 page to print, each at its start, with its name above it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use tiny_skia::{Pixmap, Transform};

use super::RenderError;
use super::letters;
use super::markup::{marks, shapes};
use super::raster;
use super::recording::Recording;
use super::scene::Scene;
use super::shapes::Point;
use super::sheet::{CAPITAL_HEIGHT, shortened};
use super::svg::{self, Document, check_length};
use super::theme::{Color, Theme};
use getaway_board::limits::Limits;

/// The width and height of the page, in quarters of a millimetre.
const PAGE: Point = (840.0, 1188.0);
const MARGIN: f32 = 48.0;
const GAP: f32 = 24.0;
/// The height of a name and the space below it.
const NAME: f32 = 20.0;
/// The minimum scale of a name. A name that is still too long is shortened.
const MIN_SCALE: f32 = 0.65;
const MAX_CELL: f32 = 40.0;
const WHITE: Color = [255; 3];
/// The number of pixels per unit of the page in a PNG.
const SCALE: f32 = 2.0;

/// Writes an SVG with the start of each game, without a background.
///
/// # Errors
///
/// Returns an error if there are too many boards, a board or the picture is too large, a limit is reached, or writing fails.
pub fn svg(
    recordings: &[Recording],
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let mut figures = BTreeSet::new();
    let mut body = String::new();
    for board in placed(recordings, limits)? {
        limits.check_time()?;
        let at = svg::transform(board.corner, board.cell);
        let ground = shapes(&board.scene.ground());
        let marks = marks(&board.scene.marks(), &mut figures, &|_| Default::default());
        let name = svg::text(&board.name, (0.0, 0.0), " bold");
        let named = svg::transform(board.baseline(), board.name_scale);
        let _ = writeln!(
            body,
            "<g transform=\"{at}\">{ground}{marks}</g><g transform=\"{named}\">{name}</g>"
        );
        check_length(body.len(), limits)?;
    }
    let document = Document {
        size: PAGE,
        unit_length: 0.25,
        unit: "mm",
        title: "boards",
        about: "Boards to print",
        has_paper: false,
        theme: Some(Theme::Light),
        figures: &figures,
        body: &body,
    };
    document.write(out)
}

/// Writes a PNG with the start of each game, on white.
///
/// # Errors
///
/// Returns an error if there are too many boards, a board is too large, a limit is reached, or writing fails.
pub fn png(
    recordings: &[Recording],
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let [width, height] = [PAGE.0, PAGE.1].map(|size| (size * SCALE) as u32);
    let mut picture = raster::paper(width, height, WHITE);
    let page = Transform::from_scale(SCALE, SCALE);
    for board in placed(recordings, limits)? {
        limits.check_time()?;
        board.paint(&mut picture, page);
    }
    raster::encode(&picture, out)
}

struct Placed<'r> {
    scene: Scene<'r>,
    name: String,
    name_scale: f32,
    /// The upper left corner of the board.
    corner: Point,
    cell: f32,
}

impl Placed<'_> {
    /// Returns the start of the baseline of the name.
    fn baseline(&self) -> Point {
        (self.corner.0, self.corner.1 - NAME + CAPITAL_HEIGHT)
    }

    fn paint(&self, picture: &mut Pixmap, page: Transform) {
        let (theme, (x, y)) = (Theme::Light, self.corner);
        let at = page.pre_translate(x, y).pre_scale(self.cell, self.cell);
        raster::ground(picture, &self.scene, theme, at);
        raster::marks(picture, &self.scene, theme, at);
        let (x, y) = self.baseline();
        let at = page
            .pre_translate(x, y)
            .pre_scale(self.name_scale, self.name_scale);
        raster::text(picture, &self.name, (0.0, 0.0), 2.2, theme, at);
    }
}

fn placed<'r>(
    recordings: &'r [Recording],
    limits: &Limits,
) -> Result<Vec<Placed<'r>>, RenderError> {
    let boards = recordings.len();
    if boards > RenderError::MAX_BOARDS {
        return Err(RenderError::TooManyBoards { boards });
    }
    let scene = |recording| Scene::new(recording, 0, limits);
    let scenes = recordings
        .iter()
        .map(scene)
        .collect::<Result<Vec<_>, _>>()?;
    let smallest = |cols: usize| {
        let room = room(boards, cols);
        let cells = scenes.iter().map(|scene| cell(scene, room));
        cells.fold(MAX_CELL, f32::min)
    };
    let cols = (1..=boards).max_by(|&one, &other| smallest(one).total_cmp(&smallest(other)));
    let cols = cols.unwrap_or(1);
    let room = room(boards, cols);
    let place = |(number, scene): (usize, Scene<'r>)| {
        let (col, row) = ((number % cols) as f32, (number / cols) as f32);
        let title = &recordings[number].subject.title;
        let name_scale = (room.0 / letters::width(title, CAPITAL_HEIGHT)).clamp(MIN_SCALE, 1.0);
        Placed {
            name: shortened(title, room.0 / name_scale),
            name_scale,
            corner: (
                (room.0 + GAP).mul_add(col, MARGIN),
                (room.1 + NAME + GAP).mul_add(row, MARGIN + NAME),
            ),
            cell: cell(&scene, room),
            scene,
        }
    };
    Ok(scenes.into_iter().enumerate().map(place).collect())
}

/// Returns the width and height that each board may fill.
fn room(boards: usize, cols: usize) -> Point {
    let share = |page: f32, count: usize| (page - 2.0 * MARGIN + GAP) / count as f32 - GAP;
    let rows = boards.div_ceil(cols);
    (share(PAGE.0, cols), share(PAGE.1, rows) - NAME)
}

fn cell(scene: &Scene, room: Point) -> f32 {
    let (cols, rows) = scene.size();
    (room.0 / cols as f32)
        .min(room.1 / rows as f32)
        .min(MAX_CELL)
}
