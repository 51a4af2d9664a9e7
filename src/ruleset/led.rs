//! Chasers that are led by agents one by one, instead of moving by their own rules.

use super::{Event, Outcome};
use crate::grid::Cell;
use crate::rng::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// The name of the role, such as `ghost`.
    pub name: &'static str,
    /// The glyphs of its chasers, as in events.
    pub glyphs: &'static str,
}

/// A board on which some chasers can be led. In a round each chaser in turn obeys an order or moves by its own rules.
pub trait Led<S> {
    fn roles(&self) -> &'static [Role];

    /// Appends this round's chasers in order, with glyphs and cells. The caller does this once per round, before any of
    /// them moves. No other actor enters their cells until they have moved.
    fn in_turn(&self, at: &S, out: &mut Vec<(char, Cell)>);

    /// All orders, possible or not.
    fn every_order(&self) -> &'static [&'static str];

    /// Appends the possible orders for the chaser at `who`: at least one, always in the same order, each a character
    /// other than `-`.
    fn orders(&self, at: &S, who: Cell, out: &mut Vec<&'static str>);

    /// Carries out an order for the chaser at `who`; returns an outcome if that ends the game.
    ///
    /// # Panics
    ///
    /// Panics if it is not one of its [`Led::orders`].
    fn obey(
        &self,
        at: &mut S,
        who: (Cell, &str),
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome>;

    /// Moves the chaser at `who` by its own rules; returns an outcome if that ends the game.
    fn by_rule(
        &self,
        at: &mut S,
        who: Cell,
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome>;
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in turn {turn} of `chasers`, `{}` {why}", text.escape_debug())]
pub struct NoOrder {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The position of the order in the header, in characters from 0.
    pub at: usize,
    pub text: String,
    pub why: String,
}
