//! The JSON Schema of the report, by a validator of others.

use plaudit::finding::schema;
use serde_json::Value;

#[test]
fn the_schema_accepts_reports_and_nothing_else() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    jsonschema::meta::validate(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let report = serde_json::to_value(crate::support::report::report()).unwrap();
    if let Err(error) = validator.validate(&report) {
        panic!("{error} at {}", error.instance_path());
    }
    let broken: [(&str, Value); 6] = [
        ("/audits/0/verdict", "safe".into()),
        ("/audits/0/p_value", "small".into()),
        ("/audits/0/claim/form", "renyi".into()),
        ("/audits/0/claim/reference_delta", Value::Null),
        ("/audits/0/tally/d/0", (-1).into()),
        ("/run/seed", 1.5.into()),
    ];
    for (place, value) in broken {
        let mut report = report.clone();
        *report.pointer_mut(place).unwrap() = value;
        assert!(!validator.is_valid(&report), "{place} is not checked");
    }
}
