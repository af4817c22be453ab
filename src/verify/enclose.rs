//! Exponentials and logarithms of rationals, enclosed between rationals.
//!
//! Fixed-point arithmetic on whole numbers: everything is rounded down for a lower end and up for an
//! upper one, and what a series leaves out is added to the upper end.

use crate::mechanism::choice::Rational;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

/// Two rationals with a real number between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Enclosure {
    /// At most the number.
    pub lower: Rational,
    /// At least the number.
    pub upper: Rational,
}

/// A rational at most, and if it is not too large one at least, an exponential.
#[derive(Clone, Debug, PartialEq)]
pub struct Exponential {
    /// At most the number.
    pub lower: Rational,
    /// At least the number; `None`: it is beyond all that is enclosed.
    pub upper: Option<Rational>,
}

/// Binary digits after the point.
const DIGITS: usize = 192;
/// The largest exponent whose exponential is enclosed: above the largest ε of a claim, and far from where its
/// digits take long. Beyond, an exponential is only known to be larger than that of this, or smaller
/// than that of its negative.
pub const FAR: u32 = 20_000;

impl Enclosure {
    /// A rational itself.
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
        // Each term is too small by less than 2 units, and those left out are less than 2 together.
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

    /// Times a number of at least 0.
    pub fn scaled(&self, by: &Rational) -> Self {
        Self { lower: &self.lower * by, upper: &self.upper * by }
    }

    /// ln x, for x > 0; `None` for others.
    pub fn ln(x: &Rational) -> Option<Self> {
        if *x <= Rational::ZERO {
            return None;
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
    /// e^x.
    pub fn of(x: &Rational) -> Self {
        Self::up_to(FAR, x)
    }

    /// e^x, enclosed for x up to a largest one of at most 20 000, and from its negative.
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
    // z is rounded up by less than a unit, and the terms left out are less than 2 units together.
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

/// A number of at least 0 in so many decimals, cut off.
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
mod tests {
    use super::*;

    fn rational(numerator: i64, denominator: u64) -> Rational {
        Rational::from_parts(numerator.into(), denominator.into())
    }

    /// Digits of mpmath with 60 digits: exp(1), exp(-2.5), exp(100), ln 3, ln(5/3), ln(1/1000).
    #[test]
    fn enclosures_hold_the_digits_of_others() {
        let e = Exponential::of(&rational(1, 1));
        assert_eq!(decimal(&e.lower, 40), "2.7182818284590452353602874713526624977572");
        assert_eq!(decimal(&e.upper.unwrap(), 40), "2.7182818284590452353602874713526624977572");
        let small = Exponential::of(&rational(-5, 2));
        assert_eq!(decimal(&small.lower, 30), "0.082084998623898795169528674467");
        assert_eq!(decimal(&small.upper.unwrap(), 30), "0.082084998623898795169528674467");
        let large = Exponential::of(&rational(100, 1)).lower;
        assert!(decimal(&large, 5).starts_with("26881171418161354484126255515800135873611118."));
        let ln = Enclosure::ln(&rational(3, 1)).unwrap();
        assert_eq!(decimal(&ln.lower, 40), "1.0986122886681096913952452369225257046474");
        assert_eq!(decimal(&ln.upper, 40), "1.0986122886681096913952452369225257046474");
        let ln = Enclosure::ln(&rational(5, 3)).unwrap();
        assert_eq!(decimal(&ln.lower, 30), "0.510825623765990683205514096303");
        let ln = Enclosure::ln(&rational(1, 1000)).unwrap();
        assert_eq!(decimal(&-ln.upper, 30), "6.907755278982137052053974364053");
        assert!(Enclosure::ln(&Rational::ZERO).is_none());
    }

    #[test]
    fn enclosures_are_narrow_and_the_right_way_round() {
        for (numerator, denominator) in [(1, 1000), (1, 3), (10, 1), (9_999, 1), (-700, 3), (0, 1)]
        {
            let x = rational(numerator, denominator);
            let Exponential { lower, upper } = Exponential::of(&x);
            let upper = upper.unwrap();
            assert!(lower <= upper && lower > Rational::ZERO);
            assert!((&upper - &lower) * Rational::from(UBig::ONE << 150) <= lower, "{x}");
            let back = Enclosure::ln(&lower).unwrap();
            let again = Enclosure::ln(&upper).unwrap();
            assert!(back.lower <= x && x <= again.upper, "{x}");
            assert!(again.upper - back.lower < Rational::from_parts(1.into(), UBig::ONE << 140));
        }
    }

    /// e^(10⁹) has half a gigabyte of digits, and its reciprocal as many.
    #[test]
    fn what_is_far_is_bounded_by_what_is_near() {
        for far in [rational(20_001, 1), rational(1_000_000_000, 1), rational(i64::MAX, 1)] {
            let large = Exponential::of(&far);
            assert_eq!(
                (large.lower, large.upper),
                (Exponential::of(&rational(20_000, 1)).lower, None)
            );
            let small = Exponential::of(&-far);
            assert!(small.lower.is_zero());
            assert!(small.upper.unwrap() >= Exponential::of(&rational(-20_000, 1)).upper.unwrap());
        }
        assert_eq!(Exponential::up_to(3, &rational(4, 1)).upper, None);
    }

    #[test]
    fn doubles_are_rounded_the_way_they_say() {
        let third = rational(1, 3);
        assert!(Rational::try_from(double_below(&third)).unwrap() < third);
        assert!(Rational::try_from(double_above(&third)).unwrap() > third);
        assert_eq!(double_below(&third).next_up(), double_above(&third));
        assert_eq!((double_below(&rational(1, 4)), double_above(&rational(1, 4))), (0.25, 0.25));
        let huge = Rational::from(UBig::ONE << 2000);
        assert_eq!(double_below(&huge), f64::MAX);
        assert_eq!(double_above(&huge), f64::INFINITY);
        let tiny = Rational::ONE / huge;
        assert!(double_below(&tiny) == 0.0 && double_above(&tiny) > 0.0);
    }
}
