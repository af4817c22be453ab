//! Recorded outcomes as values, however two programs spell them.
//!
//! | spelled | value |
//! |---|---|
//! | `1`, `1.0`, `1e+00`, `"1"`, `[1]` | the number 1 |
//! | `true`, `True`, `TRUE` | the number 1 |
//! | an empty cell, `NA`, `null`, `None`, `NaN` | NaN |
//! | `-0.0` | 0 |
//! | float32 against float64, few digits against many | rounded to what the coarser file holds |

use super::{File, Recordings};
use crate::mechanism::{Outcome, OutcomeRef, Outcomes, Trouble};
use plaudit_core::blank::is_missing;
use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

/// Outcomes of a side that determine its spelling.
const LOOKED_AT: usize = 1 << 16;
/// Digits by which two files must differ.
const APART: usize = 2;
/// Magnitude below which each integer is a distinct double.
const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Precision {
    /// Precision of a float32, if one file has float32.
    single: bool,
    /// Digits behind the decimal point, if one file has fewer.
    decimals: Option<usize>,
    /// Digits in total, if one file has fewer.
    digits: Option<usize>,
}

/// Spelling of a file's values.
#[derive(Debug, Default)]
struct Spelling {
    kinds: BTreeSet<String>,
    /// `true` if there are fractional numbers, and all are float32.
    single: Option<bool>,
    /// Most digits behind the decimal point, and in total.
    decimals: usize,
    digits: usize,
}

/// Guard: outcomes are seen as values while it lives.
pub struct AsValues<'a>(&'a Recordings);

impl Drop for AsValues<'_> {
    fn drop(&mut self) {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner).as_values = None;
    }
}

impl Recordings {
    /// Differences in the two files' spelling of values, in words; outcomes are seen as values
    /// while the guard lives. `None` if both spell alike, or cannot be read.
    pub fn as_values(&self) -> Option<(AsValues<'_>, String)> {
        let [d, d_prime] = &self.files;
        let (d, d_prime) = (Spelling::of(d).ok()?, Spelling::of(d_prime).ok()?);
        let precision = Precision::of(&d, &d_prime);
        let alone = |one: &Spelling, other: &Spelling| {
            one.kinds.difference(&other.kinds).cloned().collect::<Vec<_>>().join(", ")
        };
        let mut sides = Vec::new();
        for (name, one, other) in [("D", &d, &d_prime), ("D′", &d_prime, &d)] {
            match alone(one, other) {
                words if words.is_empty() => {}
                words => sides.push(format!("that of {name} alone has {words}")),
            }
        }
        sides.extend(precision.words());
        if sides.is_empty() {
            return None;
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).as_values = Some(precision);
        Some((AsValues(self), sides.join("; ")))
    }
}

impl Spelling {
    fn of(file: &File) -> Result<Self, Trouble> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let (mut spelling, mut left) = (Self::default(), LOOKED_AT);
        let keep = || {
            left = left.saturating_sub(1);
            left > 0
        };
        file.pass_most(LOOKED_AT as u64, &NEVER, keep, |outcomes| {
            outcomes.iter().for_each(|outcome| spelling.look(&outcome));
        })?;
        Ok(spelling)
    }

    fn look(&mut self, outcome: &OutcomeRef<'_>) {
        let kind = match outcome {
            OutcomeRef::Integer(_) => "integers".to_owned(),
            OutcomeRef::Number(x) => match self.look_at(*x) {
                Some(kind) => kind.to_owned(),
                None => return,
            },
            OutcomeRef::Vector([x]) => {
                self.look_at(*x);
                "lists of one number".to_owned()
            }
            OutcomeRef::Vector(values) => return values.iter().for_each(|x| _ = self.look_at(*x)),
            OutcomeRef::Text("") => "empty cells".to_owned(),
            OutcomeRef::Text(word) if is_missing(word) || truth(word).is_some() => {
                format!("`{word}`")
            }
            OutcomeRef::Text(word) if word.trim().parse::<f64>().is_ok() => {
                "numbers in quotes".to_owned()
            }
            OutcomeRef::Structure("null") => "`null`".to_owned(),
            _ => return,
        };
        self.kinds.insert(kind);
    }

    fn look_at(&mut self, x: f64) -> Option<&'static str> {
        if x.is_nan() {
            return Some("`NaN`");
        }
        if !x.is_finite() {
            return None;
        }
        if x.fract() == 0.0 {
            return Some("whole numbers with a decimal point or an exponent, such as `1.0`");
        }
        self.single = Some(self.single.unwrap_or(true) && f64::from(x as f32) == x);
        let words = format!("{x:e}");
        let (mantissa, exponent) = words.split_once('e').unwrap_or((&words, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
        let behind = (digits as i64 - 1 - exponent.parse::<i64>().unwrap_or(0)).max(0);
        self.digits = self.digits.max(digits);
        self.decimals = self.decimals.max(usize::try_from(behind).unwrap_or(0));
        None
    }
}

