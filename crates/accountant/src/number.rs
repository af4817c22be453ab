//! Numbers as people and JSON write them. JSON has no NaN and no infinities: those are the strings
//! "NaN", "+infinity" and "-infinity". Use with `#[serde(with = "…")]` and
//! [`one`] or [`list`].

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Bytes in hexadecimal digits, such as a SHA-256.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Number for people: shortest exact decimal, with words if it is not finite.
pub fn words(x: f64) -> Cow<'static, str> {
    if x.is_nan() {
        Cow::Borrowed("NaN")
    } else if x == f64::INFINITY {
        Cow::Borrowed("+infinity")
    } else if x == f64::NEG_INFINITY {
        Cow::Borrowed("-infinity")
    } else if x == 0.0 && x.is_sign_negative() {
        Cow::Borrowed("-0")
    } else if x != 0.0 && !(1e-5..1e15).contains(&x.abs()) {
        Cow::Owned(format!("{x:e}"))
    } else {
        Cow::Owned(format!("{x}"))
    }
}

const FLOAT32: &str = " (float32)";
/// Digits of a double from which on it is long.
const LONG: usize = 15;
/// Maximum digits of a float32 shown as one: those that every float32 keeps. Few numbers on a grid of powers of two,
/// which float32 often holds as well, have such a short name.
const SHORT: usize = 6;

/// Number that a mechanism released, for people: like [`words`], except that a long number that is the float32 nearest
/// to a short decimal is that decimal with its type: "0.1 (float32)" for 0.10000000149011612. Either identifies the
/// number exactly, and no two numbers are written alike.
pub fn released(x: f64) -> Cow<'static, str> {
    let own = words(x);
    #[allow(clippy::cast_possible_truncation)] // what is not a float32 is found out
    let single = x as f32;
    let is_whole = x.fract() == 0.0 && x.abs() < 1e15;
    if !x.is_finite() || f64::from(single) != x || is_whole || digits(&own) < LONG {
        return own;
    }
    let short = if own.contains('e') { format!("{single:e}") } else { format!("{single}") };
    if digits(&short) <= SHORT { Cow::Owned(short + FLOAT32) } else { own }
}

/// Significant digits of a number in words.
fn digits(words: &str) -> usize {
    let mantissa = words.split('e').next().unwrap_or_default();
    let digits = mantissa.chars().filter(char::is_ascii_digit);
    digits.skip_while(|digit| *digit == '0').count()
}

/// A count with its thousands apart: `790 112`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(" ")
}

/// A number in at most four significant digits: "0.6931", "1e-5", "-12.35", "∞", "NaN".
pub fn brief(x: f64) -> String {
    significant(x, 4)
}

/// A number in at most `digits` significant digits.
pub fn significant(x: f64, digits: usize) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "∞".into() } else { "-∞".into() };
    }
    if x == 0.0 {
        return "0".into();
    }
    // Rounded first, so that 9.9996 counts as 10.
    let written = format!("{:.*e}", digits - 1, x);
    let (mantissa, exponent) = written.split_once('e').expect("`{:e}` writes an exponent");
    let power: i32 = exponent.parse().expect("`{:e}` writes an integer exponent");
    if (-4..6).contains(&power) {
        let decimals = usize::try_from(digits as i32 - 1 - power).unwrap_or(0);
        let plain = format!("{x:.decimals$}");
        return trim_zeros(&plain).to_owned();
    }
    format!("{}e{power}", trim_zeros(mantissa))
}

