use super::*;

#[test]
fn a_choice_is_kept_unless_there_is_a_better_one() {
    let values = &[0.0, 0.5, 0.25, 0.5];
    assert_eq!(improved(1, &[1, 2, 3], values).0, 1);
    assert_eq!(improved(3, &[1, 2, 3], values).0, 3);
    let (choice, best) = improved(2, &[2, 3, 1], values);
    assert_eq!((choice, best.to_bits()), (3, 0.5_f64.to_bits()));
}
