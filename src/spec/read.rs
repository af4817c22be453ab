//! Reading TOML values with their places.

use super::error::{Checked, Mistake};
use plaudit_accountant::near::nearest;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeArray, DeTable, DeValue};

pub(super) type Value<'i> = toml::Spanned<DeValue<'i>>;

/// Something with a place, where mistakes can be.
pub(super) trait Place {
    fn place(&self) -> Range<usize>;

    fn wrong(&self, message: impl Into<String>, help: impl Into<String>) -> Mistake {
        Mistake::new(self.place(), message, help)
    }

    fn refuse<T>(&self, message: impl Into<String>, help: impl Into<String>) -> Checked<T> {
        Err(self.wrong(message, help))
    }

    /// A result whose error is a mistake here.
    fn check<T>(&self, result: Result<T, impl Display>, help: impl Into<String>) -> Checked<T> {
        result.map_err(|error| self.wrong(error.to_string(), help))
    }
}

impl<T> Place for toml::Spanned<T> {
    fn place(&self) -> Range<usize> {
        self.span()
    }
}

impl Place for Fields<'_> {
    fn place(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// A table whose keys are known.
pub(super) struct Fields<'a> {
    what: String,
    span: Range<usize>,
    table: &'a DeTable<'a>,
}

impl<'a> Fields<'a> {
    /// A table that represents `what` ("a pair").
    pub fn new(what: &str, span: Range<usize>, table: &'a DeTable<'a>) -> Self {
        Self { what: what.to_owned(), span, table }
    }

    /// A value that must be a table; `example` shows one.
    pub fn of(what: &str, value: &'a Value<'a>, example: &str) -> Checked<Self> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(Self::new(what, value.span(), table)),
            _ => Err(wrong_type(value, what, "a table", &format!("for example {example}"))),
        }
    }

    /// A value that must be a table with no other keys.
    pub fn with_keys(
        what: &str,
        value: &'a Value<'a>,
        keys: &[&str],
        example: &str,
    ) -> Checked<Self> {
        let fields = Self::of(what, value, example)?;
        fields.only(keys)?;
        Ok(fields)
    }

    pub fn call(&mut self, what: String) {
        self.what = what;
    }

    pub fn get(&self, key: &str) -> Option<&'a Value<'a>> {
        self.table.get(key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The keys of these that are given.
    pub fn given<'k>(&self, keys: &[&'k str]) -> Vec<&'k str> {
        keys.iter().copied().filter(|key| self.has(key)).collect()
    }

    /// Place of a key's value, or else of the table.
    pub fn place_of(&self, key: &str) -> Range<usize> {
        self.get(key).map_or_else(|| self.place(), Value::span)
    }

    /// Value of a required key; `remedy` describes what to write.
    pub fn require(&self, key: &str, remedy: &str) -> Checked<&'a Value<'a>> {
        self.get(key).ok_or_else(|| self.wrong(format!("{} has no `{key}`", self.what), remedy))
    }

    /// Value of a required key, as `read` reads it.
    pub fn needed<T>(
        &self,
        key: &str,
        remedy: &str,
        read: impl FnOnce(&'a Value<'a>, &str) -> Checked<T>,
    ) -> Checked<T> {
        read(self.require(key, remedy)?, &format!("`{key}`"))
    }

    /// Value of a key, as `read` reads it, if it is given.
    pub fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&'a Value<'a>, &str) -> Checked<T>,
    ) -> Checked<Option<T>> {
        self.get(key).map(|value| read(value, &format!("`{key}`"))).transpose()
    }

    /// `true` if the key is given as true.
    pub fn flag(&self, key: &str) -> Checked<bool> {
        Ok(self.optional(key, boolean)?.unwrap_or(false))
    }

    /// One mistake for each key that is not among those known.
    pub fn unknown_keys<'s>(&'s self, known: &'s [&str]) -> impl Iterator<Item = Mistake> + 's {
        let unknown = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        unknown.map(|key| {
            let message = format!("unknown key `{}` in {}", key.get_ref(), self.what);
            key.wrong(message, did_you_mean(key.get_ref(), known, "keys"))
        })
    }

    /// Refuses the first key that is not among those known.
    pub fn only(&self, known: &[&str]) -> Checked<()> {
        self.unknown_keys(known).next().map_or(Ok(()), Err)
    }

    /// Keys and values, by key in the order of the alphabet.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value<'a>)> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), value))
    }
}

/// Notes the mistake, if it is one.
pub(super) fn keep<T>(mistakes: &mut Vec<Mistake>, result: Checked<T>) -> Option<T> {
    result.map_err(|mistake| mistakes.push(mistake)).ok()
}

/// A path relative to the folder of a spec.
pub(super) fn beside(spec: &Path, path: &str) -> PathBuf {
    spec.parent().unwrap_or_else(|| Path::new("")).join(path)
}

