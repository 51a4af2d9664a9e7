use super::*;

#[test]
fn values_are_described_as_exactly_as_they_are_known() {
    let value = |value: PositionValue| value.to_string();
    let chance = |lower, upper| value(PositionValue::Chance(Bounds { lower, upper }));
    assert_eq!(chance(0.25, 0.25), "0.2500");
    assert_eq!(chance(0.25, 0.5), "0.2500 to 0.5000");
    assert_eq!(chance(0.0, 0.0), "no escape");
    assert_eq!(
        value(PositionValue::Escape { moves: Some(1) }),
        "escape in 1 move"
    );
    assert_eq!(
        value(PositionValue::Unknown(Some(Limit::Time))),
        "unknown: timed out"
    );
}
