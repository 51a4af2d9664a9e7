use super::super::ONE;
use super::*;

#[test]
fn fractions_are_recovered_from_their_probabilities() {
    for below in (1..200).chain([12 * 37 * 41, 4 * 8_191, (1 << 24) - 3]) {
        for above in 1..=below.min(4) {
            let divisor = common_divisor(above, below);
            let found = fraction(above as f64 / below as f64);
            assert_eq!(found, Some((above / divisor, below / divisor)));
        }
    }
    assert_eq!(fraction(std::f64::consts::FRAC_1_PI), None);
}

#[test]
fn the_weights_of_a_draw_are_whole_numbers() {
    let mut outcomes = Distribution::new();
    outcomes.push_uniform(0..3, 2.0 / 3.0);
    outcomes.push_uniform(3..5, 1.0 / 3.0);
    assert_eq!(weights(&outcomes), Ok((vec![4, 4, 4, 3, 3], 18)));
    outcomes.push(5, 0.25);
    assert_eq!(weights(&outcomes), Err(InexactError));
}

#[test]
fn means_are_rounded_to_the_safe_side() {
    let draw = || [(1, ONE), (2, 0)].into_iter();
    assert_eq!(mean_below(draw(), 3), ONE / 3);
    assert_eq!(mean_above(draw(), 3), ONE / 3 + 1);
    let same = || [(7, ONE - 5), (9, ONE - 5)].into_iter();
    assert_eq!(
        (mean_below(same(), 16), mean_above(same(), 16)),
        (ONE - 5, ONE - 5)
    );
}
