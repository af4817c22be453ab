use super::*;
use proptest::prelude::*;

#[test]
fn numbers_that_are_no_numbers_stay() {
    assert!(to_grid(f64::NAN, 0.5).is_nan());
    assert_eq!(to_grid(f64::INFINITY, 0.5), f64::INFINITY);
    assert_eq!(to_grid(f64::MAX, 1e-300), f64::MAX);
    assert!(to_grid(-0.0, 0.5).is_sign_positive());
    assert!(to_grid(-0.1, 0.5).is_sign_positive());
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rounding_is_to_the_nearest_multiple_and_twice_is_once(
        x in -1e9..1e9f64,
        exponent in -30..10i32,
    ) {
        let grid = 2f64.powi(exponent);
        let rounded = to_grid(x, grid);
        prop_assert!((rounded - x).abs() <= grid / 2.0);
        prop_assert_eq!((rounded / grid).fract(), 0.0);
        prop_assert_eq!(to_grid(rounded, grid), rounded);
    }
}
