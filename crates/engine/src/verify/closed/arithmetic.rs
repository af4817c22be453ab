//! Numbers of proofs by closed form: doubles as they are, roots, comparisons.

use crate::mechanism::choice::Rational;
use crate::verify::enclose::Enclosure;
use crate::verify::held::Held;
use dashu_int::ops::SquareRoot;
use dashu_int::{IBig, UBig};

/// Compares a number between these with an upper bound.
pub(super) fn compare(lower: Rational, upper: Rational, bound: &Rational) -> Held {
    if upper <= *bound {
        Held::Yes
    } else if lower > *bound {
        Held::No
    } else {
        Held::Unknown
    }
}

/// A double as it is, enclosed.
pub(super) fn exact(x: f64) -> Enclosure {
    Enclosure::exact(rational(x))
}

/// √n, to 200 binary digits after the point.
pub(super) fn root(n: u32) -> Enclosure {
    let scaled = UBig::from(n) << 400;
    let below = scaled.sqrt();
    let more = if &below * &below == scaled { UBig::ZERO } else { UBig::ONE };
    let rational = |value: UBig| Rational::from_parts(IBig::from(value), UBig::ONE << 200);
    Enclosure { lower: rational(below.clone()), upper: rational(below + more) }
}

pub(super) fn rational(x: f64) -> Rational {
    Rational::try_from(x).unwrap_or(Rational::ZERO)
}
