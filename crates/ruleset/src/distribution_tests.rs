use super::*;

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
            (interval.lower - low).abs() < 1e-4,
            "{hits} of {runs}: {interval:?}"
        );
        assert!(
            (interval.upper - high).abs() < 1e-4,
            "{hits} of {runs}: {interval:?}"
        );
    }
}

#[test]
fn the_interval_starts_at_0_without_hits_and_ends_at_1_with_only_hits() {
    for runs in 1..2000 {
        assert_eq!(wilson(0, runs).1.lower.to_bits(), 0);
        assert_eq!(wilson(runs, runs).1.upper.to_bits(), 1_f64.to_bits());
        let (_, Bounds { lower, upper }) = wilson(1, runs + 1);
        assert!(0.0 < lower && upper < 1.0);
    }
}

#[test]
fn each_choice_is_drawn_in_proportion_to_its_weight() {
    let mut outcomes = Distribution::new();
    outcomes.push('a', 0.5);
    outcomes.push_uniform(['b', 'c'].into_iter(), 0.5);
    assert!((outcomes.total() - 1.0).abs() < 1e-12);
    outcomes.push('d', 0.25);
    assert!((outcomes.total() - 1.25).abs() < 1e-12);
    outcomes.0.pop();
    let drawn: String = [0.0, 0.49, 0.5, 0.74, 0.75, 0.999_999]
        .iter()
        .map(|&u| *outcomes.draw(u))
        .collect();
    assert_eq!(drawn, "aabbcc");
}

#[test]
fn rounding_never_leaves_a_draw_without_a_choice() {
    let mut outcomes = Distribution::new();
    outcomes.push_uniform(0..10, 1.0);
    assert_eq!(*outcomes.draw(1.0 - f64::EPSILON / 2.0), 9);
}
