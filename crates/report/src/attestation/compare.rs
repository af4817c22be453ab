//! The first difference between an attested result and a report.

use super::statement::Predicate;
use plaudit_core::visible::{excerpt, visible};
use serde_json::Value;

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its place: "audit `voters`, range.relation".
    pub place: String,
    /// The attested value, as JSON; shortened.
    pub attested: String,
    /// The value of the report, likewise.
    pub reported: String,
}

/// The first difference between a predicate as it is attested and what a report shows, if there is one.
pub fn difference(attested: &Value, reported: &Predicate) -> Option<Difference> {
    let whole = serde_json::to_value(reported).expect("the keys of a predicate are strings");
    let audits = |value: &Value| value["audits"].as_array().cloned().unwrap_or_default();
    let both = audits(attested).into_iter().zip(audits(&whole));
    for ((one, other), audit) in both.zip(&reported.audits) {
        if let Some(found) = first(&one, &other, String::new()) {
            let place = format!("audit `{}`, {}", visible(&audit.name), found.place);
            return Some(Difference { place, ..found });
        }
    }
    first(attested, &whole, String::new())
}

fn first(attested: &Value, reported: &Value, place: String) -> Option<Difference> {
    if attested == reported {
        return None;
    }
    let below = |name: &str| match place.as_str() {
        "" => visible(name),
        place => format!("{place}.{}", visible(name)),
    };
    let inner = match (attested, reported) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            let mut pairs = names.map(|name| (name, one.get(name), other.get(name)));
            pairs.find_map(|(name, one, other)| {
                let nothing = &Value::Null;
                first(one.unwrap_or(nothing), other.unwrap_or(nothing), below(name))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(at, (one, other))| first(one, other, below(&at.to_string())))
        }
        _ => None,
    };
    inner.or_else(|| {
        Some(Difference { attested: short(attested), reported: short(reported), place })
    })
}

/// A value in one line; a list by its length, since the lists of a statement may be long.
fn short(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        value => excerpt(value.to_string().as_bytes()),
    }
}
