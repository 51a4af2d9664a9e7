//! Chasers that agents can control, each by an order in its turn.

use super::{Event, Outcome};
use getaway_board::grid::Cell;
use getaway_board::rng::Rng;

/// A kind of chaser that one agent controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// The name, as in the agents' protocol.
    pub name: &'static str,
    /// The glyphs of these chasers.
    pub glyphs: &'static str,
}

/// A board on which some chasers can be controlled: each in turn, in the order of [`Playable::actors`](super::Playable::actors),
/// obeys an order or moves by its own rules. No other actor enters a chaser's cell until that chaser has moved.
pub trait Controlled<S> {
    /// Returns the kinds of chasers that agents can control.
    fn roles(&self) -> &'static [Role];

    /// Returns all orders, possible or not.
    fn all_orders(&self) -> &'static [&'static str];

    /// Appends the possible orders for the chaser at `who`: at least one, always in the same order, each a single character
    /// other than `-`.
    fn orders(&self, at: &S, who: Cell, out: &mut Vec<&'static str>);

    /// Moves the chaser at `who` by `order`, one of the [`Controlled::orders`] or, without an order, by its own rules. Returns an
    /// outcome if that ends the game.
    fn control(
        &self,
        at: &mut S,
        who: Cell,
        order: Option<&str>,
        rng: &mut Rng,
        events: &mut Vec<Event>,
    ) -> Option<Outcome>;
}

/// A fault in the header `chasers`, such as an order that the chaser can't obey.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in turn {turn} of `chasers`, `{}` {why}", text.escape_debug())]
pub struct OrderError {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The offset in the header, in characters.
    pub at: usize,
    /// The order, or the group of all orders in the turn.
    pub text: String,
    /// The reason, as the rest of a sentence.
    pub why: String,
}
