//! Grid of released real numbers, so that their lowest bits reveal nothing.
//!
//! A sum of doubles has the lowest bits of its larger term: x + noise for x = 1 is a multiple of
//! 2⁻⁵³ even where it is close to 0, and for x = 0 it is not. The lowest bits of such a sum reveal
//! the dataset (Mironov 2012). Rounding the *sum* to a grid, the same for all datasets and much
//! coarser than the doubles around the answers, removes these bits, and is post-processing: the
//! loss of the noise is unchanged.

/// Multiples of a power of two, L.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerOfTwoGrid {
    /// 1.5·2⁵² L: the doubles around it are L apart.
    shift: f64,
}

/// L is at most this share of the scale of the noise: too fine to be seen in the law of an outcome,
/// and 2²⁹ times as coarse as the doubles between half the scale and the scale.
const SHARE: i32 = -24;
/// Exponents of L: the least positive double, and the largest for which the sum with the shift is
/// finite for every double.
const EXPONENTS: (i32, i32) = (-1074, 917);

impl PowerOfTwoGrid {
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
#[path = "../tests/unit/grid.rs"]
mod tests;
