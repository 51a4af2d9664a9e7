use serde::{Deserialize, Serialize};

/// A lower and an upper bound on a number, such as a probability; in JSON, a list of both.
///
/// ```
/// use getaway_board::limits::Bounds;
///
/// let bounds = Bounds { lower: 0.25, upper: 0.75 };
/// assert!(bounds.contains(0.5) && !bounds.is_exact());
/// assert_eq!((bounds.width(), bounds.middle()), (0.5, 0.5));
/// assert!(Bounds::exact(0.5).is_exact());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Bounds {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
}

impl Bounds {
    /// The bounds on a probability about which nothing is known.
    pub const UNKNOWN: Self = Self {
        lower: 0.0,
        upper: 1.0,
    };
    /// The maximum gap between the bounds on a number that counts as known.
    pub const PRECISION: f64 = 1e-6;

    /// Returns the bounds on a known number.
    pub const fn exact(value: f64) -> Self {
        Self {
            lower: value,
            upper: value,
        }
    }

    /// Returns the gap between the bounds.
    pub const fn width(self) -> f64 {
        self.upper - self.lower
    }

    /// Returns the number halfway between the bounds.
    pub const fn middle(self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }

    /// Returns whether the bounds are at most [`Bounds::PRECISION`] apart.
    pub const fn is_exact(self) -> bool {
        self.width() <= Self::PRECISION
    }

    /// Returns whether a number lies within the bounds.
    pub fn contains(self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }
}

impl From<[f64; 2]> for Bounds {
    fn from([lower, upper]: [f64; 2]) -> Self {
        Self { lower, upper }
    }
}

impl From<Bounds> for [f64; 2] {
    fn from(Bounds { lower, upper }: Bounds) -> Self {
        [lower, upper]
    }
}

/// The answer to a yes-or-no question that a search may leave open; in JSON, a boolean or `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Option<bool>", into = "Option<bool>")]
pub enum Decision {
    /// Proved.
    Yes,
    /// Refuted.
    No,
    /// Unknown, because of a limit or because the question was not asked.
    #[default]
    Undecided,
}

impl From<bool> for Decision {
    fn from(is_true: bool) -> Self {
        if is_true { Self::Yes } else { Self::No }
    }
}

impl From<Option<bool>> for Decision {
    fn from(known: Option<bool>) -> Self {
        known.map_or(Self::Undecided, Self::from)
    }
}

impl From<Decision> for Option<bool> {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Yes => Some(true),
            Decision::No => Some(false),
            Decision::Undecided => None,
        }
    }
}
