//! The JSON schema of events and samples, from their tables.

use super::kinds::{EventKind, Sampling};
use super::one::{Event, LARGEST_COUNT};
use super::table::{KindRow, ParameterRow};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// The parameters of a kind as properties of a schema.
fn properties(row: &KindRow) -> serde_json::Map<String, serde_json::Value> {
    let one = |parameter: &ParameterRow| {
        let number =
            serde_json::json!({ "type": "number", "description": parameter.limits.must_be });
        let list = || serde_json::json!({ "type": "array", "items": number });
        (parameter.name.to_owned(), if parameter.is_list { list() } else { number.clone() })
    };
    row.parameters.iter().map(one).collect()
}

fn needed(row: &KindRow) -> Vec<&'static str> {
    let needed = row.parameters.iter().filter(|parameter| parameter.usual.is_none());
    needed.map(|parameter| parameter.name).collect()
}

impl JsonSchema for Event {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let sampling = generator.subschema_for::<Sampling>();
        let of = |row: &KindRow| {
            let mut properties = properties(row);
            properties.insert("kind".into(), serde_json::json!({ "const": row.name }));
            let count = serde_json::json!({ "type": "integer", "minimum": 1, "maximum": LARGEST_COUNT,
                "description": "Number of uses; 1 if it is not given." });
            properties.insert("count".into(), count);
            properties.insert("sampling".into(), serde_json::json!(sampling));
            let required = [vec!["kind"], needed(row)].concat();
            serde_json::json!({ "type": "object", "properties": properties, "required": required,
                "additionalProperties": false })
        };
        let kinds: Vec<_> = EventKind::ROWS.iter().map(of).collect();
        json_schema!({ "description": "A mechanism, used `count` times, each time on the whole dataset or on a fresh \
            sample of it.", "oneOf": kinds })
    }
}

impl JsonSchema for Sampling {
    fn schema_name() -> Cow<'static, str> {
        "Sampling".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let of = |row: &KindRow| {
            let named = serde_json::json!({ "type": "object", "properties": properties(row),
                "required": needed(row), "additionalProperties": false });
            let value = if needed(row).len() == 1 {
                serde_json::json!({ "anyOf": [{ "type": "number" }, named] })
            } else {
                named
            };
            serde_json::json!({ "type": "object", "properties": { row.name: value },
                "required": [row.name], "additionalProperties": false })
        };
        let samples: Vec<_> = Self::ROWS.iter().map(of).collect();
        json_schema!({ "description": "The sample of the rows that a use sees.", "oneOf": samples })
    }
}
