//! Domains of values: each answers one question about an MDP.

/// The values that answer one question, and the operations of a sweep on them: the player's choice, nature's choice of what a
/// model leaves open, and the mean over a draw.
pub trait ValueDomain: Copy + PartialEq + Send + Sync {
    /// A sum of the values of a draw's outcomes.
    type Sum: Copy;

    /// The value of a lost game.
    const LOST: Self;
    /// The value of a won game.
    const WON: Self;
    /// A value whose addition to a sum does not change the mean. It stands for the unused outcomes of a draw.
    const NEUTRAL: Self;
    /// The sum of no values.
    const EMPTY_SUM: Self::Sum;
    /// The value of a state that can't occur.
    const IMPOSSIBLE: Self = Self::LOST;
    /// The value that nature likes best. Nature leaves out the outcomes of a draw that it likes least; this value marks a place
    /// among them that is still empty, since any other value replaces it.
    const NATURE_BEST: Self = Self::LOST;

    /// Returns the value that the player chooses.
    #[must_use]
    fn better(self, other: Self) -> Self;

    /// Returns whichever of two values nature chooses. The default is for models in which nature has no choice.
    #[must_use]
    fn nature(self, _other: Self) -> Self {
        self
    }

    /// Returns the value one turn earlier.
    #[must_use]
    fn after_turn(self) -> Self {
        self
    }

    /// Returns the sum of a single value.
    fn sum_of(draw: Self) -> Self::Sum;

    /// Adds two sums.
    fn join(sum: Self::Sum, other: Self::Sum) -> Self::Sum;

    /// Adds a value to a sum.
    #[inline]
    fn add(sum: Self::Sum, draw: Self) -> Self::Sum {
        Self::join(sum, Self::sum_of(draw))
    }

    /// Returns the mean of `count` values with this sum.
    fn mean(sum: Self::Sum, count: u16) -> Self;

    /// Returns the mean of at most four values with this sum.
    #[inline]
    fn mean_of_few(sum: Self::Sum, count: u16) -> Self {
        Self::mean(sum, count)
    }
}

/// Computes the element-wise mean of the first `count` lists into `row`. `put` takes the old value and the mean, and returns the
/// value to keep.
#[inline]
pub fn means<V: ValueDomain>(
    [a, b, c, d]: [&[V]; 4],
    count: u16,
    row: &mut [V],
    put: impl Fn(V, V) -> V,
) {
    // With a count known at compile time, most divisions become multiplications.
    let two = |a, b| V::add(V::sum_of(a), b);
    match count {
        1 => {
            for (value, &a) in row.iter_mut().zip(a) {
                *value = put(*value, a);
            }
        }
        2 => {
            for ((value, &a), &b) in row.iter_mut().zip(a).zip(b) {
                *value = put(*value, V::mean_of_few(two(a, b), 2));
            }
        }
        3 => {
            for (((value, &a), &b), &c) in row.iter_mut().zip(a).zip(b).zip(c) {
                *value = put(*value, V::mean_of_few(V::add(two(a, b), c), 3));
            }
        }
        _ => {
            for ((((value, &a), &b), &c), &d) in row.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *value = put(*value, V::mean_of_few(V::add(V::add(two(a, b), c), d), 4));
            }
        }
    }
}

/// N probabilities or bounds on them. The loops avoid iterators, which take three times as long in unoptimised builds such as
/// tests.
impl<const N: usize> ValueDomain for [f64; N] {
    type Sum = Self;

    const LOST: Self = [0.0; N];
    const WON: Self = [1.0; N];
    const NEUTRAL: Self = [0.0; N];
    const EMPTY_SUM: Self = [0.0; N];

    #[inline]
    fn better(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < N {
            let (old, new) = (self[i], other[i]);
            self[i] = if old > new { old } else { new };
            i += 1;
        }
        self
    }

    #[inline]
    fn sum_of(draw: Self) -> Self {
        draw
    }

    #[inline]
    fn join(mut sum: Self, other: Self) -> Self {
        let mut i = 0;
        while i < N {
            sum[i] += other[i];
            i += 1;
        }
        sum
    }

    #[inline]
    fn mean(mut sum: Self, count: u16) -> Self {
        let mut i = 0;
        while i < N {
            sum[i] /= f64::from(count);
            i += 1;
        }
        sum
    }

    #[inline]
    fn mean_of_few(mut sum: Self, count: u16) -> Self {
        // A division takes several times as long, and an index below 8 needs no bounds check.
        const SHARES: [f64; 8] = [0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 0.0, 0.0, 0.0];
        let share = SHARES[usize::from(count & 7)];
        let mut i = 0;
        while i < N {
            sum[i] *= share;
            i += 1;
        }
        sum
    }
}

/// A number of turns. Common processors have vector instructions for the minimum and maximum of signed 16-bit numbers.
type Turns = i16;

const NEVER: Turns = Turns::MAX - 1;
const BARRED: Turns = Turns::MAX;

const OVERFLOW: Turns = NEVER - 1;

