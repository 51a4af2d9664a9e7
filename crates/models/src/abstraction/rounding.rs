//! Lower and upper bounds as values for sweeps. They differ in the direction of rounding and in what nature chooses.

use getaway_chance::ValueDomain;

/// A bound: a multiple of 2^-30, rounded up if `UP`, otherwise down. Nature is friendly in upper bounds and hostile in lower
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound<const UP: bool>(u32);

/// A lower bound.
pub type Lower = Bound<false>;
pub(super) type Upper = Bound<true>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Accuracy {
    /// Bounds are rounded to multiples of 2^-`bits`.
    pub(super) bits: u32,
    /// If set, each turn takes the share 2^-`discount` from every value, so that a policy that follows the values does not put
    /// off winning. A lower bound with a discount is also valid without it.
    pub(super) discount: Option<u32>,
}

impl<const UP: bool> Bound<UP> {
    pub(super) const BITS: u32 = 30;
    pub(super) const ONE: Self = Self(1 << Self::BITS);

    pub(super) fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE.0)
    }

    #[inline]
    pub(super) fn rounded(self, Accuracy { bits, discount }: Accuracy) -> Self {
        let rest = (1 << (Self::BITS - bits)) - 1;
        let lost = discount.map_or(0, |shift| self.0.div_ceil(1 << shift));
        Self((self.0 - lost + if UP { rest } else { 0 }) & !rest)
    }
}

impl Upper {
    pub(super) fn above(lower: Lower) -> Self {
        if lower <= Lower::ONE {
            Self(lower.0)
        } else {
            // A lower bound above 1 marks an impossible state.
            Self::LOST
        }
    }

    /// Returns the bound plus `times` its gain since `before`, clamped to a probability.
    pub(super) fn extrapolated(self, before: Self, times: f64) -> Self {
        let gain = f64::from(self.0) - f64::from(before.0);
        let value = (f64::from(self.0) + times * gain).clamp(0.0, Self::ONE.0.into());
        Self(value as u32)
    }
}

impl<const UP: bool> ValueDomain for Bound<UP> {
    type Sum = u64;

    const LOST: Self = Self(0);
    const WON: Self = Self::ONE;
    const NEUTRAL: Self = Self(0);
    const EMPTY_SUM: u64 = 0;
    const IMPOSSIBLE: Self = Self(if UP { 0 } else { 2 << Self::BITS });
    const NATURE_BEST: Self = if UP { Self::ONE } else { Self(0) };

    #[inline]
    fn better(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline]
    fn nature(self, other: Self) -> Self {
        if UP { self.max(other) } else { self.min(other) }
    }

    #[inline]
    fn sum_of(draw: Self) -> u64 {
        draw.0.into()
    }

    #[inline]
    fn join(sum: u64, other: u64) -> u64 {
        sum + other
    }

    #[inline]
    fn mean(sum: u64, count: u16) -> Self {
        let count = u64::from(count);
        Self(if UP { sum.div_ceil(count) } else { sum / count } as u32)
    }
}

#[cfg(test)]
#[path = "rounding_tests.rs"]
mod tests;
