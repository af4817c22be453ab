//! Unit tests of `witness::edges`.

use super::*;
use proptest::prelude::*;

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_sorted_in_the_total_order_of_doubles(
        mut numbers in prop::collection::vec(any::<f64>(), 0..50),
    ) {
        numbers.extend([0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        let mut expected = numbers.clone();
        expected.sort_by(f64::total_cmp);
        sort(&mut numbers);
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&numbers), bits(&expected));
    }
}
