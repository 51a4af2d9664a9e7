//! Pages on which readers step through notes about the start of a game, such as the steps of a search.

use std::collections::BTreeSet;
use std::io::Write;

use super::html::{Page, PageFrame};
use super::markup::{escaped, marks, number, shapes};
use super::recording::Recording;
use super::scene::Scene;
use super::shapes::Path;
use super::svg::check_length;
use super::theme::Ink;
use super::{PictureStyle, RenderError, Request};
use getaway_board::limits::Limits;

/// A picture of the board with notes in its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slide {
    /// The heading.
    pub caption: String,
    /// Sentences about the slide.
    pub says: String,
    /// The notes in cells of the board.
    pub notes: Vec<Note>,
    /// The rows of the board; empty for the board at the start of the game.
    pub rows: Vec<String>,
}

/// A short text in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The row and column, from 0.
    pub at: (u32, u32),
    /// The text.
    pub text: String,
    /// The colour behind the text.
    pub ink: Ink,
}

impl Recording {
    /// Writes a page that begins with the start of the game, and goes on with the slides; `about` describes them.
    ///
    /// # Errors
    ///
    /// Returns an error if a board or the page is too large, a limit is reached, or writing fails.
    pub fn draw_slides(
        &self,
        about: &str,
        slides: &[Slide],
        style: &PictureStyle,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let limits = &limits.without(self.bytes)?;
        let scene = Scene::new(self, 0, limits)?;
        let mut figures = BTreeSet::new();
        let board = marks(&scene.marks(), &mut figures, &|_| Default::default());
        let start = Slide {
            caption: "start".into(),
            ..Slide::default()
        };
        let (mut positions, mut length) = (Vec::new(), 0);
        for (turn, slide) in [&start].into_iter().chain(slides).enumerate() {
            limits.check_time()?;
            let board = match &*slide.rows {
                [] => board.clone(),
                rows => {
                    let other = Self::of_start(self.subject.clone(), rows);
                    let marked = Scene::new(&other, 0, limits)?.marks();
                    marks(&marked, &mut figures, &|_| Default::default())
                }
            };
            let notes = slide.notes.iter().map(|note| drawn(&scene, note));
            let frame = PageFrame {
                turn,
                caption: slide.caption.clone(),
                says: slide.says.clone(),
                marks: notes.fold(board, |marks, note| marks + &note),
            };
            length += frame.length();
            check_length(length, limits)?;
            positions.push(frame);
        }
        let page = Page {
            about: about.to_owned(),
            ending: String::new(),
            last: slides.len(),
            positions,
            figures,
        };
        let request = Request {
            recording: self,
            style,
            limits,
        };
        page.write(&request, out)
    }
}

fn drawn(scene: &Scene, note: &Note) -> String {
    let (x, y) = scene.middle(note.at);
    let behind = Path::rectangle((x - 0.46, y - 0.46), (x + 0.46, y + 0.46), 0.1);
    let behind = shapes(&[behind.fill(note.ink).faint(0.4)]);
    let [x, y] = [x, y + 0.1].map(number);
    format!(
        "{behind}<text x=\"{x}\" y=\"{y}\">{}</text>",
        escaped(&note.text)
    )
}
