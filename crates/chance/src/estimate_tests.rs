use super::*;

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
