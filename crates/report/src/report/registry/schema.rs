//! The schema of the registry, and the part of JSON Schema that it uses.

use crate::report::words::visible;
use serde_json::Value;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("deployments-schema.json"))
        .expect("the schema is a constant that the tests read")
});

/// JSON Schema of a record; its source is in the README.md of this folder.
pub fn schema() -> &'static Value {
    &SCHEMA
}

/// Violations of a schema with the keywords of the registry's: `type`, `enum`, `properties`, `required`,
/// `additionalProperties`, `items`, `minItems` and the format `date`. Each has its place: "deployment.basic.name: …".
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, value, "", &mut found);
    found
}

fn check(schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let place = if path.is_empty() { "the record" } else { path };
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect::<Vec<_>>(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name, value)) {
        found.push(format!("{place}: not of type {}", types.join(" or ")));
        return;
    }
    if schema["enum"].as_array().is_some_and(|choices| !choices.contains(value)) {
        found.push(format!("{place}: {} is not one of its choices", visible(&value.to_string())));
    }
    if schema["format"] == "date" && value.as_str().is_some_and(|text| !is_date(text)) {
        found.push(format!("{place}: not a date (YYYY-MM-DD)"));
    }
    match value {
        Value::Object(_) => check_object(schema, value, path, found),
        Value::Array(items) => {
            if schema["minItems"].as_u64().is_some_and(|least| (items.len() as u64) < least) {
                found.push(format!("{place}: too few items"));
            }
            for (at, item) in items.iter().enumerate() {
                check(&schema["items"], item, &format!("{path}.{at}"), found);
            }
        }
        _ => {}
    }
}

fn check_object(schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let below = |name: &str| match path {
        "" => visible(name),
        path => format!("{path}.{}", visible(name)),
    };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{}: missing", below(name)));
        }
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(schema) => check(schema, value, &below(name), found),
            None if schema["additionalProperties"] == false => {
                found.push(format!("{}: not a field of the registry", below(name)));
            }
            None => {}
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

/// `true` for a day of the Gregorian calendar as YYYY-MM-DD.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    if [year.len(), month.len(), day.len()] != [4, 2, 2] {
        return false;
    }
    let is_number = |part: &str| part.bytes().all(|c| c.is_ascii_digit());
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| is_number(part));
    let (Some(year), Some(month), Some(day)) = (number(year), number(month), number(day)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}
