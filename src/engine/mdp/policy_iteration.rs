//! The fixed point of a slanted Bellman operator, by policy iteration.
//!
//! Sweeps alone creep where a play lasts long: what they change in a sweep is then a tiny part of what is missing.
//! So the values of the choices found so far are worked out as what they are, the solution of linear equations
//! ([`super::krylov`]); sweeps are there to find better choices.

use super::bellman::BellmanOperator;
use super::krylov::Krylov;
use crate::limits::{Budget, Limit};

/// Linear equations are solved when no value changes by more than this in a sweep, or after so many sweeps.
const CALM: f64 = 1e-2;
const MAX_FIRST_SWEEPS: usize = 64;
/// How many sweeps there are at least between two times: that the best choice has changed somewhere is news to those
/// before it.
const SWEEPS: usize = 4;
/// What part of a sweep's largest change the values of its choices may be off by.
const ACCURACY: f64 = 0.05;
/// By how much one correction is to reduce what is left over.
const REDUCTION: f64 = 1e-2;
/// The most corrections to the values of the same choices, and the most sweeps, before it is given up.
const MAX_CORRECTIONS: usize = 50;
const MAX_SWEEPS: usize = 1000;

/// What a search for a fixed point came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The values prove themselves to be bounds.
    Bounds,
    /// It took too many sweeps.
    Nothing,
}

/// The search for a fixed point of the operator with this slant.
pub(super) struct PolicyIteration<'a, O: BellmanOperator> {
    pub(super) operator: &'a O,
    pub(super) budget: &'a Budget<'a>,
    pub(super) choices: &'a mut O::Choices,
    pub(super) krylov: &'a mut Krylov,
    pub(super) slant: f64,
}

impl<O: BellmanOperator> PolicyIteration<'_, O> {
    /// Moves the values until they prove themselves to be lower bounds if the slant is negative, or upper bounds.
    /// `note` gets all lower bounds on the value of the initial node that are proven on the way. The values must be
    /// lower bounds that prove themselves.
    ///
    /// Where no value changes by more than a part of the slant in a sweep, the operator without slant would move
    /// all of them the other way, even if each update was made from values that had partly been updated already,
    /// and whatever the rounding.
    pub(super) fn run(
        &mut self,
        values: &mut [f64],
        note: &mut impl FnMut(f64),
    ) -> Result<Found, Limit> {
        let (mut sweeps, mut is_rising) = (0, self.slant < 0.0);
        for nth in 0..MAX_SWEEPS {
            let largest =
                self.operator
                    .improve(values, 0, self.slant, self.choices, self.budget)?;
            if is_rising {
                note(self.operator.initial_value(values));
            }
            if largest <= self.tolerance() {
                return Ok(Found::Bounds);
            }
            sweeps += 1;
            if sweeps >= SWEEPS && (largest <= CALM || nth >= MAX_FIRST_SWEEPS) {
                sweeps = 0;
                is_rising = false;
                self.evaluate(values, (ACCURACY * largest).max(self.tolerance()), note)?;
            }
        }
        Ok(Found::Nothing)
    }

    /// How much a sweep may change values that prove themselves.
    fn tolerance(&self) -> f64 {
        self.slant.abs() / 4.0
    }

    /// Moves the values to those of the present choices, until a sweep changes none by more than this.
    fn evaluate(
        &mut self,
        values: &mut [f64],
        accuracy: f64,
        note: &mut impl FnMut(f64),
    ) -> Result<(), Limit> {
        let Self {
            operator,
            budget,
            choices,
            krylov,
            slant,
        } = self;
        for _ in 0..MAX_CORRECTIONS {
            let residual = krylov.residual();
            let largest = operator.evaluate(values, *slant, choices, residual, budget)?;
            if *slant < 0.0 && largest <= slant.abs() / 4.0 {
                // What some choices are worth at least, the best ones are worth too.
                note(operator.initial_value(values));
            }
            if largest <= accuracy {
                break;
            }
            let propagate = |vector: &mut [f32]| operator.propagate(vector, choices, budget);
            if !krylov.correct(values, REDUCTION, propagate)? {
                break;
            }
        }
        Ok(())
    }
}
