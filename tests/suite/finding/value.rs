//! The shape of the report: sample, schema, and what is committed of both.

use plaudit::finding::{Finding, Report, schema};
use serde_json::Value;

const SAMPLE: &str = "tests/data/sample-report.json";
const SCHEMA: &str = "docs/report.schema.json";

fn pretty(value: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).unwrap())
}

/// Compares with a committed copy; writes it anew when `PLAUDIT_UPDATE` is set.
fn committed(path: &str, text: &str) -> String {
    if std::env::var_os("PLAUDIT_UPDATE").is_some() {
        std::fs::write(path, text).unwrap();
    }
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    let now = pretty(&schema());
    assert!(committed(SCHEMA, &now) == now, "run with PLAUDIT_UPDATE=1 and review {SCHEMA}");
}

#[test]
fn the_sample_is_a_valid_report_and_survives_a_round_trip() {
    let made = crate::support::report::report();
    let text = committed(SAMPLE, &pretty(&serde_json::to_value(&made).unwrap()));
    let value: Value = serde_json::from_str(&text).unwrap();
    let report: Report = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap(), value);
    // Other systems round logarithms otherwise: counts and words must agree, not last digits.
    for (committed, made) in report.audits.iter().zip(&made.audits) {
        assert_eq!((&committed.name, committed.verdict), (&made.name, made.verdict));
        assert_eq!(committed.tally, made.tally);
        let labels =
            |f: &Finding| f.witness.bins.iter().map(|b| b.label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(committed), labels(made));
    }
    assert_eq!(report.audits.len(), made.audits.len());
}
