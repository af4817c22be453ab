//! Results that an adversary sees: one [`Outcome`], or a batch of them in columns ([`Outcomes`]).
//!
//! Everything that an observer can distinguish is an outcome: a value, but also a failure (a panic,
//! an exception, a timeout), a NaN, an infinity, an empty vector. Outcomes are never dropped.

use super::keyed::{Entry, Keyed};

/// One released outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A real number; NaN, infinities and −0 are outcomes like any other.
    Number(f64),
    Integer(i64),
    /// A word: a category, a string, the name of a winner.
    Text(String),
    /// A list of numbers, of any length. A missing entry ("below the threshold") is NaN.
    Vector(Vec<f64>),
    /// A set of keys, or a map from keys to values.
    Keyed(Keyed),
    /// Anything else (null, nested lists), as canonical JSON, compared as a whole.
    Structure(String),
    /// The mechanism failed visibly, with this message.
    Failure(String),
}

impl From<f64> for Outcome {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}
impl From<i64> for Outcome {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}
impl From<u64> for Outcome {
    /// Values above `i64::MAX` become text, so that they stay distinct.
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer)
    }
}
impl From<usize> for Outcome {
    fn from(value: usize) -> Self {
        Self::from(value as u64)
    }
}
impl From<i32> for Outcome {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}
impl From<u32> for Outcome {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}
impl From<bool> for Outcome {
    fn from(value: bool) -> Self {
        Self::Integer(value.into())
    }
}
impl From<String> for Outcome {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}
impl From<&str> for Outcome {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}
impl From<Vec<f64>> for Outcome {
    fn from(value: Vec<f64>) -> Self {
        Self::Vector(value)
    }
}
impl From<Keyed> for Outcome {
    fn from(value: Keyed) -> Self {
        Self::Keyed(value)
    }
}
impl From<std::collections::BTreeSet<String>> for Outcome {
    fn from(value: std::collections::BTreeSet<String>) -> Self {
        Self::Keyed(value.into())
    }
}
impl From<std::collections::BTreeMap<String, f64>> for Outcome {
    fn from(value: std::collections::BTreeMap<String, f64>) -> Self {
        Self::Keyed(value.into())
    }
}
impl<S> From<std::collections::HashSet<String, S>> for Outcome {
    fn from(keys: std::collections::HashSet<String, S>) -> Self {
        Self::Keyed(keys.into_iter().collect())
    }
}
impl<S> From<std::collections::HashMap<String, f64, S>> for Outcome {
    fn from(map: std::collections::HashMap<String, f64, S>) -> Self {
        Self::Keyed(Keyed::new(map.into_iter().map(|(key, x)| (key, Entry::Number(x)))))
    }
}
impl<T: Into<Outcome>, E: std::fmt::Display> From<Result<T, E>> for Outcome {
    fn from(value: Result<T, E>) -> Self {
        match value {
            Ok(value) => value.into(),
            Err(error) => Self::Failure(error.to_string()),
        }
    }
}
impl<T: Into<Outcome>> From<Option<T>> for Outcome {
    /// `None` is an outcome of its own, a failure that equals no text.
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self::Failure("None".into()), Into::into)
    }
}

/// A borrowed look at one outcome of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum OutcomeRef<'a> {
    /// See [`Outcome::Number`].
    Number(f64),
    /// See [`Outcome::Integer`].
    Integer(i64),
    /// See [`Outcome::Text`].
    Text(&'a str),
    /// See [`Outcome::Vector`].
    Vector(&'a [f64]),
    /// See [`Outcome::Keyed`].
    Keyed(&'a Keyed),
    /// See [`Outcome::Structure`].
    Structure(&'a str),
    /// See [`Outcome::Failure`].
    Failure(&'a str),
}

impl Outcome {
    pub fn as_ref(&self) -> OutcomeRef<'_> {
        match self {
            Self::Number(x) => OutcomeRef::Number(*x),
            Self::Integer(i) => OutcomeRef::Integer(*i),
            Self::Text(s) => OutcomeRef::Text(s),
            Self::Vector(v) => OutcomeRef::Vector(v),
            Self::Keyed(k) => OutcomeRef::Keyed(k),
            Self::Structure(s) => OutcomeRef::Structure(s),
            Self::Failure(m) => OutcomeRef::Failure(m),
        }
    }
}

impl OutcomeRef<'_> {
    /// Approximate bytes beyond its fixed size.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Number(_) | Self::Integer(_) => 0,
            Self::Text(words) | Self::Structure(words) | Self::Failure(words) => words.len(),
            Self::Vector(values) => 8 * values.len(),
            Self::Keyed(keyed) => keyed.bytes(),
        }
    }

    pub fn to_owned(&self) -> Outcome {
        match *self {
            Self::Number(x) => Outcome::Number(x),
            Self::Integer(i) => Outcome::Integer(i),
            Self::Text(s) => Outcome::Text(s.to_owned()),
            Self::Vector(v) => Outcome::Vector(v.to_vec()),
            Self::Keyed(k) => Outcome::Keyed(k.clone()),
            Self::Structure(s) => Outcome::Structure(s.to_owned()),
            Self::Failure(m) => Outcome::Failure(m.to_owned()),
        }
    }
}

impl From<f64> for OutcomeRef<'_> {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl<'a> From<&'a [f64]> for OutcomeRef<'a> {
    fn from(value: &'a [f64]) -> Self {
        Self::Vector(value)
    }
}