impl Precision {
    fn of(d: &Spelling, d_prime: &Spelling) -> Self {
        let (Some(one), Some(other)) = (d.single, d_prime.single) else { return Self::default() };
        if one != other {
            return Self { single: true, ..Self::default() };
        }
        let fewer =
            |one: usize, other: usize| (one.abs_diff(other) >= APART).then_some(one.min(other));
        let digits = fewer(d.digits, d_prime.digits);
        let decimals = fewer(d.decimals, d_prime.decimals).filter(|_| digits.is_some());
        Self { single: false, decimals, digits }
    }

    fn words(self) -> Option<String> {
        match self {
            Self { single: true, .. } => Some("the numbers of one are float32".into()),
            Self { digits: Some(digits), .. } => {
                Some(format!("the numbers of one have at most {digits} digits"))
            }
            _ => None,
        }
    }

    fn round(self, x: f64) -> f64 {
        if !x.is_finite() {
            return x;
        }
        let mut rounded = if self.single { f64::from(x as f32) } else { x };
        if let Some(decimals) = self.decimals {
            rounded = format!("{rounded:.decimals$}").parse().unwrap_or(rounded);
        }
        if let Some(digits) = self.digits {
            let behind = digits.saturating_sub(1);
            rounded = format!("{rounded:.behind$e}").parse().unwrap_or(rounded);
        }
        rounded + 0.0
    }
}

pub(super) fn of_batch(outcomes: &Outcomes, precision: Precision) -> Outcomes {
    let mut values = Outcomes::new();
    outcomes.iter().for_each(|outcome| values.push(value(&outcome, precision)));
    values
}

fn value(outcome: &OutcomeRef<'_>, precision: Precision) -> Outcome {
    let number = |x: f64| Outcome::Number(if x.is_nan() { f64::NAN } else { precision.round(x) });
    match *outcome {
        OutcomeRef::Number(x) if x.fract() == 0.0 && x.abs() >= EXACT => whole(x),
        OutcomeRef::Number(x) => number(x),
        #[allow(clippy::cast_precision_loss)] // it is exact
        OutcomeRef::Integer(i) if (i.unsigned_abs() as f64) < EXACT => number(i as f64),
        OutcomeRef::Vector([x]) => number(*x),
        OutcomeRef::Vector(values) => Outcome::Vector(
            values
                .iter()
                .map(|x| if x.is_nan() { f64::NAN } else { precision.round(*x) })
                .collect(),
        ),
        OutcomeRef::Structure("null") => Outcome::Number(f64::NAN),
        OutcomeRef::Text(word) | OutcomeRef::Structure(word) => match word.trim() {
            word if is_missing(word) => Outcome::Number(f64::NAN),
            word => match (truth(word), word.parse::<i64>(), word.parse::<f64>()) {
                (Some(truth), ..) => number(f64::from(u8::from(truth))),
                (_, Ok(i), _) => value(&OutcomeRef::Integer(i), precision),
                // Beyond 64 bits a double may not hold it.
                (_, _, Ok(_)) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Outcome::Text(word.to_owned())
                }
                (_, _, Ok(x)) => value(&OutcomeRef::Number(x), precision),
                _ => outcome.to_owned(),
            },
        },
        _ => outcome.to_owned(),
    }
}

/// A large whole number, as an integer writes it.
fn whole(x: f64) -> Outcome {
    let words = format!("{x:.0}");
    words.parse().map_or(Outcome::Text(words), Outcome::Integer)
}

fn truth(word: &str) -> Option<bool> {
    match word.trim() {
        word if word.eq_ignore_ascii_case("true") => Some(true),
        word if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/recorded/values.rs"]
mod tests;
