use super::*;

fn pairs(only_first: u64, only_second: u64) -> Pairs {
    Pairs {
        cases: 1000,
        only_first,
        only_second,
    }
}

/// The small values were computed by hand, such as 2 (1 + 5) / 2^5 for the second; another program computed the others.
#[test]
fn the_test_is_mcnemars_exact_one() {
    for (first, second, expected) in [
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
        assert!((p / expected - 1.0).abs() < 1e-7, "{first}, {second}: {p}");
    }
}

#[test]
fn the_interval_of_the_difference_is_that_of_agresti_and_min() {
    let pairs = Pairs {
        cases: 100,
        only_first: 20,
        only_second: 10,
    };
    let (
        difference,
        Bounds {
            lower: low,
            upper: high,
        },
    ) = pairs.difference();
    assert!((difference - 0.1).abs() < 1e-12);
    let spread = (31.0_f64 - 100.0 / 102.0).sqrt() / 102.0;
    assert!((low - (10.0 / 102.0 - 1.959_964 * spread)).abs() < 1e-6);
    assert!((high - (10.0 / 102.0 + 1.959_964 * spread)).abs() < 1e-6);
}

/// Computed by hand: 0.005, 0.01, 0.03 and 0.04 multiplied by 4, 3, 2 and 1, with no result below the previous one.
#[test]
fn the_correction_is_holms() {
    let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
    let expected = [0.03, 0.06, 0.06, 0.02];
    for (got, expected) in corrected.iter().zip(expected) {
        assert!((got - expected).abs() < 1e-12, "{corrected:?}");
    }
    assert_eq!(holm(&[0.7, 0.8]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}
