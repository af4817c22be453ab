//! The standard normal distribution function, enclosed between rationals.

use super::enclose::{Enclosure, Exponential};
use crate::mechanism::choice::Rational;
use dashu_int::UBig;
use std::str::FromStr;

/// 1/√(2π), cut off after 75 digits.
const DENSITY_AT_0: &str =
    "398942280401432677939946059934381868475858631164934657665925829670657925899";
const DIGITS: usize = 256;
/// Beyond this, the tail's own series is used; the other would need many terms.
const FAR: u32 = 15;
const MOST_TERMS: u32 = 100;

/// Φ(x), to an absolute error far below 10⁻⁴⁰, and in the tails to such a relative one.
///
/// Φ(x) = 1/2 + φ(x)(x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …) for x >= 0 (Abramowitz & Stegun 26.2.11):
/// all terms are positive.
pub fn cdf(x: &Rational) -> Enclosure {
    if *x < Rational::ZERO {
        let Enclosure { lower, upper } = cdf(&-x.clone());
        return Enclosure { lower: Rational::ONE - upper, upper: Rational::ONE - lower };
    }
    if *x > Rational::from(FAR) {
        let Enclosure { lower, upper } = tail(x);
        return Enclosure { lower: Rational::ONE - upper, upper: Rational::ONE - lower };
    }
    // φ(x) of x itself, and the series at x rounded to either side.
    let Exponential { lower, upper } = Exponential::of(&-(x * x / Rational::from(2)));
    let upper = upper.unwrap_or(Rational::ONE);
    let scale = UBig::ONE << DIGITS;
    let fixed = UBig::try_from((x * Rational::from(scale.clone())).floor()).expect("x >= 0");
    let rational = |value: UBig| Rational::from_parts(value.into(), scale.clone());
    let half = Rational::from_parts(1.into(), 2u8.into());
    let below = lower * density_at_0(0) * rational(series(fixed.clone(), false));
    let above = upper * density_at_0(1) * rational(series(fixed + UBig::ONE, true));
    Enclosure { lower: &half + below, upper: (half + above).min(Rational::ONE) }
}

/// 1/√(2π), in units of its last digit, rounded down or by `more` units more.
fn density_at_0(more: u8) -> Rational {
    let digits = UBig::from_str(DENSITY_AT_0).expect("these are digits") + UBig::from(more);
    Rational::from_parts(digits.into(), UBig::from(10u8).pow(75))
}

/// Φ(−x) for large x, to a relative error far below 10⁻⁴⁰.
///
/// φ(x)/x (1 − 1/x² + 1·3/x⁴ − 1·3·5/x⁶ + …), where every partial sum errs on the side of its last
/// term (Abramowitz & Stegun 26.2.12).
fn tail(x: &Rational) -> Enclosure {
    let square = x * x;
    let scale = UBig::ONE << DIGITS;
    let over_square = (Rational::from(scale.clone()) / &square).floor();
    let over_square = UBig::try_from(over_square).expect("x² > 0");
    // Terms rounded down and up, and sums of them from below and from above.
    let mut term = [scale.clone(), scale.clone()];
    let (mut sum, mut bounds) = ([scale.clone(), scale.clone()], [UBig::ZERO, scale.clone()]);
    for at in 1..=MOST_TERMS {
        let odd = UBig::from(2 * at - 1);
        let next = [
            (&term[0] * &odd * &over_square) >> DIGITS,
            ((&term[1] * &odd * (&over_square + UBig::ONE)) >> DIGITS) + UBig::ONE,
        ];
        if next[1] >= term[1] {
            break;
        }
        term = next;
        if at % 2 == 1 {
            sum = [&sum[0] - &term[1], &sum[1] - &term[0]];
            bounds[0] = sum[0].clone();
        } else {
            sum = [&sum[0] + &term[0], &sum[1] + &term[1]];
            bounds[1] = sum[1].clone();
        }
    }
    let Exponential { lower, upper } = Exponential::of(&-(square / Rational::from(2)));
    let [below, above] = bounds.map(|sum| Rational::from_parts(sum.into(), scale.clone()) / x);
    Enclosure {
        lower: lower * density_at_0(0) * below,
        upper: upper.unwrap_or(Rational::ONE) * density_at_0(1) * above,
    }
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
        // Beyond this each term is less than half of the one before.
        let falls = &square * UBig::from(2u8) < &scale * UBig::from(odd);
        if falls && term <= UBig::ONE {
            return if up { sum + term + UBig::ONE } else { sum };
        }
        term = over(&term * &square, &(&scale * UBig::from(odd)));
    }
}

#[cfg(test)]
#[path = "../../tests/unit/verify/normal.rs"]
mod tests;
