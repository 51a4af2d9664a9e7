//! Pictures of games. A [`recording`] becomes a list of shapes for each position (`scene`); every format draws these shapes.
//! No code here knows the rules: the look of a glyph depends on its meaning, or on a table in `figures`.
//!
//! ```
//! use getaway_board::limits::Limits;
//! use getaway_board::puzzle::legend::{Legend, Meaning};
//! use getaway_render::recording::{Recording, Subject};
//! use getaway_render::{PictureStyle, Picture};
//!
//! let subject = Subject {
//!     title: "a corridor".into(),
//!     ruleset: "corridor",
//!     goal: "reach the exit",
//!     rules: "",
//!     legend: Legend::new(&[
//!         ("R", Meaning::Runner, "the runner"),
//!         ("E", Meaning::Goal, "the exit"),
//!         (".", Meaning::Floor, "floor"),
//!     ]),
//! };
//! let recording = Recording::of_start(subject, &["R..E".into()]);
//! let mut svg = Vec::new();
//! recording.draw(Picture::StillSvg(0), &PictureStyle::default(), &Limits::default(), &mut svg)?;
//! assert!(svg.starts_with(b"<svg"));
//! # Ok::<(), getaway_render::RenderError>(())
//! ```

#![deny(missing_docs)]

mod captions;
pub mod contact_sheet;
mod drawings;
mod figures;
mod gif;
pub mod html;
mod letters;
pub mod markup;
mod outline;
mod raster;
pub mod recording;
mod scene;
mod shapes;
mod sheet;
pub mod slides;
mod svg;
pub mod theme;

use std::io::{self, Write};

use getaway_board::limits::{Limit, Limits};
use recording::Recording;
use theme::Theme;

/// An animation shows its last position this many times as long as the others.
const HOLD: u32 = 4;

/// The style of a picture.
#[derive(Clone, Copy, Debug)]
pub struct PictureStyle {
    /// The width of a cell in pixels or, on a page, its maximum; by default, it depends on the board's size.
    pub cell: Option<u32>,
    /// The duration of each ply, in milliseconds.
    pub delay: u32,
    /// The colours; by default, the reader's theme in formats that support it, else the light theme.
    pub theme: Option<Theme>,
    /// True if pictures show only the board: no title, caption or progress bar. [`Picture::Page`] and [`Picture::View`] ignore
    /// it.
    pub is_bare: bool,
}

impl PictureStyle {
    /// The default value of `delay`.
    pub const DELAY: u32 = 450;
}

impl Default for PictureStyle {
    fn default() -> Self {
        Self {
            cell: None,
            delay: Self::DELAY,
            theme: None,
            is_bare: false,
        }
    }
}

/// A game to draw, in a style and within limits.
#[derive(Clone, Copy)]
struct Request<'r> {
    recording: &'r Recording,
    style: &'r PictureStyle,
    limits: &'r Limits<'r>,
}

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// An HTML page for stepping through the game.
    Page,
    /// The game as an animated SVG.
    Svg,
    /// The game as an animated GIF.
    Gif,
    /// A position, counted from 0, as an SVG.
    StillSvg(usize),
    /// A position, counted from 0, as a PNG.
    Png(usize),
    /// A position, counted from 0, as JSON with parts of an SVG, for pages with controls of their own.
    View(usize),
}

impl Recording {
    /// Writes a picture of this game.
    ///
    /// # Errors
    ///
    /// Returns an error if the board or the picture is too large, a limit ends the work, or writing fails.
    ///
    /// # Panics
    ///
    /// Panics if `picture` names a position that the game does not have.
    pub fn draw(
        &self,
        picture: Picture,
        style: &PictureStyle,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let request = &Request {
            recording: self,
            style,
            limits: &limits.without(self.bytes)?,
        };
        match picture {
            Picture::Page => html::page(request, out),
            Picture::Svg => svg::animated(request, out),
            Picture::Gif => gif::animated(request, out),
            Picture::StillSvg(position) => svg::still(request, position, out),
            Picture::Png(position) => raster::png(request, position, out),
            Picture::View(position) => html::view(request, position, out),
        }
    }
}

/// The reason why no picture was drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A limit was reached.
    #[error(transparent)]
    Limit(#[from] Limit),
    /// The board has too many cells.
    #[error("a board of {cells} cells is too large to draw: the maximum is {max}", max = Self::MAX_CELLS)]
    TooManyCells {
        /// The number of cells.
        cells: u64,
    },
    /// A picture has too many pixels.
    #[error("a picture of {width} x {height} pixels is too large: the maximum is {max} pixels", max = Self::MAX_PIXELS)]
    TooLarge {
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
    },
    /// An animation has too many pixels.
    #[error(
        "{frames} pictures of {width} x {height} pixels are too large: the maximum is {max} pixels in all",
        max = Self::MAX_MOVING_PIXELS
    )]
    TooLong {
        /// The number of pictures.
        frames: u64,
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
    },
    /// A picture in a text format has too many bytes.
    #[error("the picture is larger than {max} bytes", max = Self::MAX_BYTES)]
    TooMuchText,
    /// There are too many boards for a contact sheet.
    #[error("{boards} boards are too many for a sheet: the maximum is {max}", max = Self::MAX_BOARDS)]
    TooManyBoards {
        /// The number of boards.
        boards: usize,
    },
    /// The requested turn does not exist.
    #[error("there is no turn {asked}: the last turn is {last}")]
    NoTurn {
        /// The requested turn.
        asked: usize,
        /// The last turn.
        last: usize,
    },
    /// Writing the picture failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl RenderError {
    /// The maximum number of cells on a board.
    pub const MAX_CELLS: u64 = 1 << 21;
    /// The maximum number of boards on a contact sheet.
    pub const MAX_BOARDS: usize = 60;
    /// The maximum number of pixels in one picture.
    pub const MAX_PIXELS: u64 = 1 << 24;
    /// The maximum number of pixels in an animation.
    pub const MAX_MOVING_PIXELS: u64 = 1 << 32;
    /// The maximum number of bytes in a picture in a text format. In a page, the texts of each position count three times.
    pub const MAX_BYTES: u64 = 1 << 26;
}

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
