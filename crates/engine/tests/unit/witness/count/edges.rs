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

/// Readings that differ are put four to an interval, fewer towards the ends; values that recur have one each.
#[test]
fn small_samples_have_wide_intervals() {
    let apart: Vec<f64> = (0..24).map(f64::from).collect();
    let wide = edges(apart.clone(), 48);
    assert!(wide.len() <= 8 && wide.contains(&12.0), "{wide:?}");
    let recurring: Vec<f64> = apart.iter().flat_map(|x| [*x, *x]).collect();
    assert_eq!(edges(recurring, 48), apart);
}
