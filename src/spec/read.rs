//! Reading TOML values with their places.

use super::error::Mistake;
use plaudit_accountant::near::nearest;
use std::ops::Range;
use toml::de::{DeArray, DeTable, DeValue};

pub(super) type SpannedValue<'i> = toml::Spanned<DeValue<'i>>;

/// A table whose keys are known.
pub(super) struct Fields<'a, 'i> {
    what: String,
    span: Range<usize>,
    table: &'a DeTable<'i>,
}

impl<'a, 'i> Fields<'a, 'i> {
    /// A table that represents `what` ("a pair").
    pub fn new(what: &str, span: Range<usize>, table: &'a DeTable<'i>) -> Self {
        Self { what: what.to_owned(), span, table }
    }

    /// A value that must be a table; `example` shows one.
    pub fn of(what: &str, value: &'a SpannedValue<'i>, example: &str) -> Result<Self, Mistake> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(Self::new(what, value.span(), table)),
            other => {
                Err(wrong_type(value, what, other, "a table", &format!("for example {example}")))
            }
        }
    }

    pub fn call(&mut self, what: String) {
        self.what = what;
    }

    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub fn get(&self, key: &str) -> Option<&'a SpannedValue<'i>> {
        self.table.get(key)
    }

    /// Value of a required key; `remedy` describes what to write.
    pub fn require(&self, key: &str, remedy: &str) -> Result<&'a SpannedValue<'i>, Mistake> {
        self.get(key).ok_or_else(|| {
            Mistake::new(self.span(), format!("{} has no `{key}`", self.what), remedy)
        })
    }

    /// One mistake for each key that is not among those known.
    pub fn unknown_keys(&self, known: &[&str]) -> Vec<Mistake> {
        self.table
            .keys()
            .filter(|key| !known.contains(&key.get_ref().as_ref()))
            .map(|key| {
                let message = format!("unknown key `{}` in {}", key.get_ref(), self.what);
                Mistake::new(key.span(), message, did_you_mean(key.get_ref(), known, "keys"))
            })
            .collect()
    }

    /// Keys and values, by key in the order of the alphabet.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, &'a SpannedValue<'i>)> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), value))
    }
}

/// Notes the mistake, if it is one.
pub(super) fn keep<T>(mistakes: &mut Vec<Mistake>, result: Result<T, Mistake>) -> Option<T> {
    result.map_err(|mistake| mistakes.push(mistake)).ok()
}

pub(super) fn number(value: &SpannedValue<'_>, what: &str) -> Result<f64, Mistake> {
    let help = "write a number such as 1.0 or 1e-5";
    match value.get_ref() {
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(x) if x.is_finite() || float.as_str().contains(['i', 'n']) => Ok(x),
            _ => Err(too_large(value, what)),
        },
        DeValue::Integer(_) => match integer(value) {
            // Beyond 2^53 a float would also have been rounded.
            #[allow(clippy::cast_precision_loss)]
            Some(x) => Ok(x as f64),
            None => Err(too_large(value, what)),
        },
        other => Err(wrong_type(value, what, other, "a number", help)),
    }
}

pub(super) fn finite(value: &SpannedValue<'_>, what: &str) -> Result<f64, Mistake> {
    let x = number(value, what)?;
    if x.is_finite() {
        Ok(x)
    } else {
        let message = format!("{what} is {x}, which is impossible");
        Err(Mistake::new(value.span(), message, "write a finite number"))
    }
}

/// A whole number that is not negative; `1e6` is also one.
pub(super) fn whole(value: &SpannedValue<'_>, what: &str) -> Result<u64, Mistake> {
    let help = "write a whole number, at least 0, that 64 bits hold";
    let wrong = |given: String| {
        let message = format!("{what} must be a whole number, at least 0, not {given}");
        Mistake::new(value.span(), message, help)
    };
    match value.get_ref() {
        DeValue::Integer(given) => integer(value)
            .and_then(|x| u64::try_from(x).ok())
            .ok_or_else(|| wrong(given.to_string())),
        DeValue::Float(given) => {
            let x = number(value, what)?;
            if x.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&x) {
                // Whole and at most 2^53: the conversion is exact.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Ok(x as u64)
            } else {
                Err(wrong(given.to_string()))
            }
        }
        other => Err(wrong_type(value, what, other, "a whole number", help)),
    }
}

pub(super) fn boolean(value: &SpannedValue<'_>, what: &str) -> Result<bool, Mistake> {
    match value.get_ref() {
        DeValue::Boolean(yes) => Ok(*yes),
        other => Err(wrong_type(value, what, other, "true or false", "write it without quotes")),
    }
}

pub(super) fn text<'a>(value: &'a SpannedValue<'_>, what: &str) -> Result<&'a str, Mistake> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        other => Err(wrong_type(value, what, other, "a string", "put it in quotes")),
    }
}

pub(super) fn list<'a, 'i>(
    value: &'a SpannedValue<'i>,
    what: &str,
    example: &str,
) -> Result<&'a DeArray<'i>, Mistake> {
    match value.get_ref() {
        DeValue::Array(array) => Ok(array),
        other => Err(wrong_type(value, what, other, "an array", &format!("for example {example}"))),
    }
}

/// A TOML integer, if 128 bits hold it.
pub(super) fn integer(value: &SpannedValue<'_>) -> Option<i128> {
    match value.get_ref() {
        DeValue::Integer(x) => i128::from_str_radix(x.as_str(), x.radix()).ok(),
        _ => None,
    }
}

/// "did you mean …?" if something known is near, else what is known.
pub(super) fn did_you_mean(given: &str, known: &[&str], of_what: &str) -> String {
    let all = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match nearest(given, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => format!("there are no {of_what} here"),
        None => format!("the {of_what} are {all}"),
    }
}

fn too_large(value: &SpannedValue<'_>, what: &str) -> Mistake {
    let message = format!("{what} is too large a number");
    Mistake::new(value.span(), message, "write a number that 64 bits hold")
}

fn wrong_type(
    value: &SpannedValue<'_>,
    what: &str,
    found: &DeValue<'_>,
    wanted: &str,
    help: &str,
) -> Mistake {
    let found = match found {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    };
    Mistake::new(value.span(), format!("{what} must be {wanted}, not {found}"), help)
}
