//! Amounts of a filter's quantity, added up exactly: ten uses of ε = 0.1 are 1, which no sum of doubles promises.

use crate::number;
use dashu_int::ops::BitTest as _;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

/// Bits of a denominator from which on a sum is rounded up, so that it stays small.
const LONG: usize = 4096;
/// Bits after the point that are kept then.
const KEPT: usize = 1024;
/// An amount above all budgets, in place of what is not finite.
const TOO_LARGE: f64 = 1e300;

/// A rational number >= 0: an amount of ε, of ρ, of μ², or of a Rényi divergence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(RBig);

impl Amount {
    pub const ZERO: Self = Self(RBig::ZERO);

    /// The shortest decimal that is this double: what a person wrote. The double is finite and >= 0.
    pub(crate) fn decimal(x: f64) -> Self {
        let written = format!("{:e}", x.abs());
        let (mantissa, exponent) = written.split_once('e').expect("`{:e}` writes an exponent");
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: u64 = format!("{whole}{part}").parse().expect("a double has 17 digits at most");
        let exponent: i64 = exponent.parse().expect("`{:e}` writes an integer exponent");
        let power = exponent - part.len() as i64;
        let ten = UBig::from(10u8).pow(usize::try_from(power.unsigned_abs()).expect("below 400"));
        Self(if power < 0 {
            RBig::from_parts(IBig::from(digits), ten)
        } else {
            RBig::from(IBig::from(digits) * IBig::from(ten))
        })
    }

    /// The double itself; an infinite or undefined one is above all budgets.
    pub(crate) fn exact(x: f64) -> Self {
        let x = if x.is_finite() { x.max(0.0) } else { TOO_LARGE };
        Self(RBig::try_from(x).expect("finite doubles are rational"))
    }

    /// This over another decimal, which is > 0.
    pub(crate) fn over(self, x: f64) -> Self {
        Self(self.0 / Self::decimal(x).0)
    }

    pub(crate) fn square(&self) -> Self {
        Self(&self.0 * &self.0)
    }

    pub(crate) fn times(self, count: u64) -> Self {
        Self(self.0 * RBig::from(count))
    }

    /// The smallest double that is not below.
    pub fn above(&self) -> f64 {
        let near = self.0.to_f64().value();
        if Self::exact(near) < *self { near.next_up() } else { near }
    }

    /// The largest double that is not above.
    pub fn below(&self) -> f64 {
        let near = self.0.to_f64().value();
        if Self::exact(near) > *self { near.next_down() } else { near }
    }

    /// The amount in at most four significant digits, never rounded down.
    pub fn upper(&self) -> String {
        let near = number::brief(self.above());
        let holds = near.parse().is_ok_and(|near| Self::decimal(near) >= *self);
        if holds { near } else { number::upper(self.above()) }
    }

    /// The amount in at most four significant digits, never rounded up.
    pub fn lower(&self) -> String {
        let near = number::brief(self.below());
        let holds = near.parse().is_ok_and(|near| Self::decimal(near) <= *self);
        if holds { near } else { number::lower(self.below()) }
    }

    /// Number of times that this fits into another amount; `u64::MAX` if it is 0.
    pub fn fits(&self, into: &Self) -> u64 {
        if self.0.is_zero() {
            return u64::MAX;
        }
        u64::try_from((&into.0 / &self.0).floor()).unwrap_or(u64::MAX)
    }
}

impl Add<&Amount> for Amount {
    type Output = Self;

    /// The sum, rounded up where it would be very long.
    fn add(self, other: &Self) -> Self {
        let sum = self.0 + &other.0;
        if sum.denominator().bit_len() <= LONG {
            return Self(sum);
        }
        let unit = UBig::ONE << KEPT;
        Self(RBig::from_parts((sum * RBig::from(unit.clone())).ceil(), unit))
    }
}

impl Sub<&Amount> for &Amount {
    type Output = Amount;

    /// The difference, 0 where it would be negative.
    fn sub(self, other: &Amount) -> Amount {
        Amount((&self.0 - &other.0).max(RBig::ZERO))
    }
}

impl Mul for Amount {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |total, one| total + &one)
    }
}
