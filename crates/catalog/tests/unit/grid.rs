use super::*;
use proptest::prelude::*;

/// L, by its definition.
fn spacing(scale: f64) -> f64 {
    let mut spacing = 2f64.powi(-24);
    while spacing > scale * 2f64.powi(-24) {
        spacing /= 2.0;
    }
    while 2.0 * spacing <= scale * 2f64.powi(-24) {
        spacing *= 2.0;
    }
    spacing
}

proptest! {
    // A seed that failed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn outcomes_are_the_nearest_multiples_of_a_power_of_two_that_the_scale_names(
        scale in (-200.0..200.0f64).prop_map(f64::exp2),
        y in -6e7..6e7f64,
    ) {
        let (grid, spacing) = (PowerOfTwoGrid::for_scale(scale), spacing(scale));
        let y = y * scale;
        let rounded = grid.round(y);
        prop_assert_eq!((rounded / spacing).fract(), 0.0);
        prop_assert!((rounded - y).abs() <= 0.5 * spacing, "{} to {}", y, rounded);
        prop_assert_eq!(rounded, (y / spacing).round_ties_even() * spacing);
    }

    #[test]
    fn far_out_a_double_loses_two_bits_at_most(
        scale in (-200.0..200.0f64).prop_map(f64::exp2),
        (far, up) in (26.0..200.0f64, any::<bool>()),
    ) {
        let y = far.exp2() * scale * if up { 1.0 } else { -1.0 };
        let rounded = PowerOfTwoGrid::for_scale(scale).round(y);
        let next = y.abs().next_up() - y.abs();
        prop_assert!((rounded - y).abs() <= 2.0 * next, "{} to {}", y, rounded);
    }
}

#[test]
fn no_double_becomes_infinite_or_nan_or_minus_zero() {
    for scale in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-300, 1.0, 1e280, 1e300, f64::MAX] {
        let grid = PowerOfTwoGrid::for_scale(scale);
        for y in [f64::MAX, f64::MIN, scale, -scale, f64::MIN_POSITIVE, f64::from_bits(1)] {
            assert!(grid.round(y).is_finite(), "{y:e} at scale {scale:e}");
        }
        for y in [0.0, -0.0] {
            assert_eq!(grid.round(y).to_bits(), 0, "at scale {scale:e}");
        }
        assert_eq!(grid.round(f64::INFINITY), f64::INFINITY);
        assert!(grid.round(f64::NAN).is_nan());
    }
    assert_eq!(PowerOfTwoGrid::for_scale(1e-320).round(3e-321), 3e-321);
}