pub(super) type BestCase = Counted<BEST>;
/// A number of turns to a win, through draws of which no outcome loses or leads to a barred state.
pub type SafeCase = Counted<SAFE>;
/// The number of turns within which the player wins, whatever the draws.
pub type WorstCase = Counted<WORST>;
/// The value of a state in a table that describes a *stay set*, a set in which the player can stay forever: 0 turns if the state
/// belongs to the set; all other states are barred.
pub(super) type Staying = Counted<STAY>;

const BEST: u8 = 0;
const SAFE: u8 = 1;
const WORST: u8 = 2;
const STAY: u8 = 3;

/// A number of turns, [`Counted::NONE`], or the mark of a barred state. `QUESTION` selects which outcomes of a draw count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<const QUESTION: u8>(Turns);

impl<const QUESTION: u8> Counted<QUESTION> {
    /// The value of a state without a number.
    pub const NONE: Self = Self(NEVER);
    pub(super) const BARRED: Self = Self(BARRED);

    pub(super) const fn open(is_open: bool) -> Self {
        Self(if is_open { 0 } else { BARRED })
    }

    /// Returns the value of a state that may be in a set whose states have numbers, or of one that is barred from it.
    pub const fn candidate(is_possible: bool) -> Self {
        if is_possible {
            Self::NONE
        } else {
            Self::BARRED
        }
    }

    /// Returns whether there is a number.
    pub fn is_some(self) -> bool {
        self.0 < NEVER
    }

    /// Returns `self` if it is a number, even if `new` is lower; otherwise returns `new`.
    #[must_use]
    pub fn or(self, new: Self) -> Self {
        if self.is_some() { self } else { new }
    }

    /// Returns `new` if it marks a barred state; otherwise returns `self`.
    #[must_use]
    pub fn or_barred(self, new: Self) -> Self {
        if new.is_barred() { new } else { self }
    }

    pub(super) fn is_barred(self) -> bool {
        self == Self::BARRED
    }

    /// Returns true unless there is a number of turns that is too large to count.
    pub const fn has_counted(self) -> bool {
        self.0 != OVERFLOW
    }
}

impl<const QUESTION: u8> ValueDomain for Counted<QUESTION> {
    type Sum = (Turns, Turns);

    const LOST: Self = match QUESTION {
        SAFE | STAY => Self::BARRED,
        _ => Self::NONE,
    };
    const WON: Self = Self::open(QUESTION != STAY);
    const NEUTRAL: Self = match QUESTION {
        WORST | STAY => Self(0),
        _ => Self::NONE,
    };
    const EMPTY_SUM: Self::Sum = (NEVER, 0);

    #[inline]
    fn better(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    fn after_turn(self) -> Self {
        if QUESTION == STAY || self.0 >= OVERFLOW {
            self
        } else {
            Self(self.0 + 1)
        }
    }

    #[inline]
    fn sum_of(draw: Self) -> Self::Sum {
        (draw.0, draw.0)
    }

    #[inline]
    fn join((min, greatest): Self::Sum, other: Self::Sum) -> Self::Sum {
        (min.min(other.0), greatest.max(other.1))
    }

    #[inline]
    fn mean((min, greatest): Self::Sum, _count: u16) -> Self {
        let is_worst = matches!(QUESTION, WORST | STAY) || greatest == BARRED;
        Self(if is_worst { greatest } else { min })
    }
}

/// A probability with a rank: a number of turns in which play can leave the state's end component, 0 outside of end components,
/// or [`Self::NO_RANK`] until a number of turns is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RankedValue {
    pub(super) probability: f64,
    pub(super) rank: u32,
}

impl RankedValue {
    pub(super) const NO_RANK: u32 = u32::MAX;

    pub(super) const fn new(probability: f64, rank: u32) -> Self {
        Self { probability, rank }
    }

    pub(super) const fn is_some(self) -> bool {
        self.rank < Self::NO_RANK
    }

    pub(super) const fn or(self, new: Self) -> Self {
        let rank = if self.is_some() { self.rank } else { new.rank };
        Self { rank, ..self }
    }
}

impl ValueDomain for RankedValue {
    type Sum = Self;

    const LOST: Self = Self::new(0.0, 0);
    const WON: Self = Self::new(1.0, 0);
    const NEUTRAL: Self = Self::new(0.0, Self::NO_RANK);
    const EMPTY_SUM: Self = Self::NEUTRAL;

    fn better(self, other: Self) -> Self {
        let order = other.probability.total_cmp(&self.probability);
        let is_better = order.then(self.rank.cmp(&other.rank)).is_gt();
        if is_better { other } else { self }
    }

    fn after_turn(self) -> Self {
        Self {
            rank: self.rank.saturating_add(1),
            ..self
        }
    }

    fn sum_of(draw: Self) -> Self {
        draw
    }

    fn join(sum: Self, other: Self) -> Self {
        Self {
            probability: sum.probability + other.probability,
            rank: sum.rank.min(other.rank),
        }
    }

    fn mean(sum: Self, count: u16) -> Self {
        Self {
            probability: sum.probability / f64::from(count),
            ..sum
        }
    }
}

#[cfg(test)]
#[path = "value_domain_tests.rs"]
mod tests;
