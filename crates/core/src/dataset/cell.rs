//! Entries of tables, and of lists for programs.

use plaudit_accountant::number::words;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One entry of a table, or of a list for a program. It keeps how it was written: a program gets `0` as 0,
/// `0.0` as 0.0, and `"0"` as a string.
///
/// Numbers are equal if their values are: 0 and 0.0 are one value.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A whole number, written as one.
    Whole(i64),
    /// A double, finite.
    Number(f64),
    Bool(bool),
    /// Text; empty where the file has nothing.
    Text(String),
}

impl Cell {
    /// The number, if it is one; whole numbers beyond 2⁵³ are rounded.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(x) => Some(*x as f64),
            Self::Number(x) => Some(*x),
            Self::Bool(_) | Self::Text(_) => None,
        }
    }

    /// The value as a word of its own: a text without quotes.
    pub fn key(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// An entry of a list of JSON, if it can be a cell.
    pub fn of_json(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(yes) => Some(Self::Bool(*yes)),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => {
                number.as_i64().map(Self::Whole).or_else(|| double(number).map(Self::Number))
            }
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    pub fn to_json(&self) -> Value {
        match self {
            Self::Whole(x) => Value::from(*x),
            Self::Number(x) => Value::from(*x),
            Self::Bool(yes) => Value::from(*yes),
            Self::Text(text) => Value::from(text.as_str()),
        }
    }

    /// `true` if two cells hold the same datum: −0 and 0 are different numbers.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a == b,
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => self == other && a.to_bits() == b.to_bits(),
                _ => self == other,
            },
        }
    }

    /// `true` if a cell of a CSV file is a whole number that neither 64 bits nor a double hold.
    pub(super) fn is_too_large(text: &str) -> bool {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let held = |x: f64| format!("{:.0}", x.abs()) == digits.trim_start_matches('0');
        is_whole && text.parse::<i64>().is_err() && !text.parse().is_ok_and(held)
    }

    /// A cell of a CSV file: a number if all of it reads as a finite one, else text.
    pub(super) fn read(text: &str) -> Self {
        if let Ok(x) = text.parse::<i64>() {
            return Self::Whole(x);
        }
        match text.parse::<f64>() {
            Ok(x) if x.is_finite() => Self::Number(x),
            _ => Self::Text(text.to_owned()),
        }
    }

    /// A whole number becomes a double.
    pub(super) fn make_double(&mut self) {
        if let Self::Whole(x) = *self {
            *self = Self::Number(x as f64);
        }
    }
}

/// A number that a double holds.
fn double(number: &serde_json::Number) -> Option<f64> {
    let exact = |whole: u64| (whole as f64) < u64::MAX as f64 && whole as f64 as u64 == whole;
    number.as_u64().is_none_or(exact).then(|| number.as_f64()).flatten()
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        // A double that is whole: beyond 2⁶³ the conversion stops at an end, which is another number.
        let same = |whole: i64, x: f64| whole as f64 == x && x as i64 == whole;
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Whole(a), Self::Number(b)) | (Self::Number(b), Self::Whole(a)) => same(*a, *b),
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            _ => false,
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(x) => write!(f, "{x}"),
            Self::Number(x) => f.write_str(&words(*x)),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// By hand, because a derived untagged enum forgets where in the file the value stood.
impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CellVisitor;
        impl Visitor<'_> for CellVisitor {
            type Value = Cell;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a finite number, text, true or false")
            }
            fn visit_f64<E: serde::de::Error>(self, x: f64) -> Result<Cell, E> {
                if x.is_finite() {
                    Ok(Cell::Number(x))
                } else {
                    Err(E::custom(format!("{} cannot be a cell: give a finite number", words(x))))
                }
            }
            fn visit_i64<E: serde::de::Error>(self, x: i64) -> Result<Cell, E> {
                Ok(Cell::Whole(x))
            }
            fn visit_u64<E: serde::de::Error>(self, x: u64) -> Result<Cell, E> {
                let rounded = x as f64;
                match i64::try_from(x) {
                    Ok(whole) => Ok(Cell::Whole(whole)),
                    // 2^64 exceeds a u64.
                    Err(_) if rounded < 18_446_744_073_709_551_616.0 && rounded as u64 == x => {
                        Ok(Cell::Number(rounded))
                    }
                    Err(_) => Err(E::custom(format!(
                        "{x} is beyond 64 bits with a sign, and a double would lose its last digits: give it as a text"
                    ))),
                }
            }
            fn visit_bool<E: serde::de::Error>(self, yes: bool) -> Result<Cell, E> {
                Ok(Cell::Bool(yes))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Cell, E> {
                Ok(Cell::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(CellVisitor)
    }
}
