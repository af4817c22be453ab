//! Mechanisms: of the catalog, programs and recorded outcomes.

mod built;
#[cfg(unix)]
mod function;
#[cfg(not(unix))]
#[path = "function_elsewhere.rs"]
mod function;
pub(super) mod post;
#[cfg(unix)]
mod program;
#[cfg(not(unix))]
#[path = "program_elsewhere.rs"]
mod program;
pub(super) mod recorded;

pub use built::FunctionSpec;
pub(super) use built::{Built, NO_TIME};

use super::error::{Checked, Mistake};
use super::read::{self, Fields, Place as _, Value, did_you_mean};
use plaudit_accountant::number;
use plaudit_catalog as catalog;
use plaudit_core::finding::MechanismKind;
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::path::Path;
use toml::de::{DeValue, ValueDeserializer};

/// Reads the mechanism; a program is started in the folder of `file`, and a function of this process is `function`.
pub(super) fn read(
    audit: &Fields<'_>,
    file: &Path,
    function: Option<&FunctionSpec>,
) -> Checked<Built> {
    const EXAMPLE: &str = "{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }";
    let value = audit.require("mechanism", &format!("write mechanism = {EXAMPLE}"))?;
    let fields = Fields::of("`mechanism`", value, EXAMPLE)?;
    if fields.get("command").or(fields.get("stages")).is_some() {
        return program::read(&fields, value, file);
    }
    if fields.get("function").is_some() {
        return function::read(&fields, value, function);
    }
    let kind_value = fields.require("kind", &format!("for example mechanism = {EXAMPLE}"))?;
    let kind = read::text(kind_value, "`kind`")?;
    if !catalog::KINDS.contains(&kind) {
        let message = format!("unknown mechanism `{kind}`");
        return kind_value.refuse(message, did_you_mean(kind, catalog::KINDS, "kinds"));
    }
    let parameters = without_kind(value);
    let json = to_json(parameters.get_ref());
    let mechanism = catalog::build(kind, ValueDeserializer::from(parameters))
        .map_err(|error| explain(kind, &error, value))?;
    Ok(Built::new(MechanismKind::Catalog(kind.to_owned()), json, mechanism))
}

/// `true` if a program is meant.
pub(super) fn is_written_as_program(audit: &Fields<'_>) -> bool {
    let table = audit.get("mechanism").and_then(|value| value.get_ref().as_table());
    table.is_some_and(|table| table.contains_key("command") || table.contains_key("stages"))
}

fn without_kind<'i>(value: &Value<'i>) -> Value<'i> {
    let mut parameters = value.clone();
    if let DeValue::Table(table) = parameters.get_mut() {
        table.remove("kind");
    }
    parameters
}

/// Message of the catalog on wrong parameters, in the words of specs.
fn explain(kind: &str, error: &toml::de::Error, mechanism: &Value<'_>) -> Mistake {
    let span = error.span().unwrap_or_else(|| mechanism.span());
    let said = error.message();
    if let Some((given, known)) = read::unknown_field(said) {
        let message = format!("unknown parameter `{given}` of mechanism `{kind}`");
        let help = (known.contains(&"lower") && known.contains(&"upper"))
            .then(|| bounds(given, mechanism))
            .flatten()
            .unwrap_or_else(|| did_you_mean(given, &known, "parameters"));
        return Mistake::new(span, message, help);
    }
    if let Some(name) = said.strip_prefix("missing field `").and_then(|rest| rest.split('`').next())
    {
        let message = format!("mechanism `{kind}` needs the parameter `{name}`");
        return Mistake::new(span, message, format!("add {name} = … to the mechanism"));
    }
    let named = mechanism.get_ref().as_table().and_then(|table| {
        let (name, _) = table.iter().find(|(_, value)| value.span() == span)?;
        Some(name.get_ref().as_ref())
    });
    if let (Some(name), "wanted string or table") = (named, said) {
        let message = format!("mechanism `{kind}`: `{name}` must be a word in quotes");
        let help = bounds(name, mechanism);
        let help = help.unwrap_or_else(|| "give the parameter a valid value".into());
        return Mistake::new(span, message, help);
    }
    let (number, whole) = ("expected a number", "expected a whole number, at least 0");
    let types =
        [("f64", number), ("f32", number), ("usize", whole), ("u64", whole), ("u32", whole)];
    let said = types.iter().fold(said.to_owned(), |said, (of_rust, words)| {
        said.replace(&format!("expected {of_rust}"), words)
    });
    let message = format!("mechanism `{kind}`: {said}");
    Mistake::new(span, message, "give the parameter a valid value")
}

/// Help for bounds that were given as one pair to a mechanism that takes them apart.
fn bounds(given: &str, mechanism: &Value<'_>) -> Option<String> {
    if !["bounds", "range", "clip", "clamp"].contains(&given) {
        return None;
    }
    let ends = mechanism.get_ref().as_table()?.get(given)?.get_ref().as_array()?;
    let ends: Vec<String> = ends.iter().map(|end| to_json(end.get_ref()).to_string()).collect();
    let [lower, upper] = &ends[..] else { return None };
    Some(format!("write lower = {lower}, upper = {upper} instead of {given} = [{lower}, {upper}]"))
}

/// A TOML value as JSON; numbers that are not finite become words.
fn to_json(value: &DeValue<'_>) -> Json {
    json_of(value, |x| Json::from(number::words(x)))
}

/// A dataset for a program: JSON, with `{ "$number": … }` for numbers that are not finite.
pub(super) fn dataset(value: &DeValue<'_>) -> Json {
    json_of(value, |x| match x {
        f64::INFINITY => json!({ "$number": "inf" }),
        f64::NEG_INFINITY => json!({ "$number": "-inf" }),
        _ => json!({ "$number": "nan" }),
    })
}

/// A TOML value as JSON, with placeholders for numbers that are not finite.
fn json_of(value: &DeValue<'_>, not_finite: fn(f64) -> Json) -> Json {
    let inner = |value: &Value<'_>| json_of(value.get_ref(), not_finite);
    match value {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Integer(x) => {
            let whole = i128::from_str_radix(x.as_str(), x.radix()).ok();
            let signed = whole.and_then(|x| i64::try_from(x).ok()).map(Json::from);
            let unsigned = whole.and_then(|x| u64::try_from(x).ok()).map(Json::from);
            signed.or(unsigned).unwrap_or_else(|| Json::from(x.to_string()))
        }
        DeValue::Float(x) => match x.as_str().parse::<f64>() {
            Ok(x) if x.is_finite() => Json::from(x),
            Ok(x) => not_finite(x),
            Err(_) => Json::Null,
        },
        DeValue::Boolean(x) => Json::from(*x),
        DeValue::Datetime(x) => Json::from(x.to_string()),
        DeValue::Array(array) => array.iter().map(inner).collect(),
        DeValue::Table(table) => {
            let entry = |(key, value): (&toml::Spanned<Cow<'_, str>>, &Value<'_>)| {
                (key.get_ref().to_string(), inner(value))
            };
            Json::Object(table.iter().map(entry).collect())
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/spec/mechanism/mod.rs"]
mod tests;
