//! Bounds from below and above: nature's choices and the direction of rounding.
//!
//! Values are multiples of 2^-40 during an update, and of 2^-30 (or a larger unit) when kept. Sums are exact, and a
//! quotient by at most [`MOST_EQUAL`] is either such a multiple or farther from any multiple than the error of the
//! division. So rounding always finds the next multiple in its direction, and a mean of equal values is that value.

pub(super) trait Side: Send + Sync {
    /// Never nature's choice: above all values, or not above any.
    const NEUTRAL: Kept;

    /// The value that nature would be the last to leave out.
    const WORST: f64;

    fn nature(a: f64, b: f64) -> f64;

    /// The one of two values that nature does not choose.
    fn rest(a: f64, b: f64) -> f64;

    /// Rounds to a multiple of the grid in the safe direction.
    fn round(value: f64, grid: Grid) -> f64;
}

/// Nature is hostile.
pub(super) struct Lower;

/// Nature is friendly.
pub(super) struct Upper;

/// A kept value: a multiple of 2^-30 below 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super::super) struct Kept(i32);

impl Kept {
    pub(super) const BITS: u32 = 30;
    pub(super) const ZERO: Self = Self(0);
    pub(super) const ONE: Self = Self(1 << Self::BITS);
    const UNIT: f64 = 1.0 / (1 << Self::BITS) as f64;
    /// Doubles near this number are one unit apart.
    const LARGE: f64 = 1.5 * Self::UNIT * (1_u64 << 52) as f64;

    /// `value` must be a multiple of the unit.
    #[inline]
    pub(super) fn of(value: f64) -> Self {
        // The lowest bits of a double of this size hold the multiple.
        Self((value + Self::LARGE).to_bits() as i32)
    }

    #[inline]
    pub(super) fn value(self) -> f64 {
        f64::from(self.0) * Self::UNIT
    }

    /// Adds `times` the gain since `before`, and clamps the result to a probability.
    pub(super) fn extrapolated(self, before: Self, times: f64) -> Self {
        let gain = f64::from(self.0) - f64::from(before.0);
        let value = (f64::from(self.0) + times * gain).clamp(0.0, Self::ONE.0.into());
        Self(value as i32)
    }
}

/// The maximum number of values in a mean.
pub(super) const MOST_EQUAL: usize = 1 << 10;

#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Doubles near this number are one unit of the grid apart.
    large: f64,
    /// A little less than half a unit.
    half: f64,
}

impl Grid {
    pub(super) const FINE: Self = Self {
        large: 6144.0,
        half: 1.0 / (1_u64 << 41) as f64 - 1.0 / (1_u64 << 52) as f64,
    };

    /// Multiples of 2^-`bits`, for values on the fine grid; `bits` is at most [`Kept::BITS`].
    pub(super) fn of(bits: u32) -> Self {
        debug_assert!(bits <= Kept::BITS, "kept values are multiples of that");
        let unit = 0.5_f64.powi(bits as i32);
        Self {
            large: 1.5 * unit * (1_u64 << 52) as f64,
            half: 0.5 * unit - 1.0 / (1_u64 << 41) as f64,
        }
    }
}

impl Side for Lower {
    const NEUTRAL: Kept = Kept(i32::MAX);
    const WORST: f64 = 0.0;

    #[inline]
    fn nature(a: f64, b: f64) -> f64 {
        if b < a { b } else { a }
    }

    #[inline]
    fn rest(a: f64, b: f64) -> f64 {
        if b < a { a } else { b }
    }

    #[inline]
    fn round(value: f64, grid: Grid) -> f64 {
        (value - grid.half + grid.large) - grid.large
    }
}

impl Side for Upper {
    const NEUTRAL: Kept = Kept::ZERO;
    const WORST: f64 = 1.0;

    #[inline]
    fn nature(a: f64, b: f64) -> f64 {
        if b > a { b } else { a }
    }

    #[inline]
    fn rest(a: f64, b: f64) -> f64 {
        if b > a { a } else { b }
    }

    #[inline]
    fn round(value: f64, grid: Grid) -> f64 {
        (value + grid.half + grid.large) - grid.large
    }
}

#[cfg(test)]
mod tests;
