//! SARIF, by the schema that OASIS publishes.

use plaudit::Report;
use plaudit::gate::{Acceptance, GateRules, decide, sarif};
use serde_json::{Value, json};

#[test]
fn what_the_gate_writes_is_valid() {
    let schema: Value =
        serde_json::from_str(include_str!("../data/sarif-schema-2.1.0.json")).unwrap();
    let validator = jsonschema::draft4::new(&schema).unwrap();
    let before: Report = serde_json::from_str(include_str!("../data/sample-report.json")).unwrap();
    let mut report = before.clone();
    report.audits[0].name = "</script>]]>|`::error::%0A\n\u{1b}[31m\u{202e}".into();
    report.audits[3].alpha = 1e-9;
    report.audits[4].as_expected = false;
    report.audits[4].expected = plaudit::Expectation::NotViolated;
    let accepted = vec![Acceptance {
        audit: report.audits[4].name.clone(),
        rule: plaudit::gate::GateRule::Violated,
        fingerprint: None,
        bound: None,
        reason: "known".into(),
        expires: "2026-12-31".into(),
        place: ("accepted.toml".into(), 1),
    }];
    let rules = GateRules { accepted, today: "2026-11-26".into(), ..GateRules::default() };
    let log = sarif(&decide(&report, Some(&before), &rules));
    let results = log["runs"][0]["results"].as_array().unwrap();
    for level in ["error", "warning"] {
        let many = results.iter().filter(|result| result["level"] == level).count();
        assert!(many >= 2, "{level}: {many}");
    }
    // Information alone is not a finding.
    assert!(results.iter().all(|result| result["level"] != "note"));
    assert!(results.iter().any(|result| result["suppressions"][0]["status"] == "accepted"));
    if let Err(error) = validator.validate(&log) {
        panic!("{error} at {}", error.instance_path());
    }
    let broken = [
        ("/version", json!("2.0")),
        ("/runs/0/results/0/level", json!("bad")),
        ("/runs/0/results/0/message", json!({})),
        ("/runs/0/tool/driver/name", Value::Null),
    ];
    for (place, value) in broken {
        let mut log = log.clone();
        *log.pointer_mut(place).unwrap() = value;
        assert!(!validator.is_valid(&log), "{place} is not checked");
    }
}
