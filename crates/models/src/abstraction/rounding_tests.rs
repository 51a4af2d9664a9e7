use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn means_are_rounded_to_the_next_multiple_in_the_safe_direction(
        values in prop::collection::vec(0_u32..=Lower::ONE.0, 1..300),
    ) {
        let count = values.len() as u16;
        let exact: u64 = values.iter().map(|&value| u64::from(value)).sum();
        let sum = values.iter().map(|&value| Bound::<false>(value)).fold(0, Lower::add);
        let below = u64::from(Lower::mean(sum, count).0);
        let above = u64::from(Upper::mean(sum, count).0);
        prop_assert!(below * u64::from(count) <= exact && exact < (below + 1) * u64::from(count));
        prop_assert_eq!(above, below + u64::from(!exact.is_multiple_of(count.into())));
    }

    #[test]
    fn bounds_are_rounded_in_the_safe_direction(
        value in 0_u32..=Lower::ONE.0,
        bits in 4_u32..=Lower::BITS,
    ) {
        let unit = 1 << (Lower::BITS - bits);
        let accuracy = Accuracy { bits, discount: None };
        prop_assert_eq!(Bound::<false>(value).rounded(accuracy).0, value / unit * unit);
        prop_assert_eq!(Bound::<true>(value).rounded(accuracy).0, value.div_ceil(unit) * unit);
    }

    #[test]
    fn a_discount_takes_no_less_than_its_share(value in 0_u32..=Lower::ONE.0, shift in 1_u32..30) {
        let accuracy = Accuracy { bits: Lower::BITS, discount: Some(shift) };
        let left = Bound::<false>(value).rounded(accuracy).0;
        let share = f64::from(value) * (1.0 - 0.5_f64.powi(shift as i32));
        prop_assert!(f64::from(left) <= share && share < f64::from(left) + 1.0);
    }
}
