//! A fast estimate of all values, without any guarantee.
//!
//! Sweeps from 0 upwards soon find the best choices. From then on, values are extrapolated. A bad extrapolation only costs time.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::anderson::{self, Anderson, sample_bytes};
use getaway_board::limits::{Budget, Limit};

const ROUND: usize = 4;
/// Extrapolation begins when no value changes by more than this in a sweep.
const MAX_CHANGE_TO_EXTRAPOLATE: f64 = 1e-2;
const MAX_EXTRAPOLATIONS: usize = 200;

/// The Bellman operator, which sweeps apply to the values of states. It must have a single fixed point. So in each sweep, all
/// states of an end component get the value of its best exit.
pub(crate) trait BellmanOperator: Sync {
    fn parts(&self) -> Vec<Range<usize>>;

    fn known(&self, state: usize) -> Option<f64>;

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// Updates each state of a part in the sweep with number `nth`. `change` takes the old value and the new one, and returns the
    /// value to keep. If a limit ends a sweep midway, bounds remain valid.
    fn sweep<const N: usize>(
        &self,
        values: &mut [[f64; N]],
        part: usize,
        nth: usize,
        budget: &Budget,
        change: impl Fn([f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<(), Limit>;

    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit> {
        let parts = self.parts();
        let mut values = budget.with_capacity(parts.iter().map(Range::len).sum())?;
        let value = |state| self.known(state).map_or(open, |value| [value; N]);
        values.extend(parts.into_iter().flatten().map(value));
        Ok(values)
    }
}

pub(super) struct Estimate<'a, O> {
    operator: &'a O,
    budget: &'a Budget<'a>,
    part: usize,
    states: Range<usize>,
    pub(super) values: &'a mut [[f64; 1]],
    history: Anderson<'a>,
    extrapolations: usize,
}

/// Returns the maximum memory of an estimate, excluding the values.
pub(super) const fn max_bytes(len: usize) -> u64 {
    anderson::max_bytes(len) + sample_bytes(len)
}

/// The largest change of a value in a sweep, which several threads may note.
#[derive(Default)]
pub(super) struct LargestChange(AtomicU64);

impl LargestChange {
    #[inline]
    pub(super) fn note(&self, change: f64) {
        // Non-negative numbers have the same order as their bit patterns.
        let bits = change.abs().to_bits();
        if bits > self.0.load(Ordering::Relaxed) {
            self.0.fetch_max(bits, Ordering::Relaxed);
        }
    }

    pub(super) fn into_inner(self) -> f64 {
        f64::from_bits(self.0.into_inner())
    }
}

pub(super) struct Changes {
    pub(super) largest: f64,
    sample: Vec<f64>,
}

impl<'a, O: BellmanOperator> Estimate<'a, O> {
    pub(super) fn new(
        operator: &'a O,
        (part, states): (usize, Range<usize>),
        values: &'a mut [[f64; 1]],
        budget: &'a Budget<'a>,
    ) -> Result<Self, Limit> {
        budget.take(sample_bytes(states.len()))?;
        Ok(Self {
            operator,
            budget,
            part,
            states,
            values,
            history: Anderson::new(budget),
            extrapolations: 0,
        })
    }

    /// Returns whether the values are lower bounds, as they are until the first extrapolation.
    pub(super) const fn is_lower_bound(&self) -> bool {
        self.extrapolations == 0
    }

    pub(super) fn round(&mut self) -> Result<Changes, Limit> {
        for nth in 0..ROUND - 1 {
            self.sweep(nth, |_, new| new)?;
        }
        let (before, largest) = (self.sample(), LargestChange::default());
        self.sweep(ROUND - 1, |[old], [new]| {
            largest.note(new - old);
            [new]
        })?;
        let sample = self.sample().into_iter().zip(before);
        Ok(Changes {
            largest: largest.into_inner(),
            sample: sample.map(|(new, old)| new - old).collect(),
        })
    }

    fn sweep(
        &mut self,
        nth: usize,
        change: impl Fn([f64; 1], [f64; 1]) -> [f64; 1] + Sync,
    ) -> Result<(), Limit> {
        self.operator
            .sweep(self.values, self.part, nth, self.budget, change)
    }

    fn sample(&self) -> Vec<f64> {
        Anderson::sample(&self.values[self.states.clone()])
    }

    pub(super) fn may_extrapolate(&self, changes: &Changes) -> bool {
        changes.largest <= MAX_CHANGE_TO_EXTRAPOLATE && self.extrapolations < MAX_EXTRAPOLATIONS
    }

    /// Records the round with these changes, and extrapolates the values from the last rounds if there are enough.
    pub(super) fn extrapolate(&mut self, changes: Changes) -> Result<(), Limit> {
        let values = &mut self.values[self.states.clone()];
        self.history.note(values, changes.sample)?;
        if self.history.extrapolate(values, 0.0) {
            self.extrapolations += 1;
            for [value] in values {
                *value = value.clamp(0.0, 1.0);
            }
        }
        Ok(())
    }
}
