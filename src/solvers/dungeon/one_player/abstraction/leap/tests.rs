use super::*;

#[test]
fn the_rest_of_a_geometric_series_is_known_when_its_share_is() {
    let mut series = Series::new(0.0);
    let rests = [0.5, 0.75, 0.875].map(|worth| series.rest(worth));
    assert_eq!(rests, [None, None, Some(1.0)]);
}

#[test]
fn where_gains_grow_or_end_nothing_is_said_of_the_rest() {
    for values in [[0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.4, 0.8], [0.5; 4]] {
        let mut series = Series::new(0.0);
        let rests = values.map(|worth| series.rest(worth));
        assert_eq!(rests, [None; 4], "{values:?}");
    }
}
