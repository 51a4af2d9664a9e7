use super::*;

#[test]
fn a_huge_number_of_turns_is_recognised() {
    let later = |turns| Counted::<BEST>(turns).after_turn();
    assert!(later(OVERFLOW - 2).has_counted());
    assert_eq!(later(OVERFLOW - 1), later(OVERFLOW));
    assert!(!later(OVERFLOW).has_counted() && later(OVERFLOW).is_some());
    assert!(SafeCase::BARRED.has_counted() && SafeCase::NONE.has_counted());
    assert!(
        !Counted::<WORST>(OVERFLOW).after_turn().has_counted() && WorstCase::NONE.has_counted()
    );
}

#[test]
fn the_stay_set_needs_every_branch_to_stay() {
    let stays = |draws: &[bool]| {
        let draws = draws.iter().map(|&stays| Staying::open(stays));
        let sum = draws.fold(Staying::EMPTY_SUM, Staying::add);
        Staying::mean(sum, 1).after_turn().is_some()
    };
    assert!(stays(&[]) && stays(&[true, true]));
    assert!(!stays(&[true, false]) && !stays(&[false, true]) && !stays(&[false, false]));
}

fn assert_sums_join<V: ValueDomain<Sum: PartialEq + std::fmt::Debug>>(values: &[V]) {
    let sum = |values: &[V]| values.iter().copied().fold(V::EMPTY_SUM, V::add);
    for at in 0..=values.len() {
        let (first, last) = values.split_at(at);
        assert_eq!(V::join(sum(first), sum(last)), sum(values), "{at}");
    }
}

#[test]
fn sums_can_be_joined() {
    assert_sums_join(&[[0.5, 0.25], [0.125, 0.5], [0.0, 1.0]]);
    assert_sums_join(&[3, BARRED, 1, NEVER].map(Counted::<SAFE>));
    assert_sums_join(&[3, 1, 7, 2].map(Counted::<WORST>));
    assert_sums_join(&[true, false, true].map(Staying::open));
    let ranked = |(probability, rank)| RankedValue { probability, rank };
    assert_sums_join(&[(0.5, 3), (0.25, RankedValue::NO_RANK), (0.125, 2)].map(ranked));
}

#[test]
fn the_mean_of_ranked_values_has_the_least_rank() {
    let value = |probability, rank| RankedValue { probability, rank };
    let draws = [
        value(0.5, 7),
        value(0.25, 3),
        value(0.0, RankedValue::NO_RANK),
    ];
    let sum = draws
        .into_iter()
        .fold(RankedValue::EMPTY_SUM, RankedValue::add);
    assert_eq!(RankedValue::mean(sum, 3), value(0.25, 3));
    assert!(sum.is_some() && !RankedValue::EMPTY_SUM.is_some());
    assert_eq!(draws[2].or(value(0.75, 5)), value(0.0, 5));
    assert_eq!(draws[0].or(value(0.75, 5)), value(0.5, 7));
}
