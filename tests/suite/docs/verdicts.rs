//! The pages on reading reports name every field, verdict and exit code that there is.

use plaudit::finding::schema;
use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = concat!(
    include_str!("../../../docs/verdicts.md"),
    include_str!("../../../docs/report.md"),
    include_str!("../../../docs/reasons.md"),
    include_str!("../../../docs/replay.md"),
);

/// The components of every field that the pages name: `loss.kl`, `profile[].epsilon`, `.says`.
fn named() -> BTreeSet<&'static str> {
    let quoted = PAGE.split('`').skip(1).step_by(2);
    quoted.flat_map(|words| words.split('.')).map(|part| part.trim_end_matches("[]")).collect()
}

fn properties<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        found.extend(properties.keys().map(String::as_str));
    }
    match schema {
        Value::Object(entries) => entries.values().for_each(|value| properties(value, found)),
        Value::Array(entries) => entries.iter().for_each(|value| properties(value, found)),
        _ => {}
    }
}

/// Words that the schema allows: verdicts, expectations, tests, guesses, forms of claims.
fn words<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Object(entries) => {
            found.extend(entries.get("const").and_then(Value::as_str));
            let listed = entries.get("enum").and_then(Value::as_array).into_iter().flatten();
            found.extend(listed.filter_map(Value::as_str));
            entries.values().for_each(|value| words(value, found));
        }
        Value::Array(entries) => entries.iter().for_each(|value| words(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_of_the_report_is_named() {
    let schema = schema();
    let mut fields = BTreeSet::new();
    properties(&schema, &mut fields);
    assert!(fields.len() > 50, "{}", fields.len());
    let missing: Vec<_> = fields.difference(&named()).copied().collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_word_that_a_report_may_use_is_explained() {
    let schema = schema();
    let mut allowed = BTreeSet::new();
    words(&schema, &mut allowed);
    assert!(allowed.contains("violated") && allowed.contains("event D over D'"), "{allowed:?}");
    let missing: Vec<_> = allowed.difference(&named()).copied().collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[cfg(feature = "cli")]
#[test]
fn exit_codes_are_those_of_the_program() {
    use plaudit::cli::exit::{
        AS_EXPECTED, FAILED, INCONCLUSIVE, INTERRUPTED, NOTHING_SELECTED, UNEXPECTED,
    };
    let codes = [
        (AS_EXPECTED, "every verdict is as expected"),
        (UNEXPECTED, "an unexpected violation"),
        (FAILED, "wrong usage"),
        (INCONCLUSIVE, "inconclusive"),
        (NOTHING_SELECTED, "nothing selected"),
        (INTERRUPTED, "interrupted"),
    ];
    for (code, words) in codes {
        let row = format!("| {code} | {words}");
        assert!(PAGE.contains(&row), "{row}");
    }
}
