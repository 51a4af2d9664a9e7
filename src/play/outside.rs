//! Those outside this program who decide in games: what they are told, and what they may answer.

use std::fmt;

use serde::Serialize;

pub use super::forfeit::{Fault, RUNNER};
use super::trace::{Ending, TraceError};
use crate::limits::Limit;

/// Those who decide for somebody in games, any number of which are played side by side.
pub trait Outside: Sync + fmt::Debug {
    /// Whether they decide for this role: [`RUNNER`], or a kind of chaser.
    fn decides_for(&self, role: &str) -> bool;

    /// The roles that they decide for.
    fn roles(&self) -> Vec<&str>;

    /// They sit down to a game.
    ///
    /// # Errors
    ///
    /// If they are not there.
    fn sit(&self) -> Result<Box<dyn Seats + '_>, TraceError>;
}

/// Those who decide in one game.
pub trait Seats {
    /// The game begins.
    ///
    /// # Errors
    ///
    /// Why it does not.
    fn start(&mut self, start: &Start) -> Result<(), SeatError>;

    /// A move is asked for; the answer need not be a legal one.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    fn decide(&mut self, question: &Question) -> Result<String, SeatError>;

    /// What was answered last is not legal: they are at fault.
    fn refuse(&mut self, role: &str, reason: String) -> SeatError;

    /// The game is over.
    fn end(&mut self, ending: &Ending);
}

/// A game that begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// A seed for those who want random numbers of their own; below 2^53. It says nothing about the game's luck.
    pub seed: u64,
    /// The most turns that are played.
    pub turns: usize,
    /// The position as drawn.
    pub scene: Scene<'a>,
}

/// A decision that is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// For whom: [`RUNNER`], or a kind of chaser.
    pub role: &'a str,
    /// The actor's [`Actor::id`].
    pub actor: u32,
    /// The turn, from 1.
    pub turn: usize,
    /// What may be answered, always in the same order.
    pub legal: &'a [String],
    /// The position.
    pub scene: Scene<'a>,
}

/// A position, as those outside see it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The board, in the glyphs of a board file.
    pub rows: &'a [String],
    /// Those who move about, by their ids.
    pub actors: &'a [Actor],
}

/// One who moves about on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// It is the same throughout a game: runners first, then chasers in the order of the start, from 0.
    pub id: u32,
    /// What it is.
    pub glyph: char,
    /// Row and column, from 0.
    pub at: (u32, u32),
}

/// Why somebody outside did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatError {
    /// They are at fault, and lose the game.
    Fault(Fault),
    /// A limit ended the wait for them.
    Limit(Limit),
    /// There is nobody to play.
    Gone(String),
}
