//! A board that has been read, ready to be played.

use std::sync::Arc;

use crate::fault::{BoardError, Fault};
use crate::game::{Game, Given};
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;

use super::shelf::Written;
use crate::cli::options::Options;

/// A board that can be played.
pub struct Opened<'f> {
    /// The board as it was read.
    pub puzzle: Puzzle<'f>,
    /// Its ruleset.
    pub ruleset: &'static Entry,
    /// The game.
    pub game: Arc<dyn Game>,
    /// The seed in its header.
    pub seed: Option<u64>,
    /// The warnings about its headers.
    pub warnings: Vec<Fault>,
}

impl<'f> Opened<'f> {
    /// Reads a board.
    pub fn read(written: Written<'f>, options: &Options) -> Result<Self, BoardError> {
        let (mut puzzle, read) = written.read();
        options.settle(&mut puzzle);
        read?;
        let (ruleset, game) = options.read(&puzzle)?;
        Ok(Self {
            ruleset,
            game: game.into(),
            seed: Given::of(&puzzle)?.seed,
            warnings: options.warnings(ruleset, &puzzle)?,
            puzzle,
        })
    }
}
