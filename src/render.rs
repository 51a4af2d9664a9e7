//! Pictures of games to keep: a game is recorded ([`recording`]), each of its positions set up as a list of
//! shapes ([`scene`]), and these are drawn alike in every format ([`svg`], [`html`], [`png`], [`gif`]).
//!
//! Nothing here knows a rule: what a glyph looks like goes by what it means, or by [`figures`].

pub mod captions;
mod drawings;
pub mod figures;
pub mod gif;
pub mod html;
pub mod letters;
mod markup;
mod outline;
pub mod png;
mod raster;
pub mod recording;
pub mod scene;
pub mod shapes;
mod sheet;
mod stage;
pub mod svg;
pub mod theme;

use std::io;

use crate::limits::Limit;
use theme::Theme;

/// The last position of an animation is shown so many times as long as the others.
const HOLD: u32 = 4;

/// How a picture is to look.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// How wide a cell is, in pixels; by default as the board's size allows.
    pub cell: Option<u32>,
    /// How long each half of a turn is shown, in milliseconds.
    pub delay: u32,
    /// The colours; by default the reader's own where a format can ask for them, else light.
    pub theme: Option<Theme>,
}

impl Look {
    /// How long each half of a turn is shown by default, in milliseconds.
    pub const DELAY: u32 = 450;
}

impl Default for Look {
    fn default() -> Self {
        Self {
            cell: None,
            delay: Self::DELAY,
            theme: None,
        }
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// The board has more cells than can be drawn.
    #[error("a board of {cells} cells is too large to draw: at most {most}", most = Self::MOST_CELLS)]
    TooManyCells {
        /// How many.
        cells: u64,
    },
    /// A position takes more pixels than a picture may have.
    #[error("a picture of {width} x {height} pixels has more than {most}", most = Self::MOST_PIXELS)]
    TooLarge {
        /// In pixels.
        width: u64,
        /// In pixels.
        height: u64,
    },
    /// All positions together take more pixels than an animation may have.
    #[error(
        "{frames} pictures of {width} x {height} pixels have more than {most} in all",
        most = Self::MOST_MOVING_PIXELS
    )]
    TooLong {
        /// How many pictures there are.
        frames: u64,
        /// In pixels.
        width: u64,
        /// In pixels.
        height: u64,
    },
    /// The text of a picture takes more room than it may.
    #[error("the picture takes more than {most} bytes", most = Self::MOST_BYTES)]
    TooMuchText,
    /// There is no such turn.
    #[error("there is no turn {asked}: the game has {last}")]
    NoTurn {
        /// The turn asked for.
        asked: usize,
        /// The last there is.
        last: usize,
    },
    /// The file can't be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Limit> for RenderError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl RenderError {
    /// The most cells of a board that is drawn.
    pub const MOST_CELLS: u64 = 1 << 21;
    /// The most pixels of one picture.
    pub const MOST_PIXELS: u64 = 1 << 24;
    /// The most pixels of all pictures of an animation together.
    pub const MOST_MOVING_PIXELS: u64 = 1 << 32;
    /// The most bytes of a picture that is a text.
    pub const MOST_BYTES: u64 = 1 << 26;
}
