//! Values of a line, and their outcomes.

use crate::mechanism::keyed::{Entry, Keyed};
use crate::mechanism::outcome::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Magnitude up to which each integer is a distinct double.
const EXACT: u64 = 1 << 53;

/// A JSON value, including values that programs print and JSON lacks.
pub(crate) enum JsonValue {
    Null,
    Number(f64),
    Integer(i64),
    /// An integer beyond 64 bits, as written.
    Large(String),
    Text(String),
    /// A list of numbers, each of which a double holds.
    Vector(Vec<f64>),
    List(Vec<Self>),
    Object(BTreeMap<String, Self>),
    Set(BTreeSet<String>),
    Error(String),
    Timed {
        nanoseconds: u64,
        value: Box<Self>,
    },
}

impl JsonValue {
    /// The double, if it is a number that one holds exactly.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Self::Number(x) => Some(x),
            #[allow(clippy::cast_precision_loss)] // it is exact up to 2^53
            Self::Integer(i) if i.unsigned_abs() <= EXACT => Some(i as f64),
            _ => None,
        }
    }

    pub fn into_outcome(self) -> Outcome {
        match self {
            Self::Number(x) => Outcome::Number(x),
            Self::Integer(i) => Outcome::Integer(i),
            Self::Text(words) => Outcome::Text(words),
            Self::Vector(values) => Outcome::Vector(values),
            Self::Error(message) => Outcome::Failure(message),
            Self::Set(keys) => Outcome::Keyed(keys.into()),
            Self::Object(entries) => {
                let entry = |value: Self| match value.number() {
                    Some(x) => Entry::Number(x),
                    None => Entry::Other(value.canonical()),
                };
                let entries = entries.into_iter().map(|(key, value)| (key, entry(value)));
                Outcome::Keyed(Keyed::new(entries))
            }
            Self::Null | Self::Large(_) | Self::List(_) => Outcome::Structure(self.canonical()),
            Self::Timed { value, .. } => value.into_outcome(),
        }
    }

    /// Canonical JSON: keys ascending, numbers as short as possible, no spaces.
    pub fn canonical(&self) -> String {
        let mut words = String::new();
        self.write(write_number, &mut words);
        words
    }

    /// Writes canonical JSON without the words NaN and Infinity, which JSON does not have.
    pub fn write_strictly(&self, words: &mut String) {
        self.write(write_strict_number, words);
    }

    fn write(&self, number: fn(f64, &mut String), words: &mut String) {
        match self {
            Self::Null => words.push_str("null"),
            Self::Number(x) => number(*x, words),
            Self::Integer(i) => write_display(i, words),
            Self::Large(digits) => words.push_str(digits),
            Self::Text(text) => write_text(text, words),
            Self::Vector(values) => {
                write_list(values, '[', words, |x, words| number(*x, words));
                words.push(']');
            }
            Self::List(values) => {
                write_list(values, '[', words, |value, words| value.write(number, words));
                words.push(']');
            }
            Self::Object(entries) => {
                write_list(entries, '{', words, |(key, value), words| {
                    write_text(key, words);
                    words.push(':');
                    value.write(number, words);
                });
                words.push('}');
            }
            Self::Set(keys) => {
                words.push_str("{\"$set\":");
                write_list(keys, '[', words, |key, words| write_text(key, words));
                words.push_str("]}");
            }
            Self::Error(message) => write_text(message, words),
            Self::Timed { value, .. } => value.write(number, words),
        }
    }
}

fn write_list<T>(
    values: impl IntoIterator<Item = T>,
    open: char,
    words: &mut String,
    write: impl Fn(T, &mut String),
) {
    words.push(open);
    for (place, value) in values.into_iter().enumerate() {
        if place > 0 {
            words.push(',');
        }
        write(value, words);
    }
}

fn write_display(value: impl std::fmt::Display, words: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(words, "{value}");
}

/// A number as in a line: the shortest digits that give the same double.
fn write_number(x: f64, words: &mut String) {
    if x.is_nan() {
        words.push_str("NaN");
    } else if x.is_infinite() {
        words.push_str(if x > 0.0 { "Infinity" } else { "-Infinity" });
    } else if x.fract() == 0.0 && x.abs() <= EXACT as f64 {
        write_display(x, words);
    } else {
        let _ = write!(words, "{x:?}");
    }
}

/// A number in strict JSON: an object if it is not finite.
pub(super) fn write_strict_number(x: f64, words: &mut String) {
    if x.is_finite() {
        write_number(x, words);
    } else {
        let word = if x.is_nan() {
            "nan"
        } else if x > 0.0 {
            "inf"
        } else {
            "-inf"
        };
        let _ = write!(words, "{{\"$number\":\"{word}\"}}");
    }
}

pub(super) fn write_text(text: &str, words: &mut String) {
    write_display(serde_json::Value::from(text), words);
}

pub(crate) fn canonical_text(text: &str) -> String {
    let mut words = String::new();
    write_text(text, &mut words);
    words
}
