use super::*;
use crate::tests::coin;
use getaway_board::limits::Limits;

#[test]
fn values_that_fall_prove_nothing() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let quotient = coin(&budget);
    let mut proven = [0.0, 1.0];
    let mut search = PolicyIteration {
        quotient: &quotient,
        budget: &budget,
        choices: quotient.first_choices(&budget).unwrap(),
        proven: &mut proven,
        slack: FIRST_SLACK,
        updates: 0,
        max_updates: 10,
    };
    let mut values = quotient.values(0.75, &budget).unwrap();
    let changes = search.sweep_lower(&mut values).unwrap();
    assert!(changes.has_fallen);
    assert_eq!(search.proven[0].to_bits(), 0);
    // The value is now a half minus the slack, which is a valid lower bound.
    let changes = search.sweep_lower(&mut values).unwrap();
    assert!(!changes.has_fallen);
    assert!(search.proven[0] < 0.5 && search.proven[0] > 0.5 - 1e-9);
}
