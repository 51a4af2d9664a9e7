//! Chasers that somebody leads, one by one, instead of their own rules.

use super::{Event, Outcome};
use crate::grid::Cell;
use crate::rng::Rng;

/// A kind of chaser that can be led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// What they are called: `ghost`.
    pub name: &'static str,
    /// Their glyphs, as events name them.
    pub glyphs: &'static str,
}

/// A board on which some chasers can be led. `S` are its positions.
///
/// A round goes chaser by chaser: each in its turn makes the move it is ordered to make, or the one by its own
/// rules.
pub trait Led<S> {
    /// Who can be led.
    fn roles(&self) -> &'static [Role];

    /// Those who move in this round, in order: their glyphs and where they stand. It is called once a round,
    /// before the first of them moves; nobody else comes to stand there until they have moved.
    fn in_turn(&self, at: &S, out: &mut Vec<(char, Cell)>);

    /// What the chaser at `who` can be ordered to do, always in the same order; it is never nothing. Each is one
    /// character, and none of them `-`.
    fn orders(&self, at: &S, who: Cell, out: &mut Vec<&'static str>);

    /// The chaser at `who` does as it is ordered; an outcome if that ends the game.
    ///
    /// # Panics
    ///
    /// If that is none of its [`Led::orders`].
    fn obey(
        &self,
        at: &mut S,
        who: (Cell, &str),
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome>;

    /// The chaser at `who` moves by its own rules; an outcome if that ends the game.
    fn by_rule(
        &self,
        at: &mut S,
        who: Cell,
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome>;
}

/// A part of the header `chasers` that can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in turn {turn} of `chasers`, `{}` {why}", text.escape_debug())]
pub struct NoOrder {
    /// The turn, from 1.
    pub turn: usize,
    /// Where it stands in the header, in characters from 0.
    pub at: usize,
    /// The text itself.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}
