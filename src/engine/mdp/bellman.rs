//! The Bellman operator: how the values of states follow from those of their successors.

use crate::limits::{Budget, Limit};

/// The states of an MDP in a certain order, and how their values follow from one another. Wherever the player
/// goes, the play must come to an end: an end component has to be one state.
///
/// The operator is *slanted*: each update adds a constant, the slant, and the result is kept between 0 and 1. With
/// a negative slant the player pays for its time, and may give up, which is worth 0; with a positive one it is
/// paid. So a fixed point of the slanted operator is a lower or an upper bound on all values, and it remains one
/// even if it has been found to a fraction of the slant only.
pub(crate) trait BellmanOperator {
    /// A choice of the player wherever it has one.
    type Choices;

    /// How many states there are.
    fn len(&self) -> usize;

    /// The value of the initial node, given those of the states.
    fn initial_value(&self, values: &[f64]) -> f64;

    /// A value for each state: 0 or 1 where it is known, `open` elsewhere.
    fn values(&self, open: f64, budget: &Budget) -> Result<Vec<f64>, Limit>;

    /// Any choices; [`BellmanOperator::improve`] makes good ones of them.
    fn choices(&self, budget: &Budget) -> Result<Self::Choices, Limit>;

    /// How far an update may be off by rounding, at most.
    fn rounding(&self) -> f64;

    /// Updates each state in turn by the best of its successors, or by their mean, and notes what was best; returns
    /// the largest change. Every other sweep, by its number `nth`, may go through the states the other way round,
    /// since values spread both ways.
    ///
    /// # Errors
    ///
    /// The limit that ended it midway.
    fn improve(
        &self,
        values: &mut [f64],
        nth: usize,
        slant: f64,
        choices: &mut Self::Choices,
        budget: &Budget,
    ) -> Result<f64, Limit>;

    /// Updates each state in turn by these choices, there and back, except where the best was to give up or to be paid
    /// for nothing but time; fills in how each has changed, and returns the largest change. (Values spread both ways:
    /// sweeps in one direction alone make equations that are far harder to solve.)
    ///
    /// # Errors
    ///
    /// The limit that ended it midway.
    fn evaluate(
        &self,
        values: &mut [f64],
        slant: f64,
        choices: &Self::Choices,
        changes: &mut [f32],
        budget: &Budget,
    ) -> Result<f64, Limit>;

    /// What [`BellmanOperator::evaluate`] would add to the values if this were added to them before.
    ///
    /// # Errors
    ///
    /// The limit that ended it midway.
    fn propagate(
        &self,
        vector: &mut [f32],
        choices: &Self::Choices,
        budget: &Budget,
    ) -> Result<(), Limit>;
}
