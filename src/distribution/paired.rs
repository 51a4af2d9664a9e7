//! Tests for the difference between two players in the same cases.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    pub cases: u64,
    pub only_first: u64,
    pub only_second: u64,
}

impl Pairs {
    /// The probability of a difference at least this large between equal players: `McNemar`'s exact test, two-sided.
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

    /// The difference between the proportions, with its 95 % confidence interval (Agresti and Min).
    pub fn difference(self) -> (f64, [f64; 2]) {
        /// The normal quantile at 97.5 %.
        const Z: f64 = 1.959_963_984_540_054;
        let cases = self.cases as f64 + 2.0;
        let [first, second] = [self.only_first, self.only_second].map(|only| only as f64 + 0.5);
        let middle = (first - second) / cases;
        let spread = (first + second - (first - second).powi(2) / cases).sqrt() / cases;
        let difference = self.only_first as f64 - self.only_second as f64;
        let bound = |side: f64| (middle + side * Z * spread).clamp(-1.0, 1.0);
        (
            difference / self.cases.max(1) as f64,
            [bound(-1.0), bound(1.0)],
        )
    }
}

/// The p-values of several tests, corrected by Holm's method: the probability that any value below 0.05 is a false
/// positive is below 0.05.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, &test) in order.iter().enumerate() {
        let tests_left = (p_values.len() - rank) as f64;
        least = least.max(tests_left * p_values[test]).min(1.0);
        corrected[test] = least;
    }
    corrected
}

fn ln_choose(n: u64, k: u64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// A sum for small `n`; otherwise Stirling's series, with an error below 1e-10.
fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|k| (k as f64).ln()).sum();
    }
    let x = n as f64;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(only_first: u64, only_second: u64) -> Pairs {
        Pairs {
            cases: 1000,
            only_first,
            only_second,
        }
    }

    /// The small values were counted by hand, such as 2 (1 + 5) / 2^5 for the second; the others come from another
    /// program.
    #[test]
    fn the_test_is_mcnemars_exact_one() {
        for (first, second, wanted) in [
            (0, 0, 1.0),
            (4, 1, 0.375),
            (1, 4, 0.375),
            (0, 8, 2.0 / 256.0),
            (3, 3, 1.0),
            (60, 40, 0.056_887_933_64),
            (30, 75, 1.315_367_314_6e-5),
            (420, 500, 0.009_162_763_875),
            (5200, 4800, 6.593_515_598_7e-5),
            (2, 700, 2.345_509_741_7e-206),
        ] {
            let p = pairs(first, second).p_value();
            assert!((p / wanted - 1.0).abs() < 1e-7, "{first}, {second}: {p}");
        }
    }

    /// Computed with their formula, which adds half a case to each of the four kinds.
    #[test]
    fn the_interval_of_the_difference_is_that_of_agresti_and_min() {
        let pairs = Pairs {
            cases: 100,
            only_first: 20,
            only_second: 10,
        };
        let (difference, [low, high]) = pairs.difference();
        assert!((difference - 0.1).abs() < 1e-12);
        let spread = (31.0_f64 - 100.0 / 102.0).sqrt() / 102.0;
        assert!((low - (10.0 / 102.0 - 1.959_964 * spread)).abs() < 1e-6);
        assert!((high - (10.0 / 102.0 + 1.959_964 * spread)).abs() < 1e-6);
    }

    /// Worked out by hand: 0.005, 0.01, 0.03 and 0.04 multiplied by 4, 3, 2 and 1, with none less than the one before.
    #[test]
    fn the_correction_is_holms() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let wanted = [0.03, 0.06, 0.06, 0.02];
        for (got, wanted) in corrected.iter().zip(wanted) {
            assert!((got - wanted).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[0.7, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
