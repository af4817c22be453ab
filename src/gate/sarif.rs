//! SARIF 2.1.0, which code hosts show beside the lines of a spec.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use crate::visible::visible;
use serde_json::{Value, json};

/// What each rule is about.
const RULES: [(&str, &str); 9] = [
    ("violated", "A claim is refuted."),
    ("missed-mistake", "A planted mistake was not caught."),
    ("inconclusive", "A claim could not be tested properly."),
    ("not-reached", "An audit was not reached in time."),
    ("attack", "An attack did not end as expected."),
    ("loosened-claim", "A claim allows more than it did in the baseline."),
    ("other-neighbors", "A claim is about other neighbors than in the baseline."),
    ("removed-audit", "An audit of the baseline is gone."),
    ("removed-mutant", "A planted mistake of the baseline is expected to pass."),
];

/// A log of all that did not pass.
pub fn sarif(decision: &GateDecision) -> Value {
    let rules = RULES.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    let failed = decision.checks.iter().filter(|check| check.status != CheckStatus::Passed);
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "plaudit",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": failed.map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(check: &GateCheck) -> Value {
    let level = if check.status == CheckStatus::Failed { "error" } else { "warning" };
    let mut result = json!({
        "ruleId": check.rule,
        "level": level,
        "message": { "text": visible(&format!("{}: {}", check.name, check.message)) },
        "partialFingerprints": { "plaudit/v1": check.fingerprint },
    });
    if let Some((file, line)) = &check.place {
        result["locations"] = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": (*line).max(1) },
        } }]);
    }
    result
}

/// A path as a relative reference (RFC 3986): all but letters, digits and `-._~/` in percents.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
