//! Datasets as programs get them.

use super::Dataset;
use serde_json::{Value, json};

/// A value of at most this many bytes is shown whole in reports.
const SHOWN: usize = 1000;

/// A dataset as JSON in one line; numbers that are not finite as bare words.
pub fn write(dataset: &Dataset) -> String {
    let mut out = String::new();
    match dataset {
        Dataset::Json(value) => add(value, &mut out),
        Dataset::Numbers(values) => {
            out.push('[');
            for (place, x) in values.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                out.push_str(&number(*x));
            }
            out.push(']');
        }
        // Its cells are finite numbers and text, which JSON has.
        Dataset::Table(table) => out = serde_json::to_string(table).unwrap_or_default(),
    }
    out
}

/// A value as a reader of a report needs it.
pub fn abridged(value: &Value) -> Value {
    let words = value.to_string();
    if words.len() <= SHOWN {
        return value.clone();
    }
    let start: String = words.chars().take(SHOWN / 2).collect();
    json!({ "bytes": words.len(), "start": start })
}

fn add(value: &Value, out: &mut String) {
    match value {
        Value::Array(values) => {
            out.push('[');
            for (place, value) in values.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                add(value, out);
            }
            out.push(']');
        }
        Value::Object(fields) => match infinite(value) {
            Some(word) => out.push_str(word),
            None => {
                out.push('{');
                for (place, (key, value)) in fields.iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    out.push_str(&Value::from(key.as_str()).to_string());
                    out.push(':');
                    add(value, out);
                }
                out.push('}');
            }
        },
        other => out.push_str(&other.to_string()),
    }
}

/// The bare word for a number that is not finite.
fn infinite(value: &Value) -> Option<&'static str> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    match fields.get("$number")?.as_str()? {
        "nan" => Some("NaN"),
        "inf" => Some("Infinity"),
        "-inf" => Some("-Infinity"),
        _ => None,
    }
}

fn number(x: f64) -> String {
    match x {
        x if x.is_nan() => "NaN".into(),
        x if x == f64::INFINITY => "Infinity".into(),
        x if x == f64::NEG_INFINITY => "-Infinity".into(),
        x => Value::from(x).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datasets_are_written_as_they_are() {
        let value =
            json!({ "a": [1, 1.0, {"$number": "nan"}, null, "x\n"], "b": {"$number": "-inf"} });
        let words = r#"{"a":[1,1.0,NaN,null,"x\n"],"b":-Infinity}"#;
        assert_eq!(write(&Dataset::Json(value)), words);
        let numbers = Dataset::Numbers(vec![0.1, -0.0, f64::NAN, 3.0]);
        assert_eq!(write(&numbers), "[0.1,-0.0,NaN,3.0]");
    }

    #[test]
    fn large_values_are_cut_short_in_reports() {
        let large = Value::from(vec![7; 5000]);
        assert!(abridged(&large).to_string().len() < 2 * SHOWN);
        assert_eq!(abridged(&json!([1, 2])), json!([1, 2]));
    }
}
