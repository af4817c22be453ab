//! A record as YAML, as the registry's own checks read it (PyYAML; no folded blocks).

use super::field::Field;
use serde_json::Value;

/// Characters of a field's description that a comment shows.
const MOST_WORDS: usize = 110;

/// The record, with a comment at each field that is to be filled in.
pub(super) fn written(root: &Field, schema: &Value) -> String {
    let mut out = String::new();
    write(root, schema, 0, &mut out);
    out
}

fn write(field: &Field, schema: &Value, depth: usize, out: &mut String) {
    let Field::Parts(parts) = field else { return };
    for (name, part) in parts {
        let schema = &schema["properties"][name];
        let indent = "  ".repeat(depth);
        match part {
            Field::Parts(inner) if inner.is_empty() => {}
            Field::Parts(_) => {
                // A name without any value is null in YAML, which is not an object.
                let mark = if part.is_written() { "" } else { "# " };
                out.push_str(&format!("{indent}{mark}{name}:\n"));
                write(part, schema, depth + 1, out);
            }
            Field::Known(value) => {
                out.push_str(&format!("{indent}{name}:{}\n", known(value, &indent)));
            }
            Field::Required(value) => {
                let comment = comment(schema);
                out.push_str(&format!("{indent}# FILL IN{comment}\n"));
                out.push_str(&format!("{indent}{name}:{}\n", known(value, &indent)));
            }
            Field::Optional => {
                let comment = comment(schema);
                out.push_str(&format!("{indent}# {name}: \"\" # if known{comment}\n"));
            }
        }
    }
}

/// A value after the colon.
fn known(value: &Value, indent: &str) -> String {
    match value {
        Value::String(text) if text.contains('\n') => {
            let lines = text.lines().map(|line| format!("\n{indent}  {line}"));
            format!(" |-{}", lines.collect::<String>())
        }
        Value::Array(items) => {
            items.iter().map(|item| format!("\n{indent}  - {}", scalar(item))).collect()
        }
        value => format!(" {}", scalar(value)),
    }
}

/// A scalar as JSON, which is YAML; numbers as YAML 1.1 reads them, too: an exponent has a point before it and a sign.
fn scalar(value: &Value) -> String {
    let json = value.to_string();
    match (value, json.split_once('e')) {
        (Value::Number(_), Some((mantissa, exponent))) => {
            let point = if mantissa.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
            format!("{mantissa}{point}e{sign}{exponent}")
        }
        _ => json,
    }
}

/// The first line of a field's description, and its choices.
fn comment(schema: &Value) -> String {
    let mut comment = String::new();
    if let Some(line) = schema["description"].as_str().and_then(|text| text.lines().next()) {
        comment.push_str(&format!(": {}", crate::report::words::cut(line, MOST_WORDS)));
    }
    if let Some(choices) = schema["enum"].as_array() {
        let words = choices.iter().map(|choice| match choice {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        comment.push_str(&format!(" (one of: {})", words.collect::<Vec<_>>().join(", ")));
    }
    comment
}
