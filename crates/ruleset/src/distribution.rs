//! Probability distributions, and estimates of probabilities.

use getaway_board::limits::Bounds;

/// Choices with their probabilities, which sum to 1 up to rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution<T>(Vec<(T, f64)>);

impl<T> Default for Distribution<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Distribution<T> {
    /// Returns an empty distribution.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all choices.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a choice.
    pub fn push(&mut self, choice: T, probability: f64) {
        self.0.push((choice, probability));
    }

    /// Adds equally likely choices with probabilities that sum to `total`.
    pub fn push_uniform(&mut self, choices: impl ExactSizeIterator<Item = T>, total: f64) {
        let each = total / choices.len() as f64;
        self.0.extend(choices.map(|choice| (choice, each)));
    }

    /// Returns the choices with their probabilities, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(T, f64)> {
        self.0.iter()
    }

    /// Returns whether there are no choices.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the sum of the probabilities.
    pub fn total(&self) -> f64 {
        self.0.iter().map(|(_, probability)| probability).sum()
    }

    /// Returns the choice at `uniform`, a number drawn uniformly from 0 (included) to 1 (excluded). There must be a choice.
    pub fn draw(&self, uniform: f64) -> &T {
        let mut rest = uniform;
        for (choice, probability) in &self.0 {
            if rest < *probability {
                return choice;
            }
            rest -= probability;
        }
        // Because of rounding, the probabilities may sum to slightly less than 1.
        &self.0.last().expect("a distribution is not empty").0
    }
}

/// Returns the share of `hits` in `runs`, and its 95% confidence interval (Wilson's score interval, 1927). Without runs, the
/// share is 0 and the interval is [`Bounds::UNKNOWN`].
pub fn wilson(hits: u64, runs: u64) -> (f64, Bounds) {
    const Z: f64 = 1.959_963_984_540_054;
    if runs == 0 {
        return (0.0, Bounds::UNKNOWN);
    }
    // Rounding could shift a bound that should be 0 or 1.
    let (is_none, are_all) = (hits == 0, hits == runs);
    let (hits, runs) = (hits as f64, runs as f64);
    let share = hits / runs;
    let middle = (share + Z * Z / (2.0 * runs)) / (1.0 + Z * Z / runs);
    let spread = share * (1.0 - share) / runs + Z * Z / (4.0 * runs * runs);
    let half = Z * spread.sqrt() / (1.0 + Z * Z / runs);
    let lower = if is_none { 0.0 } else { middle - half };
    let upper = if are_all { 1.0 } else { middle + half };
    (share, Bounds { lower, upper })
}

#[cfg(test)]
#[path = "distribution_tests.rs"]
mod tests;
