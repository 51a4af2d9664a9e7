//! Statistical tests for the difference between two players, each of whom has played the same games.

use getaway_board::limits::Bounds;
use serde::Serialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairs {
    #[serde(rename = "games")]
    pub cases: u64,
    pub only_first: u64,
    pub only_second: u64,
}

impl Pairs {
    /// Returns the probability of a difference at least this large between equal players (`McNemar`'s exact test, 1947,
    /// two-sided).
    pub fn p_value(self) -> f64 {
        let differing = self.only_first + self.only_second;
        let fewer = self.only_first.min(self.only_second);
        // Sums the tail from its largest term downwards.
        let mut term = (ln_choose(differing, fewer) - differing as f64 * 2_f64.ln()).exp();
        let mut tail = 0.0;
        for k in (0..=fewer).rev() {
            tail += term;
            term *= k as f64 / (differing - k + 1) as f64;
            if term <= tail * f64::EPSILON / 2.0 {
                break;
            }
        }
        (2.0 * tail).min(1.0)
    }

    /// Returns the difference between the proportions of games that the first and the second player won, with its 95% confidence
    /// interval (Agresti and Min, 2005).
    pub fn difference(self) -> (f64, Bounds) {
        const Z: f64 = 1.959_963_984_540_054;
        let cases = self.cases as f64 + 2.0;
        let [first, second] = [self.only_first, self.only_second].map(|only| only as f64 + 0.5);
        let middle = (first - second) / cases;
        let spread = (first + second - (first - second).powi(2) / cases).sqrt() / cases;
        let difference = self.only_first as f64 - self.only_second as f64;
        let bound = |side: f64| (middle + side * Z * spread).clamp(-1.0, 1.0);
        (
            difference / self.cases.max(1) as f64,
            Bounds {
                lower: bound(-1.0),
                upper: bound(1.0),
            },
        )
    }
}

/// Corrects the p-values of several tests by Holm's method (1979), so that the probability of any false positive at 0.05 is at
/// most 0.05.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut min = 0.0_f64;
    for (rank, &test) in order.iter().enumerate() {
        let tests_left = (p_values.len() - rank) as f64;
        min = min.max(tests_left * p_values[test]).min(1.0);
        corrected[test] = min;
    }
    corrected
}

fn ln_choose(n: u64, k: u64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|k| (k as f64).ln()).sum();
    }
    let x = n as f64;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + series
}

#[cfg(test)]
#[path = "paired_tests.rs"]
mod tests;
