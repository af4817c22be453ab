//! Fractions for parameters.

use dashu_int::UBig;
use dashu_ratio::RBig as Rational;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::fmt;

/// A fraction of two whole numbers of 64 bits, in lowest terms, at least 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

/// A value that is not a [`Fraction`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a fraction of two whole numbers of 64 bits: write 3, 0.25 or \"1/3\", at least 0"
)]
pub struct NoFraction(String);

impl Fraction {
    /// numerator/denominator.
    ///
    /// # Errors
    /// If the denominator is 0.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, NoFraction> {
        if denominator == 0 {
            return Err(NoFraction(format!("{numerator}/0")));
        }
        let divisor = gcd(numerator, denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    pub fn whole(value: u64) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// A double as the shortest decimal that names it: 0.1 is 1/10.
    ///
    /// # Errors
    /// If it is negative or not finite, or its decimal has too many digits.
    pub fn of_decimal(value: f64) -> Result<Self, NoFraction> {
        let written = format!("{value}");
        let wrong = || NoFraction(written.clone());
        let (whole, digits) = written.split_once('.').unwrap_or((&written, ""));
        let numerator = format!("{whole}{digits}").parse().map_err(|_| wrong())?;
        let power = u32::try_from(digits.len()).map_err(|_| wrong())?;
        let denominator = 10u64.checked_pow(power).ok_or_else(wrong)?;
        Self::new(numerator, denominator)
    }

    pub fn numerator(self) -> u64 {
        self.numerator
    }

    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// Its reciprocal, if it is not 0.
    pub fn reciprocal(self) -> Option<Self> {
        Self::new(self.denominator, self.numerator).ok()
    }

    /// Its product with a whole number, if 64 bits hold it.
    pub fn times(self, factor: u64) -> Option<Self> {
        let divisor = gcd(factor, self.denominator);
        let numerator = self.numerator.checked_mul(factor / divisor)?;
        Self::new(numerator, self.denominator / divisor).ok()
    }

    pub fn to_f64(self) -> f64 {
        Rational::from(self).to_f64().value()
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl From<Fraction> for Rational {
    fn from(fraction: Fraction) -> Self {
        Self::from_parts(fraction.numerator.into(), UBig::from(fraction.denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

impl std::str::FromStr for Fraction {
    type Err = NoFraction;

    fn from_str(written: &str) -> Result<Self, NoFraction> {
        let wrong = || NoFraction(written.to_owned());
        match written.split_once('/') {
            Some((numerator, denominator)) => {
                let whole = |digits: &str| digits.trim().parse().map_err(|_| wrong());
                Self::new(whole(numerator)?, whole(denominator)?).map_err(|_| wrong())
            }
            None => {
                let value: f64 = written.trim().parse().map_err(|_| wrong())?;
                Self::of_decimal(value).map_err(|_| wrong())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FractionVisitor;
        impl Visitor<'_> for FractionVisitor {
            type Value = Fraction;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a fraction such as \"1/3\"")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Fraction, E> {
                let whole = u64::try_from(value).map_err(|_| NoFraction(value.to_string()));
                whole.map(Fraction::whole).map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Fraction, E> {
                Ok(Fraction::whole(value))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Fraction, E> {
                Fraction::of_decimal(value).map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Fraction, E> {
                value.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(FractionVisitor)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/choice/fraction.rs"]
mod tests;
