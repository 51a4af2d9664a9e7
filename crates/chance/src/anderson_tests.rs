use super::*;
use getaway_board::limits::Limits;

#[test]
fn equations_are_solved_and_unused_unknowns_are_0() {
    let near = |rows: &[[f64; 3]], expected: [f64; 2]| {
        let found = eliminate(rows.iter().map(|row| row.to_vec()).collect());
        assert_eq!(found.len(), 2);
        let errors = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(errors.fold(0.0, f64::max) < 1e-12, "{found:?}");
    };
    // The equations 2x + y = 3 and x + 3y = 5.
    near(&[[2.0, 1.0, 3.0], [1.0, 3.0, 5.0]], [0.8, 1.4]);
    near(&[[0.0, 0.0, 0.0], [0.0, 4.0, 2.0]], [0.0, 0.5]);
}

#[test]
fn a_sample_has_one_state_in_seven_and_does_not_grow_too_large() {
    assert_eq!([0, 1000, 7 << 17, 20 << 17].map(stride), [7, 7, 7, 20]);
}

/// Values that approach 1, each less two parts that shrink by different factors.
#[test]
fn the_limit_of_a_linear_iteration_is_extrapolated() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let at = |round: i32| -> Vec<[f64; 1]> {
        let value = |state: usize| {
            let [a, b] = [1 + state % 5, state % 3].map(|part| part as f64 / 10.0);
            1.0 - a * 0.9_f64.powi(round) - b * 0.5_f64.powi(round)
        };
        (0..70).map(|state| [value(state)]).collect()
    };
    for bias in [0.0, -0.1, 0.1] {
        let mut history = Anderson::new(&budget);
        let mut values = at(0);
        assert!(!history.extrapolate(&mut values, bias));
        for round in 1..=4 {
            values = at(round);
            let before = Anderson::sample(&at(round - 1));
            let after = Anderson::sample(&values).into_iter();
            let changes = after.zip(before).map(|(new, old)| new - old).collect();
            history.note(&values, changes).unwrap();
        }
        let old = values.clone();
        assert!(history.extrapolate(&mut values, bias));
        for ([new], [old]) in values.into_iter().zip(old) {
            let expected = old + (1.0 - old) * (1.0 + bias);
            assert!((new - expected).abs() < 1e-4, "{old} {new} {expected}");
        }
    }
}
