#[cfg(feature = "cli")]
pub mod paired;

/// Choices with their probabilities, which sum to 1 up to rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution<T>(Vec<(T, f64)>);

impl<T> Default for Distribution<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Distribution<T> {
    /// An empty distribution; reusable after [`Distribution::clear`].
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

    /// The choices with their probabilities, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(T, f64)> {
        self.0.iter()
    }

    /// Returns whether there are no choices.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum of the probabilities.
    pub fn total(&self) -> f64 {
        self.0.iter().map(|(_, probability)| probability).sum()
    }

    /// The choice at `uniform`, a number drawn uniformly from 0 (included) to 1 (excluded).
    ///
    /// # Panics
    ///
    /// If there are no choices.
    pub fn draw(&self, uniform: f64) -> &T {
        let mut rest = uniform;
        for (choice, probability) in &self.0 {
            if rest < *probability {
                return choice;
            }
            rest -= probability;
        }
        &self
            .0
            .last()
            .expect("a distribution has a choice to draw")
            .0
    }
}

/// The share of `hits` in `runs` with Wilson's score interval at 95 %.
pub fn wilson(hits: u64, runs: u64) -> (f64, [f64; 2]) {
    /// The quantile of the normal distribution at 97.5 %.
    const Z: f64 = 1.959_963_984_540_054;
    if runs == 0 {
        return (0.0, [0.0, 1.0]);
    }
    // Rounding could leave a bound that should be 0 or 1 slightly off.
    let (is_none, are_all) = (hits == 0, hits == runs);
    let (hits, runs) = (hits as f64, runs as f64);
    let share = hits / runs;
    let middle = (share + Z * Z / (2.0 * runs)) / (1.0 + Z * Z / runs);
    let spread = share * (1.0 - share) / runs + Z * Z / (4.0 * runs * runs);
    let half = Z * spread.sqrt() / (1.0 + Z * Z / runs);
    let low = if is_none { 0.0 } else { middle - half };
    let high = if are_all { 1.0 } else { middle + half };
    (share, [low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are taken from tables.
    #[test]
    fn the_interval_is_wilsons() {
        for (hits, runs, low, high) in [
            (0, 10, 0.0, 0.2775),
            (5, 10, 0.2366, 0.7634),
            (10, 10, 0.7225, 1.0),
            (81, 263, 0.2553, 0.3662),
        ] {
            let (_, interval) = wilson(hits, runs);
            assert!(
                (interval[0] - low).abs() < 1e-4,
                "{hits} of {runs}: {interval:?}"
            );
            assert!(
                (interval[1] - high).abs() < 1e-4,
                "{hits} of {runs}: {interval:?}"
            );
        }
    }

    #[test]
    fn no_hits_begin_the_interval_and_nothing_but_hits_end_it_exactly() {
        for runs in 1..2000 {
            assert_eq!(wilson(0, runs).1[0].to_bits(), 0);
            assert_eq!(wilson(runs, runs).1[1].to_bits(), 1_f64.to_bits());
            let (_, [low, high]) = wilson(1, runs + 1);
            assert!(0.0 < low && high < 1.0);
        }
    }

    #[test]
    fn a_draw_falls_on_each_choice_by_its_share() {
        let mut chances = Distribution::new();
        chances.push('a', 0.5);
        chances.push_uniform(['b', 'c'].into_iter(), 0.5);
        assert!((chances.total() - 1.0).abs() < 1e-12);
        chances.push('d', 0.25);
        assert!((chances.total() - 1.25).abs() < 1e-12);
        chances.0.pop();
        let drawn: String = [0.0, 0.49, 0.5, 0.74, 0.75, 0.999_999]
            .iter()
            .map(|&u| *chances.draw(u))
            .collect();
        assert_eq!(drawn, "aabbcc");
    }

    #[test]
    fn rounding_never_leaves_a_draw_without_a_choice() {
        let mut chances = Distribution::new();
        chances.push_uniform(0..10, 1.0);
        assert_eq!(*chances.draw(1.0 - f64::EPSILON / 2.0), 9);
    }
}
