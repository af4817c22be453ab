//! Exponentials and logarithms of rationals, enclosed between rationals.
//!
//! Fixed-point arithmetic on whole numbers: everything is rounded down for a lower end and up for
//! an upper one, and the omitted terms of a series are added to the upper end.

use crate::mechanism::choice::Rational;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

/// Two rationals with a real number between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Enclosure {
    pub lower: Rational,
    pub upper: Rational,
}

/// A rational at most an exponential, and one at least, if it is not too large.
#[derive(Clone, Debug, PartialEq)]
pub struct Exponential {
    pub lower: Rational,
    /// At least the number; `None`: beyond the enclosed range.
    pub upper: Option<Rational>,
}

const DIGITS: usize = 192;
/// Largest exponent whose exponential is enclosed: above the largest ε of a claim, and far below
/// where its digits take long. Beyond, an exponential is only known to be larger than that of this,
/// or smaller than that of its negative.
pub const FAR: u32 = 20_000;

impl Enclosure {
    pub fn exact(value: Rational) -> Self {
        Self { lower: value.clone(), upper: value }
    }

    /// e^x, for 0 <= x <= [`FAR`].
    fn exp(x: &Rational) -> Self {
        // x/2^k is at most 2^-8, and its exponential is squared k times; each squaring doubles the
        // relative error, and k more digits make up for that.
        let halvings = x.ceil().bit_len() + 8;
        let digits = DIGITS + 2 * halvings;
        let one = UBig::ONE << digits;
        let (numerator, denominator) = (magnitude(x), x.denominator() << halvings);
        let (mut sum, mut term, mut terms) = (one.clone(), one, 0u32);
        while !term.is_zero() {
            terms += 1;
            term = term * &numerator / (&denominator * UBig::from(terms));
            sum += &term;
        }
        // Each term is too small by less than 2 units, and so are the omitted ones together.
        let mut upper = &sum + UBig::from(2 * terms + 2);
        let mut lower = sum;
        let last = (UBig::ONE << digits) - UBig::ONE;
        for _ in 0..halvings {
            lower = (&lower * &lower) >> digits;
            upper = (&upper * &upper + &last) >> digits;
        }
        let scale = UBig::ONE << digits;
        let rational = |value: UBig| Rational::from_parts(value.into(), scale.clone());
        Self { lower: rational(lower), upper: rational(upper) }
    }

    /// Product with a number of at least 0.
    pub fn scaled(&self, by: &Rational) -> Self {
        Self { lower: &self.lower * by, upper: &self.upper * by }
    }

    /// ln x, for x > 0; `None` for others.
    pub fn ln(x: &Rational) -> Option<Self> {
        if *x <= Rational::ZERO {
            return None;
        }
        if *x == Rational::ONE {
            return Some(Self::exact(Rational::ZERO));
        }
        // x = 2^e m with m in (1/2, 2); ln m = 2 artanh((m − 1)/(m + 1)).
        let exponent = magnitude(x).bit_len() as i64 - x.denominator().bit_len() as i64;
        let power = Rational::from(UBig::ONE << exponent.unsigned_abs() as usize);
        let m = if exponent < 0 { x * power } else { x / power };
        let z = (&m - Rational::ONE) / (&m + Rational::ONE);
        let ln_2 = artanh(&Rational::from_parts(1.into(), 3u8.into())).times(2);
        Some(artanh(&z).times(2).plus(&ln_2.times(exponent)))
    }

    fn times(&self, factor: i64) -> Self {
        let factor_is_negative = factor < 0;
        let factor = Rational::from(factor);
        let (a, b) = (&self.lower * &factor, &self.upper * &factor);
        if factor_is_negative { Self { lower: b, upper: a } } else { Self { lower: a, upper: b } }
    }

    fn plus(&self, other: &Self) -> Self {
        Self { lower: &self.lower + &other.lower, upper: &self.upper + &other.upper }
    }
}

impl Exponential {
    pub fn of(x: &Rational) -> Self {
        Self::up_to(FAR, x)
    }

    /// e^x, enclosed for x between −`largest` and `largest`, which is at most 20 000.
    pub fn up_to(largest: u32, x: &Rational) -> Self {
        let largest = Rational::from(largest.min(FAR));
        if *x < Rational::ZERO {
            let Self { lower, upper } = Self::of_positive(&-x, &largest);
            let below = upper.map_or(Rational::ZERO, |upper| Rational::ONE / upper);
            return Self { lower: below, upper: Some(Rational::ONE / lower) };
        }
        Self::of_positive(x, &largest)
    }

    fn of_positive(x: &Rational, largest: &Rational) -> Self {
        if x > largest {
            return Self { lower: Enclosure::exp(largest).lower, upper: None };
        }
        let Enclosure { lower, upper } = Enclosure::exp(x);
        Self { lower, upper: Some(upper) }
    }
}

/// artanh z = z + z³/3 + z⁵/5 + …, for |z| <= 1/3.
fn artanh(z: &Rational) -> Enclosure {
    if *z < Rational::ZERO {
        let Enclosure { lower, upper } = artanh(&-z.clone());
        return Enclosure { lower: -upper, upper: -lower };
    }
    let scale = UBig::ONE << DIGITS;
    let fixed = magnitude(z) * &scale / z.denominator();
    let series = |z: UBig, up: UBig| {
        let square = (&z * &z + &up) >> DIGITS;
        let (mut power, mut sum, mut odd) = (z, UBig::ZERO, 1u32);
        // A power of at most 1 unit stays there when it is rounded up.
        while power > UBig::ONE {
            sum += (&power + if up.is_zero() { UBig::ZERO } else { UBig::from(odd - 1) })
                / UBig::from(odd);
            power = (&power * &square + &up) >> DIGITS;
            odd += 2;
        }
        sum
    };
    let lower = series(fixed.clone(), UBig::ZERO);
    // z is rounded up by less than a unit, and the omitted terms are less than 2 units together.
    let upper = series(fixed + UBig::ONE, &scale - UBig::ONE) + UBig::from(2u8);
    let rational = |value: UBig| Rational::from_parts(value.into(), scale.clone());
    Enclosure { lower: rational(lower), upper: rational(upper) }
}

fn magnitude(x: &Rational) -> UBig {
    let (_, magnitude) = x.numerator().clone().into_parts();
    magnitude
}

/// The largest double that is at most `x`.
pub fn double_below(x: &Rational) -> f64 {
    let near = x.to_f64().value();
    match Rational::try_from(near) {
        Ok(exact) if exact <= *x => near,
        Ok(_) => near.next_down(),
        Err(_) if near > 0.0 => f64::MAX,
        Err(_) => near,
    }
}

/// The smallest double that is at least `x`.
pub fn double_above(x: &Rational) -> f64 {
    // Not −0.
    0.0 - double_below(&-x.clone())
}

/// A number of at least 0 with `decimals` decimals, cut off.
pub fn decimal(x: &Rational, decimals: usize) -> String {
    let scaled = (x * Rational::from(UBig::from(10u8).pow(decimals))).floor();
    let digits = scaled.to_string();
    let padded = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, rest) = padded.split_at(padded.len() - decimals);
    if rest.is_empty() { whole.to_owned() } else { format!("{whole}.{rest}") }
}

/// A rational as people write it: "3", "65/33".
pub fn fraction_words(x: &Rational) -> String {
    let whole = |value: &IBig| value.to_string();
    if x.is_int() {
        whole(x.numerator())
    } else {
        format!("{}/{}", whole(x.numerator()), x.denominator())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/verify/enclose.rs"]
mod tests;
