//! Points for grading.

use std::ops::Add;

use crate::fault::Fault;
use crate::puzzle::Puzzle;
use serde::{Deserialize, Serialize};

/// A number of points, in hundredths so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points(u64);

impl Points {
    pub const ZERO: Self = Self(0);

    const MOST: u64 = 1_000_000;

    /// Returns the header `points`, or 1 if it is missing.
    pub fn of(puzzle: &Puzzle) -> Result<Self, Fault> {
        let wanted = |_: &str| {
            let most = Self::MOST;
            format!("write a number from 0 to {most} with at most two decimals, such as `2.5`")
        };
        let points = puzzle.setting("points", wanted, Self::parse)?;
        Ok(points.unwrap_or_default())
    }

    fn parse(text: &str) -> Option<Self> {
        let hundredths = text.parse::<f64>().ok()? * 100.0;
        let is_whole = (hundredths - hundredths.round()).abs() < 1e-6;
        let is_possible = (0.0..=Self::MOST as f64 * 100.0).contains(&hundredths);
        (is_whole && is_possible).then(|| Self(hundredths.round() as u64))
    }

    /// Returns this share of the points, rounded to hundredths.
    pub fn share(self, share: f64) -> Self {
        Self((self.0 as f64 * share).round() as u64)
    }

    pub fn number(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl Default for Points {
    fn default() -> Self {
        Self(100)
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}
