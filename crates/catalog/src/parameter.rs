//! Parameters that are always valid: reading an invalid one fails at its place in the spec.

use plaudit_accountant::number::words;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Finite(f64);

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Positive(f64);

/// A number strictly between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Probability(f64);

impl Finite {
    pub(super) fn get(self) -> f64 {
        self.0
    }
}

impl Positive {
    pub(super) fn get(self) -> f64 {
        self.0
    }
}

/// 1, the default of some parameters.
pub(super) fn one() -> Positive {
    Positive(1.0)
}

pub(super) fn two() -> Positive {
    Positive(2.0)
}

impl Probability {
    pub(super) fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Finite {
    type Error = String;
    fn try_from(x: f64) -> Result<Self, String> {
        if x.is_finite() { Ok(Self(x)) } else { Err(must_be(x, "a finite number")) }
    }
}

impl TryFrom<f64> for Positive {
    type Error = String;
    fn try_from(x: f64) -> Result<Self, String> {
        if x.is_finite() && x > 0.0 {
            Ok(Self(x))
        } else {
            Err(must_be(x, "a finite number above 0"))
        }
    }
}

impl TryFrom<f64> for Probability {
    type Error = String;
    fn try_from(x: f64) -> Result<Self, String> {
        if x > 0.0 && x < 1.0 {
            Ok(Self(x))
        } else {
            Err(must_be(x, "a number strictly between 0 and 1"))
        }
    }
}

fn must_be(x: f64, what: &str) -> String {
    format!("{} is invalid: must be {what}", words(x))
}