pub(super) fn number(value: &Value<'_>, what: &str) -> Checked<f64> {
    let too_large = || {
        value.wrong(format!("{what} is too large a number"), "write a number that fits in 64 bits")
    };
    match value.get_ref() {
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(x) if x.is_finite() || float.as_str().contains(['i', 'n']) => Ok(x),
            _ => Err(too_large()),
        },
        // Beyond 2^53 a float would also have been rounded.
        #[allow(clippy::cast_precision_loss)]
        DeValue::Integer(_) => integer(value).map(|x| x as f64).ok_or_else(too_large),
        _ => Err(wrong_type(value, what, "a number", "write a number such as 1.0 or 1e-5")),
    }
}

pub(super) fn finite(value: &Value<'_>, what: &str) -> Checked<f64> {
    match number(value, what)? {
        x if x.is_finite() => Ok(x),
        x => value.refuse(format!("{what} is {x}, which is invalid"), "write a finite number"),
    }
}

pub(super) fn positive(value: &Value<'_>, what: &str) -> Checked<f64> {
    match finite(value, what)? {
        x if x > 0.0 => Ok(x),
        x => value.refuse(format!("{what} is {x}"), "write a number above 0"),
    }
}

/// A whole number that is not negative; `1e6` is also one.
pub(super) fn whole(value: &Value<'_>, what: &str) -> Checked<u64> {
    let help = "write a whole number, at least 0, that fits in 64 bits";
    let (given, whole) = match value.get_ref() {
        DeValue::Integer(given) => {
            (given.to_string(), integer(value).and_then(|x| u64::try_from(x).ok()))
        }
        DeValue::Float(given) => {
            let x = number(value, what)?;
            let is_whole = x.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&x);
            // Whole and at most 2^53: the conversion is exact.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            (given.to_string(), is_whole.then_some(x as u64))
        }
        _ => return Err(wrong_type(value, what, "a whole number", help)),
    };
    let message = || format!("{what} must be a whole number, at least 0, not {given}");
    whole.ok_or_else(|| value.wrong(message(), help))
}

/// A whole number in the memory of this machine; what is larger is the largest.
pub(super) fn size(value: &Value<'_>, what: &str) -> Checked<usize> {
    whole(value, what).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

pub(super) fn boolean(value: &Value<'_>, what: &str) -> Checked<bool> {
    let wrong = || wrong_type(value, what, "true or false", "write it without quotes");
    value.get_ref().as_bool().ok_or_else(wrong)
}

pub(super) fn text<'a>(value: &'a Value<'a>, what: &str) -> Checked<&'a str> {
    let wrong = || wrong_type(value, what, "a string", "put it in quotes");
    value.get_ref().as_str().ok_or_else(wrong)
}

pub(super) fn owned(value: &Value<'_>, what: &str) -> Checked<String> {
    text(value, what).map(str::to_owned)
}

/// The meaning of a word; `wrong` gives message and help for another one.
pub(super) fn word<'a, T: Clone>(
    value: &'a Value<'a>,
    what: &str,
    words: &[(&str, T)],
    wrong: impl FnOnce(&'a str) -> (String, String),
) -> Checked<T> {
    let given = text(value, what)?;
    let found = words.iter().find(|(word, _)| *word == given).map(|(_, meaning)| meaning.clone());
    found.ok_or_else(|| {
        let (message, help) = wrong(given);
        value.wrong(message, help)
    })
}

pub(super) fn list<'a>(
    value: &'a Value<'a>,
    what: &str,
    example: &str,
) -> Checked<&'a DeArray<'a>> {
    let wrong = || wrong_type(value, what, "an array", &format!("for example {example}"));
    value.get_ref().as_array().ok_or_else(wrong)
}

/// A list of what `read` reads; `entry` is what a mistake calls one.
pub(super) fn list_of<'a, T>(
    value: &'a Value<'a>,
    (what, entry, example): (&str, &str, &str),
    read: impl Fn(&'a Value<'a>, &str) -> Checked<T>,
) -> Checked<Vec<T>> {
    list(value, what, example)?.iter().map(|value| read(value, entry)).collect()
}

/// A TOML integer, if 128 bits hold it.
pub(super) fn integer(value: &Value<'_>) -> Option<i128> {
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

/// The field that serde does not know, and those that it does, from its message.
pub(super) fn unknown_field(message: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = message.strip_prefix("unknown field `")?.split('`');
    let given = words.next()?;
    // Then: ", expected one of ", name, ", ", name …
    Some((given, words.skip(1).step_by(2).collect()))
}

fn wrong_type(value: &Value<'_>, what: &str, wanted: &str, help: &str) -> Mistake {
    let found = match value.get_ref() {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    };
    value.wrong(format!("{what} must be {wanted}, not {found}"), help)
}
