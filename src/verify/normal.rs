//! The standard normal distribution function, enclosed between rationals.

use super::enclose::Enclosure;
use crate::mechanism::choice::Rational;
use dashu_int::UBig;
use std::str::FromStr;

/// 1/√(2π), cut off after 75 digits.
const DENSITY_AT_0: &str =
    "398942280401432677939946059934381868475858631164934657665925829670657925899";
/// Binary digits after the point.
const DIGITS: usize = 256;
/// Beyond, Φ(−x) is below 2⁻¹⁰⁰⁰.
const FAR: u32 = 40;

/// Φ(x), to an absolute error far below 10⁻⁴⁰.
///
/// Φ(x) = 1/2 + φ(x)(x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …) for x >= 0 (Abramowitz & Stegun 26.2.11):
/// all terms are positive.
pub fn cdf(x: &Rational) -> Enclosure {
    if *x < Rational::ZERO {
        let Enclosure { lower, upper } = cdf(&-x.clone());
        return Enclosure { lower: Rational::ONE - upper, upper: Rational::ONE - lower };
    }
    if *x > Rational::from(FAR) {
        let tiny = Rational::from_parts(1.into(), UBig::ONE << 1000);
        return Enclosure { lower: Rational::ONE - tiny, upper: Rational::ONE };
    }
    // φ(x) of x itself, and the series at x rounded to either side.
    let Enclosure { lower, upper } = Enclosure::exp(&-(x * x / Rational::from(2)));
    let unit = |digits: &str, more: u8| {
        let digits = UBig::from_str(digits).expect("these are digits") + UBig::from(more);
        Rational::from_parts(digits.into(), UBig::from(10u8).pow(75))
    };
    let scale = UBig::ONE << DIGITS;
    let fixed = UBig::try_from((x * Rational::from(scale.clone())).floor()).expect("x >= 0");
    let rational = |value: UBig| Rational::from_parts(value.into(), scale.clone());
    let half = Rational::from_parts(1.into(), 2u8.into());
    let below = lower * unit(DENSITY_AT_0, 0) * rational(series(fixed.clone(), false));
    let above = upper * unit(DENSITY_AT_0, 1) * rational(series(fixed + UBig::ONE, true));
    Enclosure { lower: &half + below, upper: (half + above).min(Rational::ONE) }
}

/// x + x³/3 + x⁵/(3·5) + … in units of 2^−[`DIGITS`], rounded down or up.
fn series(x: UBig, up: bool) -> UBig {
    let scale = UBig::ONE << DIGITS;
    let over = |product: UBig, divisor: &UBig| {
        if up { (product + divisor - UBig::ONE) / divisor } else { product / divisor }
    };
    let square = over(&x * &x, &scale);
    let (mut term, mut sum, mut odd) = (x, UBig::ZERO, 1u32);
    loop {
        sum += &term;
        odd += 2;
        // From here on each term is less than half of the one before.
        let falls = &square * UBig::from(2u8) < &scale * UBig::from(odd);
        if falls && term <= UBig::ONE {
            return if up { sum + term + UBig::ONE } else { sum };
        }
        term = over(&term * &square, &(&scale * UBig::from(odd)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::enclose::decimal;
    use super::*;

    /// Digits of mpmath with 90 digits.
    #[test]
    fn the_normal_law_has_the_digits_of_others() {
        for (x, digits) in [
            ("1/2", "0.6914624612740131036377046106083377398836"),
            ("-5/4", "0.1056497736668552576887727640257465548476"),
            ("3", "0.9986501019683699054733481852324050226221"),
            ("-15/2", "0.0000000000000319089167291089622776728834"),
        ] {
            let Enclosure { lower, upper } = cdf(&x.parse().unwrap());
            assert!(lower <= upper);
            let shown = digits.len() - 2;
            assert_eq!(decimal(&lower, shown), digits, "{x}");
            assert_eq!(decimal(&upper, shown), digits, "{x}");
        }
        let far = cdf(&Rational::from(-50));
        assert!(far.lower.is_zero() && far.upper > Rational::ZERO);
        assert_eq!(cdf(&Rational::ZERO).lower, "1/2".parse().unwrap());
    }
}