fn trim_zeros(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundingSide {
    Down,
    Up,
    /// To the nearest: what is exact.
    Near,
}

/// Number in enough significant digits to differ from `other`, at least four; the text is above or below `other` where
/// the number is.
pub fn apart(x: f64, other: f64, side: RoundingSide) -> String {
    let four = match side {
        RoundingSide::Down => lower(x),
        RoundingSide::Up => upper(x),
        RoundingSide::Near => brief(x),
    };
    if !x.is_finite() || !other.is_finite() {
        return four;
    }
    let more = (5..=17).map(|digits| significant(x, digits));
    let is_safe = |written: f64| match side {
        RoundingSide::Down => written <= x,
        RoundingSide::Up => written >= x,
        RoundingSide::Near => true,
    };
    let told = |written: f64| (x <= other || written > other) && (x >= other || written < other);
    let mut all = std::iter::once(four).chain(more);
    let is_right = |words: &String| words.parse().is_ok_and(|x| is_safe(x) && told(x));
    all.find(is_right).unwrap_or_else(|| words(x).into_owned())
}

/// Number that a user chose: exact if seven digits are enough, else in four significant digits, or more if it would
/// pass for a rounder one.
pub fn chosen(x: f64) -> String {
    let is_exact = |words: &String| words.parse::<f64>().is_ok_and(|written| written == x);
    if let Some(exact) = (4..=7).map(|digits| significant(x, digits)).find(is_exact) {
        return exact;
    }
    let mut all = (4..=17).map(|digits| (digits, significant(x, digits)));
    let rounder = |(most, words): &(usize, String)| digits(words) < *most;
    all.find(|each| !rounder(each)).map_or_else(|| words(x).into_owned(), |(_, words)| words)
}

/// A certified lower bound in at most four significant digits, never rounded up.
pub fn lower(x: f64) -> String {
    if !x.is_finite() || x <= 0.0 {
        return brief(x);
    }
    let scale = 10_f64.powi(3 - x.log10().floor() as i32);
    let floored = (x * scale).floor() / scale;
    brief(if floored.is_finite() { floored } else { x })
}

/// An upper bound in at most four significant digits, never rounded down.
pub fn upper(x: f64) -> String {
    let near = brief(x);
    if !x.is_finite() || x <= 0.0 || near.parse::<f64>().is_ok_and(|near| near >= x) {
        return near;
    }
    let scale = 10_f64.powi(3 - x.log10().floor() as i32);
    let raised = (x * scale).ceil() / scale;
    brief(if raised.is_finite() { raised } else { x })
}

/// P-value in a sentence, never rounded down: "p ≤ 1e-9", "p = 0.31". All are bounds; small ones, which may be the
/// floor of a test, are shown as such.
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 1e-300 => "p ≤ 1e-300".into(),
        p if p < 0.01 => format!("p ≤ {}", upper(p)),
        p => format!("p = {}", upper(p)),
    }
}

/// A lower bound in four decimals, never rounded up.
pub fn floored(x: f64) -> String {
    let floor = (x * 1e4).floor() / 1e4;
    // The product may have been rounded up to an integer.
    let floor = if floor > x { floor - 1e-4 } else { floor };
    format!("{floor:.4}")
}

/// One number as JSON writes it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenNumber {
    Number(f64),
    Word(String),
}

impl From<f64> for WrittenNumber {
    fn from(x: f64) -> Self {
        if x.is_finite() { Self::Number(x) } else { Self::Word(words(x).into_owned()) }
    }
}

impl WrittenNumber {
    fn read<E: serde::de::Error>(self) -> Result<f64, E> {
        match self {
            Self::Number(x) => Ok(x),
            Self::Word(word) => match word.as_str() {
                "NaN" => Ok(f64::NAN),
                "+infinity" => Ok(f64::INFINITY),
                "-infinity" => Ok(f64::NEG_INFINITY),
                _ => Err(E::custom(format!("`{word}` is not a number"))),
            },
        }
    }
}

pub mod one {
    use super::WrittenNumber;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes a number.
    ///
    /// # Errors
    /// As the serializer does.
    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenNumber::from(*value).serialize(serializer)
    }

    /// Reads a number.
    ///
    /// # Errors
    /// If it is neither a number nor one of the three words.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        WrittenNumber::deserialize(deserializer)?.read()
    }
}

pub mod list {
    use super::WrittenNumber;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a list of numbers.
    ///
    /// # Errors
    /// As the serializer does.
    pub fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|&x| WrittenNumber::from(x)))
    }

    /// Reads a list of numbers.
    ///
    /// # Errors
    /// If an entry is neither a number nor one of the three words.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        Vec::<WrittenNumber>::deserialize(deserializer)?
            .into_iter()
            .map(WrittenNumber::read)
            .collect()
    }
}

#[cfg(test)]
#[path = "../tests/unit/number.rs"]
mod tests;
