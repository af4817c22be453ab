//! The JSON Schema of the report.

use super::value::Report;

/// The JSON Schema (draft 2020-12) of `report.json`, made from the types: it cannot drift from
/// them.
pub fn schema() -> serde_json::Value {
    schemars::generate::SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Report>()
        .to_value()
}
