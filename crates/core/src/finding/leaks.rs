//! Counts of a frozen witness; what the values of outcomes leak, and what their floating-point representation
//! leaks.

use crate::inference::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Counts of a witness on the confirm trials: all that a bound rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Runs on D on which it guessed "D", and on which it guessed "D'".
    pub on_d: [u64; 2],
    /// Runs on D' on which it guessed "D", and on which it guessed "D'".
    pub on_d_prime: [u64; 2],
    /// Runs on D, and on D'.
    pub runs: [u64; 2],
    /// The same in a sentence; empty if nothing was played.
    pub words: String,
}

/// Meaning of doubles in a claim: the bits that are released, or numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Floats {
    /// Every bit of a released double counts: a leak through the lowest bits violates the claim.
    #[default]
    #[serde(rename = "as released")]
    AsReleased,
    /// Numbers are rounded to multiples of this before anything looks at them: the claim is about
    /// the mechanism with that rounding.
    #[serde(rename = "rounded")]
    Rounded(f64),
    /// The claim is about noise of real numbers: a leak through the lowest bits is reported as a
    /// warning and decides nothing.
    #[serde(rename = "ideal")]
    Ideal,
}

impl Floats {
    pub fn is_default(&self) -> bool {
        *self == Self::AsReleased
    }
}

/// One of the two leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LeakKind {
    /// Leak of values: the numbers themselves.
    Values,
    /// Leak of their representation as doubles: the lowest bits.
    Representation,
}

impl LeakKind {
    /// The word used in reports, and in names of files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Representation => "representation",
        }
    }
}

/// Source of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LeakSource {
    /// Values of outcomes, as one reads them.
    Values,
    /// The lowest bits of doubles alone.
    Bits,
    /// Running times.
    Time,
    /// Failures: exceptions, crashes, timeouts.
    Failure,
    /// The shape of outcomes: their kind, their length, which keys they have.
    Shape,
}

impl LeakSource {
    pub const ALL: [Self; 5] = [Self::Values, Self::Bits, Self::Time, Self::Failure, Self::Shape];

    /// The word used in specs and in `report.json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Bits => "bits",
            Self::Time => "time",
            Self::Failure => "failure",
            Self::Shape => "shape",
        }
    }

    /// The words for it in reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::Bits => "low bits",
            other => other.word(),
        }
    }

    /// `true` if a violation that rests on this shows a planted mistake that is in `expected`. Where the spec does not
    /// locate the mistake, low bits do not show it: right noise in doubles has them as well.
    pub fn shows(self, expected: Option<Self>) -> bool {
        match expected {
            Some(expected) => self == expected,
            None => self != Self::Bits,
        }
    }
}

/// The two leaks of an audit whose outcomes show something in their lowest bits: certified apart,
/// from the same confirm trials, by two witnesses that share the audit's α.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaks {
    /// The witness of `values` sees numbers rounded to multiples of this, and nothing below.
    pub grid: f64,
    /// Whose witness, test and bounds the finding itself gives: that of the values if it refutes the
    /// claim, else that of the representation if it does (and decides), else the higher bound.
    pub headline: LeakKind,
    /// Leak of the values.
    pub values: Leak,
    /// Leak of their representation: the witness looks at the bits of doubles.
    pub representation: Leak,
    /// Summary of both, in sentences.
    pub words: String,
}

/// One of two leaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leak {
    /// `true` if it refutes the claim at `alpha`.
    pub refutes: bool,
    /// Certified lower bound on ε at the claim's δ, at confidence 1 − `alpha`.
    pub epsilon_lower: f64,
    /// Certified lower bound on δ at the claim's ε, at confidence 1 − `alpha`.
    pub delta_lower: f64,
    /// p-value of the claim by this witness alone.
    pub p_value: f64,
    /// Its share of the audit's α.
    pub alpha: f64,
    /// Its frozen test.
    pub test: Test,
    /// Its frozen witness in words.
    pub witness: String,
    /// Counts of the witness.
    pub evidence: Evidence,
}
