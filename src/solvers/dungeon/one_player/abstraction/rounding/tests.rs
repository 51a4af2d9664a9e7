use super::*;
use proptest::prelude::*;

/// The value in units of 2^-`bits`; `None` if it lies between multiples.
fn units(value: f64, bits: i32) -> Option<u64> {
    let units = value * 2.0_f64.powi(bits);
    (units.fract().abs() < f64::MIN_POSITIVE).then_some(units as u64)
}

proptest! {
    /// Works with integers: `sum` units of 2^-40, divided by `count`.
    #[test]
    fn means_are_rounded_to_the_next_multiple_in_the_safe_direction(
        count in 1_u64..=MOST_EQUAL as u64,
        mean in 0_u64..=1 << 40,
        more in 0_u64..MOST_EQUAL as u64,
    ) {
        let sum = (mean * count + more % count).min(count << 40);
        let quotient = sum as f64 * 0.5_f64.powi(40) / count as f64;
        prop_assert_eq!(units(Lower::round(quotient, Grid::FINE), 40), Some(sum / count));
        prop_assert_eq!(units(Upper::round(quotient, Grid::FINE), 40), Some(sum.div_ceil(count)));
    }

    #[test]
    fn kept_values_are_rounded_in_the_safe_direction(
        value in 0_u64..=1 << 40,
        bits in 4_u32..=Kept::BITS,
    ) {
        let exact = value as f64 * 0.5_f64.powi(40);
        let step = 1_u64 << (40 - bits);
        let [below, above] = [
            Lower::round(exact, Grid::of(bits)),
            Upper::round(exact, Grid::of(bits)),
        ];
        prop_assert_eq!(units(below, bits as i32), Some(value / step));
        prop_assert_eq!(units(above, bits as i32), Some(value.div_ceil(step)));
        prop_assert_eq!(units(Kept::of(above).value(), bits as i32), units(above, bits as i32));
    }
}
