use super::*;

/// Returns what [`rest`] estimates after 0 and the values up to each one.
fn rests<const N: usize>(values: [f64; N]) -> [Option<f64>; N] {
    let mut history = vec![0.0];
    values.map(|value| {
        history.push(value);
        rest(&history)
    })
}

#[test]
fn the_rest_of_a_geometric_series_follows_from_its_ratio() {
    assert_eq!(rests([0.5, 0.75, 0.875]), [None, None, Some(1.0)]);
}

#[test]
fn growing_or_zero_gains_predict_nothing() {
    for values in [[0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.4, 0.8], [0.5; 4]] {
        assert_eq!(rests(values), [None; 4], "{values:?}");
    }
}
