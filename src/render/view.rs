//! A position as JSON, for pages where people play or draw. The page adds colours and animates the figures.

use std::collections::BTreeSet;
use std::io::Write;

use serde::Serialize;

use super::RenderError;
use super::captions;
use super::html::{Position, ground, legend};
use super::markup::{definitions, marks, number};
use super::recording::Recording;
use super::scene::{STEPS_SHOWN, Scene};
use super::shapes::Point;
use crate::limits::Limits;
use crate::play::trace::Ending;

#[derive(Serialize)]
struct View {
    /// The number of columns in cells, without the walls between them.
    cols: usize,
    rows: usize,
    runner: Option<Point>,
    definitions: String,
    ground: String,
    legend: String,
    #[serde(flatten)]
    position: Position,
}

pub fn view(
    recording: &Recording,
    position: usize,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let mut scene = Scene::new(recording, STEPS_SHOWN, limits)?;
    scene.go_to(position, limits)?;
    let mut used = BTreeSet::new();
    let marks = marks(&scene.marks(), &mut used, &walk);
    let (legend, figures) = legend(recording);
    used.extend(figures);
    let (cols, rows) = scene.size();
    let mut shown = Position::new(recording, position, marks);
    if let (Ending::Open { .. }, Some(told)) =
        (&recording.ending, captions::half_turn(recording, position))
    {
        // The view leaves out the ending, since the game continues.
        shown.says = told;
    }
    let view = View {
        cols,
        rows,
        runner: scene.middle_of_runner(),
        definitions: definitions(&used),
        ground: ground(&scene),
        legend,
        position: shown,
    };
    serde_json::to_writer(out, &view).map_err(|error| RenderError::Io(error.into()))
}

/// Returns a walk without `style` attributes, which strict security policies forbid.
fn walk(from: [Point; 2]) -> (String, String) {
    let [start, halfway] = from.map(|(x, y)| format!("{}px,{}px", number(x), number(y)));
    (
        format!(" data-start=\"{start}\" data-halfway=\"{halfway}\""),
        String::new(),
    )
}
