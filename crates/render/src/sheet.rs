//! The layout of a picture, in pixels: a title, the board, a caption, and a progress bar.

use super::letters;
use super::scene::Scene;
use super::shapes::{Path, Point, Shape};
use super::theme::Ink;
use super::{RenderError, Request, captions};

pub(super) struct Sheet<'r> {
    pub(super) request: Request<'r>,
    pub(super) scene: Scene<'r>,
    pub(super) cell: f32,
    pub(super) board: Point,
    pub(super) width: u32,
    pub(super) height: u32,
    bottom: f32,
}

pub(super) const CAPITAL_HEIGHT: f32 = 10.5;
const MARGIN: f32 = 22.0;
const HEAD: f32 = 50.0;
const FOOT: f32 = 64.0;
const MIN_WIDTH: f32 = 440.0;
const BARE_MARGIN: f32 = 12.0;
const ROOM: Point = (880.0, 600.0);

impl<'r> Sheet<'r> {
    pub(super) fn new(request: &Request<'r>, steps_shown: usize) -> Result<Self, RenderError> {
        let (recording, style, limits) = (request.recording, request.style, request.limits);
        let scene = Scene::new(recording, steps_shown, limits)?;
        let (cols, rows) = scene.size();
        let by_default = (ROOM.0 / cols as f32).min(ROOM.1 / rows as f32);
        let cell = match style.cell {
            Some(cell) => cell as f32,
            None => by_default.clamp(4.0, 56.0).floor(),
        };
        let (across, down) = (cols as f32 * cell, rows as f32 * cell);
        let [head, foot, margin, min] = if style.is_bare {
            [BARE_MARGIN, BARE_MARGIN, BARE_MARGIN, 0.0]
        } else {
            [HEAD, FOOT, MARGIN, MIN_WIDTH]
        };
        let width = (across.max(min) + 2.0 * margin).ceil();
        let height = (head + down + foot).ceil();
        let pixels = f64::from(width) * f64::from(height);
        if pixels > RenderError::MAX_PIXELS as f64 {
            let (width, height) = (width as u64, height as u64);
            return Err(RenderError::TooLarge { width, height });
        }
        Ok(Self {
            request: *request,
            scene,
            cell,
            board: (((width - across) / 2.0).floor(), head),
            width: width as u32,
            height: height as u32,
            bottom: head + down,
        })
    }

    /// Returns the title and the caption, with the start of their baselines; nothing for a bare picture.
    pub(super) fn labels(&self) -> Vec<(String, Point)> {
        if self.request.style.is_bare {
            return Vec::new();
        }
        let room = self.width as f32 - 2.0 * MARGIN;
        let label = |text: &str, y| (shortened(text, room), (MARGIN, y));
        let caption = captions::caption(self.request.recording, self.scene.position());
        vec![
            label(&self.request.recording.subject.title, 31.0),
            label(&caption, self.bottom + 30.0),
        ]
    }

    /// Returns the progress bar; nothing for a bare picture.
    pub(super) fn bar(&self) -> Vec<Shape> {
        if self.request.style.is_bare {
            return Vec::new();
        }
        let (left, right) = (MARGIN + 2.0, self.width as f32 - MARGIN - 2.0);
        let plies = self.request.recording.plies.len().max(1);
        let share = self.scene.position() as f32 / plies as f32;
        let y = self.bottom + 46.0;
        let line = |to| Path::lines([(left, y), (to, y)]);
        vec![
            line(right).pen(4.0, Ink::Void),
            line((right - left).mul_add(share, left)).pen(4.0, Ink::Runner),
        ]
    }
}

pub(super) fn shortened(text: &str, room: f32) -> String {
    let dots = letters::width("...", CAPITAL_HEIGHT);
    let mut fits = 0;
    let mut width = 0.0;
    for (at, c) in text.char_indices() {
        width += letters::width(c.encode_utf8(&mut [0; 4]), CAPITAL_HEIGHT);
        if width <= room - dots {
            fits = at + c.len_utf8();
        }
        if width > room {
            return format!("{}...", text[..fits].trim_end());
        }
    }
    text.to_owned()
}
