//! Shapes: the coarse kinds of outcomes.

use crate::mechanism::OutcomeRef;
use serde::{Deserialize, Serialize};

/// Kind of an outcome, regardless of its values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A finite number other than −0.
    Number,
    NaN,
    Infinity,
    NegativeInfinity,
    /// −0: equal to 0, with another bit pattern.
    NegativeZero,
    Integer,
    EmptyText,
    Text,
    Vector {
        length: usize,
        /// Number of NaNs among them.
        missing: usize,
        infinite: bool,
    },
    /// A set or map with this number of keys.
    Keyed(usize),
    Nothing,
    Structure,
    /// A visible failure with its message.
    Failure(String),
}

impl Shape {
    pub fn of(outcome: &OutcomeRef<'_>) -> Self {
        match outcome {
            OutcomeRef::Number(x) if x.is_nan() => Self::NaN,
            OutcomeRef::Number(x) if *x == f64::INFINITY => Self::Infinity,
            OutcomeRef::Number(x) if *x == f64::NEG_INFINITY => Self::NegativeInfinity,
            OutcomeRef::Number(x) if *x == 0.0 && x.is_sign_negative() => Self::NegativeZero,
            OutcomeRef::Number(_) => Self::Number,
            OutcomeRef::Integer(_) => Self::Integer,
            OutcomeRef::Text("") => Self::EmptyText,
            OutcomeRef::Text(_) => Self::Text,
            OutcomeRef::Vector(vector) => Self::Vector {
                length: vector.len(),
                missing: vector.iter().filter(|x| x.is_nan()).count(),
                infinite: vector.iter().any(|x| x.is_infinite()),
            },
            OutcomeRef::Keyed(keyed) => Self::Keyed(keyed.len()),
            OutcomeRef::Structure("null") => Self::Nothing,
            OutcomeRef::Structure(_) => Self::Structure,
            OutcomeRef::Failure(message) => Self::Failure((*message).to_owned()),
        }
    }

    pub fn words(&self) -> String {
        match self {
            Self::Number => "a finite number".into(),
            Self::NaN => "NaN".into(),
            Self::Infinity => "+infinity".into(),
            Self::NegativeInfinity => "-infinity".into(),
            Self::NegativeZero => "-0".into(),
            Self::Integer => "an integer".into(),
            Self::EmptyText => "an empty text".into(),
            Self::Text => "a text".into(),
            Self::Vector { length: 0, .. } => "an empty vector".into(),
            Self::Vector { length, missing, infinite } => {
                let missing = match missing {
                    0 => String::new(),
                    n => format!(", {n} of them missing"),
                };
                let infinite = if *infinite { ", some infinite" } else { "" };
                format!("a vector of {length} entries{missing}{infinite}")
            }
            Self::Keyed(0) => "an empty set or map".into(),
            Self::Keyed(1) => "a set or map of 1 key".into(),
            Self::Keyed(keys) => format!("a set or map of {keys} keys"),
            Self::Nothing => "nothing".into(),
            Self::Structure => "a structure".into(),
            Self::Failure(message) => format!("failure ({message})"),
        }
    }
}

/// Index of an outcome's shape among these; their number if it is absent.
pub(crate) fn find_shape(shapes: &[Shape], outcome: &OutcomeRef<'_>) -> usize {
    shapes.binary_search(&Shape::of(outcome)).unwrap_or(shapes.len())
}
