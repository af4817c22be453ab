//! The grid that released real numbers lie on, so that their lowest bits tell nothing.
//!
//! A sum of doubles has the lowest bits of its larger term: x + noise for x = 1 is a multiple of
//! 2⁻⁵³ even where it is close to 0, and for x = 0 it is not. Whoever reads the lowest bits of such
//! a sum reads the dataset (Mironov 2012). Rounding the *sum* to a grid, the same for all datasets
//! and much coarser than the doubles around the answers, takes these bits away, and is
//! post-processing: the loss of the noise is what it was.

/// Multiples of a power of two, L.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// 1.5·2⁵² L: the doubles around it are L apart.
    shift: f64,
}

/// L is at most this share of the scale of the noise: too fine to be seen in the law of an outcome,
/// and 2²⁹ times as coarse as the doubles between half the scale and the scale.
const SHARE: i32 = -24;
/// Exponents of L: the least positive double, and the largest for which the sum with the shift is
/// finite for every double.
const EXPONENTS: (i32, i32) = (-1074, 917);

impl Grid {
    /// The grid for noise of a scale, which is finite and above 0: the largest power of two
    /// L <= scale·2⁻²⁴, though at most 2⁹¹⁷; for a subnormal scale the least positive double.
    pub(super) fn for_scale(scale: f64) -> Self {
        let exponent = match scale.is_normal() {
            true => ((scale.to_bits() >> 52) as i32 - 1023 + SHARE).max(EXPONENTS.0),
            false => EXPONENTS.0,
        };
        let exponent = exponent.min(EXPONENTS.1);
        // Powers below 2⁻¹⁰²² may be lost on the way to the shift, which is above it.
        Self { shift: 1.5 * 2f64.powi(exponent + 52) }
    }

    /// The multiple of L nearest to y, never −0; of two, the one with the even factor. For
    /// |y| < 2⁵¹ L, which is 6·10⁷ times the scale of the noise or more.
    ///
    /// Beyond, doubles are themselves L/2 apart and more, and y may lose its last two bits. The
    /// outcome never depends on anything but y.
    #[inline(always)]
    pub(super) fn round(self, y: f64) -> f64 {
        (y + self.shift) - self.shift
    }
}

#[cfg(test)]
mod tests {
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
        #[test]
        fn outcomes_are_the_nearest_multiples_of_a_power_of_two_that_the_scale_names(
            scale in (-200.0..200.0f64).prop_map(f64::exp2),
            y in -6e7..6e7f64,
        ) {
            let (grid, spacing) = (Grid::for_scale(scale), spacing(scale));
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
            let rounded = Grid::for_scale(scale).round(y);
            let next = y.abs().next_up() - y.abs();
            prop_assert!((rounded - y).abs() <= 2.0 * next, "{} to {}", y, rounded);
        }
    }

    #[test]
    fn no_double_becomes_infinite_or_nan_or_minus_zero() {
        for scale in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-300, 1.0, 1e280, 1e300, f64::MAX] {
            let grid = Grid::for_scale(scale);
            for y in [f64::MAX, f64::MIN, scale, -scale, f64::MIN_POSITIVE, f64::from_bits(1)] {
                assert!(grid.round(y).is_finite(), "{y:e} at scale {scale:e}");
            }
            for y in [0.0, -0.0] {
                assert_eq!(grid.round(y).to_bits(), 0, "at scale {scale:e}");
            }
            assert_eq!(grid.round(f64::INFINITY), f64::INFINITY);
            assert!(grid.round(f64::NAN).is_nan());
        }
        assert_eq!(Grid::for_scale(1e-320).round(3e-321), 3e-321);
    }
}
